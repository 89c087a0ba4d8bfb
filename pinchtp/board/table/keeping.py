"""A table as it is kept on disk, and restored from there."""

from __future__ import annotations

from contextlib import suppress

import msgspec

from pinchtp.base.clock import Clock
from pinchtp.board import messages as m
from pinchtp.board.table.rating import Ratings, Record
from pinchtp.board.table.table import Table
from pinchtp.board.table.tree import Node, Tree
from pinchtp.games import GAMES, Color
from pinchtp.games.session import Session

VERSION = 1


class SavedNode(msgspec.Struct, omit_defaults=True):
    """A node. parent: its place in the list; moves: none for a resignation."""

    parent: int
    color: int
    moves: list[int]
    text: str
    comment: str = ""
    black: float | None = None
    visits: int = 0
    loss: float | None = None
    late: int | None = None


class SavedTable(msgspec.Struct):
    """Everything of a visitor. cells, to_move, swapped: of a start that was set up, else None."""

    version: int
    game: str
    width: int
    height: int
    options: dict[str, bool | int]
    cells: list[int] | None
    to_move: int
    swapped: bool
    nodes: list[SavedNode]
    at: int
    chosen: list[int]
    players: m.Players
    time: m.TimeSetting | None
    clocks: list[tuple[float, int]] | None
    handicap: int
    teach: bool
    pace: float
    live: bool
    rated: bool
    records: dict[str, Record]


def saved(table: Table, ratings: Ratings) -> bytes:
    """What is kept."""
    start = table.tree.start
    usual = table.game.start(start.width, start.height, **table.options)
    nodes = list(table.tree)
    places = {node.id: at for at, node in enumerate(nodes)}
    clocks = None
    if table.clocks is not None:
        clocks = [(min(c.left, 1e12), c.stones) for c in (table.clock(each) for each in Color)]
    return msgspec.json.encode(
        SavedTable(
            version=VERSION,
            game=table.game.name,
            width=start.width,
            height=start.height,
            options=table.options,
            cells=None if start == usual else list(start.cells()),
            to_move=start.to_move,
            swapped=start.swapped,
            nodes=[_saved_node(node, places) for node in nodes[1:]],
            at=places[table.node.id],
            chosen=table.chosen,
            players=table.players,
            time=table.time,
            clocks=clocks,
            handicap=table.handicap,
            teach=table.teach,
            pace=table.pace,
            live=table.live,
            rated=table.rated,
            records=ratings.records,
        )
    )


def _saved_node(node: Node, places: dict[int, int]) -> SavedNode:
    assert node.parent is not None
    assert node.color is not None
    return SavedNode(
        parent=places[node.parent.id],
        color=node.color,
        moves=list(node.moves),
        text=node.text,
        comment=node.comment,
        black=node.black,
        visits=node.visits,
        loss=node.loss,
        late=node.late,
    )


def restored(data: bytes) -> tuple[Table, Ratings]:
    """The table that was kept; a new one if nothing was, or if it cannot be read any more."""
    table, ratings = Table(), Ratings()
    try:
        kept = msgspec.json.decode(data, type=SavedTable)
    except msgspec.MsgspecError:
        return table, ratings
    ratings = Ratings(kept.records)
    with suppress(ValueError, KeyError, IndexError):
        _restore(table, kept)
        return table, ratings
    return Table(), ratings


def _restore(table: Table, kept: SavedTable) -> None:
    """Replays what was kept, by our rules. Raises ValueError, KeyError or IndexError."""
    if kept.version != VERSION:
        raise ValueError(f"version {kept.version}")
    session = Session(GAMES[kept.game], kept.width, kept.height, **kept.options)
    if kept.cells is not None:
        cells, to_move = bytes(kept.cells), Color(kept.to_move)
        session.set_up(session.position_of(cells, to_move, swapped=kept.swapped))
    table.begin(session, kept.players, kept.time, kept.handicap)
    nodes = [table.tree.root]
    for each in kept.nodes:
        parent = nodes[each.parent]
        if nodes[-1] is not parent or each is kept.nodes[0]:
            session = table.tree.session(parent)
        nodes.append(_restored_node(table.tree, parent, each, session))
    table.show(nodes[kept.at])
    if kept.clocks is not None and table.clocks is not None:
        for color, (left, stones) in zip(Color, kept.clocks, strict=True):
            table.clocks[color] = Clock(table.clocks[color].control, left, stones)
    for part in kept.chosen:
        table.session.play(table.to_move, part)
    table.teach, table.pace = kept.teach, kept.pace
    table.live, table.rated = kept.live, kept.rated


def _restored_node(tree: Tree, parent: Node, kept: SavedNode, session: Session) -> Node:
    """A node after another one; session: the game at that one, which goes on to this one."""
    known = len(session.history)
    if kept.moves:
        session.play(Color(kept.color), *kept.moves)
    else:
        session.resign(Color(kept.color))
    node = tree.add(parent, session.history[known:], kept.text)
    node.comment, node.black, node.visits = kept.comment, kept.black, kept.visits
    node.loss = kept.loss
    node.late = None if kept.late is None else Color(kept.late)
    return node
