"""The positions of a game, as what each move changed on the board.

The only part of the page that knows rules: the browser draws what stands here and computes nothing.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from pinchtp.games import GAMES, Game, Position
from pinchtp.match.rules import GameRules
from pinchtp.notation import COLUMNS, NotationError, coordinates, parse_move
from pinchtp.session import IllegalMove, Session

Change: TypeAlias = tuple[int, int]  # a cell, and its new value

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_VALUES = "012345-"  # of cells as in Position.cells(); the last stands for no point at all


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
            "".join(
                _DIGITS[cell // 36] + _DIGITS[cell % 36] + _VALUES[value] for cell, value in move
            )
            for move in self.changes
        )


class Board:
    """The board that all games of a match begin on.

    Cells count from the lower left corner, row by row.
    """

    def __init__(self, rules: GameRules) -> None:
        """Raises ValueError for a game or a size that there is not."""
        if rules.game not in GAMES:
            raise ValueError(f"no rules for {rules.game!r}; there are {', '.join(GAMES)}")
        self.game: Game = GAMES[rules.game]
        self.width, self.height = rules.width, rules.height
        self._pie = self.game.pie if rules.pie is None else rules.pie
        self._start = self._session().position
        self.start = _cells(self._start)

    @property
    def letters(self) -> str:
        return COLUMNS[: self.width]

    def encoded_start(self) -> str:
        """A sign for each cell."""
        return "".join(_VALUES[value] for value in self.start)

    def vertex(self, cell: int) -> str:
        return f"{COLUMNS[cell % self.width]}{cell // self.width + 1}"

    def replay(self, texts: Iterable[str]) -> Replay:
        """What the moves did; a move that the rules refuse did nothing."""
        session = self._session()
        before, swapped = self._start, self._start.swapped
        changes: list[tuple[Change, ...]] = []
        swaps = []
        for text in texts:
            with contextlib.suppress(NotationError, IllegalMove):
                session.play(session.to_move, parse_move(text, session.position))
            after = session.position
            changes.append(_difference(before, after))
            if after.swapped != swapped:
                swaps.append(len(changes))
            before, swapped = after, after.swapped
        chain = [y * self.width + x for x, y in map(coordinates, before.winning_chain)]
        return Replay(tuple(changes), tuple(swaps), tuple(chain))

    def _session(self) -> Session:
        return Session(self.game, self.width, self.height, pie=self._pie)


def _cells(position: Position) -> tuple[int, ...]:
    """Values as in Position.cells(), -1 where there is no point."""
    return tuple(-1 if value > 127 else value for value in position.cells())


def _difference(before: Position, after: Position) -> tuple[Change, ...]:
    if before is after:
        return ()
    return tuple(
        (cell, new)
        for cell, (old, new) in enumerate(zip(_cells(before), _cells(after), strict=True))
        if old != new
    )
