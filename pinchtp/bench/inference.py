"""Rates of networks, measured: positions a second that one thread has evaluated one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from pinchtp import _core
from pinchtp.bench.measure import LEAST_STRETCH, STRETCHES
from pinchtp.games import GAMES
from pinchtp.player import network

BOARDS = ((9, 9), (13, 13))
WARM_UP = 20  # evaluations


@dataclass(frozen=True)
class InferenceMeasurement:
    """What was measured of a game's network; the planes are computed again for each evaluation."""

    game: str
    width: int
    height: int
    instruction_set: str
    evaluations_per_s: float


def measure_inference(
    games: Sequence[str],
    sizes: Sequence[tuple[int, int]],
    instruction_sets: Sequence[str],
    seconds: float,
    file: Path | None = None,
) -> Iterator[InferenceMeasurement]:
    """Measures networks by each instruction set, for `seconds` each; they take turns.

    games: those that no network plays are left out. file: a network, None for that of the package.
    Raises NetworkError for a file that cannot be used.
    """
    stretch = max(seconds / STRETCHES, LEAST_STRETCH)
    for game in games:
        path = file or network.packaged(game)
        if path is None:
            continue
        for width, height in sizes or BOARDS:
            position = GAMES[game].start(width, height)
            loaded = network.load(network.read(path), position, str(path))
            rates: dict[str, list[float]] = {each: [] for each in instruction_sets}
            for _ in range(STRETCHES):
                for each in instruction_sets:
                    rates[each].append(_rate(position, loaded, each, stretch))
            for each in instruction_sets:
                yield InferenceMeasurement(game, width, height, each, median(rates[each]))


def _rate(
    position: _core.Position, loaded: _core.Network, instruction_set: str, seconds: float
) -> float:
    """Evaluations a second, measured for about `seconds`."""

    def time_of(count: int) -> float:
        began = perf_counter()
        position.evaluate_often(loaded, count, instruction_set=instruction_set)
        return perf_counter() - began

    time_of(WARM_UP)
    count = max(WARM_UP, int(WARM_UP * seconds / time_of(WARM_UP)))
    return count / time_of(count)
