"""The positions of a game, as what each move changed on the board.

The only part of the page that knows rules: the browser draws what stands here and computes nothing.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from pinchtp.games import Position
from pinchtp.match.game.judge import new_session
from pinchtp.match.game.rules import GameRules
from pinchtp.notation import NotationError, coordinates
from pinchtp.session import NO_CELL, IllegalMove

Change: TypeAlias = tuple[int, int]  # a cell, and its new value

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_VALUES = "012345-"  # of cells as in Position.cells(), where the last is NO_CELL


@dataclass(frozen=True)
class Replay:
    """A game that was played again by the rules.

    changes: for each move the cells that it changed. swaps: the moves, counted from 1, after which
    the sides of the board have other owners. chain: the cells that won.
    """

    changes: tuple[tuple[Change, ...], ...]
    swaps: tuple[int, ...] = ()
    chain: tuple[int, ...] = ()

    def encoded(self) -> str:
        """The changes, a word for each move: three signs a change, the cell in base 36."""
        return " ".join(
            "".join(_DIGITS[cell // 36] + _DIGITS[cell % 36] + _sign(value) for cell, value in move)
            for move in self.changes
        )


class Board:
    """The board that all games of a match begin on.

    Cells count from the lower left corner, row by row. start: what is on them, as in
    Position.cells(). columns, rows: the names beside the board, from the lower left corner.
    """

    def __init__(self, rules: GameRules) -> None:
        """Raises ValueError for a game, a size or an option that there is not."""
        self._rules = rules
        session = new_session(rules)
        self.game = session.game
        self.width, self.height = rules.width, rules.height
        self.start = session.start.cells()
        notation = self.game.notation
        self.columns = tuple(notation.columns[: self.width])
        self.rows = tuple(notation.row_name(y) for y in range(self.height))

    def encoded_start(self) -> str:
        """A sign for each cell."""
        return "".join(map(_sign, self.start))

    def is_point(self, cell: int) -> bool:
        return self.start[cell] != NO_CELL

    def vertex(self, cell: int) -> str:
        return self.columns[cell % self.width] + self.rows[cell // self.width]

    def replay(self, texts: Iterable[str]) -> Replay:
        """What the moves did; a move that the rules refuse did nothing."""
        session = new_session(self._rules)
        before, swapped = session.start, session.start.swapped
        changes: list[tuple[Change, ...]] = []
        swaps = []
        for text in texts:
            with contextlib.suppress(NotationError, IllegalMove):
                session.play(session.to_move, *session.parse(text))
            after = session.position
            changes.append(_difference(before, after))
            if after.swapped != swapped:
                swaps.append(len(changes))
            before, swapped = after, after.swapped
        chain = [y * self.width + x for x, y in map(coordinates, before.winning_chain)]
        return Replay(tuple(changes), tuple(swaps), tuple(chain))


def _sign(value: int) -> str:
    return _VALUES[-1 if value == NO_CELL else value]


def _difference(before: Position, after: Position) -> tuple[Change, ...]:
    if before is after:
        return ()
    cells = zip(before.cells(), after.cells(), strict=True)
    return tuple((cell, new) for cell, (old, new) in enumerate(cells) if old != new)
