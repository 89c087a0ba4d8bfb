"""How a match went as its games were finished: scores, ratings, and the sequential test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from pinchtp.html.charts import Line
from pinchtp.match.game.record import GameRecord
from pinchtp.match.results.summary import points_of
from pinchtp.match.statistics.rating import bradley_terry, elo_of, score_interval
from pinchtp.match.statistics.sprt import Sprt

_SAMPLES = 150  # points of a line
_RATINGS = 60  # moments at which all engines are rated: each takes some milliseconds
_RECENT = 100  # games from which the current rate of games is measured

Item = TypeVar("Item")


@dataclass(frozen=True)
class _End:
    """A finished game: when it ended, its number, its pair, and who got what."""

    time: float
    number: int
    pair: int
    points: dict[str, float]


class ScoreHistory:
    """Collects finished games in any order. Lines have games for their x."""

    def __init__(self, engines: Sequence[str]) -> None:
        self.engines = tuple(engines)
        self._collected: list[_End] = []
        self._is_sorted = True

    def add(self, record: GameRecord) -> None:
        task = record.task
        if not record.is_void:
            points = {name: points_of(record, name) for name in (task.black, task.white)}
            end = _End(record.started + record.seconds, task.number, task.pair, points)
            self._collected.append(end)
            self._is_sorted = False

    def scores(self) -> list[Line]:
        """Mean scores of each engine; of two engines, of the first one, with its interval."""
        if len(self.engines) == 2:
            return [self._duel()]
        return [Line(name, _sampled(list(self._means(name)))) for name in self.engines]

    def ratings(self) -> list[Line]:
        """Ratings in Elo points; of two engines the difference, with its interval."""
        if len(self.engines) > 2:
            return self._all_ratings()
        (scores,) = self.scores()
        return [
            Line(
                scores.name,
                [(games, elo_of(score)) for games, score in scores.points],
                [(elo_of(low), elo_of(high)) for low, high in scores.band],
            )
        ]

    def llr(self, sprt: Sprt) -> Line:
        """The log-likelihood ratio of a test, which counts complete pairs of two engines."""
        pairs, _ = self._outcomes(self.engines[0])
        ends = _sampled([(games, each) for games, each in enumerate(pairs, start=1) if any(each)])
        if not ends:
            return Line("", ())
        llrs = sprt.llrs(np.array([counts for _, counts in ends], float))
        return Line("", [(games, float(llr)) for (games, _), llr in zip(ends, llrs, strict=True)])

    def pace(self) -> float:
        """Seconds from the end of a game to the next, as of late; 0 if that is not known."""
        recent = [end.time for end in self._ends()[-_RECENT:]]
        return (recent[-1] - recent[0]) / (len(recent) - 1) if len(recent) > 1 else 0.0

    def _ends(self) -> list[_End]:
        """The games in the order in which they ended."""
        if not self._is_sorted:
            self._collected.sort(key=lambda end: (end.time, end.number))
            self._is_sorted = True
        return self._collected

    def _means(self, name: str) -> Iterator[tuple[float, float]]:
        own = [end.points[name] for end in self._ends() if name in end.points]
        for games, total in enumerate(np.cumsum(own), start=1):
            yield games, float(total) / games

    def _duel(self) -> Line:
        name = self.engines[0]
        pairs, games = self._outcomes(name)
        counts = pairs if any(map(any, pairs)) else games
        steps = _sampled(list(zip(self._means(name), counts, strict=True)))
        if not steps:
            return Line(name, ())
        band = score_interval(np.array([counts for _, counts in steps]))
        return Line(name, [point for point, _ in steps], [(low, high) for low, high in band])

    def _outcomes(self, name: str) -> tuple[list[list[int]], list[list[int]]]:
        """After each game the counts of outcomes so far: of pairs, and of games, worst first."""
        pairs, games = [[0] * 5], [[0] * 3]
        halves: dict[int, float] = {}
        for end in self._ends():
            pairs.append(list(pairs[-1]))
            games.append(list(games[-1]))
            games[-1][int(2 * end.points[name])] += 1
            if (other := halves.pop(end.pair, None)) is None:
                halves[end.pair] = end.points[name]
            else:
                pairs[-1][int(2 * (end.points[name] + other))] += 1
        return pairs[1:], games[1:]

    def _all_ratings(self) -> list[Line]:
        at = {name: place for place, name in enumerate(self.engines)}
        ends = self._ends()
        moments = set(_sampled(list(range(1, len(ends) + 1)), _RATINGS))
        points = np.zeros((len(at), len(at)))
        lines: list[list[tuple[float, float]]] = [[] for _ in at]
        for games, end in enumerate(ends, start=1):
            one, other = end.points
            points[at[one], at[other]] += end.points[one]
            points[at[other], at[one]] += end.points[other]
            if games in moments:
                for line, rating in zip(lines, bradley_terry(points), strict=True):
                    line.append((games, rating.elo))
        return [Line(name, line) for name, line in zip(self.engines, lines, strict=True)]


def _sampled(items: list[Item], most: int = _SAMPLES) -> list[Item]:
    """A few of them, evenly spaced, the first and the last among them."""
    if len(items) <= most:
        return items
    return [items[round(at)] for at in np.linspace(0, len(items) - 1, most)]
