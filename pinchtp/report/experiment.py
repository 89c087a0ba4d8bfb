"""Experiments: units of work, each of which follows from its number, and their results."""

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


@dataclass(frozen=True)
class WorkUnit:
    """A piece of work. task: what it is besides its number, if the number does not say it.

    seconds: what it is expected to take; None: as long as those before it.
    """

    experiment: str
    number: int
    task: Any = None
    seconds: float | None = None


@dataclass(frozen=True)
class Outcome:
    """What came of a unit. data: what was found, as JSON keeps it.

    failure: what went wrong instead; empty for a unit that was only stopped and has no data.
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
    """Measures one thing.

    name: in the store and on the command line. what: for people. weight: its share of the budget
    beside the others'. first_seconds: what its first unit is expected to take. least: units
    without which its results say little. alone: whether nothing else may run beside it.
    """

    name: ClassVar[str]
    what: ClassVar[str]
    weight: ClassVar[float]
    first_seconds: ClassVar[float] = 1.0
    least: ClassVar[int] = 1
    alone: ClassVar[bool] = False

    def applies(self, subject: ReportSubject) -> bool:
        """Whether there is something to measure."""
        return True

    @abstractmethod
    def next(self, measurements: Measurements, running: Collection[int]) -> WorkUnit | None:
        """The next unit that can begin; None if there is none, or none before others are done.

        running: numbers of the units under way.
        """

    @abstractmethod
    def measure(self, subject: ReportSubject, unit: WorkUnit, stop: StopCheck) -> Any:
        """Does the work; what it returns goes into the store as JSON.

        stop: asked often. Raises Cancelled if it said so.
        """

    def unit(self, number: int, task: Any = None, seconds: float | None = None) -> WorkUnit:
        return WorkUnit(self.name, number, task, seconds)

    def free_number(
        self, measurements: Measurements, running: Collection[int], most: int | None = None
    ) -> int | None:
        """The least number below `most` of a unit that is neither done nor under way."""
        done = measurements.done(self.name)
        number = len(done)
        while number and number - 1 not in done:
            number -= 1
        while number in done or number in running:
            number += 1
        return None if most is not None and number >= most else number


class Endless(Experiment):
    """One whose units follow from their numbers alone, up to `most` if there is an end."""

    most: ClassVar[int | None] = None

    def next(self, measurements: Measurements, running: Collection[int]) -> WorkUnit | None:
        number = self.free_number(measurements, running, self.most)
        return None if number is None else self.unit(number)


def work(
    experiment: Experiment, subject: ReportSubject, unit: WorkUnit, stop: StopCheck
) -> Outcome:
    """Does a unit of work, whatever comes of it."""
    began = monotonic()
    try:
        data = experiment.measure(subject, unit, stop)
    except Cancelled:
        return Outcome(unit)
    except Exception:  # one experiment must not end the others
        return Outcome(unit, failure=traceback.format_exc())
    return Outcome(unit, data, monotonic() - began, machine=platform.node())


class Measurements:
    """The results of the units of work, by experiment and number."""

    def __init__(self, subject: ReportSubject) -> None:
        self.subject = subject
        self._results: dict[str, dict[int, Any]] = defaultdict(dict)
        self._seconds: dict[str, dict[int, float]] = defaultdict(dict)
        self._games: dict[str, dict[int, PlayedGame]] = defaultdict(dict)

    def add(self, experiment: str, number: int, data: Any, seconds: float) -> None:
        """Takes in a unit. data: as JSON would give it back."""
        self._results[experiment][number] = data
        self._seconds[experiment][number] = seconds

    def results(self, experiment: str) -> Mapping[int, Any]:
        """By the numbers of the units, in their order."""
        found = self._results[experiment]
        return {number: found[number] for number in sorted(found)}

    def done(self, experiment: str) -> Mapping[int, Any]:
        """As results, in the order in which they came."""
        return self._results[experiment]

    def count(self, experiment: str) -> int:
        return len(self._results[experiment])

    def seconds(self, experiment: str) -> float:
        """Of work, in all units."""
        return sum(self._seconds[experiment].values())

    def mean_seconds(self, experiment: str) -> float | None:
        """Of the latest units; None before the first."""
        latest = list(self._seconds[experiment].values())[-20:]
        return fmean(latest) if latest else None

    def games(self, experiment: str, rules: Mapping[str, RuleValue]) -> list[PlayedGame]:
        """The games of an experiment whose results are games played by these rules."""
        known = self._games[experiment]
        for number, kept in self._results[experiment].items():
            if number not in known:
                known[number] = PlayedGame(self.subject.session(rules), kept)
        return [known[number] for number in sorted(known)]
