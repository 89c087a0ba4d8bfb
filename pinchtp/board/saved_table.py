"""The file of a table: a line of JSON, and a line for each later change."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Annotated, TypeVar

import msgspec

from pinchtp._core import SWAP
from pinchtp.base.clock import Clock, TimeControl
from pinchtp.board.protocol.players import Players, TimeSetting
from pinchtp.board.protocol.review import Review
from pinchtp.board.rating import PlayerRating, Ratings
from pinchtp.board.table import Table, control_of
from pinchtp.board.tree import Node, Tree
from pinchtp.games import GAMES, Color
from pinchtp.games.history import RecordExtras, TimeLeft
from pinchtp.games.session import GameHeader, Session

VERSION = 5


SavedClocks = list[tuple[float, int]]
SavedMove = Annotated[int, msgspec.Meta(ge=0, le=SWAP)]


class SavedNode(msgspec.Struct, omit_defaults=True):
    """A node. parent: its id; moves: empty for a resignation.

    clocks: of Black and White, as seconds and byo-yomi periods left. result: as in Node.
    properties, variations, left: of a record, kept to be written back.
    """

    parent: int
    color: int
    moves: list[SavedMove]
    text: str
    comment: str = ""
    black_winrate: float | None = None
    visits: int = 0
    loss: float | None = None
    flag_fell: int | None = None
    clocks: SavedClocks | None = None
    result: str = ""
    properties: tuple[tuple[str, tuple[str, ...]], ...] = ()
    variations: tuple[str, ...] = ()
    left: TimeLeft | None = None


class SavedTable(msgspec.Struct):
    """A saved visitor. cells, to_move, swapped: set-up position, or None.

    nodes: by their ids, which are others once it is loaded; parents before children, the first
    child first, without the root, whose id is 0. A line of changes has the new and changed ones.
    at, paused: ids. header: has the comment of the root. clocks: those of the root;
    running: at that moment, if one runs.
    """

    version: int
    id: str
    game: str
    width: int
    height: int
    options: dict[str, bool | int]
    cells: list[int] | None
    to_move: int
    swapped: bool
    nodes: dict[int, SavedNode]
    at: int
    chosen: list[SavedMove]
    players: Players
    time: TimeSetting | None
    clocks: SavedClocks | None
    running: SavedClocks | None
    header: GameHeader
    handicap: int
    teach: bool
    pace: float
    live: bool
    unrated: str
    counted: bool
    friend: int | None
    invitation: str
    records: dict[str, PlayerRating]
    paused: int | None = None
    rating_change: str = ""
    played: int = 0
    review: Review | None = None
    puzzle: str = ""
    before: str = ""
    solved: list[str] = []


def save_table(table: Table, ratings: Ratings, nodes: Iterable[Node] | None = None) -> bytes:
    """Returns a line of a table. nodes: all by default."""
    running = {color: table.clock(color) for color in Color} if table.runs else None
    saved = _describe_table(table, ratings)
    saved.running = _save_clocks(running)
    saved.nodes = {
        node.id: _save_node(node, node.parent)
        for node in (table.tree if nodes is None else nodes)
        if node.parent is not None
    }
    return msgspec.json.encode(saved)


def save_without_moves(table: Table, ratings: Ratings) -> bytes:
    """Returns a line of a table without its moves and the running clock."""
    return msgspec.json.encode(_describe_table(table, ratings))


def _describe_table(table: Table, ratings: Ratings) -> SavedTable:
    """Returns a table without its moves and the running clock."""
    tree = table.tree
    start = tree.start
    return SavedTable(
        version=VERSION,
        id=table.id,
        game=table.game.name,
        width=start.width,
        height=start.height,
        options=table.options,
        cells=list(start.cells()) if tree.is_set_up else None,
        to_move=start.to_move,
        swapped=start.swapped,
        nodes={},
        at=table.node.id,
        chosen=table.chosen,
        players=table.players,
        time=table.time,
        clocks=_save_clocks(tree.root.clocks),
        running=None,
        header=replace(table.header, comment=tree.root.comment),
        handicap=table.handicap,
        teach=table.teach,
        pace=table.pace,
        live=table.live,
        unrated=table.unrated,
        counted=table.counted,
        friend=table.friend,
        invitation=table.invitation,
        records=ratings.records,
        paused=table.paused.id if table.paused in tree else None,
        rating_change=table.rating_change,
        played=table.played,
        review=table.review,
        puzzle=table.puzzle,
        before=table.before,
        solved=sorted(table.solved),
    )


def _save_clocks(clocks: dict[Color, Clock] | None) -> SavedClocks | None:
    if clocks is None:
        return None
    return [(min(clocks[each].left, 1e12), clocks[each].stones) for each in Color]


def _save_node(node: Node, parent: Node) -> SavedNode:
    assert node.color is not None
    return SavedNode(
        parent=parent.id,
        color=node.color,
        moves=list(node.moves),
        text=node.text,
        comment=node.comment,
        black_winrate=node.black_winrate,
        visits=node.visits,
        loss=node.loss,
        flag_fell=node.flag_fell,
        clocks=_save_clocks(node.clocks),
        result=node.result,
        properties=node.entries[-1].extras.properties,
        variations=node.entries[-1].extras.variations,
        left=node.entries[-1].left,
    )


def load_table(data: bytes) -> tuple[Table, Ratings]:
    """Restores a table with its ratings from the lines that were saved.

    A last line that was cut off does not count. Raises ValueError for damaged data.
    """
    table = Table()
    kept = _last_state(data)
    _restore(table, kept)
    table.friend = None if kept.friend is None else Color(kept.friend)
    table.solved = set(kept.solved)
    table.invitation = kept.invitation
    return table, Ratings(kept.records)


def _last_state(data: bytes) -> SavedTable:
    """Returns the table after all changes. Raises ValueError."""
    first, *changes = data.split(b"\n")
    kept = decode(first, SavedTable)
    for line in changes[:-1]:  # what follows the last line end is empty, or was cut off
        change = decode(line, SavedTable)
        kept.nodes.update(change.nodes)
        change.nodes = kept.nodes
        kept = change
    return kept


Decoded = TypeVar("Decoded")


def decode(data: bytes, kind: type[Decoded]) -> Decoded:
    """Returns what JSON says. Raises ValueError."""
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.MsgspecError as error:  # text that is no UTF-8 is a ValueError already
        raise ValueError(str(error)) from None


class _SavedRatings(msgspec.Struct):
    """The part of SavedTable that outlives a damaged game."""

    records: dict[str, PlayerRating]


def read_ratings(data: bytes) -> Ratings:
    """Returns the ratings in damaged data of a table; new ones if they are damaged as well."""
    saved = _last_line(data, _SavedRatings)
    return Ratings() if saved is None else Ratings(saved.records)


class _SavedInvitation(msgspec.Struct):
    """The part of SavedTable that says whether an invitation is open."""

    invitation: str


def read_invitation(data: bytes) -> str:
    """Returns the number of the invitation in the lines that were saved; empty without."""
    saved = _last_line(data, _SavedInvitation)
    return "" if saved is None else saved.invitation


def _last_line(data: bytes, kind: type[Decoded]) -> Decoded | None:
    """Returns what the last readable line says; None if all are damaged."""
    for line in data.decode(errors="replace").encode().splitlines()[::-1]:
        with suppress(ValueError):
            return decode(line, kind)
    return None


def reopen(table: Table, data: bytes) -> None:
    """Replaces a table's game by a saved one. Raises ValueError, and changes nothing then."""
    kept = decode(data, SavedTable)
    _restore(Table(), kept)
    _restore(table, kept)
    table.pause()


