"""Who plays the games: worker processes on this machine, or (in `cluster`) on many."""

from __future__ import annotations

import dataclasses
import os
from collections import deque
from collections.abc import Mapping
from multiprocessing.connection import wait
from pathlib import Path
from typing import Protocol

import psutil

from pinchtp.match.game.admission import Admission, check_engine
from pinchtp.match.game.engine_spec import EngineSpec
from pinchtp.match.game.rules import GameRules
from pinchtp.match.game.task import Task
from pinchtp.match.workers.worker import Outcome, Worker, WorkerConfig

SCARCE = 0.05  # share of the memory that must be left for another game to begin

_TOPOLOGY = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"


class WorkerPool(Protocol):
    """Plays games, several at a time.

    warning: what users should know about it before the first game; note: what they should know now.
    Both may be empty.
    """

    warning: str
    note: str

    def check_engines(self) -> Mapping[str, Admission]:
        """Checks each engine; results by name. Raises CannotPlay for one that cannot take part."""

    def free(self) -> int:
        """How many games can be begun now."""

    def start(self, task: Task) -> None:
        """Begins a game; its outcome comes by `wait`."""

    def wait(self, timeout: float) -> list[Outcome]:
        """Outcomes that have come; waits at most that many seconds for the first."""

    def close(self) -> None:
        """Ends all games and engines."""


class LocalPool:
    """Worker processes on this machine, one for each game at a time.

    Both engines of a game run on the same processors, which no other game has, if there are as many
    as `jobs` games need.
    """

    def __init__(self, config: WorkerConfig, jobs: int, *, pin: bool = True) -> None:
        self.note = self.warning = ""
        self._config = config
        threads = max(engine.threads for engine in config.engines.values())
        cores = core_sets(jobs, threads) if pin else [None] * jobs
        if pin and None in cores:
            self.warning = (
                f"{jobs} games at a time need {jobs * threads} processor cores, more than this "
                "machine has: no game gets cores of its own"
            )
        self._places = deque(dataclasses.replace(config, cores=each) for each in cores)
        self._idle: list[tuple[WorkerConfig, Worker]] = []
        self._busy: list[tuple[WorkerConfig, Worker]] = []

    def check_engines(self) -> Mapping[str, Admission]:
        return check_engines(self._config.engines, self._config.rules)

    def free(self) -> int:
        share = _available_memory()
        scarce = share < SCARCE and bool(self._busy)  # one game is always worth a try
        self.note = f"no new games while only {share:.0%} of memory is free" if scarce else ""
        return 0 if scarce else len(self._places) + len(self._idle)

    def start(self, task: Task) -> None:
        if self._idle:
            place, worker = self._idle.pop()
        else:
            place = self._places.popleft()
            worker = Worker(place)
        worker.start(task)
        self._busy.append((place, worker))

    def wait(self, timeout: float) -> list[Outcome]:
        ready = wait([worker.connection for _, worker in self._busy], timeout)
        done = [each for each in self._busy if each[1].connection in ready]
        return [self._result(*each) for each in done]

    def close(self) -> None:
        workers = [worker for _, worker in self._idle + self._busy]
        for worker in workers:
            worker.release()
        for worker in workers:
            worker.close()
        self._idle, self._busy = [], []

    def _result(self, place: WorkerConfig, worker: Worker) -> Outcome:
        self._busy.remove((place, worker))
        outcome = worker.result()
        if worker.is_alive:
            self._idle.append((place, worker))
        else:
            self._places.append(place)
        return outcome


def check_engines(engines: Mapping[str, EngineSpec], rules: GameRules) -> dict[str, Admission]:
    """Checks each engine; results by name. Raises CannotPlay."""
    return {name: check_engine(engine, rules) for name, engine in engines.items()}


def core_sets(jobs: int, threads: int) -> list[frozenset[int] | None]:
    """Processors for each of the games, none of them twice; None if there are too few."""
    cores = _cores()
    if jobs * threads > len(cores):
        return [None] * jobs
    return [frozenset(cores[at * threads : (at + 1) * threads]) for at in range(jobs)]


def _cores() -> list[int]:
    """The processors that we may use, the first of each physical core before any second one."""
    if not hasattr(os, "sched_getaffinity"):
        return []
    return sorted(os.sched_getaffinity(0), key=lambda core: (_place_in_core(core), core))


def _place_in_core(core: int) -> int:
    """0 for the first processor of a physical core, more for its hyperthreads."""
    try:
        text = Path(_TOPOLOGY.format(core)).read_text()
    except OSError:
        return 0
    siblings: list[int] = []
    for part in text.strip().split(","):
        first, _, last = part.partition("-")
        siblings += range(int(first), int(last or first) + 1)
    return siblings.index(core) if core in siblings else 0


def _available_memory() -> float:
    """The share of this machine's memory that programs may still take."""
    memory = psutil.virtual_memory()
    return float(memory.available / memory.total)
