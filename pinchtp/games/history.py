"""The history of a game: who did what, by moves and by turns, and what turns captured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pinchtp._core import PASS, SWAP, Position
from pinchtp.games import LIFTED, Color, Game, markers
from pinchtp.games.notation import point_of
from pinchtp.games.position import PIECES, count_cells, own_cells


class TimeLeft(NamedTuple):
    """What a record says of the mover's clock after a move.

    stones: those still to be played in a Canadian period, or the periods of byo-yomi that are left;
    None if it does not say.
    """

    seconds: float
    stones: int | None = None


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """One entry of the history: who did what, and the position after it.

    move is a part where turns have several, and None for a resignation; PASS after the end of the
    game changes nothing. winrate: the chance to win that the engine gave this color when it chose
    the move, None for a move that came from outside. comment: what is to be said about it.
    same_turn: it was made together with the one before, and is taken back with it.
    resigned: who has resigned, in this entry or an earlier one; only passes come after that.
    left: on the mover's clock, if a record that was loaded says so.
    """

    color: Color
    move: int | None
    position: Position
    winrate: float | None = None
    comment: str = ""
    same_turn: bool = False
    resigned: Color | None = None
    left: TimeLeft | None = None


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


def group_turns(start: Position, history: Sequence[PlayedMove]) -> list[Turn]:
    """A history by whole turns; the last one before a resignation, or of all, may lack parts."""
    turns: list[Turn] = []
    begun = start
    parts: list[PlayedMove] = []
    is_over = begun.result is not None
    for entry in history:
        if parts and entry.move is None:  # a player resigned who had begun a turn
            turns.append(_whole(begun, parts, is_over))
            begun, parts = parts[-1].position, []
        parts.append(entry)
        is_over_now = is_over or entry.move is None or entry.position.result is not None
        if not entry.position.mid_turn or is_over_now or entry is history[-1]:
            turns.append(_whole(begun, parts, is_over))
            begun, parts = entry.position, []
        is_over = is_over_now
    return turns


def undo_points(history: Sequence[PlayedMove]) -> list[int]:
    """Where in a history each of its moves begins; what was made together is one move."""
    return [at for at, turn in enumerate(history) if not turn.same_turn]


def _whole(before: Position, parts: Sequence[PlayedMove], after_end: bool) -> Turn:
    last = parts[-1]
    moves = tuple(part.move for part in parts if part.move is not None)
    return Turn(
        last.color, moves, before, last.position, last.winrate, last.comment, after_end, last.left
    )


def captured(game: Game, turn: Turn) -> list[int]:
    """The points whose stone a turn flipped or took away; none for a swap."""
    if SWAP in turn.moves:
        return []
    width = turn.before.width
    cells = zip(turn.before.cells(), turn.after.cells(), strict=True)
    moved = b"" if game.places_stones else own_cells(turn.color)
    return [
        point_of(at, width)
        for at, (old, new) in enumerate(cells)
        if old in PIECES and old != new and old not in moved
    ]


def prisoners(game: Game, turns: Iterable[Turn]) -> tuple[int, int]:
    """How many stones Black and White have lost; a stone that flips is not lost."""
    prisoners = [0, 0]
    for turn in turns:
        if turn.after_end or not turn.moves or turn.moves[0] in (PASS, SWAP):
            continue
        old, new = turn.before.cells(), turn.after.cells()
        placed = int(game.places_stones)
        lifted = [each.color for each in markers(turn.after) if each.name == LIFTED]
        if count_cells(new, PIECES) == count_cells(old, PIECES) + placed:
            continue
        for color in Color:
            own = own_cells(color)
            stones = count_cells(old, own) + placed * (color == turn.color)
            prisoners[color] += stones - count_cells(new, own) - lifted.count(color)
    return prisoners[0], prisoners[1]
