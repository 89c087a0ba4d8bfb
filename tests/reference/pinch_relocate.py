"""`pinch-relocate`: captured stones are moved by the captor (rules L1 to L7).

Moves: a complete move, the tuple of the points of its steps: the placement, then the relocations in
order, as in (placement, relocation, relocation); or "swap". A lifted stone that leaves the game
(L5) has no step. Order: lexicographic by points in board order; then "swap".

Step by step: `parts()` returns the possible next points, `play_part(point)` plays one of them.
While stones are waiting the side to move stays the same, there is no winner, and the moves are the
remainders of the turn.

The rules text does not cover cycles. We decide as in the removal game: the third occurrence of the
same stones and side to move, at the start of a turn, is a draw.

The number of complete moves grows quickly: on larger boards use the steps.
"""

from collections.abc import Hashable
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from typing import Literal, Self

from .base import Color, Point, Winner, neighbours, opponent
from .pinch_family import PinchFamily, black_and_white, pinches

PinchRelocateMove = tuple[Point, ...] | Literal["swap"]


@dataclass(frozen=True)
class PinchRelocate(PinchFamily[PinchRelocateMove]):
    """A position of the relocation game, between two turns or within one."""

    _: KW_ONLY
    waiting: tuple[Color, ...] = ()
    """The colors of the lifted stones still to be placed, in order."""
    changed: frozenset[Point] = frozenset()
    """The points that changed between occupied and empty in this turn."""
    history: tuple[Hashable, ...] = field(default=(), repr=False, compare=False)
    """The repetition keys of the game's earlier positions, each at the start of a turn."""

    def repetition_key(self) -> Hashable:
        """Returns stones and side to move; a swap makes a different position."""
        return (self.black, self.white, self.to_move, self.owner_of_top_bottom)

    @cached_property
    def is_third_occurrence(self) -> bool:
        return self.history.count(self.repetition_key()) >= 2

    @property
    def winner(self) -> Winner | None:
        if self.waiting:
            return None  # L6: evaluated at the end of the turn
        # L6: a full board without a connection is a draw, too.
        return super().winner or ("draw" if self.is_third_occurrence else None)

    # -- one step of a turn --

    def captured_by(self, point: Point, color: Color) -> set[Point]:
        """Returns the stones of the other color pinched by a stone of `color` on `point`.

        The pair contains that stone, so they are adjacent to it (L1 and L3).
        """
        adjacent = self.stones_of(opponent(color)).intersection(neighbours(point))
        if not adjacent:
            return set()
        own = {*self.stones_of(color), point}
        return {stone for stone in adjacent if any(point in pair for pair in pinches(stone, own))}

    def legal_points(self, color: Color) -> list[Point]:
        """Returns the legal points for a stone of `color` now, in board order (L4)."""
        if not self.changed:  # at the start of a turn
            return self.empty_points()
        return [
            point
            for point in self.empty_points()
            if point not in self.changed and not self.captured_by(point, color) & self.changed
        ]

    def color_to_place(self) -> Color:
        """Returns the color of the first waiting stone, or of the stone that starts the turn."""
        return self.waiting[0] if self.waiting else self.to_move

    def parts(self) -> list[Point]:
        """Returns the possible next points of this turn, in board order."""
        if self.winner is not None:
            return []
        return self.legal_points(self.color_to_place())

    def play_part(self, point: Point) -> Self:
        """Places one stone. The turn ends when no stone is waiting."""
        if point not in self.parts():
            raise ValueError(f"{point} is not legal here")
        color = self.color_to_place()
        captured = self.captured_by(point, color)
        black, white = black_and_white(
            color,
            {*self.stones_of(color), point},
            self.stones_of(opponent(color)) - captured,
        )
        after = replace(
            self,
            black=black,
            white=white,
            # Relocation 2: newly lifted stones join the end of the queue.
            waiting=self.waiting[1:] + (opponent(color),) * len(captured),
            changed=self.changed | {point} | captured,
            history=self.history if self.waiting else (*self.history, self.repetition_key()),
        )
        # Relocation 4: without a legal point for it, a stone leaves the game.
        while after.waiting and not after.legal_points(after.waiting[0]):
            after = replace(after, waiting=after.waiting[1:])
        if after.waiting:
            return after
        return replace(
            after,
            to_move=opponent(self.to_move),
            moves_played=self.moves_played + 1,
            changed=frozenset(),
        )

    # -- complete moves --

    def turns(self) -> list[tuple[Point, ...]]:
        """Returns every way to finish the turn."""
        finished: list[tuple[Point, ...]] = []
        for point in self.parts():
            after = self.play_part(point)
            if after.waiting:
                finished += [(point, *rest) for rest in after.turns()]
            else:
                finished.append((point,))
        return finished

    def moves(self) -> list[PinchRelocateMove]:
        legal: list[PinchRelocateMove] = [*self.turns()]
        if self.swap_open and self.winner is None:
            legal.append("swap")
        return legal

    def play(self, move: PinchRelocateMove) -> Self:
        if move == "swap":
            if not self.swap_open or self.winner is not None:
                raise ValueError("a swap is not legal here")
            return replace(self.after_swap(), history=(*self.history, self.repetition_key()))
        if not isinstance(move, tuple) or not move:
            raise ValueError(f"{move} is not a move")
        after = self
        for number, point in enumerate(move):
            if number > 0 and not after.waiting:
                raise ValueError(f"{move} has too many parts")
            after = after.play_part(point)
        if after.waiting:
            raise ValueError(f"{move} has too few parts")
        return after

    def key(self) -> Hashable:
        return (super().key(), self.waiting, self.changed)
