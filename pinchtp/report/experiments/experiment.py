"""What an experiment is: units of work, each of which follows from its number."""

from __future__ import annotations

import platform
import traceback
from abc import ABC, abstractmethod
from collections.abc import Collection
from dataclasses import dataclass
from time import monotonic
from typing import Any, ClassVar

from pinchtp import __version__
from pinchtp.report.evidence import Measurements
from pinchtp.report.playing import Cancelled, StopCheck
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
