"""The interface of all games of the reference implementation, and shared functions.

It is written from the rules alone (pinchtp/games/README.md) and easy to compare with them: plain
sets of points, and the whole board is inspected for every query. Nothing is carried over from move
to move; only facts about points and sets of stones are cached.

Conventions
* A point is (x, y), 0-based from the lower left corner: A1 = (0, 0), B1 = (1, 0), A2 = (0, 1).
* A color is "black" or "white", by the current labels (after a swap: the new labels).
* "Board order" of points: the bottom row first, each row from left to right.
* Positions are immutable values; `play` returns the next position.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Set
from functools import cache, lru_cache
from typing import Any, Generic, Literal, NamedTuple, Self, TypeVar

Point = tuple[int, int]
Color = Literal["black", "white"]
Winner = Literal["black", "white", "draw"]

MoveT = TypeVar("MoveT", bound=Hashable)

SMALLEST_SIZE = 2
LARGEST_SIZE = 25


class Position(ABC, Generic[MoveT]):
    """A position of some game, with the history that the rules depend on."""

    to_move: Color

    @property
    @abstractmethod
    def winner(self) -> Winner | None:
        """Returns "black", "white" or "draw" once the game is finished, otherwise None."""

    @abstractmethod
    def moves(self) -> list[MoveT]:
        """Returns all legal moves without duplicates; empty once the game is finished."""

    @abstractmethod
    def play(self, move: MoveT) -> Self:
        """Returns the position after a move. Raises ValueError for an illegal move."""

    @abstractmethod
    def stones(self) -> dict[Point, Color]:
        """Returns the color of the stone on every occupied point."""

    @abstractmethod
    def key(self) -> Hashable:
        """Returns the identity of a position within its game (same size, same options).

        Equal keys: the same side moves, and the same moves lead to the same outcomes, except for
        draws by repetition, which need the history that the key leaves out.
        """


class StonePosition(Position[MoveT]):
    """A position of stones on points, none of which has two."""

    width: int
    height: int
    black: frozenset[Point]
    white: frozenset[Point]

    def points(self) -> tuple[Point, ...]:
        return board_points(self.width, self.height)

    def stones_of(self, color: Color) -> frozenset[Point]:
        return self.black if color == "black" else self.white

    def stones(self) -> dict[Point, Color]:
        board: dict[Point, Color] = {}
        for point in self.points():
            if point in self.black:
                board[point] = "black"
            elif point in self.white:
                board[point] = "white"
        return board

    def empty_points(self) -> list[Point]:
        """Returns the empty points in board order."""
        return list(points_without(self.black, self.white, self.width, self.height))


def opponent(color: Color) -> Color:
    return "white" if color == "black" else "black"


def check_size(width: int, height: int) -> None:
    """Checks that sizes are 2 to 25; rectangles are allowed."""
    for size in (width, height):
        if not SMALLEST_SIZE <= size <= LARGEST_SIZE:
            raise ValueError(f"no board of {width} columns and {height} rows")


@cache
def board_points(width: int, height: int) -> tuple[Point, ...]:
    """Returns every point of the board, in board order."""
    return tuple((x, y) for y in range(height) for x in range(width))


@lru_cache(16)
def points_without(
    black: frozenset[Point], white: frozenset[Point], width: int, height: int
) -> tuple[Point, ...]:
    """Returns the points without a stone, in board order."""
    points = board_points(width, height)
    return tuple(point for point in points if point not in black and point not in white)


def in_board_order(points: Iterable[Point]) -> list[Point]:
    return sorted(points, key=lambda point: (point[1], point[0]))


@cache
def row_neighbours(point: Point) -> tuple[Point, ...]:
    """Returns the points one step away along the row; some may be off the board."""
    x, y = point
    return (x - 1, y), (x + 1, y)


@cache
def column_neighbours(point: Point) -> tuple[Point, ...]:
    """Returns the points one step away along the column; some may be off the board."""
    x, y = point
    return (x, y - 1), (x, y + 1)


@cache
def neighbours(point: Point) -> tuple[Point, ...]:
    """Returns the adjacent points, one step along a row or column; some may be off the board."""
    return row_neighbours(point) + column_neighbours(point)


def chain_of(start: Point, stones: Set[Point]) -> set[Point]:
    """Returns the stones connected with `start` by adjacent stones, including itself."""
    chain = {start}
    to_visit = [start]
    while to_visit:
        for point in neighbours(to_visit.pop()):
            if point in stones and point not in chain:
                chain.add(point)
                to_visit.append(point)
    return chain


@lru_cache(16)  # the stones of some positions
def chains(stones: frozenset[Point]) -> list[set[Point]]:
    """Splits stones of one color into their chains (groups)."""
    found: list[set[Point]] = []
    rest = set(stones)
    for start in in_board_order(stones):
        if start in rest:
            found.append(chain_of(start, stones))
            rest -= found[-1]
    return found


class Diagram(NamedTuple):
    width: int
    height: int
    black: frozenset[Point]
    white: frozenset[Point]
    marked: list[Point]
    """Points drawn `*` (they are empty), in board order."""


def read_diagram(text: str) -> Diagram:
    """Reads a board drawn with the top row first: x Black, o White, . empty, * empty and marked."""
    rows = [line.split() for line in text.strip().splitlines()]
    rows.reverse()
    found = {(x, y): sign for y, row in enumerate(rows) for x, sign in enumerate(row)}
    if len({len(row) for row in rows}) != 1 or not set(found.values()) <= set("xo.*"):
        raise ValueError(f"not a diagram:\n{text}")
    return Diagram(
        width=len(rows[0]),
        height=len(rows),
        black=frozenset(point for point, sign in found.items() if sign == "x"),
        white=frozenset(point for point, sign in found.items() if sign == "o"),
        marked=in_board_order(point for point, sign in found.items() if sign == "*"),
    )


def draw_diagram(width: int, height: int, stones: dict[Point, Color]) -> str:
    """Draws a board; the inverse of `read_diagram`, for messages."""
    signs = {point: "x" if color == "black" else "o" for point, color in stones.items()}
    rows = [[signs.get((x, y), ".") for x in range(width)] for y in range(height)]
    return "\n".join(" ".join(row) for row in reversed(rows))


def drawn(text: str) -> str:
    """Returns a drawing without indentation, as `draw_diagram` has none."""
    return "\n".join(line.strip() for line in text.strip().splitlines())


def picture(position: StonePosition[Any]) -> str:
    """Draws the stones of a position."""
    return draw_diagram(position.width, position.height, position.stones())


def from_diagram(
    game: Callable[..., Any], text: str, to_move: Color = "black", **fields: Any
) -> Any:
    """Returns the position of a diagram without the pie rule; marked points are empty.

    game: a class of positions. fields: further fields of it.
    """
    diagram = read_diagram(text)
    stones = {"black": diagram.black, "white": diagram.white}
    return game(diagram.width, diagram.height, pie=False, to_move=to_move, **stones, **fields)
