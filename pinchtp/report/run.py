"""Runs: units of work are chosen, done by threads or a cluster, and kept until the time is up.

Threads are enough here: the core does the work, and releases the interpreter lock.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from threading import Event
from time import monotonic
from typing import Any, TypeAlias

from pinchtp.base.cluster import Cluster, is_cancelled
from pinchtp.base.option_types import OptionType
from pinchtp.base.streams import warn
from pinchtp.report.experiment import Experiment, Measurements, UnitResult, WorkUnit, work
from pinchtp.report.store import ReportStore
from pinchtp.report.subject import ReportSubject

TICK = 0.1  # seconds between two looks at workers, clock and signals
MORE = 1.5  # smallest factor by which a budget that was too small is raised
GRACE = 2.0  # seconds that units may exceed the budget before they are cancelled


class MeasurementRun:
    """A run, which continues from the units in the store.

    seconds: the budget of all runs. exact: number of units of each experiment, without regard to
    the budget; default: as many as fit the budget.
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
            name: each for name, each in experiments.items() if each.applies(store.subject)
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
        """Measures until the budget is used up, or nothing is left to do, or it is stopped.

        Yields several times a second. Raises StoreWriteError.
        """
        interrupted = overdue = False
        while True:
            if not (interrupted or overdue):
                interrupted = self._is_stopped()
                overdue = self.left < -GRACE
                if interrupted or overdue:
                    self._workers.stop()
                else:
                    self._begin_units()
            if not self._running:
                self._has_ended = not interrupted
                return
            yield
            for outcome in self._workers.wait(TICK):
                self._take(outcome)

    def missing(self) -> dict[str, float]:
        """Returns experiments with too few units to say anything, and the budget in seconds that
        each needs.

        Returns none before the run has ended and after an interrupt, which is not a matter of
        budget.
        """
        if self.exact or not self._has_ended:
            return {}
        more = MORE * self.budget.seconds
        return {
            name: max(more, self.budget.needed(each))
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
        """Returns the next unit to begin; None if there is none for now."""
        if any(self.experiments[name].alone for name, _ in self._running):
            return None
        expectations: dict[str, float] = {}
        for (name, _), running in self._running.items():
            expectations[name] = expectations.get(name, 0.0) + self.budget.expected(running)
        unit = self.budget.choose(self._candidates(), expectations, self.left)
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

    def _take(self, outcome: UnitResult) -> None:
        unit = outcome.unit
        del self._running[unit.experiment, unit.number]
        if outcome.failure:
            self.failed[unit.experiment] = outcome.failure
            warn(
                f"pinchtp report: internal error in unit {unit.number} of {unit.experiment}; the "
                f"other measurements go on\n{outcome.failure}"
            )
        elif outcome.is_done:
            self.store.add(outcome, self.seconds)
            self.measurements.add(unit.experiment, unit.number, outcome.data, outcome.seconds)


_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_EXCESS = 1.2  # times its share that an experiment may take before the others have had theirs


class Duration(OptionType[float]):
    """A type of option: a time in seconds, such as 90, 90s, 10m, 1h30m."""

    expected = "a time such as 90s, 10m or 1h30m"

    def parse(self, text: str) -> float:
        parts = re.findall(r"([0-9]+(?:\.[0-9]+)?)([smhd]?)", text)
        if not parts or "".join(number + unit for number, unit in parts) != text:
            raise ValueError
        seconds = sum(float(number) * _UNITS[unit] for number, unit in parts)
        if not 0 < seconds <= 1e8:
            raise ValueError
        return seconds

    def format(self, value: float) -> str:
        for unit in "dhm":
            if value >= _UNITS[unit] and value % _UNITS[unit] == 0:
                return f"{value / _UNITS[unit]:g}{unit}"
        return f"{value:g}s"


@dataclass(frozen=True)
class TimeBudget:
    """The time that all runs together may take, shared among experiments by their weights.

    seconds: by the clock. jobs: units at a time.
    """

    seconds: float
    jobs: int
    experiments: Mapping[str, Experiment]
    measurements: Measurements

    def choose(
        self, units: Sequence[WorkUnit], running: Mapping[str, float], left: float
    ) -> WorkUnit | None:
        """Returns the next of these units; None if there is no time for any.

        The experiment that has had the least of its share comes first. A unit that would go beyond
        the share waits until the others have had theirs. running: the expected seconds of the units
        in progress, by experiment. left: seconds by the clock.
        """
        fitting = [unit for unit in units if self.expected(unit) <= left]
        used = {
            name: self._cost(each) * (self.measurements.seconds(name) + running.get(name, 0.0))
            for name, each in self.experiments.items()
        }
        fitting.sort(
            key=lambda unit: used[unit.experiment] / self.experiments[unit.experiment].weight
        )
        for unit in fitting:
            experiment = self.experiments[unit.experiment]
            share = self.seconds * self.jobs * experiment.weight / self._whole_weight
            work = self._cost(experiment) * self.expected(unit)
            if used[unit.experiment] + work <= _EXCESS * share:
                return unit
        return fitting[0] if fitting else None

    def expected(self, unit: WorkUnit) -> float:
        """Returns the expected seconds of a unit."""
        if unit.seconds is not None:
            return unit.seconds
        known = self.measurements.mean_seconds(unit.experiment)
        return self.experiments[unit.experiment].first_seconds if known is None else known

    def needed(self, experiment: Experiment) -> float:
        """Returns the budget in seconds at which an experiment has its least number of units."""
        work = experiment.least * self.expected(WorkUnit(experiment.name, 0))
        at_once = self.jobs / self._cost(experiment)
        return work * self._whole_weight / experiment.weight / at_once

    def _cost(self, experiment: Experiment) -> int:
        """Returns how many other units one of this experiment displaces."""
        return self.jobs if experiment.alone else 1

    @property
    def _whole_weight(self) -> float:
        return sum(experiment.weight for experiment in self.experiments.values())


class ClusterWorkers:
    """Workers on a cluster: as many units at a time as the cluster has threads."""

    def __init__(self, subject: ReportSubject, where: str) -> None:
        """where: as for Cluster. Raises ClusterError."""
        self._subject = subject.as_json()
        self._cluster = Cluster(where, _outcome)

    def free(self) -> int:
        return self._cluster.free()

    def start(self, experiment: Experiment, unit: WorkUnit) -> None:
        self._cluster.start(unit, _work_there, experiment, self._subject, unit)

    def wait(self, timeout: float) -> list[UnitResult]:
        return self._cluster.wait(timeout)

    def stop(self) -> None:
        with contextlib.suppress(Exception):  # the scheduler may be gone
            self._cluster.cancel()

    def close(self) -> None:
        self.stop()
        self._cluster.close()


def _work_there(experiment: Experiment, subject: str, unit: WorkUnit) -> UnitResult:
    """Runs a unit on a worker, unless it was cancelled. subject: as JSON."""
    return work(experiment, ReportSubject.from_json(subject), unit, is_cancelled)


def _outcome(future: Any, unit: WorkUnit) -> UnitResult:
    if future.status == "finished":
        outcome: UnitResult = future.result()
        return outcome
    if future.status == "cancelled":
        return UnitResult(unit)
    return UnitResult(unit, failure=f"the cluster lost it: {future.exception()}")


class Threads:
    """Workers in threads of this process: one unit per job at a time."""

    def __init__(self, subject: ReportSubject, jobs: int) -> None:
        self._subject = subject
        self._jobs = jobs
        self._pool = ThreadPoolExecutor(jobs, "unit")
        self._stop = Event()
        self._running: set[Future[UnitResult]] = set()

    def free(self) -> int:
        """Returns the number of units that can begin now."""
        return self._jobs - len(self._running)

    def start(self, experiment: Experiment, unit: WorkUnit) -> None:
        """Begins a unit; `wait` returns its outcome."""
        self._running.add(
            self._pool.submit(work, experiment, self._subject, unit, self._stop.is_set)
        )

    def wait(self, timeout: float) -> list[UnitResult]:
        """Returns outcomes; waits up to `timeout` seconds for the first."""
        if not self._running:
            time.sleep(timeout)
            return []
        done, self._running = wait(self._running, timeout, FIRST_COMPLETED)
        return [each.result() for each in done]

    def stop(self) -> None:
        """Cancels the units in progress."""
        self._stop.set()

    def close(self) -> None:
        """Cancels all units and releases the workers."""
        self.stop()
        self._pool.shutdown()


Workers: TypeAlias = Threads | ClusterWorkers
