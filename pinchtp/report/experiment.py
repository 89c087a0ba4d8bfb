"""Experiments, which consist of numbered, repeatable units of work, and their results."""

from __future__ import annotations

import platform
import traceback
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from statistics import fmean
from time import monotonic
from typing import Any, ClassVar

from pinchtp import __version__
from pinchtp.games import RuleValue
from pinchtp.report.playing import Cancelled, PlayedGame, StopCheck
from pinchtp.report.subject import ReportSubject

FIRST_LIMIT = 2.0  # seconds for a first attempt at a unit that may take forever
LIMIT_FACTOR = 4  # of the limit of each further attempt


@dataclass(frozen=True)
class WorkUnit:
    """A unit of work. task: its parameters, unless they follow from its number.

    seconds: its expected duration; None: the mean of earlier units.
    """

    experiment: str
    number: int
    task: Any = None
    seconds: float | None = None


@dataclass(frozen=True)
class UnitResult:
    """The outcome of a unit of work.

    data: the result, in types of JSON. failure: the traceback of an unexpected error. A cancelled
    unit has neither.
    """

    unit: WorkUnit
    data: Any = None
    seconds: float = 0.0
    failure: str = ""
    machine: str = ""
    version: str = __version__

    @property
    def is_done(self) -> bool:
        return self.data is not None


class Experiment(ABC):
    """An experiment that measures one thing in units of work.

    name: in the store and on the command line. description: a plural noun. weight: its share of the
    budget, relative to the other experiments. first_seconds: expected duration of the first unit.
    least: see fewest(). alone: whether no other unit may run at the same time.
    """

    name: ClassVar[str]
    description: ClassVar[str]
    weight: ClassVar[float]
    first_seconds: ClassVar[float] = 1.0
    least: ClassVar[int] = 1
    alone: ClassVar[bool] = False

    def applies(self, subject: ReportSubject) -> bool:
        """Returns whether the subject can be measured."""
        return True

    def fewest(self, subject: ReportSubject) -> int:
        """Returns the minimum number of units for a meaningful result."""
        return self.least

    @abstractmethod
    def next(self, measurements: Measurements, running: Collection[int]) -> WorkUnit | None:
        """Returns the next unit that can start; None if none is left, or it depends on others.

        running: numbers of the units in progress.
        """

    @abstractmethod
    def measure(self, subject: ReportSubject, unit: WorkUnit, stop: StopCheck) -> Any:
        """Measures a unit; returns its result in types of JSON.

        Calls `stop` often, and raises Cancelled once it returns true.
        """

    def unit(self, number: int, task: Any = None, seconds: float | None = None) -> WorkUnit:
        return WorkUnit(self.name, number, task, seconds)

    def free_number(
        self, measurements: Measurements, running: Collection[int], most: int | None = None
    ) -> int | None:
        """Returns the smallest number of a unit to start; None if all below `most` are started."""
        done = measurements.done(self.name)
        number = len(done)
        while number and number - 1 not in done:
            number -= 1
        while number in done or number in running:
            number += 1
        return None if most is not None and number >= most else number


class Endless(Experiment):
    """An experiment whose units follow from their numbers alone. most: maximum number of units."""

    most: ClassVar[int | None] = None

    def next(self, measurements: Measurements, running: Collection[int]) -> WorkUnit | None:
        number = self.free_number(measurements, running, self.most)
        return None if number is None else self.unit(number)


def work(
    experiment: Experiment, subject: ReportSubject, unit: WorkUnit, stop: StopCheck
) -> UnitResult:
    """Measures a unit, and catches all of its errors."""
    began = monotonic()
    try:
        data = experiment.measure(subject, unit, stop)
    except Cancelled:
        return UnitResult(unit)
    except Exception:  # one experiment must not end the others
        return UnitResult(unit, failure=traceback.format_exc())
    return UnitResult(unit, data, monotonic() - began, machine=platform.node())


class Measurements:
    """The results of the units of work, by experiment and number."""

    def __init__(self, subject: ReportSubject) -> None:
        self.subject = subject
        self._results: dict[str, dict[int, Any]] = defaultdict(dict)
        self._seconds: dict[str, dict[int, float]] = defaultdict(dict)
        self._games: dict[str, dict[int, PlayedGame]] = defaultdict(dict)

    def add(self, experiment: str, number: int, data: Any, seconds: float) -> None:
        """Adds the result of a unit. data: in types of JSON."""
        self._results[experiment][number] = data
        self._seconds[experiment][number] = seconds

    def results(self, experiment: str) -> Mapping[int, Any]:
        """Returns the results by number, in the order of the numbers."""
        results = self._results[experiment]
        return {number: results[number] for number in sorted(results)}

    def done(self, experiment: str) -> Mapping[int, Any]:
        """Returns the results by number, in the order in which they were added."""
        return self._results[experiment]

    def count(self, experiment: str) -> int:
        return len(self._results[experiment])

    def seconds(self, experiment: str) -> float:
        """Returns the total seconds of work of all units."""
        return sum(self._seconds[experiment].values())

    def mean_seconds(self, experiment: str) -> float | None:
        """Returns the mean seconds of the latest units; None before the first."""
        latest = list(self._seconds[experiment].values())[-20:]
        return fmean(latest) if latest else None

    def games(self, experiment: str, rules: Mapping[str, RuleValue]) -> list[PlayedGame]:
        """Returns the games of an experiment whose units are games by these rules."""
        known = self._games[experiment]
        for number, stored in self._results[experiment].items():
            if number not in known:
                known[number] = PlayedGame(self.subject.session(rules), stored)
        return [known[number] for number in sorted(known)]
