"""A match as one HTML file, which needs no network and nothing beside it.

Tables and charts stand in the page as they are; the games stand in it as data, from which its
script (page.js) draws a list and a board to replay them on.
"""

from __future__ import annotations

import errno
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from pinchtp.match.game.record import Cause, GameRecord, Identity
from pinchtp.match.game.rules import GameRules
from pinchtp.match.page import markup, sections
from pinchtp.match.page.course import Course
from pinchtp.match.page.data import game_data, page_data
from pinchtp.match.page.replay import Board, Replay
from pinchtp.match.plan.time_control import format_time
from pinchtp.match.results.summary import Summary, is_failure
from pinchtp.match.statistics.sprt import Sprt

__all__ = ["write_page"]


def write_page(  # noqa: PLR0913  (what a match is)
    records: Iterable[GameRecord],
    path: Path,
    *,
    title: str,
    engines: Sequence[str],
    rules: GameRules,
    sprt: Sprt | None = None,
) -> int:
    """Writes the page of a match, and returns its size in bytes.

    records: the games, void ones too, in any order. engines: the names of all that take part, in
    the order of the tables. Without a referee, or where the rules are not ours, games can be read
    but not seen on a board. A page that stands at `path` already is replaced in one step.

    Raises OSError if it cannot be written, ValueError for games of other engines.
    """
    page = _Page(engines, rules)
    for record in records:
        page.add(record)
    text = page.document(title, sprt)
    content = text.encode("utf-8", "backslashreplace")  # engines may say what is no UTF-8
    _replace(Path(path), content)
    return len(content)


class _Page:
    """What is collected from the games while they pass by."""

    def __init__(self, engines: Sequence[str], rules: GameRules) -> None:
        self.engines, self.rules = tuple(engines), rules
        self.board: Board | None = None
        if rules.referee:
            self.board = Board(rules)
        self.summary, self.course = Summary(engines), Course(engines)
        self._games: list[tuple[tuple[int, int], list[Any]]] = []
        self._failures: list[tuple[tuple[int, int], str]] = []
        self._causes: Counter[Cause] = Counter()
        self._machines: Counter[str] = Counter()
        self._times: list[float] = []
        self._identities: dict[str, Counter[Identity]] = {name: Counter() for name in engines}
        self._first_cells: dict[str, int] = {}

    def add(self, record: GameRecord) -> None:
        self.summary.add(record)
        self.course.add(record)
        task = record.task
        order = (task.number, task.attempt)
        replay = self.board.replay(move.text for move in record.moves) if self.board else None
        self._games.append((order, game_data(record, replay, self.engines)))
        if is_failure(record) or record.transcript:  # kept for what went wrong after the end too
            self._failures.append((order, sections.failure(record)))
        if not record.is_void:
            self._causes[record.cause] += 1
        self._machines[record.machine] += 1
        if record.started:
            self._times += [record.started, record.started + record.seconds]
        for color, name in (("black", task.black), ("white", task.white)):
            if color in record.identities:
                self._identities[name][record.identities[color]] += 1
        if replay is not None:
            self._add_first_move(record, replay)

    def _add_first_move(self, record: GameRecord, replay: Replay) -> None:
        """Where it was placed; moves of other kinds have no place on the chart."""
        if replay.changes and len(replay.changes[0]) == 1:
            self._first_cells[record.moves[0].text] = replay.changes[0][0][0]

    def document(self, title: str, sprt: Sprt | None) -> str:
        summary, report = self.summary, self.summary.report()
        told = [text for _, text in sorted(self._failures)[: sections.MOST_TOLD]]
        head = [sections.results(summary, report, sprt), sections.course(self.course.lines())]
        body = [
            sections.lengths(report),
            sections.first_moves(report, self.board, self._first_cells),
            sections.ends(report, self._causes),
            sections.times(report),
            sections.failures(report, told, summary.void),
            sections.engines(self._identities),
        ]
        if len(self.engines) > 2:  # the crosstable is as wide as the page
            head.append(body.pop(0))
        games = [data for _, data in sorted(self._games, key=lambda item: item[0])]
        assets = files(__name__)
        parts = {
            "title": markup.text(title),
            "facts": markup.text(" · ".join(self._facts())),
            "style": assets.joinpath("page.css").read_text("utf-8"),
            "results": "\n".join(head),
            "sections": "\n".join(body),
            "data": page_data(self.engines, self.board, games),
            "script": "".join(
                assets.joinpath(name).read_text("utf-8") for name in ("board.js", "page.js")
            ),
        }
        pieces = assets.joinpath("page.html").read_text("utf-8").split("@@")
        return "".join(parts[piece] if at % 2 else piece for at, piece in enumerate(pieces))

    def _facts(self) -> Iterator[str]:
        rules = self.rules
        game = self.board.game.title if self.board else rules.game
        yield f"{game} {rules.width}{markup.TIMES}{rules.height}"
        yield from (f"{name} {value}" for name, value in rules.options.items())
        if rules.control.main is not None:
            yield f"time {format_time(rules.control)}"
        yield markup.count(self.summary.games, "game")
        if self._times:
            days = [
                datetime.fromtimestamp(time, UTC).date().isoformat()
                for time in (min(self._times), max(self._times))
            ]
            yield days[0] if days[0] == days[1] else f"{days[0]} to {days[1]}"
        machines = sorted(name for name in self._machines if name)
        if machines:
            yield machines[0] if len(machines) == 1 else f"{len(machines)} machines"


def _replace(path: Path, content: bytes) -> None:
    """Whoever reads the file finds the old page or the new one."""
    target = path.resolve()  # what a link points to, not the link
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    temporary = target.with_name(f"{target.name}.{os.urandom(4).hex()}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(content)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
