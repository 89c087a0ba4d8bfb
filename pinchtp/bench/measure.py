"""Rates of playouts and of tree search, measured.

A rate is the median over several stretches of work, since other programs get in the way of some.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
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
    """What is measured: a game on a board, with so many threads."""

    game: str
    width: int
    height: int
    threads: int

    def start(self, level: str | None = None) -> Position:
        pie = GAMES[self.game].pie
        return _core.new_position(self.game, self.width, self.height, pie=pie, level=level)


@dataclass(frozen=True)
class Record:
    """What was measured. Rates are per second; lengths are those of playouts, in moves (turns)."""

    game: str
    width: int
    height: int
    threads: int
    level: str
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


def measure(case: Case, seconds: float, memory: int, level: str) -> Record:
    """Measures a case for about twice so many seconds, playouts first.

    memory: MB for the search tree. level: the instruction set.
    """
    start = case.start(level)
    stretch = max(seconds / STRETCHES, LEAST_STRETCH)
    playouts, lengths = _playout_rate(start, case.threads, stretch)
    return Record(
        **vars(case),
        level=level,
        playouts_per_s=playouts,
        moves_per_s=playouts * float(lengths.mean()),
        simulations_per_s=_simulation_rate(start, case.threads, stretch, memory),
        mean_length=float(lengths.mean()),
        sd_length=float(lengths.std(ddof=1)),
    )


def _playout_rate(
    start: Position, threads: int, stretch: float
) -> tuple[float, np.ndarray[tuple[int], np.dtype[np.int16]]]:
    """Playouts a second, and the lengths of some of them, shape (playouts,)."""
    lengths = start.playouts(WARM_UP, seed=SEED)[:, 1]
    began = perf_counter()
    start.playouts(WARM_UP, seed=SEED)
    count = max(WARM_UP, int(WARM_UP * stretch / (perf_counter() - began)))

    def work() -> None:
        nonlocal lengths
        with ThreadPoolExecutor(threads) as pool:
            games = pool.map(lambda seed: start.playouts(count, seed), range(threads))
            lengths = next(iter(games))[:, 1]

    return threads * count / _median_seconds(work), lengths


def _simulation_rate(start: Position, threads: int, stretch: float, memory: int) -> float:
    """Simulations a second from a fresh tree."""
    rates = []
    for seed in range(STRETCHES):
        search = _core.Search(start, memory_mb=memory)
        began = perf_counter()
        search.run(stretch, 2**31, threads, seed)
        rates.append(search.report().visits / (perf_counter() - began))
    return median(rates)


def _median_seconds(work: Callable[[], None]) -> float:
    seconds = []
    for _ in range(STRETCHES):
        began = perf_counter()
        work()
        seconds.append(perf_counter() - began)
    return median(seconds)


def geometric_mean(values: Iterable[float]) -> float:
    """Of ratios: the one number that does not depend on which side is the unit."""
    logs = [math.log(value) for value in values]
    return math.exp(sum(logs) / len(logs))
