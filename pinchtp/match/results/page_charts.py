"""The charts of a match: results, their history, and the times of moves."""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from markupsafe import Markup

from pinchtp.html import charts
from pinchtp.html.charts import Axis, ChartLine, Interval, round_numbers
from pinchtp.html.format import count, percent, seconds, signed
from pinchtp.html.replay import ReplayBoard
from pinchtp.match.record import GameRecord, Key
from pinchtp.match.results.ratings import EloEstimate, bradley_terry, elo_of, normal_interval
from pinchtp.match.results.sprt import Sprt
from pinchtp.match.results.stats import FirstMove, StatsReport, points_of
from pinchtp.render.svg import CellMark, marks_svg

NOTHING = Markup("")
_MOST_ELO = 1200  # of the scale, to either side


def match_charts(
    report: StatsReport,
    history: ScoreHistory,
    times: MoveTimeStats,
    sprt: Sprt | None,
    first_moves: Markup,
) -> dict[str, Markup]:
    """Returns the charts of a match by name; a chart without data is empty."""
    return {
        "shares": _shares(report),
        "ratings": _ratings(report),
        "scores": _scores(history.scores()),
        "elo": _elo(history.ratings()),
        "llr": _llr(history.llr(sprt), sprt) if sprt else NOTHING,
        "lengths": _lengths(report),
        "first_moves": first_moves,
        "times": _times(times.by_move()),
        "distribution": _distribution(times.distribution()),
    }


def _shares(report: StatsReport) -> Markup:
    """Returns the shares of games won, drawn and lost in a match of two."""
    if len(report.pairings) != 1 or not report.games:
        return NOTHING
    pairing = report.pairings[0]
    games = report.games
    return charts.share_bar(
        [
            ("won", pairing.wins / games),
            ("drawn", pairing.draws / games),
            ("lost", pairing.losses / games),
        ]
    )


def _ratings(report: StatsReport) -> Markup:
    if not report.games:
        return NOTHING
    if len(report.standings) == 2:
        pairing = report.pairings[0]
        rows = [_interval(f"{pairing.first} over {pairing.second}", pairing.elo)]
        return charts.intervals(rows, "Elo difference with its 95 % interval")
    rows = [_interval(standing.name, standing.rating) for standing in report.standings]
    return charts.intervals(rows, "Ratings with 95 % intervals")


def _interval(name: str, estimate: EloEstimate) -> Interval:
    return Interval(name, estimate.elo, estimate.low, estimate.high)


def _scores(lines: Sequence[ChartLine]) -> Markup:
    if not any(line.points for line in lines):
        return NOTHING
    quarters = (0, 0.25, 0.5, 0.75, 1)
    names = [line.name for line in lines]
    return _against_games(
        lines,
        Axis(0, 1, format=percent, ticks=quarters, marked={0.5: ""}),
        f"{f'Score of {names[0]}' if len(names) == 1 else 'Scores'} against games played",
    )


def _elo(lines: Sequence[ChartLine]) -> Markup:
    """Draws Elo points on the scale of the later part, because the first games vary most."""
    if not any(line.points for line in lines):
        return NOTHING
    ends = [0.0]
    for line in lines:
        settled = len(line.points) // 5
        ends += [value for _, value in line.points[settled:]]
        ends += [end for both in line.band[settled:] for end in both]
    finite = [end for end in ends if abs(end) <= _MOST_ELO]
    names = [line.name for line in lines]
    return _against_games(
        lines,
        Axis(*charts.round_ends(min(finite), max(finite)), format=signed, marked={0: ""}),
        f"{f'Elo difference of {names[0]}' if len(names) == 1 else 'Ratings'} against games played",
    )


def _llr(line: ChartLine, sprt: Sprt) -> Markup:
    if not line.points:
        return NOTHING
    lower, upper = sprt.bounds
    values = [lower, upper, *(value for _, value in line.points)]
    margin = 0.12 * (upper - lower)
    axis = Axis(
        min(values) - margin,
        max(values) + margin,
        ticks=round_numbers(min(values), max(values), 6),
        marked={lower: "H0 accepted", upper: "H1 accepted"},
    )
    return _against_games([line], axis, "Log-likelihood ratio against games played")


