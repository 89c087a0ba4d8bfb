"""Clusters of dask.distributed: running work on workers that have this version of pinchtp."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from dataclasses import dataclass, replace
from importlib import import_module
from types import ModuleType
from typing import Any, Generic, TypeVar

from pinchtp import __version__
from pinchtp.base.process import signals_as

LOCAL = "local:"
CONNECTING = 10.0  # maximum seconds until the scheduler, and then a worker, responds
POLL_INTERVAL = 0.5  # seconds between checks for the end of a worker

_VERSION = "__import__('pinchtp').__version__"  # a text, because a worker may not have pinchtp

Piece = TypeVar("Piece")  # a piece of work
Outcome = TypeVar("Outcome")


class ClusterError(RuntimeError):
    """The cluster cannot be used; the message has the remedy."""


class ClusterLost(RuntimeError):
    """The scheduler was lost during the work; the message is for users."""


@dataclass(frozen=True)
class LostWork:
    """Work without a result. error: raised by it or by dask; None: its worker ended."""

    error: BaseException | None

    @property
    def reason(self) -> str:
        if self.error is None:
            return "its worker ended"
        return "".join(traceback.format_exception_only(self.error)).strip()


@dataclass(frozen=True)
class _Task(Generic[Piece]):
    """A piece of work, its function and arguments, and the workers that may run it."""

    piece: Piece
    work: Callable[..., Any]
    arguments: tuple[object, ...]
    workers: frozenset[str]


class Cluster(Generic[Piece, Outcome]):
    """A cluster that runs one piece of work per thread of its workers.

    client: the client of dask. threads: the number of threads of the workers that `free` last
    admitted. faults: the reasons why it did not admit other workers.
    """

    def __init__(
        self,
        where: str,
        outcome: Callable[[Any, Piece], Outcome],
        admits: Callable[[str], bool] = lambda _: True,
    ) -> None:
        """where: `tcp://HOST:PORT` of a scheduler, or `local:N` to start N workers here.

        outcome: returns the outcome of a piece from its result, or from LostWork. admits: returns
        whether the worker at an address may get work; called repeatedly. Raises ClusterError if
        there are no workers, or if workers do not have this version of pinchtp.
        """
        self.threads = 0
        self.faults: list[str] = []
        self._outcome = outcome
        self._admits = admits
        self._workers: frozenset[str] = frozenset()  # admitted
        self._version_faults: dict[str, str] = {}  # of all workers seen so far; "": none
        self._running: dict[Any, _Task[Piece]] = {}
        self._closing = contextlib.ExitStack()
        self.client = _connect(where, self._closing)

    def free(self) -> int:
        """Returns the number of pieces that can start now. Raises ClusterLost."""
        self._admit_workers()
        return max(0, self.threads - len(self._running))

    def start(self, piece: Piece, work: Callable[..., Any], *arguments: object) -> None:
        """Starts a piece: a function and its arguments. Raises ClusterLost."""
        self._start(_Task(piece, work, arguments, self._workers))

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
                self._restart_stranded()
                return []
            return [
                self._outcome(_result_of(future), self._running.pop(future).piece)
                for future in ended
            ]

    def submit(self, work: Callable[..., Any], *arguments: object, workers: Iterable[str]) -> Any:
        """Starts a function on one of these workers; returns its future. Raises ClusterLost."""
        with _in_contact():
            return self.client.submit(
                work, *arguments, workers=list(workers), allow_other_workers=False, pure=False
            )

    def run_on(self, worker: str, work: Callable[..., Any], *arguments: object) -> Any:
        """Returns the result of a function on the worker at an address, or LostWork.

        Raises ClusterLost.
        """
        with _in_contact():
            future = self.submit(work, *arguments, workers=[worker])
            while worker in self.client.nthreads():
                with contextlib.suppress(TimeoutError):
                    _dask().wait([future], POLL_INTERVAL)
                    return _result_of(future)
        return LostWork(None)

    def addresses(self) -> list[str]:
        """Returns the addresses of all workers. Raises ClusterLost."""
        with _in_contact():
            return list(self.client.nthreads())

    def cancel(self) -> list[Piece]:
        """Cancels running work; returns its pieces. Raises ClusterLost."""
        with _in_contact():
            self.client.cancel(list(self._running))
        pieces = [task.piece for task in self._running.values()]
        self._running.clear()
        return pieces

    def close(self) -> None:
        """Disconnects from the cluster, or stops it if it was started here."""
        # If the scheduler has just ended, dask may raise an internal timeout.
        with contextlib.suppress(RuntimeError):
            self._closing.close()

    def _admit_workers(self) -> None:
        """Updates the workers that get work; checks the versions of new ones."""
        with _in_contact():
            threads = self.client.nthreads()
            if new := threads.keys() - self._version_faults.keys():
                self._version_faults |= _version_faults(self.client, new)
            right = [worker for worker in threads if self._version_faults.get(worker) == ""]
            self._workers = frozenset(filter(self._admits, right))
        self.threads = sum(threads[worker] for worker in self._workers)
        self.faults = [fault for each in threads if (fault := self._version_faults.get(each))]

    def _start(self, task: _Task[Piece]) -> None:
        future = self.submit(task.work, *task.arguments, workers=task.workers)
        self._running[future] = task

    def _restart_stranded(self) -> None:
        """Restarts pieces whose workers have all ended, because dask would wait for them."""
        alive = self.client.nthreads().keys()
        stranded = [future for future, task in self._running.items() if not task.workers & alive]
        if stranded:
            self._admit_workers()
        if self._workers:
            for future in stranded:
                future.cancel()
                self._start(replace(self._running.pop(future), workers=self._workers))


def is_cancelled() -> bool:
    """Returns, on a worker, whether this thread's task was cancelled or its client died."""
    worker = _dask().get_worker()
    state = worker.state.tasks.get(worker.get_current_task())
    return state is None or state.state == "cancelled"


