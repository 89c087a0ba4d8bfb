"""Import of pasted or dropped games; export as SGF and as a record."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice

from pinchtp.base.streams import visible
from pinchtp.board.messages import MOST_NAME
from pinchtp.board.table import Table, control_of
from pinchtp.board.tree import Node, RequestError, Tree
from pinchtp.games import Color, GameType
from pinchtp.games.history import Turn
from pinchtp.games.session import NOTHING_KNOWN, GameHeader, Session
from pinchtp.games.winrate import Winrate
from pinchtp.records import reader, sgf
from pinchtp.records.abstract_play import encode, to_record
from pinchtp.records.errors import RecordError
from pinchtp.records.game import RecordFormat, UnreadGame, Usual

UNNAMED = ("Black", "White")  # humans without a name
MOST_LINES = 3000  # variations read from a file, each from its start: some seconds


@dataclass(frozen=True)
class LoadedGame:
    """A game read from a text. node: to display.

    is_line: moves for the table's own tree. left_out: number of variations that were not read.
    doubt: as in RecordedGame.
    """

    tree: Tree
    node: Node
    options: Mapping[str, bool | int]
    header: GameHeader = NOTHING_KNOWN
    is_line: bool = False
    left_out: int = 0
    doubt: str = ""


_ON_TIME = re.compile(r"([BW])\+T", re.IGNORECASE)  # a result
KINDS = {RecordFormat.SGF: "SGF", RecordFormat.ABSTRACT_PLAY: "record", RecordFormat.LINK: "link"}


def read(text: str, table: Table) -> LoadedGame:
    """Reads a game in any format. Raises RequestError.

    table: supplies the game unless the text names one; unchanged. Takes up to some seconds.
    """
    usual = Usual(table.game, table.options, table.tree.start)
    try:
        game = reader.read(text, usual)[0]
    except RecordError as error:
        raise RequestError(str(error)) from None
    try:
        return _load(game)
    except ValueError as error:
        kind = KINDS.get(game.format, "text")
        raise RequestError(f"cannot load this {kind}: {error}") from None


def sgf_of(table: Table, names: tuple[str, str]) -> str:
    """Returns the game tree as SGF. names: of Black and White, empty if unknown."""
    session = _main_line(table, names)
    branches = [_Branch(table.tree, child) for child in table.tree.root.children]
    return sgf.variations_to_sgf(session, branches)


def record_of(table: Table, names: tuple[str, str]) -> str:
    """Returns the main line as a record of Abstract Play. Raises RequestError if it has none."""
    session = _main_line(table, names)
    try:
        return encode([to_record(session)]).decode()
    except RecordError as error:
        raise RequestError(str(error)) from None


def _main_line(table: Table, names: tuple[str, str]) -> Session:
    """Returns the main line with its header. names: empty if unknown."""
    end = table.tree.end_of_line(table.tree.root)
    session = table.tree.session(end)
    black, white = names
    session.info = replace(
        table.header,
        black=black or table.header.black or UNNAMED[0],
        white=white or table.header.white or UNNAMED[1],
        comment=table.tree.root.comment,
        control=table.header.control if table.time is None else control_of(table.time),
        result=end.result if end.flag_fell is None else f"{end.flag_fell.opponent.capital}+T",
    )
    return session


@dataclass(frozen=True)
class _Branch:
    """An adapter of a tree node for the SGF writer."""

    tree: Tree
    node: Node

    @property
    def turn(self) -> Turn:
        node = self.node
        assert node.parent is not None
        assert node.color is not None
        before, last = self.tree.position(node.parent), node.entries[-1]
        return Turn(
            node.color, node.moves, before, last.position, node.winrate, node.comment, False,
            last.left, last.extras,
        )  # fmt: skip

    @property
    def branches(self) -> list[_Branch]:
        return [_Branch(self.tree, child) for child in self.node.children]


def _load(game: UnreadGame) -> LoadedGame:
    """Reads all lines of a game. Raises ValueError."""
    found = list(islice(game.lines(), MOST_LINES))
    main = found[0]
    tree = Tree(main.game, main.start)
    ends = [_grow(tree, each.session()) for each in found if each.start == tree.start]
    header = main.info
    if won := _ON_TIME.match(header.result):
        ends[0].flag_fell = Color.read(won[1]).opponent
    ends[0].result = header.result
    tree.root.comment = header.comment
    return LoadedGame(
        tree,
        ends[0],
        main.game.rules_of(tree.start),
        _shown(header, main.game),
        is_line=game.format == RecordFormat.MOVES,
        left_out=game.count_lines() - len(ends),
        doubt=main.doubt,
    )


def _shown(header: GameHeader, game: GameType) -> GameHeader:
    """Returns a header with the names that the page shows; tree and nodes have the rest."""
    black, white = (
        "" if name == unnamed else visible(name)[:MOST_NAME]
        for name, unnamed in zip((header.black, header.white), UNNAMED, strict=True)
    )
    title = "" if header.name == game.title else visible(header.name)[:MOST_NAME]
    return replace(header, black=black, white=white, name=title, comment="", result="")


def _grow(tree: Tree, session: Session) -> Node:
    """Adds a line to a tree; returns its last node."""
    node, at = tree.root, 0
    for turn in session.turns():
        if turn.after_end or turn.after.mid_turn:
            break
        count = max(1, len(turn.moves))
        texts = ", ".join(session.texts(turn)) if turn.moves else f"{turn.color} resigns"
        node = tree.add(node, session.history[at : at + count], texts)
        at += count
        node.comment = node.comment or turn.comment
        if turn.winrate is not None and node.black_winrate is None:
            node.black_winrate = Winrate(turn.winrate, turn.color).black()
    return node
