"""Boards for pages: their positions as data for the scripts, and the games played on them.

The only part of the pages that knows rules: the browser only draws this data
(see board.js).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from pinchtp.games.game import NO_CELL
from pinchtp.games.notation import NotationError, cell_of
from pinchtp.games.session import IllegalMove, Session

Change: TypeAlias = tuple[int, int]  # a cell, and its new value

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_VALUES = "012345-"  # of cells as in Position.cells(), where the last is NO_CELL


@dataclass(frozen=True)
class Replay:
    """A game replayed by the rules.

    changes: for each move the cells that it changed. swaps: the moves, counted from 1, that
    swap the owners of the sides. chain: the cells that won. final: all cells at the
    end.
    """

    changes: tuple[tuple[Change, ...], ...]
    swaps: tuple[int, ...] = ()
    chain: tuple[int, ...] = ()
    final: bytes = b""

    def encoded(self) -> str:
        """Encodes the changes, a word for each move: three characters a change, the cell in base
        36.
        """
        return " ".join(
            "".join(_DIGITS[cell // 36] + _DIGITS[cell % 36] + _sign(value) for cell, value in move)
            for move in self.changes
        )


class ReplayBoard:
    """A board on which games are replayed.

    Cells count from the lower left corner, row by row. session: a game without moves. start: its
    cells, as in Position.cells(). columns, rows: the coordinates, from the lower left corner.
    """

    def __init__(self, session: Session) -> None:
        self.session, self._replayed = session, session.copy()
        self.game = session.game
        self.width, self.height = session.start.width, session.start.height
        self.start = session.start.cells()
        notation = self.game.notation
        self.columns = tuple(notation.columns[: self.width])
        self.rows = tuple(notation.row_label(y) for y in range(self.height))

    def as_data(self) -> dict[str, Any]:
        """Returns the board as board.js reads it."""
        return {
            "width": self.width,
            "height": self.height,
            "columns": self.columns,
            "rows": self.rows,
            "start": "".join(map(_sign, self.start)),
            "sides": self.game.sides,
        }

    def is_point(self, cell: int) -> bool:
        return self.start[cell] != NO_CELL

    def vertex(self, cell: int) -> str:
        return self.columns[cell % self.width] + self.rows[cell // self.width]

    def replay(self, texts: Iterable[str]) -> Replay:
        """Replays moves; an illegal move changes nothing."""
        session = self._replayed
        session.load(session.start)
        cells, swapped = self.start, session.start.swapped
        changes: list[tuple[Change, ...]] = []
        swaps = []
        for text in texts:
            with contextlib.suppress(NotationError, IllegalMove):
                session.play(session.to_move, *session.parse(text))
            before, cells = cells, session.position.cells()
            changes.append(_difference(before, cells))
            if session.position.swapped != swapped:
                swaps.append(len(changes))
                swapped = not swapped
        chain = [cell_of(move, self.width) for move in session.position.winning_chain]
        return Replay(tuple(changes), tuple(swaps), tuple(chain), cells)


def _sign(value: int) -> str:
    return _VALUES[-1 if value == NO_CELL else value]


def _difference(before: bytes, after: bytes) -> tuple[Change, ...]:
    both = enumerate(zip(before, after, strict=True))
    return tuple([(cell, new) for cell, (old, new) in both if old != new])
