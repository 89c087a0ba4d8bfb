"""Boards as viewers of Go show them, and the setup properties that correct those."""

from __future__ import annotations

from pinchtp._core import Position
from pinchtp.games.history import Turn
from pinchtp.games.notation import cell_of, coordinates, is_point, point_of
from pinchtp.games.position import PIECES, color_of, own_cells, stone_of

SETUP = ("AE", "AB", "AW")  # by the viewer's cell: empty, black, white
_SHOWN = bytes(stone_of(color_of(cell)) if cell in PIECES else 0 for cell in range(256))


def stones(position: Position) -> bytes:
    """The cells that a viewer can show: 0 empty, 1 black, 2 white."""
    return position.cells().translate(_SHOWN)


def played_point(turn: Turn) -> int | None:
    """The empty point on which a turn has put an own stone, the first one if it is several."""
    width, own = turn.before.width, own_cells(turn.color)
    before, after = turn.before.cells(), turn.after.cells()
    for move in filter(is_point, turn.moves):
        cell = cell_of(move, width)
        if before[cell] not in PIECES and after[cell] in own:
            return move
    return None


def corrections(turn: Turn) -> dict[str, list[bytes]]:
    """Setup properties for the points that a viewer may show wrongly after a turn.

    Some viewers take stones without liberties off the board, as in Go, and others do not; each
    point that either of them shows wrongly is set.
    """
    width, height = turn.before.width, turn.before.height
    as_placed = bytearray(stones(turn.before))
    point = played_point(turn)
    if point is not None:
        as_placed[cell_of(point, width)] = stone_of(turn.color)
    as_in_go = as_placed.copy()
    if point is not None:
        _capture(as_in_go, cell_of(point, width), width)
    setup: dict[str, list[bytes]] = {}
    after = stones(turn.after)
    if as_placed == as_in_go == after:
        return setup
    for at, true in enumerate(after):
        if not as_placed[at] == as_in_go[at] == true:
            setup.setdefault(SETUP[true], []).append(vertex(point_of(at, width), height))
    return setup


def vertex(move: int, height: int) -> bytes:
    """A point as SGF writes it: column and row from the upper left."""
    x, y = coordinates(move)
    return bytes([ord("a") + x, ord("a") + height - 1 - y])


def _capture(cells: bytearray, placed: int, width: int) -> None:
    """Removes what a stone captures in Go: enemies without liberties, then its own group."""
    for at in (*_neighbors(placed, width, len(cells)), placed):
        if at == placed or cells[at] == 3 - cells[placed]:
            for dead in _group_without_liberty(cells, at, width):
                cells[dead] = 0


def _group_without_liberty(cells: bytearray, at: int, width: int) -> set[int]:
    """The stones connected to one, or none if the group has a liberty."""
    group, waiting = {at}, [at]
    while waiting:
        for near in _neighbors(waiting.pop(), width, len(cells)):
            if cells[near] == 0:
                return set()
            if cells[near] == cells[at] and near not in group:
                group.add(near)
                waiting.append(near)
    return group


def _neighbors(at: int, width: int, count: int) -> list[int]:
    near = [at - width] if at >= width else []
    near += [at - 1] if at % width else []
    near += [at + 1] if (at + 1) % width else []
    return near + ([at + width] if at + width < count else [])
