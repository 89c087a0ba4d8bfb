"""Results by opening."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from pinchtp.games import Color
from pinchtp.games.position import PIECES
from pinchtp.html.board import Board, Replay
from pinchtp.html.board_chart import position_board
from pinchtp.match.game.record import DRAW, GameRecord
from pinchtp.match.game.task import Opening
from pinchtp.match.results.summary import points_of

NO_BOARD = Markup("")
MOST_BOARDS = 24  # openings that are shown on boards; all of them stand in the table


@dataclass
class OpeningResults:
    """The finished games of one opening. points: of the first of two engines."""

    number: int
    opening: Opening
    black: int = 0
    draws: int = 0
    white: int = 0
    points: float = 0.0
    board: Markup = NO_BOARD

    @property
    def games(self) -> int:
        return self.black + self.draws + self.white

    @property
    def name(self) -> str:
        return self.opening.name or " ".join(self.opening.moves) or "none"

    @property
    def share(self) -> float:
        """Of Black, in [0, 1]."""
        return (self.black + self.draws / 2) / self.games


class Openings:
    """Collects games by their openings, which are numbered as they come."""

    def __init__(self, engines: Sequence[str], board: Board | None) -> None:
        self._first, self._board = engines[0], board
        self._found: dict[Opening, OpeningResults] = {}

    def add(self, record: GameRecord) -> int:
        """Takes in a game, and returns the number of its opening."""
        opening = record.task.opening
        found = self._found.setdefault(opening, OpeningResults(len(self._found), opening))
        found.black += record.winner == Color.BLACK
        found.white += record.winner == Color.WHITE
        found.draws += record.winner == DRAW
        if not record.is_void and self._first in (record.task.black, record.task.white):
            found.points += points_of(record, self._first)
        return found.number

    def names(self) -> list[str]:
        """By number."""
        return [each.name for each in self._found.values()]

    def results(self) -> list[OpeningResults]:
        """Those with games, the most played first; none if all games begin at the start."""
        if not any(opening.moves for opening in self._found):
            return []
        found = sorted(self._found.values(), key=lambda each: (-each.games, each.name))
        for each in found[:MOST_BOARDS]:
            each.board = each.board or self._picture(each.opening)
        return [each for each in found if each.games]

    def _picture(self, opening: Opening) -> Markup:
        """The position after the opening, its stones numbered as they were placed."""
        if self._board is None:
            return NO_BOARD
        replay = self._board.replay(opening.moves)
        label = f"The board after {' '.join(opening.moves) or 'no move'}"
        return position_board(self._board, replay.final, _numbers(self._board, replay), label)


def _numbers(board: Board, replay: Replay) -> dict[int, str]:
    """By cell, the number of the move that put a stone there; one that turned it put none."""
    cells, numbers = list(board.start), {}
    for move, changes in enumerate(replay.changes, start=1):
        for cell, value in changes:
            if value in PIECES and cells[cell] not in PIECES:
                numbers[cell] = str(move)
            cells[cell] = value
    return numbers
