"""How fast the game can be played and searched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from pinchtp.bench.trials import Trials
from pinchtp.games import GAMES
from pinchtp.report.experiments.experiment import Endless, WorkUnit
from pinchtp.report.playing import Cancelled, StopCheck
from pinchtp.report.subject import ReportSubject

ROUNDS = 10  # timed trials of each kind in a unit
SECONDS = 0.005  # of a trial


class RatesExperiment(Endless):
    """Each unit warms up and times every kind of work ROUNDS times, in turns."""

    name: ClassVar[str] = "rates"
    what: ClassVar[str] = "timed trials"
    weight: ClassVar[float] = 8
    first_seconds: ClassVar[float] = 2.0
    most: ClassVar[int | None] = 10
    alone: ClassVar[bool] = True

    def measure(self, subject: ReportSubject, unit: WorkUnit, stop: StopCheck) -> Any:
        trials = Trials(SECONDS, subject.unit_seed(self.name, unit.number))
        kinds = _kinds(subject, trials)
        for work in kinds.values():
            work()
        rates: dict[str, list[float]] = {name: [] for name in kinds}
        for _ in range(ROUNDS):
            for name, work in kinds.items():
                if stop():
                    raise Cancelled
                rates[name].append(round(work(), 2))
        return rates


def _kinds(subject: ReportSubject, trials: Trials) -> dict[str, Callable[[], float]]:
    """What is timed, each as what returns a rate per second."""
    start = subject.start()
    kinds = {
        "playouts": trials.playouts(start),
        "moves": trials.moves(start),
        "fill": trials.fills(subject.width, subject.height),
        "flat": trials.flat_ucb(start),
        "uct": trials.uct(start),
        "engine": trials.engine(start),
    }
    if network := subject.network():
        kinds["evaluations"] = trials.evaluations(start, network)
        kinds["network"] = trials.engine(start, network)
    for game in GAMES.values():
        kinds[f"playouts {game.name}"] = trials.playouts(game.start(*game.size))
    return kinds
