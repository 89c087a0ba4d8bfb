"""The time budget of a measurement, shared among experiments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pinchtp.report.experiment import Experiment, Measurements, WorkUnit

_MAX_SHARE = 1.2  # maximum multiple of its share that an experiment uses before the others


@dataclass(frozen=True)
class TimeBudget:
    """The time of all runs together, shared among experiments by their weights.

    seconds: wall-clock time. jobs: number of parallel units.
    """

    seconds: float
    jobs: int
    experiments: Mapping[str, Experiment]
    measurements: Measurements

    def choose(
        self, units: Sequence[WorkUnit], running: Mapping[str, float], left: float
    ) -> WorkUnit | None:
        """Returns the next of these units; None if there is not enough time for any of them.

        The experiment that has used the smallest part of its share comes first. A unit that would
        exceed the share of its experiment waits until the other experiments have used theirs.
        running: expected seconds of the units in progress, by experiment. left: seconds of
        wall-clock time.
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
        """Returns the budget in seconds at which an experiment gets its minimum number of units."""
        fewest = experiment.fewest(self.measurements.subject)
        work = fewest * self.estimate_seconds(WorkUnit(experiment.name, 0))
        at_once = self.jobs / self._cost(experiment)
        return work * self._whole_weight / experiment.weight / at_once

    def _cost(self, experiment: Experiment) -> int:
        """Returns the number of workers that a unit of this experiment occupies."""
        return self.jobs if experiment.alone else 1

    @property
    def _whole_weight(self) -> float:
        return sum(experiment.weight for experiment in self.experiments.values())
