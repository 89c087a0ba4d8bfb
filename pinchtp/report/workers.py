"""Workers that measure units, in threads or on a cluster.

Threads suffice, because the core does the work and releases the interpreter lock.
"""

from __future__ import annotations

import contextlib
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from threading import Event
from typing import TypeAlias

from pinchtp.base.cluster import Cluster, ClusterLost, LostWork, is_cancelled
from pinchtp.report.experiment import Experiment, UnitResult, WorkUnit, work
from pinchtp.report.subject import ReportSubject


class ThreadWorkers:
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
        return [future.result() for future in done]

    def stop(self) -> None:
        """Cancels the units in progress."""
        self._stop.set()

    def close(self) -> None:
        """Cancels all units and releases the workers."""
        self.stop()
        self._pool.shutdown()


class ClusterWorkers:
    """Workers on a cluster: one unit per thread of the cluster at a time."""

    def __init__(self, subject: ReportSubject, where: str) -> None:
        """where: see Cluster. Raises ClusterError."""
        self._subject = subject.as_json()
        self._cluster = Cluster(where, _outcome)
        self._cancelled: list[WorkUnit] = []

    def free(self) -> int:
        return self._cluster.free()

    def start(self, experiment: Experiment, unit: WorkUnit) -> None:
        self._cluster.start(unit, _work_there, experiment, self._subject, unit)

    def wait(self, timeout: float) -> list[UnitResult]:
        cancelled = [UnitResult(unit) for unit in self._cancelled]
        self._cancelled.clear()
        return cancelled or self._cluster.wait(timeout)

    def stop(self) -> None:
        with contextlib.suppress(ClusterLost):
            self._cancelled += self._cluster.cancel()

    def close(self) -> None:
        self.stop()
        self._cluster.close()


def _work_there(experiment: Experiment, subject: str, unit: WorkUnit) -> UnitResult:
    """Runs a unit on a worker, unless it was cancelled. subject: as JSON."""
    return work(experiment, ReportSubject.from_json(subject), unit, is_cancelled)


def _outcome(result: UnitResult | LostWork, unit: WorkUnit) -> UnitResult:
    if isinstance(result, LostWork):
        return UnitResult(unit, failure=f"the cluster lost it: {result.reason}")
    return result


Workers: TypeAlias = ThreadWorkers | ClusterWorkers