def _against_games(lines: Sequence[ChartLine], y: Axis, label: str) -> Markup:
    most = max(line.points[-1][0] for line in lines if line.points)
    chart = charts.line_chart(lines, Axis(0, most, "games", whole=True), y, label)
    names = [line.name for line in lines if line.name]
    return chart + charts.legend(names) if names else chart


def _lengths(report: StatsReport) -> Markup:
    lengths = report.lengths
    if not lengths.games:
        return NOTHING
    label = "Games by number of moves"
    return charts.histogram(lengths.games, label, what="game", unit="move", mean=lengths.mean)


def _times(lines: Sequence[ChartLine]) -> Markup:
    points = [point for line in lines for point in line.points]
    most = max((seconds for _, seconds in points), default=0)
    if not most:
        return NOTHING
    return charts.line_chart(
        lines,
        Axis(0, max(move for move, _ in points), "move of the game", whole=True),
        Axis(0, most, format=seconds),
        "Mean time of a move against the move of the game",
    ) + charts.legend([line.name for line in lines])


def _distribution(lines: Sequence[ChartLine]) -> Markup:
    points = [point for line in lines for point in line.points]
    if not points:
        return NOTHING
    low = min(at for at, _ in points)
    high = max(at for at, _ in points)
    return charts.line_chart(
        lines,
        Axis(low, high, "time of a move", lambda value: seconds(10**value), _decades(low, high)),
        Axis(0, max(share for _, share in points), format=percent),
        "Shares of moves by the time they took",
    ) + charts.legend([line.name for line in lines])


def _decades(low: float, high: float) -> list[float]:
    """Returns logarithms of 1, 2 and 5 times powers of ten, or only of the powers over a wide
    range.
    """
    digits = (1, 2, 5) if high - low < 2.5 else (1,)
    powers = range(math.floor(low), math.ceil(high) + 1)
    found = [power + math.log10(digit) for power in powers for digit in digits]
    return [each for each in found if low <= each <= high]


def first_moves(
    moves: Mapping[str, FirstMove], board: ReplayBoard, cells: Mapping[str, int]
) -> Markup:
    """Draws the share of points by first move on the board.

    cells: of the first moves; moves of several cells are left out.
    """
    marks = {}
    for name, move in moves.items():
        if name in cells:
            share = move.points / move.games
            title = f"{count(move.games, 'game')}, {percent(share)} of the points for its player"
            marks[cells[name]] = CellMark.share(share, title)
    if not marks:
        return NOTHING
    return Markup(marks_svg(board.session, marks, "Win rate by first move"))


_SAMPLES = 150  # points of a line
_RATINGS = 60  # points at which all engines are rated: each takes some milliseconds
_RECENT = 100  # games that determine the current rate of games

Numbers: TypeAlias = npt.NDArray[np.float64]


class ScoreHistory:
    """Collects finished games in any order; the x axis of its lines counts games."""

    def __init__(self, engines: Sequence[str]) -> None:
        self.engines = tuple(engines)
        self._places = {name: place for place, name in enumerate(self.engines)}
        self._collected = array("d")  # seven numbers for each game, see _ends()
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
            end = record.started + record.seconds
            self._collected.extend((end, game.display_number, pair, *players, *points))

    def scores(self) -> list[ChartLine]:
        """Returns mean scores of each engine, or of the first of two with its interval."""
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
        """Returns the log-likelihood ratio of a test of two engines by complete pairs."""
        pairs, _ = self._outcomes()
        with_pairs = np.flatnonzero(pairs.any(axis=1))
        moments = with_pairs[_sample(len(with_pairs))]
        if not len(moments):
            return ChartLine("", ())
        return ChartLine("", _points(moments + 1, sprt.llrs(pairs[moments])))

    def pace(self) -> float:
        """Returns the recent mean seconds between ends of games; 0 if unknown."""
        recent = self._ends()[-_RECENT:, 0]
        return float((recent[-1] - recent[0]) / (len(recent) - 1)) if len(recent) > 1 else 0.0

    def _ends(self) -> Numbers:
        """Returns the games in the order in which they ended; shape (games, 7).

        The columns: the time of the end, the number of the game, a number of its pair, the places
        of black and white in `engines`, and their points.
        """
        ends: Numbers = np.array(self._collected).reshape(-1, 7)
        in_order: Numbers = ends[np.lexsort((ends[:, 1], ends[:, 0]))]
        return in_order

    def _own_points(self, place: int) -> Numbers:
        """Returns the points of an engine in each of its games."""
        ends = self._ends()
        black, white, black_points, white_points = ends[:, 3:].T
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
        """Returns the counts of pairs and of games after each game of two engines, for the first
        and worst outcome first; shapes (games, 5) and (games, 3).
        """
        points = self._own_points(0)
        pair = self._ends()[:, 2]
        games, pairs = np.zeros((len(points), 3)), np.zeros((len(points), 5))
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
        moments = _sample(len(ends), _RATINGS) + 1
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


