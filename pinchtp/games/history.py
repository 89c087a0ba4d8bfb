"""The history of a game by moves and by turns, and the captures of turns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pinchtp._core import PASS, SWAP, Position
from pinchtp.games import LIFTED, Color, GameType, markers
from pinchtp.games.game import PIECES, count_cells, own_cells
from pinchtp.games.notation import point_of


class TimeLeft(NamedTuple):
    """The mover's clock after a move, from a record.

    stones: stones left in a Canadian period, or byo-yomi periods left; None if unknown.
    """

    seconds: float
    stones: int | None = None


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """An entry of the history: a move and the position after it.

    move: part of a turn where turns have several, None for a resignation; PASS after the end of
    the game changes nothing. winrate: the engine's winrate for this color when it chose the move,
    None for a move from outside. comment: a comment on the move.
    same_turn: made, and undone, together with the previous entry.
    resigned: the color that resigned, here or earlier; only passes follow.
    left: the mover's clock, from a loaded record.
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
    """Returns a history by turns; the last one or one before a resignation may be incomplete."""
    turns: list[Turn] = []
    before = start
    parts: list[PlayedMove] = []
    is_over = before.result is not None
    for entry in history:
        if parts and entry.move is None:  # a resignation in mid-turn
            turns.append(_whole(before, parts, is_over))
            before, parts = parts[-1].position, []
        parts.append(entry)
        is_over_now = is_over or entry.move is None or entry.position.result is not None
        if not entry.position.mid_turn or is_over_now or entry is history[-1]:
            turns.append(_whole(before, parts, is_over))
            before, parts = entry.position, []
        is_over = is_over_now
    return turns


def undo_points(history: Sequence[PlayedMove]) -> list[int]:
    """Returns the index of each move in a history; moves made together count as one."""
    return [at for at, turn in enumerate(history) if not turn.same_turn]


def _whole(before: Position, parts: Sequence[PlayedMove], after_end: bool) -> Turn:
    last = parts[-1]
    moves = tuple(part.move for part in parts if part.move is not None)
    return Turn(
        last.color, moves, before, last.position, last.winrate, last.comment, after_end, last.left
    )


def captured(game: GameType, turn: Turn) -> list[int]:
    """Returns the points whose stone a turn flipped or removed; none for a swap."""
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


def prisoners(game: GameType, turns: Iterable[Turn]) -> tuple[int, int]:
    """Returns the numbers of stones that Black and White have lost; flips do not count."""
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
