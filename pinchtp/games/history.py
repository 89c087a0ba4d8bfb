"""The entries of a game's history: moves, and the turns that they make up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pinchtp.games import Color, Position


class TimeLeft(NamedTuple):
    """The mover's clock after a move, from a record.

    stones: stones left in a Canadian period, or byo-yomi periods left; None if unknown.
    """

    seconds: float
    stones: int | None = None


class RecordExtras(NamedTuple):
    """The properties and variations of a record beyond the game, for writing it again.

    properties: names and values as in the file. variations: the texts of the lines that branch off.
    """

    properties: tuple[tuple[str, tuple[str, ...]], ...] = ()
    variations: tuple[str, ...] = ()


NO_EXTRAS = RecordExtras()


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """An entry of the history: a move and the position after it.

    move: part of a turn where turns have several, None for a resignation; PASS after the end of
    the game changes nothing. winrate: the engine's winrate for this color when it chose the move,
    None for a move from outside. comment: a comment on the move.
    same_turn: made, and undone, together with the previous entry.
    resigned: the color that resigned, here or earlier; only passes follow.
    left: the mover's clock, from a loaded record. extras: the rest of that record, at the move.
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
    """A turn with all of its parts so far. moves is empty for a resignation.

    after_end: a pass after the end of the game.
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
    """Returns the index of each move in a history; moves made together count as one."""
    return [at for at, turn in enumerate(history) if not turn.same_turn]
