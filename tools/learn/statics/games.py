"""Self-play games of alpha-beta search, as positions and results."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pinchtp import _core
from pinchtp.games import ALPHA_BETA, GAMES, Color, Position

GAME = GAMES["bushka"]
MEMORY = 16  # MB
MOST_TURNS = 300  # then a draw
RANDOM_TURNS = (4, 12)  # at the start
STRAYS = 0.02  # share of later random turns

BOARD = 100  # bytes of a row: the cells
RESULT = 100  # 0 loss, 1 draw, 2 win of White
TURN = 101  # the color to move
CAPTURES = 102  # whether the next turn captures
ROW = 103


def play(count: int, visits: int, seed: int) -> Iterator[NDArray[np.uint8]]:
    """Yields games, each as the positions at the start of its turns.

    uint8 [turns, ROW]: the cells as in Position.cells(), and the fields above.
    """
    for number in range(count):
        yield _game(visits, seed + number)


def _game(visits: int, seed: int) -> NDArray[np.uint8]:
    rng = random.Random(seed)
    position = GAME.start(*GAME.size)
    search = _core.Search(position, method=ALPHA_BETA, memory_mb=MEMORY)
    opening = rng.randint(*RANDOM_TURNS)
    rows: list[list[int]] = []
    while position.result is None and len(rows) < MOST_TURNS:
        is_random = len(rows) < opening or rng.random() < STRAYS
        rows.append([*position.cells(), 1, position.to_move, 0])
        before = pieces(position)
        position = _turn(position, search, None if is_random else visits, rng)
        rows[-1][CAPTURES] = pieces(position) < before
    table = np.array(rows[opening:], dtype=np.uint8).reshape(-1, ROW)
    if position.result in (Color.BLACK, Color.WHITE):
        table[:, RESULT] = 2 * position.result
    return table


def _turn(
    position: Position, search: _core.Search, visits: int | None, rng: random.Random
) -> Position:
    """Returns the position after the best turn of a search, or after a random turn."""
    mover = position.to_move
    while position.result is None and (position.mid_turn or position.to_move == mover):
        if visits is None:
            move = rng.choice(position.legal_moves())
        else:
            if not position.mid_turn:
                kept = search.report().visits
                search.run(math.inf, kept + visits, 1, rng.getrandbits(32))
            move = search.report().choices[0].move
        position = position.play(move)
        search.advance(move)
    return position


def pieces(position: Position) -> int:
    return sum(0 < cell <= 4 for cell in position.cells())
