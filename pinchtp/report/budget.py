"""The time of a measurement, and how experiments share it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pinchtp.report.experiment import Experiment, Measurements, WorkUnit

_MAX_SHARE = 1.2  # of its share that an experiment may take before the others have had theirs


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
        fitting = [unit for unit in units if self.estimate_seconds(unit) <= left]
        used = {
            name: self._cost(experiment)
            * (self.measurements.seconds(name) + running.get(name, 0.0))
            for name, experiment in self.experiments.items()
        }
        fitting.sort(
            key=lambda unit: used[unit.experiment] / self.experiments[unit.experiment].weight
        )
        for unit in fitting:
            experiment = self.experiments[unit.experiment]
            share = self.seconds * self.jobs * experiment.weight / self._whole_weight
            work = self._cost(experiment) * self.estimate_seconds(unit)
            if used[unit.experiment] + work <= _MAX_SHARE * share:
                return unit
        return fitting[0] if fitting else None

    def estimate_seconds(self, unit: WorkUnit) -> float:
        """Returns the expected seconds of a unit."""
        if unit.seconds is not None:
            return unit.seconds
        known = self.measurements.mean_seconds(unit.experiment)
        return self.experiments[unit.experiment].first_seconds if known is None else known

    def estimate_need(self, experiment: Experiment) -> float:
        """Returns the budget in seconds at which an experiment has its least number of units."""
        work = experiment.least * self.estimate_seconds(WorkUnit(experiment.name, 0))
        at_once = self.jobs / self._cost(experiment)
        return work * self._whole_weight / experiment.weight / at_once

    def _cost(self, experiment: Experiment) -> int:
        """Returns how many other units one of this experiment displaces."""
        return self.jobs if experiment.alone else 1

    @property
    def _whole_weight(self) -> float:
        return sum(experiment.weight for experiment in self.experiments.values())
