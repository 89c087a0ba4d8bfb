"""Worker processes, which play one game after another and keep the engines running between them.

Games run in separate processes so that other games, the store and the display do not disturb the
measured times. `Worker` is the parent's end, which starts games; the process itself runs `main`. It
ends with its engines when its parent ends.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
import traceback
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing.connection import wait
from pathlib import Path
from threading import Lock, Thread
from typing import Protocol

import psutil

from pinchtp.base.process import ExitStatus, python_command, usable_processors
from pinchtp.client.process import CAVEAT, exit_text
from pinchtp.match.plan import MatchPlan
from pinchtp.match.playing.engine import MatchEngine, Preflight, check_engine
from pinchtp.match.playing.game import play_game
from pinchtp.match.playing.worker_process import AnyConnection, connected, interrupt, start, uptime
from pinchtp.match.record import GameRecord, ScheduledGame, Termination

KEPT = 4  # engines that keep running in a match with more
LONG = 5.0  # seconds of suspend after which a game does not count
CLOSING = 5.0  # seconds for engines and their worker to end

# Not `python -m`: its classes would differ from the parent's.
_PROGRAM = f"import sys; from {__name__} import main; main(int(sys.argv[1]))"


@dataclass(frozen=True)
class LostGame:
    """A game without a record, because its worker ended or failed."""

    game: ScheduledGame
    reason: str


GameOutcome = GameRecord | LostGame
Cores = frozenset[int] | None  # processors; None: any


class WorkerEngines:
    """The engines of a worker, started when first needed."""

    def __init__(self, plan: MatchPlan, cores: Cores) -> None:
        self._plan = plan
        self._cores = cores
        self._configs = {engine.name: engine for engine in plan.engines}
        self._engines: dict[str, MatchEngine] = {}  # the most recently used last

    def play(self, game: ScheduledGame) -> GameRecord:
        black, white = self._engine(game.black), self._engine(game.white)
        for name in list(self._engines)[:-KEPT]:
            self._engines.pop(name).close()
        try:
            return play_game(game, self._plan, black, white)
        except BaseException:
            black.kill()
            white.kill()
            raise

    def close(self) -> None:
        for engine in self._engines.values():
            engine.close()

    def _engine(self, name: str) -> MatchEngine:
        engine = self._engines.pop(name, None) or MatchEngine(
            self._configs[name], self._plan, self._cores
        )
        self._engines[name] = engine
        return engine


class Worker:
    """A worker process, from the parent's side.

    connection: readable when `result` is ready. games: number of games started.
    """

    def __init__(self, plan: MatchPlan, cores: Cores = None) -> None:
        """cores: CPUs that its engines may use; None: any."""
        self.games = 0
        self._game: ScheduledGame | None = None
        self._process, self.connection = start([*python_command(), "-c", _PROGRAM])
        self.connection.send((plan, cores))

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def start(self, game: ScheduledGame) -> None:
        """Starts a game. If the worker has ended, `result` returns a LostGame."""
        self.games += 1
        self._game = game
        with contextlib.suppress(OSError):
            self.connection.send(game)

    def result(self) -> GameOutcome:
        """Waits for the started game."""
        assert self._game
        game = self._game
        self._game = None
        try:
            outcome: GameOutcome = self.connection.recv()
        except (EOFError, OSError):
            self.kill()
            return LostGame(
                game, f"its worker process ended with {exit_text(self._process.returncode)}"
            )
        return outcome

    def release(self) -> None:
        """Ends its game, its engines and the process, without waiting."""
        self.connection.close()

    def close(self) -> None:
        """Ends its game, its engines and the process."""
        self.release()
        try:
            self._process.wait(CLOSING)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """Kills the process; the guards of its engines kill them."""
        self.connection.close()
        self._process.kill()
        self._process.wait()


def main(number: int) -> None:
    """Plays the games that come through a connection until its other end is closed."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    connection = connected(number)
    games: queue.SimpleQueue[ScheduledGame] = queue.SimpleQueue()
    player = threading.get_ident()
    suspends = SuspendDetector()
    with contextlib.suppress(KeyboardInterrupt, EOFError, OSError):
        plan, cores = connection.recv()
        threading.Thread(target=_receive, args=(connection, games, player), daemon=True).start()
        with contextlib.closing(WorkerEngines(plan, cores)) as engines:
            while True:
                connection.send(_play(engines, games.get(), suspends))


