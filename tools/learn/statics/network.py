"""The network of Bushka's static evaluation.

The board is viewed from the back rank of the side to move and of its opponent, as INPUTS of 0 or 1:
own men, enemy men, own kings and enemy kings, by square. Both views pass through the same hidden
units, whose outputs are clipped to 0 to 1. Half of the units apply the weights of the other half to
the mirrored view, so mirrored boards have the same value.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pinchtp.games import Color

from .games import CAPTURES, RESULT, TURN

SIDE = 10
ROWS = 9  # from White's back rank to Black's
UNITS = 16  # hidden units, without the mirrored ones

Table = NDArray[np.uint8]
# Arrays of NumPy or JAX, in logits: inputs [INPUTS, UNITS], bias [UNITS], outputs [2, UNITS] of the
# side to move and of its opponent, output_bias [].
Weights = dict[str, Any]


def squares_of_row(row: int) -> list[int]:
    """Returns the squares of a row as cell indices, in the order of their letters."""
    number = ROWS // 2 - row  # numbering of the rules
    return [
        y * SIDE + x
        for x in range(SIDE)
        for y in range(SIDE)
        if x - y == number and 4 <= x + y <= 14
    ]


SQUARES = [squares_of_row(row) for row in range(ROWS)]
CELLS = np.concatenate(SQUARES)
INPUTS = 4 * len(CELLS)
# The mirror image of each square, and of each input.
_ends = np.cumsum([len(row) for row in SQUARES])
MIRROR = np.concatenate([row[::-1] for row in np.split(np.arange(len(CELLS)), _ends[:-1])])
MIRRORED = np.concatenate([len(CELLS) * kind + MIRROR for kind in range(4)])


def quiet(table: Table) -> Table:
    """Returns the quiet positions: those without captures for the side to move."""
    found: Table = table[table[:, CAPTURES] == 0]
    return found


def views(table: Table) -> tuple[Table, Table]:
    """Returns the views of the side to move and of its opponent, for positions as in games.py.

    Two arrays uint8 [positions, INPUTS].
    """
    cells = table[:, CELLS]
    white_men, white_kings, black_men, black_kings = (
        (cells == value + color).astype(np.uint8)
        for color in (Color.WHITE, Color.BLACK)
        for value in (1, 3)
    )
    white = np.concatenate([white_men, black_men, white_kings, black_kings], axis=1)
    # On the board rotated by 180 degrees, the squares are in reverse order.
    own_first = [black_men, white_men, black_kings, white_kings]
    black = np.concatenate([pieces[:, ::-1] for pieces in own_first], axis=1)
    is_white = table[:, TURN, None] == Color.WHITE
    return np.where(is_white, white, black), np.where(is_white, black, white)


def outcomes(table: Table) -> NDArray[np.float32]:
    """Returns the results for the side to move: 0, 0.5 or 1."""
    results = table[:, RESULT].astype(np.float32) / 2
    return np.where(table[:, TURN] == Color.WHITE, results, 1 - results)


def logits(weights: Weights, own: Any, enemy: Any) -> Any:
    """Returns the values of positions for the side to move. own, enemy: its view and the other."""
    hidden = [
        (seen @ weights["inputs"] + weights["bias"]).clip(0, 1)
        for view in (own, enemy)
        for seen in (view, view[:, MIRRORED])
    ]
    return (
        (hidden[0] + hidden[1]) @ weights["outputs"][0]
        + (hidden[2] + hidden[3]) @ weights["outputs"][1]
        + weights["output_bias"]
    )
