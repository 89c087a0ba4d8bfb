"""Winrate losses of moves, their names, and the worst ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

from pinchtp.games import Color
from pinchtp.games.winrate import Winrate

# Minimum winrate loss of a mistake, and its name.
MARKS = ((0.20, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))
LEAST_LOSS = MARKS[-1][0]
MOST_LISTED = 10  # mistakes in a list of the worst


class JudgedMove(Protocol):
    """A move with its winrate loss, or None before it is evaluated."""

    @property
    def loss(self) -> float | None: ...


M = TypeVar("M", bound=JudgedMove)


def winrate_loss(color: Color, text: str, best: str, before: Winrate, after: Winrate) -> float:
    """Returns the winrate that a color's move lost, in 0..1; 0 for the engine's own choice.

    text, best: the move and the engine's move, empty if unknown. before, after: winrates before and
    after the move.
    """
    is_best = text.upper() == best.upper()
    return 0.0 if is_best else max(0.0, before.pov(color) - after.pov(color))


def mark(loss: float | None) -> str:
    """Returns the name of a mistake with a winrate loss, or an empty string."""
    if loss is None:
        return ""
    return next((name for least, name in MARKS if loss >= least), "")


def worst(moves: Iterable[M], most: int = MOST_LISTED) -> list[M]:
    """Returns the `most` moves that lost most, at least LEAST_LOSS each, the worst first."""
    mistakes = [move for move in moves if (move.loss or 0) >= LEAST_LOSS]
    return sorted(mistakes, key=lambda move: -(move.loss or 0))[:most]
