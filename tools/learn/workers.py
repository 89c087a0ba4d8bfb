"""Executors of games: local processes, or the workers of a dask cluster."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import connection, get_context, parent_process
from threading import Thread

from pinchtp.base.option_types import Int
from pinchtp.base.process import ExitStatus

PROCESSES = Int(1, 10_000)


@contextmanager
def players(processes: int, cluster: str | None) -> Iterator[Executor]:
    """Yields an executor of local processes, or of the cluster with this scheduler address.

    Start the workers of a cluster in the root of this repository, with pinchtp installed.
    """
    if cluster:
        from distributed import Client  # noqa: PLC0415  (an extra)

        with Client(cluster) as client:  # type: ignore[no-untyped-call]
            yield client.get_executor(pure=False)
        return
    # Not forked, since JAX, which trains in this process, has threads.
    with ProcessPoolExecutor(processes, get_context("spawn"), _end_with_parent) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _end_with_parent() -> None:
    """Ends this process when its parent ends, even if it is killed."""
    parent = parent_process()

    def watch() -> None:
        if parent is not None:
            connection.wait([parent.sentinel])
            os._exit(ExitStatus.FAILURE)

    Thread(target=watch, daemon=True).start()
