"""The common rules of the three Pinch games: P1, P4 and P5."""

from collections.abc import Hashable, Set
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Generic, Self

from .base import (
    Color,
    MoveT,
    Point,
    StonePosition,
    Winner,
    chains,
    check_size,
    column_neighbours,
    opponent,
    row_neighbours,
)


def pinches(stone: Point, enemy_stones: Set[Point]) -> list[tuple[Point, Point]]:
    """Returns the pinches of `stone`: pairs of enemy stones, one in its row, one in its column."""
    return [
        (in_row, in_column)
        for in_row in row_neighbours(stone)
        for in_column in column_neighbours(stone)
        if in_row in enemy_stones and in_column in enemy_stones
    ]


def pinched_with(new: Set[Point], own: Set[Point], enemy: Set[Point]) -> frozenset[Point]:
    """Returns the enemy stones pinched by a pair of own stones, at least one of them in `new`."""
    return frozenset(
        stone
        for stone in enemy
        if any(in_row in new or in_column in new for in_row, in_column in pinches(stone, own))
    )


def black_and_white(
    mover: Color, own: Set[Point], enemy: Set[Point]
) -> tuple[frozenset[Point], frozenset[Point]]:
    """Returns the mover's and the opponent's stones as Black's and White's."""
    if mover == "black":
        return frozenset(own), frozenset(enemy)
    return frozenset(enemy), frozenset(own)


@dataclass(frozen=True)
class PinchFamily(StonePosition[MoveT], Generic[MoveT]):
    """A Pinch position. Set it up with the keyword fields and `pie=False`."""

    width: int = 9
    height: int = 9
    pie: bool = True
    _: KW_ONLY
    black: frozenset[Point] = frozenset()
    white: frozenset[Point] = frozenset()
    to_move: Color = "black"  # "Black moves first"
    owner_of_top_bottom: Color = "black"  # White after a swap
    moves_played: int = 0  # complete moves, including swap and pass

    def __post_init__(self) -> None:
        check_size(self.width, self.height)
        if self.black & self.white or not self.black | self.white <= set(self.points()):
            raise ValueError("two stones on one point or a stone off the board")

    # -- winning --

    def sides(self, color: Color) -> tuple[set[Point], set[Point]]:
        """Returns the two sides of a color. A corner point belongs to both of its sides."""
        if color == self.owner_of_top_bottom:
            bottom = {(x, 0) for x in range(self.width)}
            top = {(x, self.height - 1) for x in range(self.width)}
            return bottom, top
        left = {(0, y) for y in range(self.height)}
        right = {(self.width - 1, y) for y in range(self.height)}
        return left, right

    def connection(self, color: Color) -> set[Point]:
        """Returns the chains of a color that touch both of its sides, as one set of points."""
        one_side, other_side = self.sides(color)
        connected: set[Point] = set()
        for chain in chains(self.stones_of(color)):
            if chain & one_side and chain & other_side:
                connected |= chain
        return connected

    @cached_property
    def connected_player(self) -> Color | None:
        """Returns the player with a chain that touches both of the player's sides, or None."""
        if self.connection("black"):
            return "black"
        if self.connection("white"):
            return "white"
        return None

    @property
    def winner(self) -> Winner | None:
        if self.connected_player is not None:
            return self.connected_player
        return None if self.empty_points() else "draw"  # a full board without a connection

    def winning_chain(self) -> set[Point]:
        """Returns the winner's chain; empty while unfinished, and in a draw.

        (A relocating turn may complete two chains: then the points of both.)
        """
        if self.winner is None or self.winner == "draw":
            return set()
        return self.connection(self.winner)

    # -- the pie rule --

    @property
    def swap_open(self) -> bool:
        """Whether a swap is possible: "Only on move 2, only while the pie rule is on"."""
        return self.pie and self.moves_played == 1

    def after_swap(self) -> Self:
        """Returns the position after a swap: new labels, the same stones, and Black moves next."""
        return replace(
            self,
            black=self.white,
            white=self.black,
            to_move="black",
            owner_of_top_bottom=opponent(self.owner_of_top_bottom),
            moves_played=self.moves_played + 1,
        )

    # -- identity --

    def key(self) -> Hashable:
        """Returns the identity, which includes a swap: by the owner of top and bottom."""
        return (self.black, self.white, self.to_move, self.owner_of_top_bottom, self.swap_open)
