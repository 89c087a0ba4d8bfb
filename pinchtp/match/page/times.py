"""How long the engines' own moves took: by move of the game, and how the times are distributed."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pinchtp.html.charts import Line
from pinchtp.match.game.record import GameRecord

_SAMPLES = 80  # points of a line
_LEAST = 3  # moves that make a mean
_SHORTEST = 1e-4  # seconds: shorter times are drawn as this
_BINS = 8  # of a distribution in each tenfold of the time


@dataclass(frozen=True)
class Quantiles:
    """Times in seconds that half, 95 % and 99 % of an engine's moves kept within."""

    median: float
    most95: float
    most99: float


class Times:
    """Collects the moves that engines thought about; those of openings are not theirs."""

    def __init__(self, engines: Sequence[str]) -> None:
        self._moves = {name: array("I") for name in engines}  # the move's number in its game
        self._seconds = {name: array("d") for name in engines}

    def add(self, record: GameRecord) -> None:
        if record.is_void:
            return
        for number, move in enumerate(record.moves, start=1):
            if not move.book:
                name = record.task.player(move.color)
                self._moves[name].append(number)
                self._seconds[name].append(move.seconds)

    def quantiles(self) -> dict[str, Quantiles]:
        """By engine; of those that moved."""
        return {
            name: Quantiles(*(float(each) for each in np.quantile(seconds, (0.5, 0.95, 0.99))))
            for name, seconds in self._seconds.items()
            if len(seconds)
        }

    def by_move(self) -> list[Line]:
        """Mean seconds against the move of the game, where there are enough to make a mean."""
        longest = max((max(moves) for moves in self._moves.values() if len(moves)), default=0)
        width = max(1, math.ceil(longest / _SAMPLES))
        lines = []
        for name, moves in self._moves.items():
            bins = (np.asarray(moves, np.int64) - 1) // width
            counts = np.bincount(bins)
            means = np.bincount(bins, self._seconds[name]) / np.maximum(counts, 1)
            lines.append(
                Line(
                    name,
                    [
                        (at * width + (width + 1) / 2, float(mean))
                        for at, mean in enumerate(means)
                        if counts[at] >= _LEAST
                    ],
                )
            )
        return lines

    def distribution(self) -> list[Line]:
        """Shares of moves against the decimal logarithm of their seconds, in equal steps of it."""
        logarithms = {name: _logarithms(seconds) for name, seconds in self._seconds.items()}
        present = [each for each in logarithms.values() if len(each)]
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
            lines.append(Line(name, [(low, 0.0), *points, (high, 0.0)] if len(values) else []))
        return lines


def _logarithms(seconds: array[float]) -> npt.NDArray[np.float64]:
    return np.asarray(np.log10(np.maximum(np.asarray(seconds, np.float64), _SHORTEST)))
