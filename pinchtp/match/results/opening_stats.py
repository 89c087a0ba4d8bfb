"""Results by opening."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pinchtp.games import Color
from pinchtp.match.record import DRAW, GameRecord, Opening
from pinchtp.match.results.stats import points_of


@dataclass
class OpeningResults:
    """The results of the finished games of an opening. points: of the first of two engines."""

    number: int
    opening: Opening
    black: int = 0
    draws: int = 0
    white: int = 0
    points: float = 0.0

    @property
    def games(self) -> int:
        return self.black + self.draws + self.white

    @property
    def name(self) -> str:
        return self.opening.name or " ".join(self.opening.moves) or "none"

    @property
    def share(self) -> float:
        """Black's share of the points, in [0, 1]."""
        return (self.black + self.draws / 2) / self.games


class OpeningStats:
    """Collects games by their openings, which are numbered in order of appearance."""

    def __init__(self, engines: Sequence[str]) -> None:
        self._first = engines[0]
        self._results: dict[Opening, OpeningResults] = {}

    def add(self, record: GameRecord) -> int:
        """Adds a game, and returns the number of its opening."""
        opening = record.game.opening
        results = self._results.setdefault(opening, OpeningResults(len(self._results), opening))
        results.black += record.winner == Color.BLACK
        results.white += record.winner == Color.WHITE
        results.draws += record.winner == DRAW
        if not record.is_void and self._first in (record.game.black, record.game.white):
            results.points += points_of(record, self._first)
        return results.number

    def names(self) -> list[str]:
        """Returns the names of the openings, by number."""
        return [results.name for results in self._results.values()]

    def results(self) -> list[OpeningResults]:
        """Returns the results of openings with games, the most played first; empty if no opening
        has moves.
        """
        if not any(opening.moves for opening in self._results):
            return []
        played = [results for results in self._results.values() if results.games]
        return sorted(played, key=lambda results: (-results.games, results.name))