def _receive(
    connection: AnyConnection, games: queue.SimpleQueue[ScheduledGame], player: int
) -> None:
    """Hands games to the playing thread, and interrupts it when the connection closes."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            games.put(connection.recv())
    interrupt(player)
    threading.Event().wait(CLOSING)
    os._exit(ExitStatus.FAILURE)


def _play(engines: WorkerEngines, game: ScheduledGame, suspends: SuspendDetector) -> GameOutcome:
    before = suspends.update()
    try:
        record = engines.play(game)
        seconds = suspends.update() - before
        if seconds >= LONG or (seconds and record.cause in (Termination.TIME, Termination.HUNG)):
            return LostGame(game, f"the machine was suspended for {seconds:.1f} s during the game")
        return record
    except Exception as error:
        with contextlib.suppress(OSError):  # of a closed terminal
            traceback.print_exc()
        return LostGame(game, f"internal error: {type(error).__name__}: {error}")


SCARCE = 0.05  # minimum share of free memory to start another game

_TOPOLOGY = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"


class GamePool(Protocol):
    """Plays games concurrently.

    warning: for users, before the first game; note: on the current state. Both may be empty.
    is_waiting: whether it has no workers.
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
        self.warning = CAVEAT
        self._plan = plan
        jobs = plan.jobs
        threads = max(engine.threads for engine in plan.engines)
        cores = core_sets(jobs, threads) if plan.pin else [None] * jobs
        if plan.pin and None in cores:
            scarce = (
                f"{jobs} concurrent games need {jobs * threads} CPU cores, more than this machine "
                "has: games share all cores"
            )
            self.warning = "; ".join(filter(None, (CAVEAT, scarce)))
        if plan.games > jobs:
            self.warning = self.warning or _idle_cores(jobs, threads)
        self._places = deque(cores)
        self._idle: list[tuple[Cores, Worker]] = []
        self._busy: list[tuple[Cores, Worker]] = []

    def check_engines(self) -> Mapping[str, Preflight]:
        return check_engines(self._plan)

    def free(self) -> int:
        share = _available_memory()
        scarce = share < SCARCE and bool(self._busy)  # one game is always tried
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
        done = [each for each in self._busy if each[1].connection in ready]
        return [self._result(*each) for each in done]

    def close(self) -> None:
        workers = [worker for _, worker in self._idle + self._busy]
        for worker in workers:
            worker.release()
        for worker in workers:
            worker.close()
        self._idle, self._busy = [], []

    def _result(self, place: Cores, worker: Worker) -> GameOutcome:
        self._busy.remove((place, worker))
        outcome = worker.result()
        if worker.is_alive:
            self._idle.append((place, worker))
        else:
            self._places.append(place)
        return outcome


def check_engines(plan: MatchPlan) -> dict[str, Preflight]:
    """Checks each engine; results by name. Raises EngineRejected."""
    return {engine.name: check_engine(engine, plan) for engine in plan.engines}


def core_sets(jobs: int, threads: int) -> list[Cores]:
    """Returns disjoint sets of CPUs for the games; None for each if there are too few."""
    cores = available_cores()
    if jobs * threads > len(cores):
        return [None] * jobs
    return [frozenset(cores[at * threads : (at + 1) * threads]) for at in range(jobs)]


def _idle_cores(jobs: int, threads: int) -> str:
    """Returns a note on cores that more games would use; empty if there are none.

    threads: cores that a game uses.
    """
    cores = len(available_cores())
    idle = cores - jobs * threads
    if idle < threads:
        return ""
    most = cores // threads
    return f"{idle} of {cores} cores stay idle: --jobs {most} plays {most} games at a time"


def available_cores() -> list[int]:
    """Returns the CPUs that this process may use, one of each physical core before its siblings."""
    return sorted(usable_processors(), key=lambda core: (_place_in_core(core), core))


def _place_in_core(core: int) -> int:
    """Returns 0 for the first CPU of a physical core, more for its hyperthreads."""
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
    """Returns the free share of this machine's memory."""
    memory = psutil.virtual_memory()
    return float(memory.available / memory.total)


LEAST = 1.0  # seconds of a suspend; shorter pauses are those of a busy machine
_TICK = 0.1  # seconds between readings of the clock


class SuspendDetector:
    """Sums the time for which this process was suspended since the detector's creation."""

    def __init__(self) -> None:
        self._total = 0.0
        self._last = uptime()
        self._lock = Lock()
        Thread(target=self._run, name="suspends", daemon=True).start()

    def update(self) -> float:
        """Returns the seconds of suspends so far, including one that has just ended."""
        with self._lock:
            now = uptime()
            gap = now - self._last - _TICK
            self._last = now
            if gap >= LEAST:
                self._total += gap
            return self._total

    def _run(self) -> None:
        while True:
            time.sleep(_TICK)
            self.update()
