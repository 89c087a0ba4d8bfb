"""Import of pasted or dropped games, and export as SGF and Abstract Play records."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pinchtp.board.protocol.base import shown_name
from pinchtp.board.table import Table, control_of
from pinchtp.board.tree import Node, RequestError, Tree
from pinchtp.games import Color, GameType, Position
from pinchtp.games.history import NO_EXTRAS, RecordExtras, Turn
from pinchtp.games.notation import format_move
from pinchtp.games.session import NOTHING_KNOWN, GameHeader, Session
from pinchtp.games.winrate import Winrate
from pinchtp.records import reader, sgf
from pinchtp.records.abstract_play import encode, to_record
from pinchtp.records.errors import RecordError
from pinchtp.records.game import RecordedTree, RecordFormat, RecordNode, UnreadGame, Usual

UNNAMED = ("Black", "White")  # the names of humans without a name


@dataclass(frozen=True)
class LoadedGame:
    """A game read from a text.

    node: the node to display. is_line: whether the text has only moves, for the table's own tree.
    refused: the reasons why variations are not in the tree, which has their texts. doubt: as in
    RecordedGame. games: their number in the text, of which this is the first.
    """

    tree: Tree
    node: Node
    options: Mapping[str, bool | int]
    header: GameHeader = NOTHING_KNOWN
    is_line: bool = False
    refused: Sequence[str] = ()
    doubt: str = ""
    games: int = 1


_ON_TIME = re.compile(r"([BW])\+T", re.IGNORECASE)  # a result
KINDS = {RecordFormat.SGF: "SGF", RecordFormat.ABSTRACT_PLAY: "record", RecordFormat.LINK: "link"}


def read(text: str, table: Table) -> LoadedGame:
    """Returns the game of a text in any format. Raises RequestError. Takes up to some seconds.

    table: has the game of a text that does not name one; it is not changed.
    """
    usual = Usual(table.game, table.options, table.tree.start)
    try:
        games = reader.read(text, usual)
    except RecordError as error:
        raise RequestError(str(error)) from None
    try:
        return replace(_load(games[0]), games=len(games))
    except ValueError as error:
        kind = KINDS.get(games[0].format, "text")
        raise RequestError(f"cannot load this {kind}: {error}") from None


def sgf_of(table: Table, names: tuple[str, str], *, with_winrates: bool = True) -> str:
    """Returns the game tree as SGF. names: of Black and White; empty if unknown."""
    session = _main_line(table, names)
    if not with_winrates:
        session.history[:] = [replace(entry, winrate=None) for entry in session.history]
    branches = [_Branch(table.tree, child, with_winrates) for child in table.tree.root.children]
    return sgf.variations_to_sgf(session, branches)


def record_of(table: Table, names: tuple[str, str]) -> str:
    """Returns the main line as a record of Abstract Play.

    Raises RequestError for a game that Abstract Play does not have.
    """
    session = _main_line(table, names)
    try:
        return encode([to_record(session)]).decode()
    except RecordError as error:
        raise RequestError(str(error)) from None


def _main_line(table: Table, names: tuple[str, str]) -> Session:
    """Returns the main line with its header. names: empty if unknown."""
    end = table.tree.end_of_line(table.tree.root)
    session = table.tree.session(end)
    header = table.header
    preserved = dict((table.header.extras or NO_EXTRAS).properties)
    recorded = (header.black, header.white)
    black, white = (
        _name(shown, name, "" if key in preserved else unnamed)
        for shown, name, key, unnamed in zip(names, recorded, ("PB", "PW"), UNNAMED, strict=True)
    )
    session.info = replace(
        header,
        black=black,
        white=white,
        comment=table.tree.root.comment,
        control=header.control if table.clocks is None else control_of(table.time),
        result=end.result if end.flag_fell is None else f"{end.flag_fell.opponent.capital}+T",
    )
    return session


def _name(shown: str, recorded: str, unnamed: str) -> str:
    """Returns a player's name for a record: the recorded name if the page shows a part of it."""
    return shown if shown not in ("", shown_name(recorded)) else recorded or unnamed


@dataclass(frozen=True)
class _Branch:
    """An adapter of a tree node for the SGF writer."""

    tree: Tree
    node: Node
    with_winrates: bool

    @property
    def turn(self) -> Turn:
        node = self.node
        assert node.parent is not None
        assert node.color is not None
        before = self.tree.position(node.parent)
        last = node.entries[-1]
        return Turn(
            node.color,
            node.moves,
            before,
            last.position,
            node.winrate if self.with_winrates else None,
            node.comment,
            False,
            last.left,
            last.extras,
        )

    @property
    def branches(self) -> list[_Branch]:
        return [_Branch(self.tree, child, self.with_winrates) for child in self.node.children]


