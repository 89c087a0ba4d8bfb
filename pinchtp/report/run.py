"""The run of a measurement: starts units, stores their results, and ends with the budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from time import monotonic

from pinchtp.base.streams import warn
from pinchtp.report.budget import TimeBudget
from pinchtp.report.experiment import Experiment, Measurements, UnitResult, WorkUnit
from pinchtp.report.store import ReportStore
from pinchtp.report.workers import Workers

POLL_SECONDS = 0.1  # between checks of workers, clock and signals
MIN_RAISE = 1.5  # minimum factor of the suggested budget to one that was too small
GRACE_SECONDS = 2.0  # beyond the budget before units are cancelled


class MeasurementRun:
    """A run that continues from the units in the store.

    seconds: the budget of all runs. exact: numbers of units by experiment, regardless of the
    budget; default: as many units as fit the budget.
    """

    def __init__(  # noqa: PLR0913
        self,
        store: ReportStore,
        experiments: Mapping[str, Experiment],
        seconds: float,
        workers: Workers,
        *,
        exact: Mapping[str, int] | None = None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self.store = store
        self.exact = exact
        self.experiments = {
            name: experiment
            for name, experiment in experiments.items()
            if experiment.applies(store.subject)
        }
        self.measurements: Measurements = store.measurements()
        jobs = max(1, workers.free())
        self.budget = TimeBudget(seconds, jobs, self.experiments, self.measurements)
        self.failed: dict[str, str] = {}
        self._workers = workers
        self._is_stopped = is_stopped
        self._earlier = store.seconds()
        self._began = monotonic()
        self._running: dict[tuple[str, int], WorkUnit] = {}
        self._has_ended = False

    @property
    def seconds(self) -> float:
        """The seconds of this run, by the clock."""
        return monotonic() - self._began

    @property
    def used(self) -> float:
        """The seconds of all runs."""
        return self._earlier + self.seconds

    @property
    def left(self) -> float:
        return float("inf") if self.exact else self.budget.seconds - self.used

    @property
    def running(self) -> list[str]:
        """The names of the experiments in progress."""
        return sorted({name for name, _ in self._running})

    def measure(self) -> Iterator[None]:
        """Measures until the budget is used up, no unit is left, or the run is stopped.

        Yields several times a second. Raises StoreWriteError.
        """
        interrupted = False
        overdue = False
        while True:
            if not (interrupted or overdue):
                interrupted = self._is_stopped()
                overdue = self.left < -GRACE_SECONDS
                if interrupted or overdue:
                    self._workers.stop()
                else:
                    self._begin_units()
            if not self._running:
                self._has_ended = not interrupted
                return
            yield
            for outcome in self._workers.wait(POLL_SECONDS):
                self._take(outcome)

    def find_missing(self) -> dict[str, float]:
        """Returns experiments with too few units for a result, and the budget in seconds that each
        needs.

        Returns none before the end of the run, and after an interrupt.
        """
        if self.exact or not self._has_ended:
            return {}
        more = MIN_RAISE * self.budget.seconds
        return {
            name: max(more, self.budget.estimate_need(experiment))
            for name, experiment in self.experiments.items()
            if self.measurements.count(name) < experiment.fewest(self.measurements.subject)
            and experiment.next(self.measurements, ()) is not None
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
        """Returns the next unit to start; None if none can start now."""
        if any(self.experiments[name].alone for name, _ in self._running):
            return None
        expectations: dict[str, float] = {}
        for (name, _), running in self._running.items():
            expectations[name] = expectations.get(name, 0.0) + self.budget.estimate_seconds(running)
        unit = self.budget.choose(self._candidates(), expectations, self.left)
        if unit and self.experiments[unit.experiment].alone and self._running:
            return None  # waits until the other units are done
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

    def _take(self, outcome: UnitResult) -> None:
        unit = outcome.unit
        del self._running[unit.experiment, unit.number]
        if outcome.failure:
            self.failed[unit.experiment] = outcome.failure
            warn(
                f"pinchtp report: internal error in unit {unit.number} of {unit.experiment}; the "
                f"other measurements continue\n{outcome.failure}"
            )
        elif outcome.is_done:
            self.store.add(outcome, self.seconds)
            self.measurements.add(unit.experiment, unit.number, outcome.data, outcome.seconds)
