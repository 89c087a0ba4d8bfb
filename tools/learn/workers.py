"""Executors of games (local processes, or the workers of a dask cluster), and their errors."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, ProcessPoolExecutor
from contextlib import closing, contextmanager
from multiprocessing import active_children, connection, get_context, parent_process
from threading import Thread
from typing import Any

from pinchtp.base.cluster import Cluster, ClusterError
from pinchtp.base.option_types import Int
from pinchtp.base.process import ExitStatus

from .files import RESUMES, RunError
from .plan import PlanError

PROCESSES = Int(1, 10_000)


def run_program(name: str, run: Callable[[], None]) -> int:
    """Calls a function; returns the exit status. Prints the reason if it fails."""
    status = ExitStatus.FAILURE
    try:
        run()
        return ExitStatus.SUCCESS
    except PlanError as error:
        reason = str(error)
        status = ExitStatus.WRONG_USE
    except (RunError, ClusterError, OSError) as error:
        reason = str(error)
    except ImportError as error:  # here, or on a worker of a cluster
        reason = (
            f"{error}: pip install '.[learn]', and start the workers of a cluster in the root of "
            "this repository"
        )
        status = ExitStatus.WRONG_USE
    except CancelledError:  # dask cancels work when its scheduler ends
        reason = f"lost the cluster scheduler; {RESUMES}"
    except BrokenExecutor:
        reason = f"a self-play process was killed; {RESUMES}"
    except KeyboardInterrupt:
        reason = f"interrupted; {RESUMES}"
        status = ExitStatus.INTERRUPTED
    print(f"{name}: {reason}", file=sys.stderr)
    return status


@contextmanager
def players(processes: int, cluster: str | None) -> Iterator[Executor]:
    """Yields an executor of local processes, or of the cluster with this scheduler address.

    Start the workers of a cluster in the root of this repository, with pinchtp installed. Raises
    ClusterError if the cluster cannot be used.
    """
    if cluster:
        workers: Cluster[None, None] = Cluster(cluster, lambda *_: None)
        from distributed import KilledWorker  # noqa: PLC0415  (an extra)

        with closing(workers):
            try:
                yield workers.client.get_executor(pure=False)
            except KilledWorker as error:
                raise RunError(f"workers died during self-play: {error} Then {RESUMES}") from None
        return
    # Not forked, since JAX, which trains in this process, has threads.
    with _Processes(processes, get_context("spawn"), _end_with_parent) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in active_children():
                process.terminate()
            raise


class _Processes(ProcessPoolExecutor):
    """Processes that ignore Ctrl-C until `_end_with_parent`, without a traceback of their start."""

    def submit(self, *work: Any, **details: Any) -> Any:
        """Submits work, for which a process may start; it inherits the ignored signal."""
        handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            return super().submit(*work, **details)
        finally:
            signal.signal(signal.SIGINT, handler)


def _end_with_parent() -> None:
    """Ends this process when its parent ends, even if it is killed, and at Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # without a traceback
    parent = parent_process()

    def watch() -> None:
        if parent is not None:
            connection.wait([parent.sentinel])
            os._exit(ExitStatus.FAILURE)

    Thread(target=watch, daemon=True).start()
