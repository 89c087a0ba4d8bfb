"""Boards and replayed games as data for the scripts of pages.

Only this part of the pages applies the rules; the browser draws its data (see board.js).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from pinchtp.games import Position
from pinchtp.games.game import NO_CELL
from pinchtp.games.notation import NotationError, cells_of
from pinchtp.games.session import Session
from pinchtp.render.svg import ground_svg

Change: TypeAlias = tuple[int, int]  # a cell, and its new value

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_CELLS = [tens + ones for tens in _DIGITS for ones in _DIGITS]
_VALUES = "012345-"  # of cells as in Position.cells(), where the last is NO_CELL


@dataclass(frozen=True)
class Replay:
    """A game replayed by the rules.

    changes: the cells changed by each move. swaps: the moves, counted from 1, that swap the owners
    of the sides. chain: the winning cells. final: all cells at the end.
    """

    changes: tuple[tuple[Change, ...], ...]
    swaps: tuple[int, ...] = ()
    chain: tuple[int, ...] = ()
    final: bytes = b""

    def encode(self) -> str:
        """Encodes the changes as a word per move, with three characters per change: the cell in
        base 36, and its new value.
        """
        return " ".join(
            "".join([_CELLS[cell] + _sign(value) for cell, value in move]) for move in self.changes
        )


class ReplayBoard:
    """A board on which games are replayed.

    Cells are numbered from the lower left corner, row by row. session: a game without moves. start:
    its cells, as in Position.cells(). columns, rows: the coordinates, from the lower left corner.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.game = session.game
        self.width, self.height = session.start.width, session.start.height
        self.start = session.start.cells()
        notation = self.game.notation
        self.columns = tuple(notation.columns[: self.width])
        self.rows = tuple(notation.row_label(y) for y in range(self.height))

    def as_data(self) -> dict[str, Any]:
        """Returns the board as data for board.js."""
        return {
            "width": self.width,
            "height": self.height,
            "columns": self.columns,
            "rows": self.rows,
            "start": "".join(map(_sign, self.start)),
            "ground": ground_svg(self.session),
        }

    def is_point(self, cell: int) -> bool:
        return self.start[cell] != NO_CELL

    def replay(self, texts: Iterable[str]) -> Replay:
        """Replays moves; an illegal move changes nothing."""
        position = self.session.start
        cells = self.start
        changes: list[tuple[Change, ...]] = []
        swaps = []
        for text in texts:
            last = position
            position = self._play(position, text)
            before = cells
            cells = position.cells()
            changes.append(_difference(before, cells))
            if position.swapped != last.swapped:
                swaps.append(len(changes))
        chain = cells_of(position.winning_chain, self.width)
        return Replay(tuple(changes), tuple(swaps), tuple(chain), cells)

    def _play(self, position: Position, text: str) -> Position:
        """Returns the position after a turn or steps of one; unchanged if the move is illegal."""
        try:
            moves = self.game.notation.parse(text, position)
        except NotationError:
            return position
        after = position
        for number, move in enumerate(moves):
            is_over = number > 0 and not after.mid_turn
            if is_over or after.result is not None or not after.is_legal(move):
                return position
            after = after.play(move)
        return after  # a game may end within a turn


def _sign(value: int) -> str:
    return _VALUES[-1 if value == NO_CELL else value]


def _difference(before: bytes, after: bytes) -> tuple[Change, ...]:
    differing = int.from_bytes(before, "little") ^ int.from_bytes(after, "little")
    changes = []
    while differing:  # most moves change few cells
        cell = ((differing & -differing).bit_length() - 1) // 8
        changes.append((cell, after[cell]))
        differing ^= (before[cell] ^ after[cell]) << 8 * cell
    return tuple(changes)
