"""The file of a table: a line of JSON, and a line for each later change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Annotated, TypeVar

import msgspec

from pinchtp._core import SWAP
from pinchtp.base.clock import Clock, TimeControl
from pinchtp.board.protocol.players import PlayerChoice, Players, TimeSetting
from pinchtp.board.protocol.review import Review
from pinchtp.board.rating import PlayerRating, Ratings
from pinchtp.board.table import Table, control_of
from pinchtp.board.tree import Node, Tree
from pinchtp.games import GAMES, Color
from pinchtp.games.history import Properties, RecordExtras, TimeLeft
from pinchtp.games.session import GameHeader, Session

VERSION = 5


SavedClocks = list[tuple[float, int]]
SavedMove = Annotated[int, msgspec.Meta(ge=0, le=SWAP)]


class SavedNode(msgspec.Struct, omit_defaults=True):
    """A node.

    parent: the id of its parent. moves: its steps; empty for a resignation. clocks: of Black and
    White, as seconds and byo-yomi periods left. result: as in Node. properties, variations, nodes,
    left: of a record, for writing it again.
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
    properties: Properties = ()
    variations: tuple[str, ...] = ()
    nodes: tuple[Properties, ...] = ()
    left: TimeLeft | None = None


class SavedTable(msgspec.Struct):
    """A saved visitor.

    cells, to_move, swapped: the set-up position; cells is None without one. nodes: by id, parents
    before children, the first child first, without the root, whose id is 0. Ids change when a table
    is loaded. A line of changes has only new and changed nodes. at, paused: ids. header: with the
    comment of the root. clocks: the clocks of the root. running: the clocks at the time of saving,
    if one is running. engines: the names of all engines, by number.
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
    unplayed: str = ""
    is_loaded: bool = False
    solved: list[str] = []
    engines: list[str] = []


def save_table(table: Table, ratings: Ratings, nodes: Iterable[Node] | None = None) -> bytes:
    """Returns the line of a table. nodes: the nodes to save; default: all."""
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
    """Returns the line of a table without its moves and the running clock."""
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
        players=table.chosen_players,
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
        unplayed=table.unplayed,
        is_loaded=table.is_loaded,
        solved=sorted(table.solved),
        engines=table.engines,
    )


def _save_clocks(clocks: dict[Color, Clock] | None) -> SavedClocks | None:
    if clocks is None:
        return None
    return [(min(clocks[each].left, 1e12), clocks[each].overtime_count) for each in Color]


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
        nodes=node.entries[-1].extras.nodes,
        left=node.entries[-1].left,
    )


def load_table(data: bytes, engines: Sequence[str] = ()) -> tuple[Table, Ratings]:
    """Returns the table and the ratings in saved lines.

    engines: the names of the board's engines. An incomplete last line is ignored. Raises ValueError
    for damaged data.
    """
    table = Table(engines)
    saved = _last_state(data)
    _restore(table, saved)
    table.friend = None if saved.friend is None else Color(saved.friend)
    table.solved = set(saved.solved)
    table.invitation = saved.invitation
    table.teach = saved.teach
    table.pace = saved.pace
    return table, Ratings(saved.records)


def _last_state(data: bytes) -> SavedTable:
    """Returns the saved table after all changes. Raises ValueError."""
    first, *changes = data.split(b"\n")
    saved = decode(first, SavedTable)
    for line in changes[:-1]:  # without the last part, which is empty or incomplete
        change = decode(line, SavedTable)
        saved.nodes.update(change.nodes)
        change.nodes = saved.nodes
        saved = change
    return saved


Decoded = TypeVar("Decoded")


def decode(data: bytes, kind: type[Decoded]) -> Decoded:
    """Returns the contents of JSON as a type. Raises ValueError."""
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.MsgspecError as error:  # text that is not UTF-8 raises a ValueError
        raise ValueError(str(error)) from None


class _SavedRatings(msgspec.Struct):
    """The part of SavedTable that survives a damaged game."""

    records: dict[str, PlayerRating]


def read_ratings(data: bytes) -> Ratings:
    """Returns the ratings in damaged data of a table; new ratings if they are damaged too."""
    saved = _last_line(data, _SavedRatings)
    return Ratings() if saved is None else Ratings(saved.records)


class _SavedInvitation(msgspec.Struct):
    """The part of SavedTable about an invitation."""

    invitation: str


def read_invitation(data: bytes) -> str:
    """Returns the number of the invitation in saved lines; empty without one."""
    saved = _last_line(data, _SavedInvitation)
    return "" if saved is None else saved.invitation


def _last_line(data: bytes, kind: type[Decoded]) -> Decoded | None:
    """Returns the contents of the last readable line; None if all lines are damaged."""
    for line in data.decode(errors="replace").encode().splitlines()[::-1]:
        with suppress(ValueError):
            return decode(line, kind)
    return None


def reopen(table: Table, data: bytes, *, stays_live: bool = False) -> None:
    """Replaces a table's game by a saved one, without settings of the visitor.

    stays_live: whether a live game stays live, as one with an invited friend always does. A
    ValueError for damaged data changes nothing.
    """
    saved = decode(data, SavedTable)
    _restore(Table(), saved)
    _restore(table, saved)
    is_of_friends = table.friend is not None and saved.invitation == table.invitation
    if not (stays_live or is_of_friends):
        table.pause()


def _restore(table: Table, saved: SavedTable) -> None:
    """Restores the game of a saved table. Raises ValueError."""
    try:
        _replay(table, saved)
    except (LookupError, OverflowError, TypeError) as error:
        raise ValueError(f"damaged: {error}") from None


def _replay(table: Table, saved: SavedTable) -> None:
    """Replays the moves of a saved table, and restores its other fields.

    Raises ValueError, LookupError, OverflowError or TypeError for values out of range.
    """
    if saved.version != VERSION:
        raise ValueError(f"version {saved.version}")
    session = Session(GAMES[saved.game], saved.width, saved.height, **saved.options)
    if saved.cells is not None:
        cells = bytes(saved.cells)
        to_move = Color(saved.to_move)
        session.set_up(session.position_of(cells, to_move, swapped=saved.swapped))
    players = [
        _find_player(each, saved, table) for each in (saved.players.black, saved.players.white)
    ]
    table.begin(
        session,
        Players(*players),
        saved.time,
        saved.handicap,
        is_loaded=saved.is_loaded,
        puzzle=saved.puzzle,
    )
    table.id = saved.id
    table.before = saved.before
    table.unplayed = saved.unplayed
    table.header = replace(saved.header, comment="")
    table.tree.root.comment = saved.header.comment
    control = control_of(saved.time)
    _restore_clocks(table.tree.root, saved.clocks, control)
    nodes = _restore_nodes(table.tree, saved.nodes, session)
    for number, saved_node in saved.nodes.items():
        _restore_clocks(nodes[number], saved_node.clocks, control)
    _restore_clocks(nodes[saved.at], saved.running, control)
    table.return_to(nodes[saved.at if saved.paused is None else saved.paused])
    table.show(nodes[saved.at])
    for part in saved.chosen:
        table.session.play(table.to_move, part)
    table.live = saved.live
    table.unrated = saved.unrated
    table.counted = saved.counted
    table.rating_change = saved.rating_change
    table.played = saved.played
    if saved.review is not None:
        table.review = saved.review.renumber({old: node.id for old, node in nodes.items()})


def _find_player(saved: PlayerChoice, game: SavedTable, table: Table) -> PlayerChoice:
    """Returns a saved player, with the number that an engine of this name has now.

    Without such an engine, it is a human with the name.
    """
    if saved.engine is None or saved.engine >= len(game.engines):
        return saved
    found = table.find_player(game.engines[saved.engine])
    if found.engine is None:
        return PlayerChoice(name=saved.name or found.name)
    return msgspec.structs.replace(saved, engine=found.engine)


def _restore_clocks(node: Node, saved: SavedClocks | None, control: TimeControl) -> None:
    if saved is not None:
        node.clocks = {
            color: Clock(control, left, count)
            for color, (left, count) in zip(Color, saved, strict=True)
        }


def _restore_nodes(tree: Tree, saved: dict[int, SavedNode], session: Session) -> dict[int, Node]:
    """Adds saved nodes to a tree; returns all its nodes by the saved ids.

    session: at the root. It goes back from a variation instead of being played again. Nodes
    without their parent are left out.
    """
    children: dict[int, list[int]] = {}
    for number, node in saved.items():
        children.setdefault(node.parent, []).append(number)
    nodes = {0: tree.root}
    waiting = [(number, 0) for number in children.get(0, [])[::-1]]
    while waiting:
        number, known = waiting.pop()
        node = saved[number]
        del session.history[known:]
        nodes[number] = _restore_node(tree, nodes[node.parent], node, session)
        known = len(session.history)
        waiting += [(child, known) for child in children.get(number, [])[::-1]]
    return nodes


def _restore_node(tree: Tree, parent: Node, saved: SavedNode, session: Session) -> Node:
    """Adds a saved node to its parent. session: at the parent; advanced to the new node."""
    known = len(session.history)
    if saved.moves:
        session.play(Color(saved.color), *saved.moves)
    else:
        session.resign(Color(saved.color))
    *parts, last = session.history[known:]
    extras = RecordExtras(saved.properties, saved.variations, saved.nodes)
    last = replace(last, extras=extras, left=saved.left)
    node = tree.add(parent, [*parts, last], saved.text)
    node.comment = saved.comment
    node.black_winrate = saved.black_winrate
    node.visits = saved.visits
    node.loss = saved.loss
    node.result = saved.result
    node.flag_fell = None if saved.flag_fell is None else Color(saved.flag_fell)
    return node
