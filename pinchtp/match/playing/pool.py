"""Pools of games: their interface, and a pool of worker processes on this machine."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from multiprocessing.connection import wait
from typing import Protocol

import psutil

from pinchtp.client.process import CAVEAT
from pinchtp.match.plan import MatchPlan
from pinchtp.match.playing.cores import Cores, core_sets, idle_cores_note, missing_cores_note
from pinchtp.match.playing.preflight import Preflight, check_engines
from pinchtp.match.playing.worker import GameOutcome, Worker
from pinchtp.match.record import ScheduledGame

MIN_FREE_MEMORY = 0.05  # share of memory that must be free to start another game


class GamePool(Protocol):
    """A pool that plays games concurrently.

    warning: for users, before the first game. note: on the current state. Both may be empty.
    is_waiting: whether it has no workers at present.
    """

    warning: str
    note: str

    @property
    def is_waiting(self) -> bool: ...

    def check_engines(self) -> Mapping[str, Preflight]:
        """Checks each engine; results by name. Raises EngineRejected."""

    def free(self) -> int:
        """Returns the number of games that can be started now."""

    def start(self, game: ScheduledGame) -> None:
        """Starts a game; `wait` returns its outcome."""

    def wait(self, timeout: float) -> list[GameOutcome]:
        """Returns the outcomes so far; waits at most `timeout` seconds for the first."""

    def close(self) -> None:
        """Ends all games and engines."""


class WorkerPool:
    """Worker processes on this machine, one per concurrent game.

    Both engines of a game run on the same CPUs, separate from other games, if there are enough.
    """

    is_waiting = False

    def __init__(self, plan: MatchPlan) -> None:
        self.note = ""
        self._plan = plan
        jobs = plan.jobs
        threads = max(engine.threads for engine in plan.engines)
        cores = core_sets(jobs, threads) if plan.pin else [None] * jobs
        about_cores = ""
        if plan.pin and None in cores:
            about_cores = (
                f"{jobs} concurrent games need {jobs * threads} CPU cores, more than this machine "
                "has: games share all cores"
            )
        elif plan.pin:
            about_cores = missing_cores_note(plan.engines, threads)
        self.warning = "; ".join(filter(None, (CAVEAT, about_cores)))
        games = plan.games * len(plan.pairings)
        self.warning = self.warning or idle_cores_note(jobs, threads, games)
        self._places = deque(cores)
        self._idle: list[tuple[Cores, Worker]] = []
        self._busy: list[tuple[Cores, Worker]] = []

    def check_engines(self) -> Mapping[str, Preflight]:
        return check_engines(self._plan)

    def free(self) -> int:
        share = free_memory()
        scarce = share < MIN_FREE_MEMORY and bool(self._busy)  # one game is always possible
        self.note = f"no new games while only {share:.0%} of memory is free" if scarce else ""
        return 0 if scarce else len(self._places) + len(self._idle)

    def start(self, game: ScheduledGame) -> None:
        if self._idle:
            place, worker = self._idle.pop()
        else:
            place = self._places.popleft()
            worker = Worker(self._plan, place)
        worker.start(game)
        self._busy.append((place, worker))

    def wait(self, timeout: float) -> list[GameOutcome]:
        ready = wait([worker.connection for _, worker in self._busy], timeout)
        done = [pair for pair in self._busy if pair[1].connection in ready]
        return [self._result(*pair) for pair in done]

    def close(self) -> None:
        workers = [worker for _, worker in self._idle + self._busy]
        for worker in workers:
            worker.release()
        for worker in workers:
            worker.close()
        self._idle = []
        self._busy = []

    def _result(self, place: Cores, worker: Worker) -> GameOutcome:
        self._busy.remove((place, worker))
        outcome = worker.result()
        if worker.is_alive:
            self._idle.append((place, worker))
        else:
            self._places.append(place)
        return outcome


def free_memory() -> float:
    """Returns the free share of this machine's memory."""
    memory = psutil.virtual_memory()
    return float(memory.available / memory.total)
