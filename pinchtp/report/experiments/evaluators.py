"""The engine with its network against the engine that random playouts judge for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, ClassVar

from pinchtp.report.evidence import Measurements
from pinchtp.report.experiments.experiment import Experiment, WorkUnit
from pinchtp.report.experiments.ladder import FIRST, MOST, LadderPlayer, play_pair
from pinchtp.report.playing import StopCheck
from pinchtp.report.subject import ReportSubject

PAIRS = 8  # pairs of games after which somebody has to think twice as long


class Evaluators(Experiment):
    """Each unit is a pair of games with colors exchanged, of which the network should win more.

    A staircase: both begin with few simulations, and whoever loses thinks twice as long, or four
    times if it won nothing. So both grow, and come to be about as strong as each other; that ties
    their ladders together.
    """

    name: ClassVar[str] = "evaluators"
    what: ClassVar[str] = "games between the network and random playouts"
    weight: ClassVar[float] = 6
    first_seconds: ClassVar[float] = 0.3
    least: ClassVar[int] = PAIRS

    def applies(self, subject: ReportSubject) -> bool:
        return subject.has_network

    def next(self, measurements: Measurements, running: Collection[int]) -> WorkUnit | None:
        done = measurements.done(self.name)
        for first, network, playouts in _steps(done):
            if max(network, playouts) > MOST:
                return None
            for number in range(first, first + PAIRS):
                if number not in done and number not in running:
                    return self.unit(number, [network, playouts])
        return None

    def measure(self, subject: ReportSubject, unit: WorkUnit, stop: StopCheck) -> Any:
        network, playouts = unit.task
        weak, strong = LadderPlayer(playouts, by_network=False), LadderPlayer(network)
        return play_pair(subject, unit, weak, strong, stop)


def _steps(done: Mapping[int, Any]) -> Iterator[tuple[int, int, int]]:
    """Each step as far as what is done decides them: its first unit, and both simulations."""
    first, network, playouts = 0, FIRST, FIRST
    while True:
        yield first, network, playouts
        units = range(first, first + PAIRS)
        if not all(number in done for number in units):
            return
        won = sum(game[0] for number in units for game in done[number]["games"])
        games = 2 * PAIRS
        if won > games / 2:
            playouts *= 4 if won == games else 2
        else:
            network *= 4 if won == 0 else 2
        first = units.stop
