"""`capture-go`: First Capture Go (rules C1 to C8).

Moves: a point, "swap" or "pass". Order: the points in board order, then "swap", then "pass".
"""

from collections.abc import Hashable, Set
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Literal, Self

from .base import (
    Color,
    Point,
    StonePosition,
    Winner,
    chain_of,
    chains,
    check_size,
    neighbours,
    opponent,
)

CaptureGoMove = Point | Literal["swap", "pass"]


@dataclass(frozen=True)
class CaptureGo(StonePosition[CaptureGoMove]):
    """A position of First Capture Go. Set it up with the keyword fields."""

    width: int = 9
    height: int = 9
    crosscut: bool = False
    pie: bool = False
    handicap: int = 0  # number of Black's first placements in a row
    _: KW_ONLY
    black: frozenset[Point] = frozenset()
    white: frozenset[Point] = frozenset()
    to_move: Color = "black"  # "Black first"
    moves_played: int = 0
    captured: frozenset[Point] = frozenset()  # points of the stones captured by the last move
    result: Color | None = None

    def __post_init__(self) -> None:
        check_size(self.width, self.height)
        if self.handicap < 0:
            raise ValueError("a handicap below 0")
        if self.crosscut and self.moves_played == 0 and not self.black | self.white:
            # The start with a crosscut, the only position with initial stones.
            black, white = self.crosscut_stones()
            object.__setattr__(self, "black", black)
            object.__setattr__(self, "white", white)
        if self.black & self.white or not self.black | self.white <= set(self.points()):
            raise ValueError("two stones on one point or a stone off the board")

    def crosscut_stones(self) -> tuple[frozenset[Point], frozenset[Point]]:
        """Returns the four centre points: lower left and upper right Black, the others White.

        Our interpretation: for odd sizes, the centre line is the right (the upper) of the two.
        """
        left, bottom = self.width // 2 - 1, self.height // 2 - 1
        right, top = left + 1, bottom + 1
        return (
            frozenset({(left, bottom), (right, top)}),
            frozenset({(left, top), (right, bottom)}),
        )

    # -- the board --

    def on_board(self, point: Point) -> bool:
        x, y = point
        return 0 <= x < self.width and 0 <= y < self.height

    def liberties(self, group: Set[Point], occupied: Set[Point]) -> set[Point]:
        """Returns the empty points adjacent to a group, with only these points occupied."""
        return {
            point
            for stone in group
            for point in neighbours(stone)
            if self.on_board(point) and point not in occupied
        }

    def atari(self) -> set[Point]:
        """Returns the stones of the side to move in groups with exactly one liberty."""
        if self.result is not None:
            return set()
        in_atari: set[Point] = set()
        for group in chains(self.stones_of(self.to_move)):
            if len(self.liberties(group, self.black | self.white)) == 1:
                in_atari |= group
        return in_atari

    # -- moving --

    @property
    def winner(self) -> Winner | None:
        return self.result

    @property
    def swap_open(self) -> bool:
        """Whether the second player may swap, on move 2 (never with a handicap)."""
        return (
            self.pie and self.moves_played == 1 and self.to_move == "white" and self.result is None
        )

    @cached_property
    def enemy_groups(self) -> list[tuple[set[Point], set[Point]]]:
        """Returns the opponent's groups, each with its liberties now."""
        occupied = self.black | self.white
        groups = chains(self.stones_of(opponent(self.to_move)))
        return [(group, self.liberties(group, occupied)) for group in groups]

    def captured_by(self, point: Point) -> frozenset[Point]:
        """Returns the enemy stones in groups without a liberty after a placement."""
        captured: set[Point] = set()
        for group, liberties in self.enemy_groups:
            if liberties <= {point}:
                captured |= group
        return frozenset(captured)

    def is_legal_point(self, point: Point) -> bool:
        """Whether a point is empty and not suicide; captures count before own liberties."""
        if not self.on_board(point) or point in self.black or point in self.white:
            return False
        if self.captured_by(point):
            return True
        own = self.stones_of(self.to_move) | {point}
        return bool(self.liberties(chain_of(point, own), self.black | self.white | {point}))

    def is_legal(self, move: CaptureGoMove) -> bool:
        if self.result is not None:
            return False
        if move == "pass":  # "A player need not place"; as the second move it is a swap
            return not self.swap_open
        if move == "swap":
            return self.swap_open
        return self.is_legal_point(move)

    def moves(self) -> list[CaptureGoMove]:
        candidates: list[CaptureGoMove] = [*self.points(), "swap", "pass"]
        return [move for move in candidates if self.is_legal(move)]

    def play(self, move: CaptureGoMove) -> Self:
        if not self.is_legal(move):
            raise ValueError(f"{move} is not legal here")
        mover = self.to_move
        enemy = opponent(self.to_move)
        if move == "pass":
            # "the passer loses"
            return replace(self, to_move=enemy, moves_played=self.moves_played + 1, result=enemy)
        if move == "swap":
            # All labels change, nothing on the board moves, and Black moves next.
            return replace(
                self,
                black=self.white,
                white=self.black,
                to_move="black",
                moves_played=self.moves_played + 1,
            )
        captured = self.captured_by(move)
        own = self.stones_of(mover) | {move}
        left = self.stones_of(enemy) - captured
        black, white = (own, left) if mover == "black" else (left, own)
        moves_played = self.moves_played + 1
        return replace(
            self,
            black=black,
            white=white,
            # Handicap: "Black's first N placements in a row".
            to_move="black" if moves_played < self.handicap else enemy,
            moves_played=moves_played,
            captured=captured,
            result=mover if captured else None,  # "the mover wins at once"
        )

    def key(self) -> Hashable:
        handicap_left = max(0, self.handicap - self.moves_played)
        return (
            self.black,
            self.white,
            self.to_move,
            self.swap_open,
            handicap_left,
            self.captured,
            self.result,
        )
