"""How the scores went as the games were finished."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

import numpy as np

from pinchtp.match.game.record import GameRecord
from pinchtp.match.results.summary import points_of
from pinchtp.match.statistics.rating import score_interval
from pinchtp.pages.charts import Line

_SAMPLES = 150  # points of a line

Item = TypeVar("Item")


class Course:
    """Collects finished games in any order."""

    def __init__(self, engines: Sequence[str]) -> None:
        self.engines = tuple(engines)
        # Each with the moment of its end, a number that breaks ties, and its pair.
        self._ends: list[tuple[float, int, int, dict[str, float]]] = []

    def add(self, record: GameRecord) -> None:
        task = record.task
        if not record.is_void:
            points = {name: points_of(record, name) for name in (task.black, task.white)}
            self._ends.append((record.started + record.seconds, task.number, task.pair, points))

    def lines(self) -> list[Line]:
        """Mean scores after so many games of each engine; of two engines, of the first one."""
        self._ends.sort(key=lambda end: end[:2])
        if len(self.engines) == 2:
            return [self._duel()]
        return [Line(name, _sampled(list(self._means(name)))) for name in self.engines]

    def _means(self, name: str) -> Iterator[tuple[float, float]]:
        own = [points[name] for *_, points in self._ends if name in points]
        for games, total in enumerate(np.cumsum(own), start=1):
            yield games, float(total) / games

    def _duel(self) -> Line:
        name = self.engines[0]
        outcomes = self._outcomes(name)
        steps = _sampled(list(zip(self._means(name), outcomes, strict=True)))
        if not steps:
            return Line(name, ())
        band = score_interval(np.array([counts for _, counts in steps]))
        return Line(name, [point for point, _ in steps], [(low, high) for low, high in band])

    def _outcomes(self, name: str) -> list[list[int]]:
        """After each game the counts of outcomes so far: of pairs, or without any, of games."""
        pairs, games = [[0] * 5], [[0] * 3]
        halves: dict[int, float] = {}
        for *_, pair, points in self._ends:
            pairs.append(list(pairs[-1]))
            games.append(list(games[-1]))
            games[-1][int(2 * points[name])] += 1
            if (other := halves.pop(pair, None)) is None:
                halves[pair] = points[name]
            else:
                pairs[-1][int(2 * (points[name] + other))] += 1
        return (pairs if any(pairs[-1]) else games)[1:]


def _sampled(items: list[Item]) -> list[Item]:
    """A few of them, evenly spaced, the first and the last among them."""
    if len(items) <= _SAMPLES:
        return items
    return [items[round(at)] for at in np.linspace(0, len(items) - 1, _SAMPLES)]
