"""The order in which the stones of a turn flip."""

from __future__ import annotations

from pinchtp.games.game import own_cells
from pinchtp.games.history import Turn
from pinchtp.games.notation import cells_of


def flip_steps(turn: Turn, taken: set[int]) -> dict[int, int]:
    """Returns the cascade step, from 1, in which each stone flipped; removed stones have none.

    taken: cells that the turn captured. A stone flips as soon as two stones of the mover at a right
    angle pinch it, one of them gained in this move.
    """
    after = turn.after.cells()
    width = turn.after.width
    own = own_cells(turn.color)
    waiting = {at for at in taken if after[at] in own}
    new = set(cells_of(turn.moves[:1], width))
    old = {at for at, cell in enumerate(turn.before.cells()) if cell in own}
    steps: dict[int, int] = {}
    step = 0
    while waiting:
        step += 1
        flipped = {at for at in waiting if _is_pinched(at, width, old, new)}
        if not flipped:  # another rule captured the rest, in one step
            flipped = set(waiting)
        steps |= dict.fromkeys(flipped, step)
        waiting -= flipped
        new |= flipped
    return steps


def _is_pinched(at: int, width: int, old: set[int], new: set[int]) -> bool:
    row = {at - 1} if at % width else set()
    row |= {at + 1} if (at + 1) % width else set()
    column = {at - width, at + width}
    own = old | new
    across, along = row & own, column & own
    return bool(across and along and (across | along) & new)
