"""Targets of texts from outside: JSON queries, games for the board, stored tables, networks, plans.

Each is accepted, or rejected in words, by the error that its readers expect.
"""

import json
import tempfile
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

from fuzz.source import Source

from pinchtp.analysis.command import answer_line
from pinchtp.analysis.engine import AnalysisEngine
from pinchtp.analysis.output import AnswerWriter
from pinchtp.analysis.queries import Query, QueryGame, read_allowed_moves
from pinchtp.board.importing import read
from pinchtp.board.storage.saved_table import load_table, save_table
from pinchtp.board.table import Table
from pinchtp.board.tree import RequestError
from pinchtp.games import GAMES
from pinchtp.match.plan import PlanError
from pinchtp.match.plan_file import PlanBuilder, from_json, to_json
from pinchtp.player.network import DIGEST_BYTES, MAGIC, VERSION, NetworkError, load, parse
from pinchtp.player.settings import Settings
from pinchtp.records.link import link_text, load_link


class Answers(AnswerWriter):
    """Keeps the answers, as a client would read them."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[Any] = []

    def send(self, answer: dict[str, Any]) -> None:
        self.lines.append(json.loads(json.dumps(answer)))


class UnsearchedQueries(AnalysisEngine):
    """An engine that sets up the positions of queries, and does not search them."""

    def __init__(self) -> None:
        self.count = 0

    def add(self, query: Query) -> None:
        self.count += 1
        for turn in query.analyze_turns or ():
            session = QueryGame(query).at(turn)
            if not session.is_over:
                read_allowed_moves(query, session)

    def terminate(self, query_id: str | None, turns: object = None) -> None:
        self.count += 1


def queries(data: bytes) -> None:
    """Each line of JSON is answered, or queued."""
    for line in data.splitlines():
        output = Answers()
        engine = UnsearchedQueries()
        answer_line(line, engine, output, Settings())
        assert output.lines or engine.count
        for answer in output.lines:
            assert isinstance(answer.get("error", ""), str)


def loaded(data: bytes) -> None:
    """A text is a game or rejected; a link to that game leads to it again."""
    try:
        game = read(data.decode("utf-8", "surrogateescape"), Table())
    except RequestError as refusal:
        str(refusal).encode(errors="backslashreplace")
        return
    session = game.tree.session(game.node)
    again = load_link(link_text(session))
    assert again is not None
    assert again.position == session.position


def links(data: bytes) -> None:
    """The same of a fragment of an address."""
    loaded(b"#game=" + data)


def tables(data: bytes) -> None:
    """A stored table is restored, and stored alike, or rejected."""
    try:
        table, ratings = load_table(data)
    except ValueError:
        return
    numbered = load_table(save_table(table, ratings))  # the nodes, in their order
    stored = save_table(*numbered)
    assert save_table(*load_table(stored)) == stored


def networks(data: bytes) -> None:
    """A network with a right checksum is loaded or rejected. The first byte chooses the game."""
    game = Source(data).choice(list(GAMES.values()))
    digest = blake2b(data[1:], digest_size=DIGEST_BYTES).hexdigest()
    with suppress(NetworkError):
        file = parse(f"{MAGIC} {VERSION}\n{digest}\n".encode() + data[1:], "it")
        load(file, game.start(*game.size), "it")


def plans(data: bytes) -> None:
    """A match file is a plan, which is stored and read back, or rejected."""
    builder = PlanBuilder()
    with tempfile.NamedTemporaryFile(suffix=".toml") as file:
        file.write(data)
        file.flush()
        try:
            builder.load(Path(file.name))
            plan = builder.plan()
        except PlanError:
            return
    assert from_json(to_json(plan)) == plan
