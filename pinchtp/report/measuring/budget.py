"""How the time is shared among the experiments."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pinchtp.base.options import Kind
from pinchtp.report.evidence import Measurements
from pinchtp.report.experiments.experiment import Experiment, WorkUnit

_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_EXCESS = 1.2  # times its share that an experiment may take before the others have had theirs


class Duration(Kind[float]):
    """A time in seconds: 90, 90s, 10m, 1h30m."""

    expected = "a time such as 90s, 10m or 1h30m"

    def parse(self, text: str) -> float:
        parts = re.findall(r"([0-9]+(?:\.[0-9]+)?)([smhd]?)", text)
        if not parts or "".join(number + unit for number, unit in parts) != text:
            raise ValueError
        return self.check(sum(float(number) * _UNITS[unit] for number, unit in parts))

    def check(self, value: object) -> float:
        if not isinstance(value, int | float) or not 0 < value <= 1e8:
            raise ValueError
        return float(value)

    def format(self, value: float) -> str:
        for unit in "dhm":
            if value >= _UNITS[unit] and value % _UNITS[unit] == 0:
                return f"{value / _UNITS[unit]:g}{unit}"
        return f"{value:g}s"


@dataclass(frozen=True)
class TimeBudget:
    """The time that all runs together may take. seconds: by the clock. jobs: units at a time."""

    seconds: float
    jobs: int

    def choose(
        self, units: Sequence[WorkUnit], experiments: Mapping[str, Experiment],
        measurements: Measurements, running: Mapping[str, float], left: float,
    ) -> WorkUnit | None:  # fmt: skip
        """Which of these units is next; None if there is no time for any.

        The experiment that has had the least of its share is served first. A unit that would go
        beyond the share waits until the others have had theirs. running: what the units under way
        are expected to take, by experiment. left: seconds by the clock.
        """
        fitting = [unit for unit in units if expected(unit, experiments, measurements) <= left]
        used = {
            name: self._cost(each) * (measurements.seconds(name) + running.get(name, 0.0))
            for name, each in experiments.items()
        }
        fitting.sort(key=lambda unit: used[unit.experiment] / experiments[unit.experiment].weight)
        whole = sum(each.weight for each in experiments.values())
        for unit in fitting:
            share = self.seconds * self.jobs * experiments[unit.experiment].weight / whole
            work = expected(unit, experiments, measurements)
            needed = used[unit.experiment] + self._cost(experiments[unit.experiment]) * work
            if needed <= _EXCESS * share:
                return unit
        return fitting[0] if fitting else None

    def _cost(self, experiment: Experiment) -> int:
        """How many units might run in the place of one of this experiment."""
        return self.jobs if experiment.alone else 1


def expected(
    unit: WorkUnit, experiments: Mapping[str, Experiment], measurements: Measurements
) -> float:
    """The seconds that a unit will take."""
    if unit.seconds is not None:
        return unit.seconds
    known = measurements.mean_seconds(unit.experiment)
    return experiments[unit.experiment].first_seconds if known is None else known


def needed(
    experiment: Experiment,
    experiments: Mapping[str, Experiment],
    measurements: Measurements,
    jobs: int,
) -> float:
    """The budget, in seconds, with which an experiment has its least number of units."""
    unit = WorkUnit(experiment.name, 0)
    work = experiment.least * expected(unit, experiments, measurements)
    whole = sum(each.weight for each in experiments.values())
    return work * whole / experiment.weight / (1 if experiment.alone else jobs)
