"""Winrates with their side. No other module converts a winrate to the other side."""

from __future__ import annotations

from typing import Any, Self

from pinchtp.games.game import Color

EVEN = 0.5  # a draw, or a position without an evaluation


class Winrate(float):
    """A winrate in [0, 1]; a draw counts half.

    As a number it is the winrate of the side to move; black(), white() and pov() return that of a
    color.

    to_move: the side to move.
    """

    __slots__ = ("to_move",)

    to_move: Color

    def __new__(cls, value: float, to_move: Color) -> Self:
        self = super().__new__(cls, value)
        self.to_move = to_move
        return self

    @classmethod
    def if_known(cls, value: float | None, to_move: Color) -> Self | None:
        """Returns the winrate of a value, or None for None."""
        return None if value is None else cls(value, to_move)

    @classmethod
    def of_result(cls, winner: Color | None, to_move: Color) -> Self:
        """Returns the score of a finished game: 1, 0, or 1/2 for a draw (no winner)."""
        return cls(EVEN if winner is None else float(winner == to_move), to_move)

    def pov(self, color: Color | str) -> float:
        """Returns the winrate of a color, given as a Color or its name.

        Raises ValueError for an invalid color.
        """
        return float(self) if read_color(color) == self.to_move else 1 - float(self)

    def black(self) -> float:
        """Returns Black's winrate."""
        return self.pov(Color.BLACK)

    def white(self) -> float:
        """Returns White's winrate."""
        return self.pov(Color.WHITE)

    def __repr__(self) -> str:
        return f"Winrate({float(self):.4f}, {str(self.to_move)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (float(self), self.to_move)


def read_color(color: Color | str) -> Color:
    """Returns a color, given as a Color or its name. Raises ValueError for an invalid color."""
    try:
        return color if isinstance(color, Color) else Color.read(str(color))
    except ValueError:
        raise ValueError(f"{color!r} is not a color; give 'black' or 'white'") from None
