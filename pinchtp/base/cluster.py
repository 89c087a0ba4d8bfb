"""Clusters of dask.distributed: running work, and errors."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from importlib import import_module
from types import ModuleType
from typing import Any, Generic, TypeVar

from pinchtp import __version__

LOCAL = "local:"
CONNECTING = 10.0  # seconds until a scheduler, and a first worker, must have answered

Piece = TypeVar("Piece")  # of work
Outcome = TypeVar("Outcome")


class ClusterError(RuntimeError):
    """The cluster cannot be used; the text has the remedy."""


class ClusterLost(RuntimeError):
    """The scheduler was lost during the work; the text is for users."""


class Cluster(Generic[Piece, Outcome]):
    """Runs one piece of work per thread of a cluster's workers.

    client: of dask. threads: of all workers, as `free` last saw them.
    """

    def __init__(self, where: str, outcome: Callable[[Any, Piece], Outcome]) -> None:
        """where: `tcp://HOST:PORT` of a scheduler, or `local:N` to start N workers here.

        outcome: makes the result of a piece from its finished future. Raises ClusterError without
        workers, or if workers have another version of pinchtp.
        """
        self.threads = 0
        self._outcome = outcome
        self._running: dict[Any, Piece] = {}
        self._closing = contextlib.ExitStack()
        self.client = _connect(where, self._closing)

    def free(self) -> int:
        """Returns the number of pieces that can start now. Raises ClusterLost."""
        with _in_contact():
            self.threads = sum(self.client.nthreads().values())
        return max(0, self.threads - len(self._running))

    def start(
        self, piece: Piece, work: Callable[..., Any], *arguments: object, **details: object
    ) -> None:
        """Starts a piece: a function and its arguments. details: for dask.

        Raises ClusterLost.
        """
        with _in_contact():
            future = self.client.submit(work, *arguments, **details)
        self._running[future] = piece

    def wait(self, timeout: float) -> list[Outcome]:
        """Returns new results; waits up to `timeout` seconds for the first.

        Raises ClusterLost.
        """
        if not self._running:
            time.sleep(timeout)
            return []
        with _in_contact():
            try:
                ended = _dask().wait(list(self._running), timeout, "FIRST_COMPLETED").done
            except TimeoutError:
                return []
            return [self._outcome(future, self._running.pop(future)) for future in ended]

    def cancel(self) -> None:
        """Cancels running work. Raises errors of dask if the scheduler is gone."""
        self.client.cancel(list(self._running))

    def close(self) -> None:
        """Disconnects from the cluster, or stops it if it was started here."""
        # Where the scheduler has just gone, dask may let one of its own timeouts escape.
        with contextlib.suppress(RuntimeError):
            self._closing.close()


def is_cancelled() -> bool:
    """Returns, on a worker, whether this thread's task was cancelled or its client died."""
    worker = _dask().get_worker()
    state = worker.state.tasks.get(worker.get_current_task())
    return state is None or state.state == "cancelled"


def _dask() -> ModuleType:
    """The module dask.distributed, which is an optional dependency."""
    return import_module("distributed")


def _connect(where: str, closing: contextlib.ExitStack) -> Any:
    """A client. closing: closes it, and the cluster if it was started here."""
    with _reaching(where):
        client = _client(where, closing)
        try:
            client.wait_for_workers(1, timeout=CONNECTING)
            _check_versions(client)
        except BaseException:
            closing.close()
            raise
        return client


def _client(where: str, closing: contextlib.ExitStack) -> Any:
    if not where.startswith(LOCAL):
        return closing.enter_context(_dask().Client(where, timeout=CONNECTING))
    count = where.removeprefix(LOCAL)
    if not (count.isdigit() and int(count)):
        raise ClusterError(f"cluster: {where!r}: give a number of workers: local:2")
    try:
        cluster = _dask().LocalCluster(
            n_workers=int(count),
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",  # without one dask wants port 8787, and warns
        )
    except RuntimeError as error:  # a worker ended at its start
        raise ClusterError(f"cluster: {where!r}: {error}") from None
    closing.enter_context(cluster)
    return closing.enter_context(_dask().Client(cluster))


def _check_versions(client: Any) -> None:
    versions = client.run(_version)
    if other := {version for version in versions.values() if version != __version__}:
        raise ClusterError(
            f"cluster: a worker has pinchtp {', '.join(other)}, here is {__version__}: "
            "install the same everywhere"
        )


def _version() -> str:
    return __version__


@contextlib.contextmanager
def _reaching(where: str) -> Iterator[None]:
    """Turns errors of connecting to a cluster into ClusterError."""
    try:
        yield
    except ImportError as error:
        if (error.name or "").partition(".")[0] in ("distributed", "dask"):
            raise ClusterError(
                "cluster: dask.distributed is not installed: pip install 'pinchtp[cluster]'"
            ) from None
        raise ClusterError(
            f"cluster: a worker cannot import {error.name}: install it there"
        ) from None
    except (OSError, ValueError) as error:  # time out, too
        raise ClusterError(f"cluster: {where!r}: {error}") from None


@contextlib.contextmanager
def _in_contact() -> Iterator[None]:
    """Turns the loss of the scheduler into ClusterLost."""
    try:
        yield
    except (OSError, CancelledError) as error:  # work is cancelled when its scheduler ends
        raise ClusterLost(
            f"lost the cluster scheduler ({type(error).__name__}); finished work is saved, run the "
            "same command again to resume"
        ) from None
