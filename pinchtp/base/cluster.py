"""Clusters of dask.distributed: connecting to one or starting it, and its errors."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from concurrent.futures import CancelledError
from importlib import import_module
from types import ModuleType
from typing import Any

from pinchtp import __version__

LOCAL = "local:"
CONNECTING = 10.0  # seconds until a scheduler, and a first worker, must have answered


class ClusterError(Exception):
    """The cluster cannot be used; the text says what to do."""


class ClusterLost(Exception):
    """The scheduler was lost in the middle of the work; the text is for users."""


def dask() -> ModuleType:
    """The module dask.distributed, which is an optional dependency."""
    return import_module("distributed")


def connect(where: str, closing: contextlib.ExitStack) -> Any:
    """Connects to a cluster that has a worker, and the same version of pinchtp everywhere.

    where: `tcp://HOST:PORT` of a scheduler, or `local:N` to start N workers here. closing: closes
    the client, and the cluster if it was started here. Raises ClusterError.
    """
    with reaching(where):
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
        return closing.enter_context(dask().Client(where, timeout=CONNECTING))
    count = where.removeprefix(LOCAL)
    if not (count.isdigit() and int(count)):
        raise ClusterError(f"cluster: {where!r}: give a number of workers: local:2")
    try:
        cluster = dask().LocalCluster(
            n_workers=int(count), threads_per_worker=1, processes=True, dashboard_address=None
        )
    except RuntimeError as error:  # a worker ended at its start
        raise ClusterError(f"cluster: {where!r}: {error}") from None
    closing.enter_context(cluster)
    return closing.enter_context(dask().Client(cluster))


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
def reaching(where: str) -> Iterator[None]:
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
def in_contact() -> Iterator[None]:
    """Turns the loss of the scheduler into ClusterLost."""
    try:
        yield
    except (OSError, CancelledError) as error:  # work is cancelled when its scheduler ends
        raise ClusterLost(
            f"the scheduler of the cluster is lost ({type(error).__name__}). All that was finished "
            "is kept; start the same command again to go on"
        ) from None


def is_cancelled() -> bool:
    """On a worker: whether the task of this thread was cancelled, or its client has died."""
    worker = dask().get_worker()
    state = worker.state.tasks.get(worker.get_current_task())
    return state is None or state.state == "cancelled"
