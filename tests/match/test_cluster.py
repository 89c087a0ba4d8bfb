"""Matches on a cluster whose workers, scheduler or runner end."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from time import sleep
from unittest.mock import Mock

import pytest
from cluster_hosts import Hosts
from duels import player
from match_records import assert_complete
from processes import running, wait_for, wait_until_gone

from pinchtp.base.cluster import ClusterError, ClusterLost
from pinchtp.match.command import worker_pool
from pinchtp.match.plan import MatchPlan
from pinchtp.match.playing import cluster as clusters
from pinchtp.match.playing.cluster import ClusterPool
from pinchtp.match.playing.preflight import Preflight
from pinchtp.match.record import EngineIdentity, ScheduledGame
from pinchtp.match.results.store import IN_MEMORY, MatchStore
from pinchtp.match.runner import Runner

GAMES = 60

# Marks the engines' command lines, to find them again.
TOKEN = 9_000_000 + os.getpid()
ENGINES = (player("FixedOrder", TOKEN, name="a"), player("Twin", TOKEN + 1, name="b"))

# A cluster on this machine. The dashboard's own port may be in use, of which dask warns.
LOCAL = {"n_workers": 1, "processes": True, "dashboard_address": "127.0.0.1:0"}


def plan(games: int = GAMES, **options: object) -> MatchPlan:
    return MatchPlan(ENGINES, size=(7, 7), games=games, **options)  # type: ignore[arg-type]


class Disturbed:
    """A cluster pool with an action after a number of started games."""

    def __init__(
        self, pool: ClusterPool, after: int, disturb: Callable[[ClusterPool], None]
    ) -> None:
        self._crew = pool
        self._after = after
        self._disturb = disturb
        self.started = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._crew, name)

    def start(self, task: ScheduledGame) -> None:
        self._crew.start(task)
        self.started += 1
        if self.started == self._after:
            self._disturb(self._crew)


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # what dask warns of when its worker is killed
def test_killed_cluster_worker_is_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("distributed")
    db = tmp_path / "match.db"
    killed = list[int]()

    def kill(pool: ClusterPool) -> None:
        killed.append(next(iter(pool.client.run(os.getpid).values())))
        os.kill(killed[0], signal.SIGKILL)

    with MatchStore.begin(db, plan(cluster="local:2")) as store:
        runner = Runner(store.plan(), store, print)
        pool = worker_pool(store.plan())
        assert isinstance(pool, ClusterPool)
        try:
            assert set(pool.check_engines()) == {"a", "b"}
            assert pool.free() == 2
            runner.run(Disturbed(pool, GAMES // 4, kill))  # type: ignore[arg-type]
            assert len(killed) == 1
            assert killed[0] not in pool.client.run(os.getpid).values()
        finally:
            pool.close()
        assert runner.result().is_complete
    assert_complete(db, GAMES, capsys)
    wait_until_gone(str(TOKEN))


def preflight(binary: str, **warnings: str) -> dict[str, Preflight]:
    return {"a": Preflight(EngineIdentity("FixedOrder", "1.0", "./a", binary), **warnings)}


def test_engines_that_differ_on_machines_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    checks = {
        "tcp://one:1": preflight("x"),
        "tcp://two:1": preflight("y", time_warning="a has no clock"),
        "tcp://three:1": preflight("x", time_warning="a has no clock"),
    }
    cluster = Mock(faults=[], **{"addresses.return_value": list(checks)})
    cluster.run_on = lambda worker, *_: checks[worker]
    late = Mock(status="finished", **{"result.return_value": preflight("z")})
    cluster.submit.return_value = late
    monkeypatch.setattr(clusters, "Cluster", Mock(return_value=cluster))
    pool = ClusterPool(replace(plan(jobs=4), cluster="local:3"))
    assert pool.check_engines() == checks["tcp://one:1"]
    assert pool.warning == (
        "a cluster plays one game per thread of its workers: jobs, pin and the threads of engines "
        "have no effect; a has no clock; engine a on tcp://two is FixedOrder 1.0, hash y, not "
        "FixedOrder 1.0, hash x"
    )
    assert pool._admits("tcp://four:1")
    pool.free()
    assert pool.note.startswith("engine a on tcp://four is FixedOrder 1.0, hash z, not ")


ORPHAN = """
import sys
from pinchtp import match
a, b, where = sys.argv[1:]
match.play({"a": a, "b": b}, size=7, time="none", cluster=where)
"""


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_late_machine_without_engine_plays_no_game() -> None:
    with Hosts(pytest.importorskip("distributed")) as hosts:
        hosts.add()
        engine = replace(ENGINES[0], command=f"sh -c '${{LACKS:-exec}} {ENGINES[0].command}'")
        made = replace(plan(cluster=hosts.address), engines=(engine, ENGINES[1]))
        with closing(worker_pool(made)) as pool:
            pool.check_engines()
            hosts.add("os.environ['LACKS'] = 'false'", host="127.0.0.2")
            wait_for(lambda: pool.free() == 1 and pool.note)
            assert re.fullmatch(
                r"worker tcp://127.0.0.2:[0-9]+: engine a ended with exit status 1", pool.note
            )
            hosts.add(host="127.0.0.3")
            wait_for(lambda: pool.free() == 2)


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_check_of_engines_whose_worker_ends_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def end(_: MatchPlan) -> None:
        os._exit(1)

    monkeypatch.setattr("pinchtp.match.playing.cluster.check_engines", end)
    with Hosts(pytest.importorskip("distributed")) as hosts:
        hosts.add()
        with (
            closing(worker_pool(plan(cluster=hosts.address))) as pool,
            pytest.raises(ClusterError, match="the engines were not checked: its worker ended"),
        ):
            pool.check_engines()


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_cluster_games_end_with_runner() -> None:
    distributed = pytest.importorskip("distributed")
    engines = ENGINES[0].command, player("Hangs", TOKEN + 2).command
    with distributed.LocalCluster(**LOCAL) as cluster:
        words = [sys.executable, "-P", "-c", ORPHAN, *engines, cluster.scheduler_address]
        runner = subprocess.Popen(words)
        wait_for(lambda: len(running(str(TOKEN + 2))) == 2)  # the runner and an engine
        sleep(1)
        runner.kill()
        runner.wait()
        wait_until_gone(str(TOKEN))
        wait_until_gone(str(TOKEN + 2))


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_lost_scheduler_ends_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pinchtp.base.cluster.CONNECTING", 2.0)  # dask tries to connect again
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(**LOCAL) as cluster:
        made = plan(cluster=cluster.scheduler_address)
        with MatchStore.begin(IN_MEMORY, made) as store:
            runner = Runner(made, store, print)
            pool = worker_pool(made)
            assert isinstance(pool, ClusterPool)
            disturbed = Disturbed(pool, 5, lambda pool: cluster.close())
            try:
                with pytest.raises(ClusterLost, match="finished work is saved"):
                    runner.run(disturbed)  # type: ignore[arg-type]
            finally:
                pool.close()
            assert runner.summary.games == len(store.finished()) >= 3
    wait_until_gone(str(TOKEN))
