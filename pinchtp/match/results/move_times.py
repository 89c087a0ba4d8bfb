"""Times of the engines' moves: quantiles, means by move number, and distributions."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pinchtp.html.charts import ChartLine
from pinchtp.match.record import GameRecord

_LINE_POINTS = 80
_MIN_MOVES = 3  # for a mean
_SHORTEST_SECONDS = 1e-4  # shorter times count as this one
_DECADE_BINS = 8


@dataclass(frozen=True)
class Quantiles:
    """The median, 95 % and 99 % quantiles of an engine's times per move, in seconds."""

    median: float
    most95: float
    most99: float


class MoveTimeStats:
    """Collects the times of the engines' own moves, excluding openings."""

    def __init__(self, engines: Sequence[str]) -> None:
        self._moves = {name: array("I") for name in engines}  # the move's number in its game
        self._seconds = {name: array("d") for name in engines}

    def add(self, record: GameRecord) -> None:
        if record.is_void:
            return
        for number, move in enumerate(record.moves, start=1):
            if not move.book:
                name = record.game.player(move.color)
                self._add(name, number, move.seconds)
        if record.late and record.failed is not None:
            self._add(record.game.player(record.failed), len(record.moves) + 1, record.late)

    def _add(self, name: str, number: int, seconds: float) -> None:
        self._moves[name].append(number)
        self._seconds[name].append(seconds)

    def quantiles(self) -> dict[str, Quantiles]:
        """Returns the quantiles of each engine that has made a move."""
        return {
            name: Quantiles(*np.quantile(seconds, (0.5, 0.95, 0.99)).tolist())
            for name, seconds in self._seconds.items()
            if len(seconds)
        }

    def by_move(self) -> list[ChartLine]:
        """Returns mean seconds by move number, each from at least _MIN_MOVES moves."""
        longest = max((max(moves) for moves in self._moves.values() if len(moves)), default=0)
        width = max(1, math.ceil(longest / _LINE_POINTS))
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
                        if counts[at] >= _MIN_MOVES
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
        low = math.floor(min(values.min() for values in present) * _DECADE_BINS) / _DECADE_BINS
        high = math.floor(max(values.max() for values in present) * _DECADE_BINS + 1) / _DECADE_BINS
        steps = round((high - low) * _DECADE_BINS)
        lines = []
        for name, values in logarithms.items():
            counts, edges = np.histogram(values, steps, (low, high))
            middles = (edges[:-1] + edges[1:]) / 2
            shares = counts / max(len(values), 1)
            points = zip(middles.tolist(), shares.tolist(), strict=True)
            lines.append(ChartLine(name, [(low, 0.0), *points, (high, 0.0)] if len(values) else []))
        return lines


def _logarithms(seconds: array[float]) -> npt.NDArray[np.float64]:
    return np.asarray(np.log10(np.maximum(np.asarray(seconds, np.float64), _SHORTEST_SECONDS)))
