"""Text of moves and turns: the one owner of vertex letters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from pinchtp._core import MAX_SIZE, PASS, STRIDE, SWAP, Position

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # GTP 2 section 2.11: no I


class SwapSpelling(StrEnum):
    """How a program spells a swap; the board stays as it is whatever the word."""

    PASS = "pass"
    SWAP = "swap"
    SWAP_PIECES = "swap-pieces"
    SWAP_SIDES = "swap-sides"


SWAP_WORDS = (SwapSpelling.SWAP, SwapSpelling.SWAP_PIECES, SwapSpelling.SWAP_SIDES)

_VERTEX = re.compile(r"([A-HJ-Z])0*+([1-9][0-9]?)", re.ASCII)


class NotationError(ValueError):
    """The text is not a move at all."""


class AmbiguousMove(NotationError):
    """The text fits several legal turns; the message names them."""


class NoSuchMove(NotationError):
    """The text is well formed, but no legal turn is meant; the message says what would be one."""


def is_point(move: int) -> bool:
    """Whether a move is a point, on the board or not, and no pass or swap."""
    return move < PASS


def format_move(move: int) -> str:
    """The text of a move: `D4`, `swap` or `pass`."""
    if move == SWAP:
        return "swap"
    if move == PASS:
        return "pass"
    return COLUMNS[move % STRIDE] + str(move // STRIDE + 1)


def parse_move(text: str, position: Position) -> int:
    """The move that a text names, in either case, be it legal or not.

    `pass` while the swap is open means the swap: controllers that know no other word send that
    (a pass is never legal then). A vertex beyond the board is a move that is not legal.

    Raises NotationError if the text is neither a vertex nor a word for a move.
    """
    word = text.upper() if text.isascii() else ""  # other signs have capitals in ASCII too
    if word.lower() in SWAP_WORDS:
        return SWAP
    if word == "PASS":
        return SWAP if position.swap_open else PASS
    vertex = _VERTEX.fullmatch(word)
    if not vertex:
        raise NotationError(f"{text!r} is not a move: use a vertex such as D4, swap or pass")
    # No row beyond every board may look like the code of a special move.
    return point(COLUMNS.index(vertex[1]), min(int(vertex[2]) - 1, MAX_SIZE))


def point(x: int, y: int) -> int:
    """The move that places on column x and row y, both counted from 0 at the lower left."""
    return y * STRIDE + x


def cell_of(move: int, width: int) -> int:
    """Where a point stands in the cells of a position on a board of that width."""
    return move // STRIDE * width + move % STRIDE


def point_of(cell: int, width: int) -> int:
    """The point that stands there in the cells of a position; see cell_of()."""
    return point(cell % width, cell // width)


def coordinates(move: int) -> tuple[int, int]:
    """Column and row of a placement, both counted from 0 at the lower left."""
    return move % STRIDE, move // STRIDE


class Notation(Protocol):
    """How a game writes its turns, and the letters and numbers beside its board.

    multi_part: whether a turn may be several moves. columns: a letter each, from the left.
    """

    @property
    def multi_part(self) -> bool: ...
    @property
    def columns(self) -> str: ...

    def row_label(self, y: int) -> str:
        """The number of a row; y counts from 0 at the bottom."""

    def format(self, position: Position, moves: Sequence[int]) -> str:
        """The text of a turn, or of the first parts of one, made in a position."""

    def parse(self, text: str, position: Position) -> tuple[int, ...]:
        """The moves that a text names: a turn, the rest of one, or one part.

        They need not be legal. Raises NotationError for what is no move.
        """


@dataclass(frozen=True)
class PointNotation:
    """Turns told by their points: `D4`, and `E5,C3,H8` where a turn may have several parts."""

    multi_part: bool = False
    columns: str = COLUMNS

    def row_label(self, y: int) -> str:
        return str(y + 1)

    def format(self, position: Position, moves: Sequence[int]) -> str:
        return ",".join(map(format_move, moves))

    def parse(self, text: str, position: Position) -> tuple[int, ...]:
        # In a turn each point changes once at the most.
        words = text.split(",", MAX_SIZE * MAX_SIZE) if self.multi_part else [text]
        return tuple(parse_move(word, position) for word in words)


def split_turns(
    position: Position, line: Iterable[int]
) -> Iterator[tuple[Position, tuple[int, ...]]]:
    """A line of legal moves from a position, turn by turn, each with the position before it.

    The last turn may lack parts.
    """
    before, moves = position, []
    for move in line:
        moves.append(move)
        position = position.play(move)
        if not position.mid_turn:
            yield before, tuple(moves)
            before, moves = position, []
    if moves:
        yield before, tuple(moves)


def whole_turns(position: Position) -> Iterator[tuple[int, ...]]:
    """Every way to make the turn from here, or what is left of it, in the order of the moves."""
    for move in position.legal_moves():
        after = position.play(move)
        if after.mid_turn:
            yield from ((move, *rest) for rest in whole_turns(after))
        else:
            yield (move,)
