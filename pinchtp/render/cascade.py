"""The order in which the stones of a turn flip, and a winning chain lights up."""

from __future__ import annotations

from pinchtp.games.game import own_cells
from pinchtp.games.history import Turn
from pinchtp.games.notation import adjacent_cells, cells_of


def flip_steps(turn: Turn, taken: set[int]) -> dict[int, int]:
    """Returns the cascade step, from 1, in which each captured stone flipped, by cell.

    taken: the cells that the turn captured; removed stones have no step. A stone flips as soon as
    two stones of the mover pinch it at a right angle, at least one of them gained in this move.
    """
    after = turn.after.cells()
    width = turn.after.width
    adjacent = adjacent_cells(width, turn.after.height)
    own = own_cells(turn.color)
    waiting = {at for at in taken if after[at] in own}
    new = set(cells_of(turn.moves[:1], width))
    old = {at for at, cell in enumerate(turn.before.cells()) if cell in own}
    steps: dict[int, int] = {}
    step = 0
    while waiting:
        step += 1
        flipped = {at for at in waiting if _is_pinched(adjacent[at], old, new)}
        if not flipped:  # another rule captured the rest, in one step
            flipped = set(waiting)
        steps |= dict.fromkeys(flipped, step)
        waiting -= flipped
        new |= flipped
    return steps


def _is_pinched(lines: tuple[list[int], list[int]], old: set[int], new: set[int]) -> bool:
    """Returns whether own stones, at least one of them new, pinch a stone.

    lines: the cells adjacent to the stone, in its row and in its column.
    """
    own = old | new
    return all(not own.isdisjoint(line) for line in lines) and any(
        not new.isdisjoint(line) for line in lines
    )


def distances_in_chain(chain: list[int], width: int, height: int) -> list[int]:
    """Returns the distance of each cell of a winning chain from the top or left, where it starts.

    The distance of a cell that is not connected to the start is 0.
    """
    adjacent = adjacent_cells(width, height)
    is_upright = len({cell // width for cell in chain}) == height
    starts = [
        cell
        for cell in chain
        if (cell >= width * (height - 1) if is_upright else cell % width == 0)
    ]
    known = dict.fromkeys(starts or chain[:1], 0)
    reached = list(known)
    for cell in reached:  # grows during the loop
        row, column = adjacent[cell]
        new = [each for each in row + column if each in chain and each not in known]
        known |= dict.fromkeys(new, known[cell] + 1)
        reached += new
    return [known.get(cell, 0) for cell in chain]
