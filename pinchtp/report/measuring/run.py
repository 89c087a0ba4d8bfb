"""A run: units of work are chosen, done and kept until the budget is used up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import monotonic
from typing import Protocol

from pinchtp.report.evidence import Measurements
from pinchtp.report.experiments.experiment import Experiment, Outcome, WorkUnit
from pinchtp.report.measuring.budget import TimeBudget, expected, needed
from pinchtp.report.measuring.store import ReportStore
from pinchtp.report.measuring.workers import Workers

TICK = 0.1  # seconds between two looks at workers, clock and signals
MORE = 1.5  # times a budget that was too small, at the least
GRACE = 2.0  # seconds that units may take beyond the budget before they are told to stop


class Listener(Protocol):
    """Who is told how a run goes on."""

    def progress(self, run: MeasurementRun) -> None:
        """Several times a second."""

    def failed(self, unit: WorkUnit, trace: str) -> None:
        """A unit went wrong in a way that nobody expected."""


class MeasurementRun:
    """One run, which goes on from what the store has.

    exact: if given, how many units of each experiment there shall be; the budget is then without
    meaning.
    """

    def __init__(  # noqa: PLR0913
        self,
        store: ReportStore,
        experiments: Mapping[str, Experiment],
        budget: TimeBudget,
        workers: Workers,
        *,
        exact: Mapping[str, int] | None = None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self.store, self.budget, self.exact = store, budget, exact
        self.experiments = {
            name: each for name, each in experiments.items() if each.applies(store.subject)
        }
        self.measurements: Measurements = store.measurements()
        self.failed: dict[str, str] = {}
        self._workers, self._is_stopped = workers, is_stopped
        self._earlier = store.seconds()
        self._began = monotonic()
        self._running: dict[tuple[str, int], WorkUnit] = {}
        self._has_ended = False

    @property
    def seconds(self) -> float:
        """By the clock, of this run."""
        return monotonic() - self._began

    @property
    def used(self) -> float:
        """Of the budget, in all runs."""
        return self._earlier + self.seconds

    @property
    def left(self) -> float:
        return float("inf") if self.exact else self.budget.seconds - self.used

    @property
    def running(self) -> list[str]:
        """The names of the experiments under way."""
        return sorted({name for name, _ in self._running})

    def go(self, listener: Listener) -> None:
        """Measures until the budget is used up, or nothing is left to do, or it is stopped.

        Raises CannotKeep.
        """
        interrupted = overdue = False
        while True:
            if not (interrupted or overdue):
                interrupted, overdue = self._is_stopped(), self.left < -GRACE
                if interrupted or overdue:
                    self._workers.stop()
                else:
                    self._begin_units()
            if not self._running:
                self._has_ended = not interrupted
                return
            listener.progress(self)
            for outcome in self._workers.wait(TICK):
                self._take(outcome, listener)

    def missing(self) -> dict[str, float]:
        """Experiments with fewer units than say anything; the budget in seconds that they need.

        None before the run has ended, and after an interrupt: the budget is not to blame then.
        """
        if self.exact or not self._has_ended:
            return {}
        more = MORE * self.budget.seconds
        return {
            name: max(more, needed(each, self.experiments, self.measurements, self.budget.jobs))
            for name, each in self.experiments.items()
            if self.measurements.count(name) < each.least
            and each.next(self.measurements, ()) is not None
            and name not in self.failed
        }

    def _begin_units(self) -> None:
        while self._workers.free() and self.left > 0:
            unit = self._next_unit()
            if unit is None:
                return
            self._running[unit.experiment, unit.number] = unit
            self._workers.start(self.experiments[unit.experiment], unit)

    def _next_unit(self) -> WorkUnit | None:
        """The next unit to begin; None if there is none for now."""
        if any(self.experiments[name].alone for name, _ in self._running):
            return None
        expectations: dict[str, float] = {}
        for (name, _), running in self._running.items():
            seconds = expected(running, self.experiments, self.measurements)
            expectations[name] = expectations.get(name, 0.0) + seconds
        unit = self.budget.choose(
            self._candidates(), self.experiments, self.measurements, expectations, self.left
        )
        if unit and self.experiments[unit.experiment].alone and self._running:
            return None  # it waits for the others to end
        return unit

    def _candidates(self) -> list[WorkUnit]:
        units = []
        for name, experiment in self.experiments.items():
            if name in self.failed:
                continue
            running = {number for other, number in self._running if other == name}
            unit = experiment.next(self.measurements, running)
            if unit and (self.exact is None or unit.number < self.exact.get(name, 0)):
                units.append(unit)
        return units

    def _take(self, outcome: Outcome, listener: Listener) -> None:
        unit = outcome.unit
        del self._running[unit.experiment, unit.number]
        if outcome.failure:
            self.failed[unit.experiment] = outcome.failure
            listener.failed(unit, outcome.failure)
        elif outcome.is_done:
            self.store.add(outcome, self.seconds)
            self.measurements.add(unit.experiment, unit.number, outcome.data, outcome.seconds)