def _load(game: UnreadGame) -> LoadedGame:
    """Reads a game with its variations. Raises ValueError."""
    record = game.read_tree()
    header = record.info
    tree, end, refused, texts = _grow(record)
    if won := _ON_TIME.match(header.result):
        end.flag_fell = Color.read(won[1]).opponent
    end.result = header.result or _find_refused_resignation(record, end)
    tree.root.comment = header.comment
    if texts:
        extras = header.extras or NO_EXTRAS
        header = replace(header, extras=extras._replace(variations=(*extras.variations, *texts)))
    return LoadedGame(
        tree,
        end,
        record.game.rules_of(tree.start),
        _simplify_header(header, record.game),
        is_line=game.format == RecordFormat.MOVES,
        refused=refused,
        doubt=record.doubt,
    )


def _find_refused_resignation(record: RecordedTree, end: Node) -> str:
    """Returns the result of a resignation that the tree cannot contain; empty without one."""
    entries = record.main[-1].entries
    resigned = entries[-1].resigned if entries else None
    if resigned is None or (end.entries and end.entries[-1].resigned is not None):
        return ""
    return f"{resigned.opponent.capital}+R"


def _simplify_header(header: GameHeader, game: GameType) -> GameHeader:
    """Returns a header without generic names, comment and result, which tree and nodes have."""
    black, white = (
        "" if name == unnamed else name
        for name, unnamed in zip((header.black, header.white), UNNAMED, strict=True)
    )
    title = "" if header.name == game.title else header.name
    return replace(header, black=black, white=white, name=title, comment="", result="")


def _grow(record: RecordedTree) -> tuple[Tree, Node, list[str], list[str]]:
    """Returns a tree with the complete moves of a record, and the end of its main line.

    Also returns the reasons why variations are not in it, and the texts of such variations at the
    start; the texts of others are in the extras of the move before them.
    """
    tree = Tree(record.game, record.start)
    end = tree.root
    start, *main = record.main
    in_main = set(main)
    refused = list(start.refused)
    unread: defaultdict[Node, list[str]] = defaultdict(list)
    waiting = [(tree.root, [child]) for child in reversed(start.children)]
    while waiting:
        parent, parts = waiting.pop()
        last = parts[-1]
        try:
            node = _add(tree, parent, parts)
        except RequestError as error:
            texts = [text() for text in parts[0].texts]
            if texts != unread[parent][-len(texts) :]:  # not the same text as before
                refused.append(str(error))
                unread[parent] += texts
            continue
        refused += last.refused
        end = node if last in in_main and node is not parent else end
        if last is record.main[-1] and last.children:  # children would extend the main line
            refused.append("the game ends before it")
            unread[node] += [text() for child in last.children for text in child.texts]
            continue
        before = parts if node is parent else []
        waiting += [(node, [*before, child]) for child in reversed(last.children)]
    texts_at_start = unread.pop(tree.root, [])
    for node, texts in unread.items():
        _annotate(node, RecordExtras((), tuple(texts)))
    return tree, end, refused, texts_at_start


def _add(tree: Tree, parent: Node, parts: list[RecordNode]) -> Node:
    """Adds a move; returns its node, or the parent if further parts follow.

    Raises RequestError for a move that the tree cannot contain.
    """
    entries = tuple(entry for part in parts for entry in part.entries)
    last = entries[-1]
    before = tree.position(parent)
    if before.result is not None or (parent.entries and parent.entries[-1].resigned is not None):
        raise RequestError("the moves pass after the end of the game")
    is_resignation = last.move is None
    if (last.position.mid_turn or len(entries) > 1) and is_resignation:
        raise RequestError("the moves resign in the middle of a move")
    if last.position.mid_turn:
        if not parts[-1].children:
            raise RequestError("a move is incomplete")
        return parent
    moves = tuple(entry.move for entry in entries if entry.move is not None)
    known = len(tree)
    node = tree.add(parent, entries, _text(tree, before, last.color, moves))
    for part in parts[: -1 if len(tree) > known else None]:
        _annotate(node, part.entries[-1].extras)
    comments = [part.entries[-1].comment for part in parts]
    node.comment = "\n".join(dict.fromkeys(filter(None, [node.comment, *comments])))
    if last.winrate is not None and node.black_winrate is None:
        node.black_winrate = Winrate(last.winrate, last.color).black()
    return node


def _text(tree: Tree, before: Position, color: Color, moves: tuple[int, ...]) -> str:
    """Returns the notation of a move."""
    if not moves:
        return f"{color} resigns"
    if before.mid_turn:  # the rest of a move of a set-up position
        return ", ".join(map(format_move, moves))
    return tree.game.notation.format(before, moves)


def _annotate(node: Node, added: RecordExtras) -> None:
    """Adds the extras of a part of a move, or of the same move, to those of a node."""
    *parts, last = node.entries
    properties = {**dict(added.properties), **dict(last.extras.properties)}
    rest = tuple(each for each in added.properties if properties[each[0]] != each[1])
    extras = RecordExtras(
        tuple(properties.items()),
        last.extras.variations + added.variations,
        last.extras.nodes + ((rest,) if rest else ()) + added.nodes,
    )
    last = replace(last, extras=extras)
    node.entries = (*parts, last)