def _sample(length: int, most: int = _SAMPLES) -> npt.NDArray[np.intp]:
    """Returns at most `most` places, evenly spaced, including the first and the last."""
    return np.rint(np.linspace(0, length - 1, min(length, most))).astype(np.intp)


def _points(x: npt.NDArray[Any], y: npt.NDArray[Any]) -> list[tuple[float, float]]:
    return list(zip(x.tolist(), y.tolist(), strict=True))


_TIME_SAMPLES = 80  # points of a line
_LEAST = 3  # moves that make a mean
_SHORTEST = 1e-4  # seconds; shorter times are drawn as this
_BINS = 8  # of a distribution per factor of ten


@dataclass(frozen=True)
class Quantiles:
    """The median, 95 % and 99 % quantiles of an engine's times per move, in seconds."""

    median: float
    most95: float
    most99: float


class MoveTimeStats:
    """Collects the times of the engines' own moves, without openings."""

    def __init__(self, engines: Sequence[str]) -> None:
        self._moves = {name: array("I") for name in engines}  # the move's number in its game
        self._seconds = {name: array("d") for name in engines}

    def add(self, record: GameRecord) -> None:
        if record.is_void:
            return
        for number, move in enumerate(record.moves, start=1):
            if not move.book:
                name = record.game.player(move.color)
                self._moves[name].append(number)
                self._seconds[name].append(move.seconds)

    def quantiles(self) -> dict[str, Quantiles]:
        """Returns the quantiles of each engine that has moved."""
        return {
            name: Quantiles(*(float(each) for each in np.quantile(seconds, (0.5, 0.95, 0.99))))
            for name, seconds in self._seconds.items()
            if len(seconds)
        }

    def by_move(self) -> list[ChartLine]:
        """Returns mean seconds by the number of the move, from at least _LEAST moves each."""
        longest = max((max(moves) for moves in self._moves.values() if len(moves)), default=0)
        width = max(1, math.ceil(longest / _TIME_SAMPLES))
        lines = []
        for name, moves in self._moves.items():
            bins = (np.asarray(moves, np.int64) - 1) // width
            counts = np.bincount(bins)
            means = np.bincount(bins, self._seconds[name]) / np.maximum(counts, 1)
            lines.append(
                ChartLine(
                    name,
                    [
                        (at * width + (width + 1) / 2, float(mean))
                        for at, mean in enumerate(means)
                        if counts[at] >= _LEAST
                    ],
                )
            )
        return lines

    def distribution(self) -> list[ChartLine]:
        """Returns shares of moves by the decimal logarithm of their seconds, in equal steps."""
        logarithms = {name: _logarithms(seconds) for name, seconds in self._seconds.items()}
        present = [logarithm for logarithm in logarithms.values() if len(logarithm)]
        if not present:
            return []
        low = math.floor(min(each.min() for each in present) * _BINS) / _BINS
        high = math.floor(max(each.max() for each in present) * _BINS + 1) / _BINS
        steps = round((high - low) * _BINS)
        lines = []
        for name, values in logarithms.items():
            counts, edges = np.histogram(values, steps, (low, high))
            middles = (edges[:-1] + edges[1:]) / 2
            shares = counts / max(len(values), 1)
            points = zip(middles.tolist(), shares.tolist(), strict=True)
            lines.append(ChartLine(name, [(low, 0.0), *points, (high, 0.0)] if len(values) else []))
        return lines


def _logarithms(seconds: array[float]) -> npt.NDArray[np.float64]:
    return np.asarray(np.log10(np.maximum(np.asarray(seconds, np.float64), _SHORTEST)))
