"""Rates of playouts and of tree search, measured.

A rate is the median over several stretches of work, since other programs get in the way of some.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from statistics import median
from time import perf_counter

import numpy as np

from pinchtp import _core
from pinchtp.games import GAMES, Position

STRETCHES = 5
LEAST_STRETCH = 0.01  # seconds; in less, starting and stopping count for too much
SEED = 1
WARM_UP = 64  # playouts


@dataclass(frozen=True)
class Case:
    """What is measured: a game on a board, with a number of threads."""

    game: str
    width: int
    height: int
    threads: int

    def start(self, instruction_set: str | None = None) -> Position:
        rules = GAMES[self.game].rules()
        return _core.new_position(
            self.game, self.width, self.height, instruction_set=instruction_set, **rules
        )


@dataclass(frozen=True)
class Measurement:
    """What was measured. Rates are per second; lengths are those of playouts, in moves (turns)."""

    game: str
    width: int
    height: int
    threads: int
    instruction_set: str
    playouts_per_s: float
    moves_per_s: float
    simulations_per_s: float
    mean_length: float
    sd_length: float

    @property
    def case(self) -> Case:
        return Case(self.game, self.width, self.height, self.threads)


def cases(
    games: Iterable[str], sizes: Iterable[tuple[int, int]], threads: Iterable[int]
) -> Iterator[Case]:
    """All combinations; without sizes each game's usual boards. Sizes a game lacks are left out."""
    sizes = tuple(sizes)
    for game in games:
        entry = GAMES[game]
        for width, height in sizes or entry.boards or (entry.size,):
            if entry.smallest <= min(width, height) and max(width, height) <= entry.largest:
                yield from (Case(game, width, height, count) for count in threads)


def measure(
    compared: Sequence[Case], seconds: float, memory: int, instruction_set: str
) -> list[Measurement]:
    """Measures playouts and search of each case, for about `seconds` each.

    They take turns, so that what else the machine does falls on all of them alike.

    memory: MB for the search tree.
    """
    stretch = max(seconds / STRETCHES, LEAST_STRETCH)
    runs = [CaseMeasuring(case, case.start(instruction_set), stretch) for case in compared]
    for seed in range(STRETCHES):
        for run in runs:
            run.play_out()
        for run in runs:
            run.search(memory, seed)
    return [run.record(instruction_set) for run in runs]


class CaseMeasuring:
    """What is being measured of one case, stretch by stretch."""

    def __init__(self, case: Case, start: Position, stretch: float) -> None:
        self.case = case
        self.start = start
        self.stretch = stretch  # seconds
        self.playout_rates: list[float] = []
        self.simulation_rates: list[float] = []
        start.playouts(WARM_UP, SEED)
        began = perf_counter()
        start.playouts(WARM_UP, SEED)
        self.count = max(WARM_UP, int(WARM_UP * stretch / (perf_counter() - began)))
        self.lengths = np.zeros(0, np.int16)  # of the playouts of one thread, in moves

    def play_out(self) -> None:
        """Adds a stretch of playouts."""
        began = perf_counter()
        with ThreadPoolExecutor(self.case.threads) as pool:
            play = partial(self.start.playouts, self.count)
            games, *_ = pool.map(play, range(self.case.threads))
        self.lengths = games[:, 1]
        played = self.case.threads * self.count
        self.playout_rates.append(played / (perf_counter() - began))

    def search(self, memory: int, seed: int) -> None:
        """Adds a stretch of simulations, from a new tree of `memory` MB."""
        search = _core.Search(self.start, memory_mb=memory)
        began = perf_counter()
        while not search.report().visits:  # on a busy machine a stretch may end before it begins
            search.run(self.stretch, 2**31, self.case.threads, seed)
        self.simulation_rates.append(search.report().visits / (perf_counter() - began))

    def record(self, instruction_set: str) -> Measurement:
        """The medians."""
        rate = median(self.playout_rates)
        length = float(self.lengths.mean())
        return Measurement(
            **vars(self.case),
            instruction_set=instruction_set,
            playouts_per_s=rate,
            moves_per_s=rate * length,
            simulations_per_s=median(self.simulation_rates),
            mean_length=length,
            sd_length=float(self.lengths.std(ddof=1)),
        )


def geometric_mean(values: Iterable[float]) -> float:
    """Of ratios: the one number that does not depend on which side is the unit."""
    logs = [math.log(value) for value in values]
    return math.exp(sum(logs) / len(logs))
