"""The entries of a game's history: moves, and turns of several moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from pinchtp.games import Color, Position


class TimeLeft(NamedTuple):
    """The mover's clock after a move, from a record.

    seconds: the time left. overtime_count: the moves left in a Canadian period, or the byo-yomi
    periods left; None if unknown.
    """

    seconds: float
    overtime_count: int | None = None


Properties: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]  # names and values as in a file


class RecordExtras(NamedTuple):
    """Properties and variations of a record that the game does not contain, for writing it again.

    properties: those of the move. variations: texts of the variations that branch off. nodes: the
    properties of the nodes without a move that follow.
    """

    properties: Properties = ()
    variations: tuple[str, ...] = ()
    nodes: tuple[Properties, ...] = ()


NO_EXTRAS = RecordExtras()


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """An entry of the history: a move and the position after it.

    move: a move, or one part of a turn; None for a resignation. A PASS after the end of the game
    changes nothing.
    winrate: the winrate of this color when our engine chose the move, in [0, 1]; None for another
    move.
    comment: a comment on the move.
    same_turn: whether it is undone together with the previous entry: one that was played with it,
    or for a resignation of our engine, the last move.
    resigned: the color that resigned, here or earlier; only passes follow.
    left: the mover's clock, from a loaded record.
    extras: the rest of that record at this move.
    """

    color: Color
    move: int | None
    position: Position
    winrate: float | None = None
    comment: str = ""
    same_turn: bool = False
    resigned: Color | None = None
    left: TimeLeft | None = None
    extras: RecordExtras = NO_EXTRAS


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn with its parts so far.

    moves: the parts; empty for a resignation. before, after: the positions before and after it.
    after_end: whether it is a pass after the end of the game. The other fields are those of its
    last entry; see PlayedMove.
    """

    color: Color
    moves: tuple[int, ...]
    before: Position
    after: Position
    winrate: float | None
    comment: str
    after_end: bool
    left: TimeLeft | None = None
    extras: RecordExtras = NO_EXTRAS


def undo_points(history: Sequence[PlayedMove]) -> list[int]:
    """Returns the index of each move in a history; moves played together count as one."""
    return [at for at, entry in enumerate(history) if not entry.same_turn]
