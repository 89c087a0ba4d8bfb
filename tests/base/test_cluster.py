"""Clusters whose workers come late, go, or have no or another pinchtp."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from cluster_hosts import Hosts
from processes import wait_for

from pinchtp import __version__
from pinchtp.base import cluster as clusters
from pinchtp.base.cluster import Cluster, ClusterError, ClusterLost

distributed = pytest.importorskip("distributed")

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]

LACKING = "sys.modules['pinchtp'] = None"
OLDER = "import pinchtp; pinchtp.__version__ = '0.0.9'"


@pytest.fixture
def hosts() -> Iterator[Hosts]:
    with Hosts(distributed) as hosts:
        yield hosts


@contextmanager
def cluster_of(hosts: Hosts) -> Iterator[Cluster[int, tuple[int, int]]]:
    """Yields a cluster whose results are the piece and what its function returned."""
    cluster = Cluster[int, tuple[int, int]](hosts.address, lambda result, at: (at, result))
    try:
        yield cluster
    finally:
        cluster.close()


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (LACKING, rf"cannot import pinchtp \(import of .*\): install {__version__} there"),
        (OLDER, f"has pinchtp 0.0.9, not {__version__}: install {__version__} there"),
    ],
)
def test_unfit_worker_at_start_is_named(hosts: Hosts, code: str, reason: str) -> None:
    hosts.add()
    hosts.add(code)
    with pytest.raises(ClusterError, match=f"^cluster: worker tcp://127.0.0.1:[0-9]+ {reason}$"):
        Cluster(hosts.address, lambda result, piece: None)


def test_cancelled_work_is_returned(hosts: Hosts) -> None:
    hosts.add()
    with cluster_of(hosts) as cluster:
        assert cluster.free() == 1
        cluster.start(7, eval, "__import__('time').sleep(1)")
        assert cluster.cancel() == [7]
        assert cluster.cancel() == []


def test_lost_scheduler_is_noticed_by_every_call(
    hosts: Hosts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "CONNECTING", 2.0)  # for as long dask tries to connect again
    hosts.add()
    with cluster_of(hosts) as cluster:
        assert cluster.free() == 1
        hosts.close()
        cluster.client.status = "closed"  # as after the last attempt to connect again
        for call in (
            cluster.free,
            cluster.addresses,
            cluster.cancel,
            lambda: cluster.start(7, os.getpid),
            lambda: cluster.run_on("tcp://127.0.0.1:1", os.getpid),
        ):
            with pytest.raises(ClusterLost):
                call()


def test_work_without_a_result_has_a_reason(hosts: Hosts) -> None:
    hosts.add()
    with cluster_of(hosts) as cluster:
        (address,) = cluster.addresses()
        assert cluster.run_on(address, os.getpid) == hosts.workers[0].pid
        failed = cluster.run_on(address, int, "x")
        assert failed.reason.startswith("ValueError: invalid literal for int()")
        ended = cluster.run_on(address, os._exit, 1)
        assert ended.reason == "its worker ended"


def test_late_worker_is_checked_before_its_work(hosts: Hosts) -> None:
    hosts.add()
    with cluster_of(hosts) as cluster:
        assert cluster.free() == 1
        for code in (LACKING, OLDER):
            hosts.add(code)
            assert cluster.free() == 1
        assert len(cluster.faults) == 2
        for at in range(4):
            cluster.start(at, os.getpid)
        results = list[tuple[int, int]]()
        wait_for(lambda: results.extend(cluster.wait(0.1)) or len(results) == 4)
        assert sorted(results) == [(at, hosts.workers[0].pid) for at in range(4)]
        hosts.add()
        assert cluster.free() == 2


def test_work_of_lost_worker_moves_to_later_one(hosts: Hosts) -> None:
    hosts.add()
    with cluster_of(hosts) as cluster:
        assert cluster.free() == 1
        cluster.start(7, eval, "__import__('time').sleep(1) or __import__('os').getpid()")
        hosts.kill()
        wait_for(lambda: cluster.free() == 0 and cluster.threads == 0)
        assert cluster.wait(0.1) == []
        hosts.add()
        results = list[tuple[int, int]]()
        wait_for(lambda: results.extend(cluster.wait(0.1)) or results)
        assert results == [(7, hosts.workers[0].pid)]
        assert cluster.free() == 1


def test_silent_address_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "CONNECTING", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(ClusterError, match="accepts connections but does not respond"):
            Cluster(address, lambda result, piece: None)


def test_failed_start_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(**_: object) -> None:
        raise RuntimeError("Cluster failed to start: Nanny failed to start.")

    monkeypatch.setattr("distributed.LocalCluster", fails)
    with pytest.raises(ClusterError, match=r"cluster: 'local:1': Cluster failed to start"):
        Cluster("local:1", lambda result, piece: None)
