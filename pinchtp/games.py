"""The games pinchtp plays: one entry each, from which everything else takes its facts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from pinchtp import _core
from pinchtp._core import MAX_SIZE, MIN_SIZE, Position

__all__ = ["GAMES", "MAX_SIZE", "MIN_SIZE", "Color", "Game", "Position"]


class Color(IntEnum):
    """A player, by the color of the stones; the values are those of the core."""

    BLACK = 0
    WHITE = 1

    @property
    def opponent(self) -> Color:
        return Color(1 - self)

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True)
class Game:
    """What tells one game from another outside the core.

    name: as typed by users and as the core knows it. title: as shown to people.
    size: columns and rows when nobody asks for others. pie: whether the second player may swap
    unless told otherwise. sides: whether each player owns two opposite sides of the board.
    mean_share: the share of all points that carry a stone when a game between equals ends, from
    which the clock estimates how many moves are still to come.
    """

    name: str
    title: str
    size: tuple[int, int]
    pie: bool
    sides: bool
    mean_share: float

    def start(self, width: int, height: int, *, pie: bool) -> Position:
        """The starting position. Raises ValueError for a size out of range."""
        return _core.new_position(self.name, width, height, pie=pie)

    def set_up(
        self, width: int, height: int, cells: bytes, to_move: Color, *, swapped: bool = False
    ) -> Position:
        """A position set up by hand; cells row by row from the bottom, 0 empty, 1 black, 2 white.

        There is no swap in it. Raises ValueError for what makes no position.
        """
        return _core.set_up(self.name, width, height, cells, to_move, swapped=swapped)


GAMES: dict[str, Game] = {
    game.name: game
    for game in (
        Game(name="pinch", title="Pinch", size=(11, 11), pie=True, sides=True, mean_share=0.6),
    )
}
