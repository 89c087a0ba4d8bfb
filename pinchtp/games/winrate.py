"""Winrates that know their side: the only place where one is turned to the other side."""

from __future__ import annotations

from typing import Any, Self

from pinchtp.games.game import Color

EVEN = 0.5  # a draw, or a position about which nothing is known


class Winrate(float):
    """The chance to win, in [0, 1], of the side to move; a draw counts half.

    As a number it is that of `to_move`; black(), white() and pov() return that of a color.
    """

    __slots__ = ("to_move",)

    to_move: Color

    def __new__(cls, value: float, to_move: Color) -> Self:
        self = super().__new__(cls, value)
        self.to_move = to_move
        return self

    @classmethod
    def if_known(cls, value: float | None, to_move: Color) -> Self | None:
        """Returns a winrate, or None for None."""
        return None if value is None else cls(value, to_move)

    @classmethod
    def of_result(cls, winner: Color | None, to_move: Color) -> Self:
        """Returns the score of a finished game: 1, 0, or 1/2 for a draw (no winner)."""
        return cls(EVEN if winner is None else float(winner == to_move), to_move)

    def pov(self, color: Color | str) -> float:
        """Returns the chance of a color. Raises ValueError for another word."""
        return float(self) if read_color(color) == self.to_move else 1 - float(self)

    def black(self) -> float:
        """Returns Black's chance."""
        return self.pov(Color.BLACK)

    def white(self) -> float:
        """Returns White's chance."""
        return self.pov(Color.WHITE)

    def __repr__(self) -> str:
        return f"Winrate({float(self):.4f}, {str(self.to_move)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (float(self), self.to_move)


def read_color(color: Color | str) -> Color:
    """Returns a color or the color of a word. Raises ValueError."""
    try:
        return color if isinstance(color, Color) else Color.read(str(color))
    except ValueError:
        raise ValueError(f"{color!r} is not a color; give 'black' or 'white'") from None
