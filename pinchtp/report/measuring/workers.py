"""Who does the units of work: threads here, or the workers of a cluster.

Threads are enough: the core does the work, and holds no lock of Python meanwhile.
"""

from __future__ import annotations

import contextlib
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from threading import Event
from typing import Any, Protocol

from pinchtp.base.cluster import Cluster, is_cancelled
from pinchtp.report.experiments.experiment import Experiment, Outcome, WorkUnit, work
from pinchtp.report.subject import ReportSubject


class Workers(Protocol):
    """Do units, several at a time."""

    def free(self) -> int:
        """How many units can be begun now."""

    def start(self, experiment: Experiment, unit: WorkUnit) -> None:
        """Begins a unit; its outcome comes by `wait`."""

    def wait(self, timeout: float) -> list[Outcome]:
        """Outcomes that have come; waits for the first so many seconds at the most."""

    def stop(self) -> None:
        """Tells the units under way to end without a result."""

    def close(self) -> None:
        """Ends all."""


class ClusterWorkers:
    """As many units at a time as the workers of a cluster have threads."""

    def __init__(self, subject: ReportSubject, where: str) -> None:
        """where: as for Cluster. Raises ClusterError."""
        self._subject = subject.as_json()
        self._cluster = Cluster(where, _outcome)

    def free(self) -> int:
        return self._cluster.free()

    def start(self, experiment: Experiment, unit: WorkUnit) -> None:
        self._cluster.start(unit, _work_there, experiment, self._subject, unit, pure=False)

    def wait(self, timeout: float) -> list[Outcome]:
        return self._cluster.wait(timeout)

    def stop(self) -> None:
        with contextlib.suppress(Exception):  # the scheduler may be gone
            self._cluster.cancel()

    def close(self) -> None:
        self.stop()
        self._cluster.close()


def _work_there(experiment: Experiment, subject: str, unit: WorkUnit) -> Outcome:
    """Does a unit on a worker, unless nobody wants it any more. subject: as JSON."""
    return work(experiment, ReportSubject.from_json(subject), unit, is_cancelled)


def _outcome(future: Any, unit: WorkUnit) -> Outcome:
    if future.status == "finished":
        outcome: Outcome = future.result()
        return outcome
    if future.status == "cancelled":
        return Outcome(unit)
    return Outcome(unit, failure=f"the cluster lost it: {future.exception()}")


class Threads:
    """As many units at a time as there are jobs."""

    def __init__(self, subject: ReportSubject, jobs: int) -> None:
        self._subject, self._jobs = subject, jobs
        self._pool = ThreadPoolExecutor(jobs, "unit")
        self._stop = Event()
        self._running: set[Future[Outcome]] = set()

    def free(self) -> int:
        return self._jobs - len(self._running)

    def start(self, experiment: Experiment, unit: WorkUnit) -> None:
        self._running.add(
            self._pool.submit(work, experiment, self._subject, unit, self._stop.is_set)
        )

    def wait(self, timeout: float) -> list[Outcome]:
        if not self._running:
            time.sleep(timeout)
            return []
        done, self._running = wait(self._running, timeout, FIRST_COMPLETED)
        return [each.result() for each in done]

    def stop(self) -> None:
        self._stop.set()

    def close(self) -> None:
        self.stop()
        self._pool.shutdown()
