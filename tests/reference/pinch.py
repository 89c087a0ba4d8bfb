"""`pinch`: captured stones flip (rules P1 to P6).

Moves: a point, or "swap". Order: the points in board order, then "swap".
"""

from dataclasses import dataclass, replace
from typing import Literal, Self

from .base import Point, opponent
from .pinch_family import PinchFamily, black_and_white, pinched_with

PinchMove = Point | Literal["swap"]


@dataclass(frozen=True)
class Pinch(PinchFamily[PinchMove]):
    """A position of the flip game."""

    def moves(self) -> list[PinchMove]:
        if self.winner is not None:
            return []
        legal: list[PinchMove] = [*self.empty_points()]  # rule P1: any empty point
        if self.swap_open:
            legal.append("swap")
        return legal

    def play(self, move: PinchMove) -> Self:
        if move not in self.moves():
            raise ValueError(f"{move} is not legal here")
        if move == "swap":
            return self.after_swap()

        mover = self.to_move
        own = {*self.stones_of(mover), move}  # rule P1: place one own stone
        enemy = set(self.stones_of(opponent(mover)))
        new = {move}  # the stones "placed or converted this turn"
        while True:
            # Rule P2: pairs with at least one new stone convert; the converted count as new;
            # "this repeats until nothing changes". Rule P3: so the order does not matter.
            converted = pinched_with(new, own, enemy)
            if not converted:
                break
            own |= converted
            enemy -= converted
            new |= converted
        black, white = black_and_white(mover, own, enemy)
        return replace(
            self,
            black=black,
            white=white,
            to_move=opponent(mover),
            moves_played=self.moves_played + 1,
        )
