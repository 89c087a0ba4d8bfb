"""Games on a dask.distributed cluster. Only the runner uses the store.

A dask worker plays each game in a separate process (see `worker`). Its other work then does not
disturb the clocks, and a game can be ended at any moment. If the dask worker dies, dask restarts
its games on other workers.
"""

from __future__ import annotations

import contextlib
import secrets
import threading
from collections.abc import Mapping
from typing import Any

from pinchtp.base.cluster import Cluster, ClusterError, LostWork, is_cancelled
from pinchtp.match.plan import MatchPlan
from pinchtp.match.playing.preflight import EngineRejected, Preflight, check_engines
from pinchtp.match.playing.worker import GameOutcome, LostGame, Worker
from pinchtp.match.record import ScheduledGame

IDLE = 30.0  # seconds until a worker process without a game ends
RESULT_TIMEOUT = 5.0  # seconds for the result of a finished check
POLL_INTERVAL = 0.2  # seconds between checks for cancelled games


class ClusterPool:
    """A pool that plays one game per thread of a cluster's workers."""

    def __init__(self, plan: MatchPlan) -> None:
        """Raises ClusterError."""
        self.note = ""
        self.warning = ""
        if plan.jobs > 1 or any(engine.threads > 1 for engine in plan.engines):
            self.warning = (
                "a cluster plays one game per thread of its workers: jobs, pin and the threads of "
                "engines have no effect"
            )
        self._plan = plan
        self._token = secrets.token_hex(8)
        assert plan.cluster
        self._checks: dict[str, Any] = {}  # futures by the address of a worker
        self._ready: set[str] = set()  # machines whose engines have passed the check
        self._preflights: dict[str, Preflight] = {}  # by engine, on the first machine
        self._notes: list[str] = []  # on engines that differ on other machines
        self._cluster = Cluster(plan.cluster, _outcome, self._admits)
        self.client = self._cluster.client

    def check_engines(self) -> dict[str, Preflight]:
        """Checks each engine on every machine; returns the results of the first one by name. What
        differs on others becomes the warning.

        Raises EngineRejected, ClusterError if a check fails otherwise, and ClusterLost.
        """
        by_machine = {_machine(address): address for address in self._cluster.addresses()}
        for machine, worker in by_machine.items():
            checked = self._cluster.run_on(worker, check_engines, self._plan)
            if isinstance(checked, LostWork):
                if isinstance(checked.error, EngineRejected):
                    raise EngineRejected(f"{checked.error} (on {worker})")
                raise ClusterError(
                    f"cluster: worker {worker}: the engines were not checked: {checked.reason}"
                )
            self._add_check(machine, checked)
        self.warning = "; ".join(filter(None, [self.warning, *self._notes]))
        self._notes.clear()  # later ones are about machines that join
        return self._preflights

    def _add_check(self, machine: str, checked: Mapping[str, Preflight]) -> None:
        """Adds the results of a machine, whose engines may now play."""
        self._ready.add(machine)
        for name, here in checked.items():
            known = self._preflights.setdefault(name, here)
            for warning in (here.score_warning, here.time_warning):
                if warning not in ("", known.score_warning, known.time_warning, *self._notes):
                    self._notes.append(warning)
            if here.identity != known.identity:
                self._notes.append(
                    f"engine {name} on {machine} is {here.identity}, not {known.identity}"
                )

    @property
    def is_waiting(self) -> bool:
        return not self._cluster.threads

    def free(self) -> int:
        free = self._cluster.free()
        rejected = [
            f"worker {address}: {check.exception()}"
            for address, check in self._checks.items()
            if check.status == "error"
        ]
        waiting = ["waiting for workers of the cluster"] if self.is_waiting else []
        faults = [*self._cluster.faults, *rejected, *self._notes, *waiting]
        self.note = "; ".join(faults)
        return free

    def start(self, game: ScheduledGame) -> None:
        self._cluster.start(game, _play, self._token, self._plan, game)

    def wait(self, timeout: float) -> list[GameOutcome]:
        return self._cluster.wait(timeout)

    def close(self) -> None:
        with contextlib.suppress(Exception):  # the scheduler may be gone
            self._cluster.cancel()
            self.client.run(_end_idle, self._token, on_error="ignore")
        self._cluster.close()

    def _admits(self, address: str) -> bool:
        """Returns whether the engines on a worker's machine have passed the check. Starts the check
        if necessary.
        """
        machine = _machine(address)
        if machine not in self._ready:
            check = self._checks.get(address) or self._cluster.submit(
                check_engines, self._plan, workers=[address]
            )
            self._checks[address] = check
            if check.status == "finished":
                with contextlib.suppress(TimeoutError):  # the worker has just ended
                    self._add_check(machine, check.result(RESULT_TIMEOUT))
        return machine in self._ready


def _machine(address: str) -> str:
    """Returns the machine of a worker from its address, `tcp://HOST:PORT`."""
    return address.rpartition(":")[0]


def _outcome(result: GameOutcome | LostWork, game: ScheduledGame) -> GameOutcome:
    if isinstance(result, LostWork):
        return LostGame(game, f"the cluster lost it: {result.reason}")
    return result


# --- on the workers

_idle: dict[str, list[Worker]] = {}  # by the token of their match
_lock = threading.Lock()


def _play(token: str, plan: MatchPlan, game: ScheduledGame) -> GameOutcome:
    """Plays a game in a worker process, which ends with its engines if the game is cancelled."""
    with _lock:
        worker = _idle[token].pop() if _idle.get(token) else None
    worker = worker or Worker(plan)
    try:
        worker.start(game)
        while not worker.connection.poll(POLL_INTERVAL):
            if is_cancelled():
                worker.close()
                return LostGame(game, "cancelled")
        outcome = worker.result()
    except BaseException:
        worker.kill()
        raise
    if worker.is_alive:
        _keep(token, worker)
    return outcome


def _keep(token: str, worker: Worker) -> None:
    """Keeps a worker process for its next game, for IDLE seconds."""
    with _lock:
        _idle.setdefault(token, []).append(worker)
    timer = threading.Timer(IDLE, _end_if_idle, (token, worker, worker.games))
    timer.daemon = True
    timer.start()


def _end_if_idle(token: str, worker: Worker, games: int) -> None:
    with _lock:
        idle = worker in _idle.get(token, ()) and worker.games == games
        if idle:
            _idle[token].remove(worker)
    if idle:
        worker.close()


def _end_idle(token: str) -> None:
    with _lock:
        workers = _idle.pop(token, [])
    for worker in workers:
        worker.release()
    for worker in workers:
        worker.close()