def _result_of(future: Any) -> Any:
    """Returns the result of a future that is done, or LostWork.

    Raises CancelledError if dask cancelled it.
    """
    if future.status in ("finished", "cancelled"):
        return future.result()
    return LostWork(future.exception() if future.status == "error" else None)


def _dask() -> ModuleType:
    """Returns the module dask.distributed, which is an optional dependency."""
    return import_module("distributed")


def _connect(where: str, closing: contextlib.ExitStack) -> Any:
    """Returns a client. closing: closes it, and the cluster if it was started here."""
    with _raise_cluster_errors(where):
        client = _client(where, closing)
        try:
            client.wait_for_workers(1, timeout=CONNECTING)
            if faults := list(filter(None, _version_faults(client).values())):
                raise ClusterError(f"cluster: {faults[0]}")
        except BaseException:
            closing.close()
            raise
        return client


def _client(where: str, closing: contextlib.ExitStack) -> Any:
    if not where.startswith(LOCAL):
        with ThreadPoolExecutor(1) as other:  # this thread may run an event loop, in a notebook
            other.submit(asyncio.run, _greet(where)).result()
        return closing.enter_context(_dask().Client(where, timeout=CONNECTING))
    count = where.removeprefix(LOCAL)
    if not (count.isdigit() and int(count)):
        raise ClusterError(f"cluster: {where!r}: give the number of workers: local:2")
    try:
        with _ignore_interrupts():
            cluster = _dask().LocalCluster(
                n_workers=int(count),
                threads_per_worker=1,
                processes=True,
                dashboard_address="127.0.0.1:0",  # otherwise dask tries port 8787, and warns
            )
    except RuntimeError as error:  # a worker ended during its start
        raise ClusterError(f"cluster: {where!r}: {error}") from None
    closing.enter_context(cluster)
    return closing.enter_context(_dask().Client(cluster))


def _ignore_interrupts() -> contextlib.AbstractContextManager[None]:
    """Ignores Ctrl-C within a block, and in the processes that it starts for their whole life.

    A terminal sends Ctrl-C to them too. They end with this process, which decides what it means.
    """
    if threading.current_thread() is not threading.main_thread():  # which may not handle signals
        return contextlib.nullcontext()
    return signals_as(signal.SIG_IGN, [signal.SIGINT])


async def _greet(where: str) -> None:
    """Exchanges greetings with a scheduler. Raises ClusterError if it only accepts connections.

    Client ignores its timeout while it waits for the greeting (distributed 2026.8).
    """
    connect = import_module("distributed.comm").connect
    try:
        async with asyncio.timeout(CONNECTING + 1):
            connection = await connect(where, timeout=CONNECTING)  # raises OSError after it
    except TimeoutError:
        raise ClusterError(
            f"cluster: {where!r}: accepts connections but does not respond; give the address that "
            "dask scheduler prints"
        ) from None
    await connection.close()


def _version_faults(client: Any, workers: Iterable[str] | None = None) -> dict[str, str]:
    """Returns the reason why each worker cannot be used, by address; empty if it can.

    workers: their addresses; None: all.
    """
    addresses = None if workers is None else list(workers)
    versions = client.run(eval, _VERSION, workers=addresses, on_error="return")
    return {address: _version_fault(address, version) for address, version in versions.items()}


def _version_fault(address: str, version: str | Exception) -> str:
    """Returns the reason why a worker cannot be used; empty if it can.

    version: of its pinchtp, or the error of its import.
    """
    if version == __version__:
        return ""
    if isinstance(version, Exception):
        return f"worker {address} cannot import pinchtp ({version}): install {__version__} there"
    return f"worker {address} has pinchtp {version}, not {__version__}: install {__version__} there"


@contextlib.contextmanager
def _raise_cluster_errors(where: str) -> Iterator[None]:
    """Converts errors of connecting to a cluster to ClusterError."""
    try:
        yield
    except ImportError:
        raise ClusterError(
            "cluster: dask.distributed is not installed: pip install 'pinchtp[cluster]'"
        ) from None
    except (OSError, ValueError) as error:  # OSError includes timeouts
        raise ClusterError(
            f"cluster: {where!r}: {error}; give tcp://HOST:PORT of a running scheduler, or local:N"
        ) from None


@contextlib.contextmanager
def _in_contact() -> Iterator[None]:
    """Converts the loss of the scheduler to ClusterLost."""
    try:
        yield
    except (
        OSError,
        CancelledError,  # dask cancels work when its scheduler ends
        _dask().client.ClosedClientError,
    ) as error:
        raise ClusterLost(
            f"lost the cluster scheduler ({type(error).__name__}); finished work is saved, run the "
            "same command again to resume"
        ) from None
