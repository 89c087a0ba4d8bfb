"""`pinch-remove`: captured stones leave the board (rules V1 to V5).

Moves: a point, "swap" or "pass". Order: the points in board order, then "swap"; or "pass" alone.
"""

from collections.abc import Hashable
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from typing import Literal, Self

from .base import Point, Winner, opponent
from .pinch_family import PinchFamily, black_and_white, pinched_with

PinchRemoveMove = Point | Literal["swap", "pass"]


@dataclass(frozen=True)
class PinchRemove(PinchFamily[PinchRemoveMove]):
    """A position of the removal game."""

    _: KW_ONLY
    banned: frozenset[Point] = frozenset()  # for the side to move, for this move only
    history: tuple[Hashable, ...] = field(default=(), repr=False, compare=False)
    """The repetition keys of the game's earlier positions."""

    def repetition_key(self) -> Hashable:
        """Returns the key by removal 4: "the same stones, bans and side to move".

        And the owner of top and bottom: "A position reached by a swap is a different position".
        """
        return (self.black, self.white, self.banned, self.to_move, self.owner_of_top_bottom)

    @cached_property
    def is_third_occurrence(self) -> bool:
        return self.history.count(self.repetition_key()) >= 2

    @property
    def winner(self) -> Winner | None:
        # V4; its two passes in a row never occur: after the first no point is banned, so only
        # a full board would have no point for the next move, and a full board ends the game
        return super().winner or ("draw" if self.is_third_occurrence else None)

    def moves(self) -> list[PinchRemoveMove]:
        if self.winner is not None:
            return []
        # Removal 1: any empty point that is not banned.
        legal: list[PinchRemoveMove] = [p for p in self.empty_points() if p not in self.banned]
        if not legal:
            return ["pass"]  # V4: legal only without a legal point
        if self.swap_open:
            legal.append("swap")
        return legal

    def play(self, move: PinchRemoveMove) -> Self:
        if move not in self.moves():
            raise ValueError(f"{move} is not legal here")
        mover = self.to_move
        history = (*self.history, self.repetition_key())
        if move == "swap":
            return replace(self.after_swap(), history=history)
        if move == "pass":
            return replace(
                self,
                to_move=opponent(mover),
                moves_played=self.moves_played + 1,
                banned=frozenset(),  # "for the next player's next move only": this was it
                history=history,
            )

        own = {*self.stones_of(mover), move}
        enemy = self.stones_of(opponent(mover))
        # Removal 2: only pairs that contain the placed stone, simultaneously, no chain.
        removed = pinched_with({move}, own, enemy)
        black, white = black_and_white(mover, own, enemy - removed)
        return replace(
            self,
            black=black,
            white=white,
            to_move=opponent(mover),
            moves_played=self.moves_played + 1,
            banned=removed,  # V3: banned for the next player's next move only
            history=history,
        )

    def key(self) -> Hashable:
        return (super().key(), self.banned)
