"""`bushka` (rules R1 to R19).

Squares: the point (L, N) is the square with letter index L (a = 0, ..., j = 9) and digit index N
("1" = 0, "2" = 1, ..., "9" = 8, and the digit 0, which stands for ten, = 9): e1 = (4, 0),
a5 = (0, 4), f0 = (5, 9).

Moves: `BushkaMove(origin, target, taken)`. Of a phalanx the origin is the square of the rear moving
man and the target is the new head. Order: by origin, target and the sorted taken squares.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple, Self

from .base import Color, Point, Position, Winner, opponent

LETTERS = "abcdefghij"
DIGITS = "1234567890"

Direction = tuple[int, int]
DIRECTIONS: list[Direction] = [(0, 1), (0, -1), (1, 0), (-1, 0)]
"""Along a letter (the digit changes) and along a digit (the letter changes)."""

FORWARD: dict[Color, list[Direction]] = {
    "white": [(0, 1), (-1, 0)],  # digit+1 or letter-1
    "black": [(0, -1), (1, 0)],  # the reverse
}


def row(square: Point) -> int:
    """r = L-N."""
    letter, digit = square
    return letter - digit


BACK_RANK: dict[Color, int] = {"white": 4, "black": -4}


def exists(square: Point) -> bool:
    letter, digit = square
    return (
        0 <= letter <= 9
        and 0 <= digit <= 9
        and -4 <= letter - digit <= 4
        and 4 <= letter + digit <= 14
    )


SQUARES: list[Point] = [
    (letter, digit) for letter in range(10) for digit in range(10) if exists((letter, digit))
]

WHITE_START = frozenset(square for square in SQUARES if row(square) in (4, 3, 2))
BLACK_START = frozenset(square for square in SQUARES if row(square) in (-4, -3, -2))


def square_name(square: Point) -> str:
    letter, digit = square
    return LETTERS[letter] + DIGITS[digit]


def read_square(name: str) -> Point:
    if len(name) != 2 or name[0] not in LETTERS or name[1] not in DIGITS:
        raise ValueError(f"{name!r} is not a square")
    square = LETTERS.index(name[0]), DIGITS.index(name[1])
    if not exists(square):
        raise ValueError(f"{name} is not on the board")
    return square


def step(square: Point, direction: Direction, distance: int = 1) -> Point:
    """Returns the square `distance` steps ahead; it may not exist."""
    return square[0] + distance * direction[0], square[1] + distance * direction[1]


class BushkaMove(NamedTuple):
    """ "a move's identity is (from, to, set of taken squares)"."""

    origin: Point
    target: Point
    taken: frozenset[Point] = frozenset()


def move_order(move: BushkaMove) -> tuple[Point, Point, list[Point]]:
    return move.origin, move.target, sorted(move.taken)


def most_taken(captures: set[BushkaMove]) -> set[BushkaMove]:
    """R11, R17: the most pieces must be taken, a king counting one; ties are free."""
    most = max((len(move.taken) for move in captures), default=0)
    return {move for move in captures if len(move.taken) == most}


@dataclass(frozen=True)
class Bushka(Position[BushkaMove]):
    """A position of Bushka, with the game's earlier positions for R19."""

    white_men: frozenset[Point] = WHITE_START
    black_men: frozenset[Point] = BLACK_START
    white_kings: frozenset[Point] = frozenset()
    black_kings: frozenset[Point] = frozenset()
    to_move: Color = "white"
    history: tuple[Hashable, ...] = field(default=(), repr=False, compare=False)
    """The keys of the game's earlier positions."""

    def __post_init__(self) -> None:
        sets = [self.white_men, self.black_men, self.white_kings, self.black_kings]
        if sum(map(len, sets)) != len(self.occupied()) or not self.occupied() <= set(SQUARES):
            raise ValueError("two pieces on one square or a piece off the board")

    # -- the board --

    def men(self, color: Color) -> frozenset[Point]:
        return self.white_men if color == "white" else self.black_men

    def kings_of(self, color: Color) -> frozenset[Point]:
        return self.white_kings if color == "white" else self.black_kings

    def pieces(self, color: Color) -> frozenset[Point]:
        return self.men(color) | self.kings_of(color)

    def occupied(self) -> frozenset[Point]:
        return self.pieces("white") | self.pieces("black")

    def is_vacant(self, square: Point) -> bool:
        return exists(square) and square not in self.occupied()

    def stones(self) -> dict[Point, Color]:
        """Returns men and kings alike; see `kings()`."""
        return {
            square: "white" if square in self.pieces("white") else "black"
            for square in SQUARES
            if square in self.occupied()
        }

    def kings(self) -> set[Point]:
        """Returns the squares of the kings of both colors."""
        return {*self.white_kings, *self.black_kings}

    # -- ordinary moves --

    def man_moves(self) -> set[BushkaMove]:
        """Returns moves by R4 and R7: of men with a vacant square ahead."""
        found = set()
        own = self.men(self.to_move)
        for head in own:
            for direction in FORWARD[self.to_move]:
                target = step(head, direction)
                if not self.is_vacant(target):
                    continue
                found.add(BushkaMove(head, target))  # R4: the man alone
                # R7: any man from the second to the last moves in front of the head.
                rear = step(head, direction, -1)
                while rear in own:
                    found.add(BushkaMove(rear, target))
                    rear = step(rear, direction, -1)
        return found

    def king_moves(self) -> set[BushkaMove]:
        """Returns moves by R5: any distance along an open line in all four directions."""
        found = set()
        for king in self.kings_of(self.to_move):
            for direction in DIRECTIONS:
                target = step(king, direction)
                while self.is_vacant(target):
                    found.add(BushkaMove(king, target))
                    target = step(target, direction)
        return found

    # -- phalanx captures --

    def phalanx_captures(self) -> set[BushkaMove]:
        """Returns captures by R9 and R10, without R11."""
        found = set()
        own = self.men(self.to_move)
        for head in own:
            for direction in DIRECTIONS:  # R9: forward or backward
                target = step(head, direction)
                taken = self.taken_by_phalanx(step(target, direction), direction)
                if not self.is_vacant(target) or not taken:
                    continue
                # R10: two or more men move; the rear one moves in front of the head.
                rear = step(head, direction, -1)
                while rear in own:
                    found.add(BushkaMove(rear, target, taken))
                    rear = step(rear, direction, -1)
        return found

    def taken_by_phalanx(self, first: Point, direction: Direction) -> frozenset[Point]:
        """R9: "a king alone, or, when it is a man, that man with all enemy men contiguous"."""
        enemy = opponent(self.to_move)
        if first in self.kings_of(enemy):
            return frozenset({first})
        taken = set()
        square = first
        while square in self.men(enemy):
            taken.add(square)
            square = step(square, direction)
        return frozenset(taken)

    # -- piece captures --

    def piece_captures(self) -> set[BushkaMove]:
        """Returns captures by R12 to R16, each as long as possible, without R17."""
        found = set()
        for man in self.men(self.to_move):
            for end, taken in self.captures_from(man, man, frozenset(), is_king=False):
                found.add(BushkaMove(man, end, taken))
        for king in self.kings_of(self.to_move):
            for end, taken in self.captures_from(king, king, frozenset(), is_king=True):
                found.add(BushkaMove(king, end, taken))
        return found

    def captures_from(
        self, origin: Point, square: Point, taken: frozenset[Point], *, is_king: bool
    ) -> set[tuple[Point, frozenset[Point]]]:
        """Returns the ends of a capture from `origin`, now on `square`, with all taken pieces."""
        ends = set()
        for direction in DIRECTIONS:  # R12, R14, R15: any direction
            rear = step(square, direction, -1)
            if not taken and not is_king and rear in self.men(self.to_move):
                continue  # R13: a man that is not isolated may not start in this direction
            landing = self.landing(origin, square, direction, is_king=is_king)
            victim = step(landing, direction)
            if landing == square or victim not in self.pieces(opponent(self.to_move)) - taken:
                continue  # R16: none is taken twice
            ends |= self.captures_from(origin, landing, taken | {victim}, is_king=is_king)
        if not ends and taken:
            return {(square, taken)}  # R15: it continues as long as possible
        return ends

    def landing(
        self, origin: Point, square: Point, direction: Direction, *, is_king: bool
    ) -> Point:
        """Returns the square where a capturing piece stops; `square` if it cannot move that way.

        R12: a man on the adjacent square. R14: a king on the last vacant square of the line.
        R16: taken pieces are still on the board, the origin counts as vacant.
        """
        blocked = self.occupied() - {origin}
        ahead = step(square, direction)
        if not is_king:
            return ahead if exists(ahead) and ahead not in blocked else square
        while exists(ahead) and ahead not in blocked:
            square = ahead
            ahead = step(square, direction)
        return square

    # -- all moves --

    @cached_property
    def phalanx_may_capture(self) -> bool:
        """Whether every legal move is a phalanx capture (R3)."""
        return bool(self.phalanx_captures())

    @cached_property
    def legal_moves(self) -> list[BushkaMove]:
        """Returns moves by R1 to R3, R11, R17, in the documented order, ignoring R19."""
        found = most_taken(self.phalanx_captures())
        if not found:
            found = most_taken(self.piece_captures())
        if not found:
            found = self.man_moves() | self.king_moves()
        return sorted(found, key=move_order)

    @property
    def winner(self) -> Winner | None:
        if not self.legal_moves:
            return opponent(self.to_move)  # R2
        if self.history.count(self.key()) >= 2:
            return "draw"  # R19
        return None

    def moves(self) -> list[BushkaMove]:
        return [] if self.winner is not None else list(self.legal_moves)

    def play(self, move: BushkaMove) -> Self:
        if move not in self.moves():
            raise ValueError(f"{move} is not legal here")
        mover = self.to_move
        enemy = opponent(self.to_move)
        men = set(self.men(mover))
        kings = set(self.kings_of(mover))
        if move.origin in kings:
            kings.remove(move.origin)
            kings.add(move.target)
        else:
            # R7: the rear man moves in front of the head, like a step of all men.
            men.remove(move.origin)
            if row(move.target) == BACK_RANK[enemy]:
                kings.add(move.target)  # R4, R8
            else:
                men.add(move.target)
        own_men, own_kings = frozenset(men), frozenset(kings)
        enemy_men = self.men(enemy) - move.taken
        enemy_kings = self.kings_of(enemy) - move.taken
        is_white = mover == "white"
        return replace(
            self,
            white_men=own_men if is_white else enemy_men,
            black_men=enemy_men if is_white else own_men,
            white_kings=own_kings if is_white else enemy_kings,
            black_kings=enemy_kings if is_white else own_kings,
            to_move=enemy,
            history=(*self.history, self.key()),
        )

    def key(self) -> Hashable:
        """R19: "a position with the same side to move"."""
        return (
            self.white_men,
            self.black_men,
            self.white_kings,
            self.black_kings,
            self.to_move,
        )

    # -- notation --

    def bare_text(self, move: BushkaMove) -> str:
        """Returns the published text, which several piece captures may share."""
        letter, digit = tuple(square_name(move.origin))
        new_letter, new_digit = tuple(square_name(move.target))
        between = "x" if move.taken and self.phalanx_may_capture else ""
        end = "x" if move.taken and not self.phalanx_may_capture else ""
        if move.origin == move.target:
            return letter + digit + end
        if letter == new_letter:
            return letter + digit + between + new_digit + end
        if digit == new_digit:
            return letter + between + new_letter + digit + end
        return letter + digit + new_letter + new_digit + end

    def text(self, move: BushkaMove) -> str:
        """Returns the text of a legal move, with "the victims in brackets only then": if ambiguous.

        Victims are in the order of their letters, and of their digits with 0 last.
        """
        if move not in self.legal_moves:
            raise ValueError(f"{move} is not legal here")
        text = self.bare_text(move)
        if [self.bare_text(other) for other in self.legal_moves].count(text) == 1:
            return text
        return f"{text}[{','.join(map(square_name, sorted(move.taken)))}]"

    def parse(self, text: str) -> BushkaMove:
        """Returns the legal move of a text. Raises ValueError if none or several match.

        Victims in brackets may be in any order, and redundant.
        """
        bare, bracket, victims = text.partition("[")
        found = [move for move in self.legal_moves if self.bare_text(move) == bare]
        if bracket:
            if not victims.endswith("]"):
                raise ValueError(f"{text} lacks a bracket")
            squares = [read_square(name) for name in victims.removesuffix("]").split(",")]
            found = [move for move in found if sorted(move.taken) == sorted(squares)]
        if len(found) != 1:
            raise ValueError(f"{text} fits {len(found)} legal moves")
        return found[0]
