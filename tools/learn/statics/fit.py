"""Fits the weights of the static evaluation to results of games, by logistic regression.

White's value of a position is the sum of

- windows of two neighbouring rows, eight times two: three squares of the left or the right half of
  each row, empty or with a man of either color (kings count as empty);
- kings by their squares;
- extra values of men and kings that grow as men get fewer;
- the value of the turn.

Mirrored boards have the same value, and rotated boards with colors reversed the negated one, so
symmetric terms share a weight. A window's weight is the sum of the values of its men by rows, which
all positions train, and a regularized correction.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pinchtp.games import Color

from .games import BOARD, CAPTURES, RESULT, TURN

SIDE = 10
ROWS = 9  # from White's back rank to Black's
PAIRS = ROWS - 1
TRIOS = 3**3
PATTERNS = TRIOS**2
MOST_MEN = 34
POINTS = 100  # per logit

WINDOWS = PAIRS // 2 * PATTERNS  # weights; the other pairs of rows share them
KINGS = ROWS * 3
OTHERS = 4  # men and kings if few men are left, the turn, the turn if few men are left

PRIOR = 300.0  # inverse variance of a correction, in logits
ROUNDS = 300
RATE = 0.03
HELD_OUT = 10  # one game in ten is held out

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Table = NDArray[np.uint8]


def squares_of_row(row: int) -> list[int]:
    """Returns the squares of a row as cell indices, in the order of their letters."""
    number = ROWS // 2 - row  # numbering of the rules
    return [
        y * SIDE + x
        for x in range(SIDE)
        for y in range(SIDE)
        if x - y == number and 4 <= x + y <= 14
    ]


def halves(row: int) -> list[list[int]]:
    """Returns three squares of each half, from the edge to the middle."""
    squares = squares_of_row(row)
    return [squares[:3], squares[::-1][:3]]


@dataclass(frozen=True)
class Features:
    """Features of positions, for White.

    windows: [positions, 16], indices of weights; signs: [16], their factors.
    kings: [positions, KINGS]; others: [positions, OTHERS].
    """

    windows: Ints
    signs: Floats
    kings: Floats
    others: Floats


def features(table: Table) -> Features:
    """Returns the features of positions as in games.py."""
    cells = table[:, :BOARD]
    white, black = (cells == 1 + color for color in (Color.WHITE, Color.BLACK))
    windows, signs = _windows(white, black)
    kings = _kings(*(cells == 3 + color for color in (Color.WHITE, Color.BLACK)))
    men = white.sum(1) - black.sum(1).astype(float)
    few = (MOST_MEN - white.sum(1) - black.sum(1)) / MOST_MEN
    turn = np.where(table[:, TURN] == Color.WHITE, 1.0, -1.0)
    others = np.stack([men * few, kings.sum(1) * few, turn, turn * few], axis=1)
    return Features(windows, signs, kings, others)


def _windows(white: NDArray[np.bool_], black: NDArray[np.bool_]) -> tuple[Ints, Floats]:
    trios = _trios(white + 2 * black.astype(np.int64))
    seen_by_black = _trios(black + 2 * white.astype(np.int64))
    windows, signs = [], []
    for pair in range(PAIRS):
        for half in range(2):
            if pair < PAIRS // 2:
                lower, upper, base, sign = trios[pair], trios[pair + 1], pair, 1.0
            else:
                lower, upper = seen_by_black[pair + 1], seen_by_black[pair]
                base, sign = PAIRS - 1 - pair, -1.0
            windows.append(lower[half] + TRIOS * upper[half] + base * PATTERNS)
            signs.append(sign)
    return np.stack(windows, axis=1), np.array(signs)


def _trios(states: Ints) -> list[list[Ints]]:
    """Returns the pattern numbers of three squares, for each half of each row."""
    powers = np.array([1, 3, 9])
    return [[states[:, half] @ powers for half in halves(row)] for row in range(ROWS)]


def _kings(white: NDArray[np.bool_], black: NDArray[np.bool_]) -> Floats:
    kings = np.zeros((len(white), KINGS))
    for row in range(ROWS):
        squares = squares_of_row(row)
        for column, square in enumerate(squares):
            place = min(column, len(squares) - 1 - column)
            kings[:, 3 * row + place] += white[:, square]
            kings[:, 3 * (ROWS - 1 - row) + place] -= black[:, square]
    return kings


@dataclass(frozen=True)
class Weights:
    """Weights in logits for White."""

    windows: Floats  # [WINDOWS]
    kings: Floats
    others: Floats

    def logits(self, seen: Features) -> Floats:
        total: Floats = (self.windows[seen.windows] * seen.signs).sum(1)
        return total + seen.kings @ self.kings + seen.others @ self.others


def quiet(table: Table) -> Table:
    """Returns the quiet positions: those without captures for the side to move."""
    found: Table = table[table[:, CAPTURES] == 0]
    return found


def windows_of_men() -> Floats:
    """[ROWS, WINDOWS]: contributions of men to windows, by row from their own back rank."""
    digits = np.array([[code // 3**i % 3 for i in range(6)] for code in range(PATTERNS)])
    windows = np.zeros((ROWS, PAIRS // 2, PATTERNS))
    for pair in range(PAIRS // 2):
        windows[pair, pair] += (digits[:, :3] == 1) @ _shares(pair)
        # Men of the other rows appear in the rotated window, which shares the weights.
        windows[PAIRS - 1 - pair, pair] -= (digits[:, 3:] == 2) @ _shares(pair + 1)
    return windows.reshape(ROWS, WINDOWS)


def _shares(row: int) -> Floats:
    """The middle square of a row of five is in both halves."""
    return np.array([1.0, 1.0, 1.0 if len(squares_of_row(row)) % 2 == 0 else 0.5])


class Model:
    """The parameters in training: corrections of windows, kings, others, men by rows."""

    def __init__(self) -> None:
        self._men = windows_of_men()
        self.parameters = np.concatenate(
            [np.zeros(WINDOWS), np.full(KINGS, 2.0), np.zeros(OTHERS), np.full(ROWS, 0.8)]
        )

    @property
    def weights(self) -> Weights:
        windows, kings, others, men = np.split(self.parameters, np.cumsum([WINDOWS, KINGS, OTHERS]))
        return Weights(windows + men @ self._men, kings, others)

    def gradient(self, seen: Features, error: Floats) -> Floats:
        """Returns the gradient; error: of the logits."""
        each = (error[:, None] * seen.signs).ravel()
        windows = np.bincount(seen.windows.ravel(), each, minlength=WINDOWS)
        parts = [windows, seen.kings.T @ error, seen.others.T @ error, self._men @ windows]
        return np.concatenate(parts)


def fit(table: Table) -> tuple[Weights, str]:
    """Returns the weights, and their losses as text, also on held-out positions.

    table: quiet positions, grouped by game.
    """
    seen, results = features(table), table[:, RESULT] / 2.0
    held = np.arange(len(table)) < len(table) // HELD_OUT
    model = Model()
    mean, square = np.zeros_like(model.parameters), np.zeros_like(model.parameters)
    for number in range(1, ROUNDS + 1):
        chances = 1 / (1 + np.exp(-model.weights.logits(seen)))
        error = np.where(held, 0.0, chances - results) / (~held).sum()
        gradient = model.gradient(seen, error)
        gradient[:WINDOWS] += PRIOR / (~held).sum() * model.parameters[:WINDOWS]
        mean = 0.9 * mean + 0.1 * gradient  # Adam (Kingma and Ba, 2014)
        square = 0.999 * square + 0.001 * gradient**2
        step = RATE * min(1.0, 2 - 2 * number / (ROUNDS + 1)) / (1 - 0.9**number)
        model.parameters -= step * mean / (np.sqrt(square / (1 - 0.999**number)) + 1e-9)
    losses = [f"{_loss(chances[some], results[some]):.4f}" for some in (~held, held)]
    return model.weights, f"loss {losses[0]}, on positions held out {losses[1]}"


def _loss(chances: Floats, results: Floats) -> float:
    chances = np.clip(chances, 1e-6, 1 - 1e-6)
    return float(-(results * np.log(chances) + (1 - results) * np.log(1 - chances)).mean())
