"""Text of whole turns: most are one move, but in some games a turn has several parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from pinchtp._core import MAX_SIZE, Position
from pinchtp.games.notation.points import COLUMNS, format_move, parse_move


class Notation(Protocol):
    """How a game writes its turns, and the letters and numbers beside its board.

    has_parts: whether a turn may be several moves. columns: a letter each, from the left.
    """

    @property
    def has_parts(self) -> bool: ...
    @property
    def columns(self) -> str: ...

    def row_name(self, y: int) -> str:
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

    has_parts: bool = False
    columns: str = COLUMNS

    def row_name(self, y: int) -> str:
        return str(y + 1)

    def format(self, position: Position, moves: Sequence[int]) -> str:
        return ",".join(map(format_move, moves))

    def parse(self, text: str, position: Position) -> tuple[int, ...]:
        # In a turn each point changes once at the most.
        words = text.split(",", MAX_SIZE * MAX_SIZE) if self.has_parts else [text]
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
