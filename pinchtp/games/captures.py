"""What turns captured, read off the boards before and after them."""

from __future__ import annotations

from collections.abc import Iterable

from pinchtp._core import PASS, SWAP
from pinchtp.games import LIFTED, Color, Game, notes
from pinchtp.games.cells import PIECES, count_cells, own_cells
from pinchtp.games.history import Turn
from pinchtp.games.notation import point_of


def captured(game: Game, turn: Turn) -> list[int]:
    """The points whose stone a turn flipped or took away; none for a swap."""
    if SWAP in turn.moves:
        return []
    width = turn.before.width
    cells = zip(turn.before.cells(), turn.after.cells(), strict=True)
    moved = b"" if game.places else own_cells(turn.color)
    return [
        point_of(at, width)
        for at, (old, new) in enumerate(cells)
        if old in PIECES and old != new and old not in moved
    ]


def lost(game: Game, turns: Iterable[Turn]) -> tuple[int, int]:
    """How many stones Black and White have lost; a stone that flips is not lost."""
    lost = [0, 0]
    for turn in turns:
        if turn.is_idle or not turn.moves or turn.moves[0] in (PASS, SWAP):
            continue
        old, new = turn.before.cells(), turn.after.cells()
        placed = int(game.places)
        lifted = [each.color for each in notes(turn.after) if each.name == LIFTED]
        if count_cells(new, PIECES) == count_cells(old, PIECES) + placed:
            continue
        for color in Color:
            own = own_cells(color)
            stones = count_cells(old, own) + placed * (color == turn.color)
            lost[color] += stones - count_cells(new, own) - lifted.count(color)
    return lost[0], lost[1]