def _restore(table: Table, kept: SavedTable) -> None:
    """Replays the saved moves. Raises ValueError."""
    try:
        _replay(table, kept)
    except (LookupError, OverflowError, TypeError) as error:
        raise ValueError(f"damaged: {error}") from None


def _replay(table: Table, kept: SavedTable) -> None:
    """Raises what its parts raise for values out of range."""
    if kept.version != VERSION:
        raise ValueError(f"version {kept.version}")
    session = Session(GAMES[kept.game], kept.width, kept.height, **kept.options)
    if kept.cells is not None:
        cells = bytes(kept.cells)
        to_move = Color(kept.to_move)
        session.set_up(session.position_of(cells, to_move, swapped=kept.swapped))
    table.begin(session, kept.players, kept.time, kept.handicap)
    table.id = kept.id
    table.puzzle = kept.puzzle
    table.before = kept.before
    table.header = replace(kept.header, comment="")
    table.tree.root.comment = kept.header.comment
    control = control_of(kept.time)
    _restore_clocks(table.tree.root, kept.clocks, control)
    nodes = {0: table.tree.root}
    last: Node | None = None  # where the session is
    for number, each in kept.nodes.items():
        parent = nodes[each.parent]
        if parent is not last:
            session = table.tree.session(parent)
        last = nodes[number] = _restore_node(table.tree, parent, each, session)
        _restore_clocks(last, each.clocks, control)
    _restore_clocks(nodes[kept.at], kept.running, control)
    table.return_to(nodes[kept.at if kept.paused is None else kept.paused])
    table.show(nodes[kept.at])
    for part in kept.chosen:
        table.session.play(table.to_move, part)
    table.teach = kept.teach
    table.pace = kept.pace
    table.live = kept.live
    table.unrated = kept.unrated
    table.counted = kept.counted
    table.rating_change = kept.rating_change
    table.played = kept.played
    if kept.review is not None:
        table.review = kept.review.renumber({old: node.id for old, node in nodes.items()})


def _restore_clocks(node: Node, kept: SavedClocks | None, control: TimeControl) -> None:
    if kept is not None:
        node.clocks = {
            color: Clock(control, left, stones)
            for color, (left, stones) in zip(Color, kept, strict=True)
        }


def _restore_node(tree: Tree, parent: Node, kept: SavedNode, session: Session) -> Node:
    """Adds a saved node to its parent. session: at the parent; advanced to the new node."""
    known = len(session.history)
    if kept.moves:
        session.play(Color(kept.color), *kept.moves)
    else:
        session.resign(Color(kept.color))
    *parts, last = session.history[known:]
    extras = RecordExtras(kept.properties, kept.variations)
    last = replace(last, extras=extras, left=kept.left)
    node = tree.add(parent, [*parts, last], kept.text)
    node.comment = kept.comment
    node.black_winrate = kept.black_winrate
    node.visits = kept.visits
    node.loss = kept.loss
    node.result = kept.result
    node.flag_fell = None if kept.flag_fell is None else Color(kept.flag_fell)
    return node
