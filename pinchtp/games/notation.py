"""The notation of moves and turns, and conversions between moves, cells and coordinates."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from typing import Protocol

from pinchtp._core import MAX_SIZE, PASS, STRIDE, SWAP, Position

RESIGN = "resign"  # in place of a move
RESIGN_PREFIX = "resign-"  # before the letter of the color that resigns
COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # without I, by GTP 2 section 2.11


class SwapSpelling(StrEnum):
    """The word of a program for a swap. The resulting board is the same for all words."""

    PASS = "pass"
    SWAP = "swap"
    SWAP_PIECES = "swap-pieces"
    SWAP_SIDES = "swap-sides"


SWAP_WORDS = (SwapSpelling.SWAP, SwapSpelling.SWAP_PIECES, SwapSpelling.SWAP_SIDES)

_VERTEX = re.compile(r"([A-HJ-Z])0*+([1-9][0-9]?)", re.ASCII)


class NotationError(ValueError):
    """The text is not a move."""


class AmbiguousMove(NotationError):
    """The text matches several legal turns; the message lists them."""


class NoSuchMove(NotationError):
    """The text is well formed but does not match a legal turn; the message lists legal ones."""


def is_point(move: int) -> bool:
    """Returns whether a move is a point, on or off the board, rather than a pass or swap."""
    return move < PASS


def format_move(move: int) -> str:
    """Returns the text of a move: `D4`, `swap` or `pass`."""
    if move == SWAP:
        return "swap"
    if move == PASS:
        return "pass"
    return COLUMNS[move % STRIDE] + str(move // STRIDE + 1)


def parse_move(text: str, position: Position) -> int:
    """Returns the move of a text in upper or lower case, legal or not.

    `pass` means a swap while a swap is possible: GTP has no other word for it, and a pass is never
    legal then. A vertex off the board is an illegal move.

    Raises NotationError if the text is neither a vertex nor a word for a move.
    """
    move = _move_of(text)
    return SWAP if move == PASS and position.swap_open else move


@lru_cache(maxsize=4096)
def _move_of(text: str) -> int:
    """Returns the move of a text in any position. Raises NotationError."""
    word = text.upper() if text.isascii() else ""  # some other characters have ASCII capitals
    if word.lower() in SWAP_WORDS:
        return SWAP
    if word == "PASS":
        return PASS
    vertex = _VERTEX.fullmatch(word)
    if not vertex:
        raise NotationError(f"{text[:20]!r} is not a move: use a vertex such as D4, swap or pass")
    # A row beyond every board must not become the code of a special move.
    return point(COLUMNS.index(vertex[1]), min(int(vertex[2]) - 1, MAX_SIZE))


def point(x: int, y: int) -> int:
    """Returns the move at column x and row y, both from 0 at the lower left."""
    return y * STRIDE + x


def cell_of(move: int, width: int) -> int:
    """Returns the index of a point in the cells of a board with `width` columns."""
    return move // STRIDE * width + move % STRIDE


def cells_of(moves: Iterable[int], width: int) -> list[int]:
    """Returns the indices of the points among moves; see cell_of()."""
    return [cell_of(move, width) for move in moves if is_point(move)]


def point_of(cell: int, width: int) -> int:
    """Returns the point at an index in the cells; see cell_of()."""
    return point(cell % width, cell // width)


@cache
def adjacent_cells(width: int, height: int) -> list[tuple[list[int], list[int]]]:
    """Returns, for each cell of a board, the adjacent cells in its row and those in its column."""
    area = width * height
    return [
        (
            [other for other in (cell - 1, cell + 1) if other // width == cell // width],
            [other for other in (cell - width, cell + width) if 0 <= other < area],
        )
        for cell in range(area)
    ]


def coordinates(move: int) -> tuple[int, int]:
    """Returns column and row of a point, both from 0 at the lower left."""
    return move % STRIDE, move // STRIDE


def points_from_top(width: int, height: int) -> list[int]:
    """Returns the points of a board by rows from the top, the order of KataGo."""
    return [point(x, y) for y in reversed(range(height)) for x in range(width)]


class Notation(Protocol):
    """The notation of a game's turns, and the labels of its board.

    multi_part: whether a turn may have several moves. columns: the letter of each column, from the
    left.
    """

    @property
    def multi_part(self) -> bool: ...
    @property
    def columns(self) -> str: ...

    def row_label(self, y: int) -> str:
        """Returns the label of a row. y: from 0 at the bottom."""

    def format(self, position: Position, moves: Sequence[int]) -> str:
        """Returns the text of a turn in a position, or of its first parts."""

    def parse(self, text: str, position: Position) -> tuple[int, ...]:
        """Returns the moves of a text: a turn, the rest of one, or one part.

        They may be illegal. Raises NotationError for a text that is not a move.
        """

    def parse_point(self, text: str, position: Position) -> int:
        """Returns the point of a text, such as that of a stone to set up.

        It may be off the board, or another move. Raises NotationError for a text that is not one.
        """


@dataclass(frozen=True)
class PointNotation:
    """Turns as points: `D4`, or `E5,C3,H8` in games with turns of several parts."""

    multi_part: bool = False
    columns: str = COLUMNS

    def row_label(self, y: int) -> str:
        return str(y + 1)

    def format(self, position: Position, moves: Sequence[int]) -> str:
        return ",".join(map(format_move, moves))

    def parse(self, text: str, position: Position) -> tuple[int, ...]:
        # A turn changes each point at most once.
        words = text.split(",", MAX_SIZE * MAX_SIZE) if self.multi_part else [text]
        return tuple(parse_move(word, position) for word in words)

    def parse_point(self, text: str, position: Position) -> int:
        return parse_move(text, position)


def split_turns(
    position: Position, line: Iterable[int]
) -> Iterator[tuple[Position, tuple[int, ...]]]:
    """Yields the turns of a line of legal moves, each with the position before it.

    The last turn may be incomplete.
    """
    before = position
    moves = []
    for move in line:
        moves.append(move)
        position = position.play(move)
        if not position.mid_turn:
            yield before, tuple(moves)
            before = position
            moves = []
    if moves:
        yield before, tuple(moves)


def whole_turns(position: Position) -> Iterator[tuple[tuple[int, ...], Position]]:
    """Yields every way to complete the turn, in the order of the moves, with its final position."""
    for move in position.legal_moves():
        after = position.play(move)
        if after.mid_turn:
            yield from (((move, *rest), end) for rest, end in whole_turns(after))
        else:
            yield (move,), after


def random_turn(
    position: Position, choose: Callable[[list[int]], int], avoid: Collection[int] = ()
) -> tuple[int, ...]:
    """Returns a random turn, or the rest of one, drawn move by move.

    choose: draws one of several moves. avoid: moves to play only if no other move is legal.
    """
    moves: list[int] = []
    while not moves or position.mid_turn:
        legal = position.legal_moves()
        moves.append(choose([move for move in legal if move not in avoid] or legal))
        position = position.play(moves[-1])
    return tuple(moves)
