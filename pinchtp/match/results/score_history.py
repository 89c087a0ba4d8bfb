"""The history of a match: scores, ratings and likelihood ratios by number of games."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pinchtp.base.ratings import bradley_terry, elo_of, normal_interval
from pinchtp.html.charts import ChartLine
from pinchtp.match.record import GameRecord, Key
from pinchtp.match.results.sprt import Sprt
from pinchtp.match.results.stats import points_of

_LINE_POINTS = 150
_RATING_POINTS = 60  # points with ratings of all engines, which take some milliseconds each
_PACE_GAMES = 100  # that determine the current rate of games

Numbers: TypeAlias = npt.NDArray[np.float64]


class ScoreHistory:
    """Collects finished games in any order. The x axis of its lines is the number of games."""

    def __init__(self, engines: Sequence[str]) -> None:
        self.engines = tuple(engines)
        self._places = {name: place for place, name in enumerate(self.engines)}
        self._collected = array("d")  # eight numbers for each game, see _ends()
        self._pairs = 0
        self._halves: dict[Key, int] = {}  # pairs with one game, and their numbers

    def add(self, record: GameRecord) -> None:
        game = record.game
        if not record.is_void:
            pair = self._halves.pop(game.pair, None)
            if pair is None:
                self._pairs += 1
                pair = self._halves[game.pair] = self._pairs
            players = self._places[game.black], self._places[game.white]
            points = points_of(record, game.black), points_of(record, game.white)
            start, end = record.started, record.started + record.seconds
            self._collected.extend((end, game.display_number, pair, *players, *points, start))

    def scores(self) -> list[ChartLine]:
        """Returns the mean scores of each engine, or of the first of two with its interval."""
        if len(self.engines) == 2:
            return [self._duel()]
        return [self._means(place) for place in range(len(self.engines))]

    def ratings(self) -> list[ChartLine]:
        """Returns ratings in Elo points, or the difference of two engines with its interval."""
        if len(self.engines) > 2:
            return self._all_ratings()
        (scores,) = self.scores()
        return [
            ChartLine(
                scores.name,
                [(games, elo_of(score)) for games, score in scores.points],
                [(elo_of(low), elo_of(high)) for low, high in scores.band],
            )
        ]

    def llr(self, sprt: Sprt) -> ChartLine:
        """Returns the log-likelihood ratio of a test of two engines, from complete pairs."""
        pairs, _ = self._outcomes()
        with_pairs = np.flatnonzero(pairs.any(axis=1))
        moments = with_pairs[_sample(len(with_pairs))]
        if not len(moments):
            return ChartLine("", ())
        return ChartLine("", _points(moments + 1, sprt.llrs(pairs[moments])))

    def pace(self) -> float:
        """Returns the mean seconds between the ends of recent games, without pauses in which no
        game was played; 0 if unknown.
        """
        recent = self._ends()[-_PACE_GAMES:]
        if len(recent) < 2:
            return 0.0
        ends = recent[:, 0]
        next_start = np.minimum.accumulate(recent[::-1, 7])[::-1]  # of this game and later ones
        pauses = np.maximum(next_start[1:] - ends[:-1], 0)
        return float((ends[-1] - ends[0] - pauses.sum()) / (len(recent) - 1))

    def _ends(self) -> Numbers:
        """Returns the games in the order in which they ended; shape (games, 8).

        The columns: time of the end, display number, number of the pair, places of black and white
        in `engines`, points of black and white, time of the start.
        """
        ends: Numbers = np.array(self._collected).reshape(-1, 8)
        in_order: Numbers = ends[np.lexsort((ends[:, 1], ends[:, 0]))]
        return in_order

    def _own_points(self, place: int) -> Numbers:
        """Returns the points of an engine in each of its games."""
        ends = self._ends()
        black, white, black_points, white_points = ends[:, 3:7].T
        points = np.where(black == place, black_points, white_points)
        own: Numbers = points[(black == place) | (white == place)]
        return own

    def _means(self, place: int) -> ChartLine:
        """Returns the mean scores of an engine."""
        points = self._own_points(place)
        moments = _sample(len(points))
        scores = np.cumsum(points)[moments] / (moments + 1)
        return ChartLine(self.engines[place], _points(moments + 1, scores))

    def _duel(self) -> ChartLine:
        means = self._means(0)
        if not means.points:
            return means
        pairs, games = self._outcomes()
        counts = pairs if pairs.any() else games
        band = normal_interval(counts[_sample(len(counts))])
        return ChartLine(means.name, means.points, [(low, high) for low, high in band])

    def _outcomes(self) -> tuple[Numbers, Numbers]:
        """Returns the counts of pairs and of games by outcome after each game of two engines.

        The shapes are (games, 5) and (games, 3); the first engine's worst outcome comes first.
        """
        points = self._own_points(0)
        pair = self._ends()[:, 2]
        games = np.zeros((len(points), 3))
        pairs = np.zeros((len(points), 5))
        games[np.arange(len(points)), (2 * points).astype(int)] = 1
        by_pair = np.argsort(pair, kind="stable")
        is_second = np.diff(pair[by_pair]) == 0
        first = by_pair[:-1][is_second]
        second = by_pair[1:][is_second]
        pairs[second, (2 * (points[first] + points[second])).astype(int)] = 1
        return pairs.cumsum(axis=0), games.cumsum(axis=0)

    def _all_ratings(self) -> list[ChartLine]:
        ends = self._ends()
        counted = 0
        moments = _sample(len(ends), _RATING_POINTS) + 1
        totals = np.zeros((len(self.engines), len(self.engines)))
        ratings = np.zeros((len(moments), len(self.engines)))
        for row, games in enumerate(moments):
            black, white = ends[counted:games, 3:5].T.astype(int)
            np.add.at(totals, (black, white), ends[counted:games, 5])
            np.add.at(totals, (white, black), ends[counted:games, 6])
            ratings[row] = [rating.elo for rating in bradley_terry(totals)]
            counted = games
        return [
            ChartLine(name, _points(moments, ratings[:, place]))
            for place, name in enumerate(self.engines)
        ]


def _sample(length: int, most: int = _LINE_POINTS) -> npt.NDArray[np.intp]:
    """Returns at most `most` evenly spaced places, including the first and the last."""
    return np.rint(np.linspace(0, length - 1, min(length, most))).astype(np.intp)


def _points(x: npt.NDArray[Any], y: npt.NDArray[Any]) -> list[tuple[float, float]]:
    return list(zip(x.tolist(), y.tolist(), strict=True))
