"""A process that plays games, one after another, and keeps the engines alive between them.

Games have processes of their own so that the time of a move is not measured by a program that is
busy with other games, the store or the display. `Worker` is the end of it that starts games; the
process itself runs `main`. It ends, and its engines with it, when the one who started it does.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path
from threading import Lock, Thread
from typing import Protocol

import psutil

from pinchtp.base.process import ExitStatus
from pinchtp.client.process import exit_text
from pinchtp.match.admission import Admission, check_engine
from pinchtp.match.engine import MatchEngine
from pinchtp.match.game import play_game
from pinchtp.match.plan import MatchPlan
from pinchtp.match.record import GameRecord, ScheduledGame, Termination

KEPT = 4  # engines that stay alive at a time, of matches that have more
LONG = 5.0  # seconds of standstill after which a game counts no more, whatever came of it
CLOSING = 5.0  # seconds that engines and their worker may take to end

# Not `python -m`: there its classes would be others than those of the one who started it.
_PROGRAM = f"import sys; from {__name__} import main; main(int(sys.argv[1]))"


@dataclass(frozen=True)
class LostGame:
    """A game that was begun and has no record, as its worker was lost or did not know on."""

    game: ScheduledGame
    reason: str


GameOutcome = GameRecord | LostGame
Cores = frozenset[int] | None  # processors; None: any


class WorkerEngines:
    """The engines of one worker, started when they are needed first."""

    def __init__(self, plan: MatchPlan, cores: Cores) -> None:
        self._plan, self._cores = plan, cores
        self._configs = {engine.name: engine for engine in plan.engines}
        self._engines: dict[str, MatchEngine] = {}  # the one used last at the end

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
    """A worker process, seen from the one who started it.

    connection: to wait for; when something is to be read, `result` has come. games: begun so far.
    """

    def __init__(self, plan: MatchPlan, cores: Cores = None) -> None:
        """cores: that its engines may use; None: any."""
        self.games = 0
        self._game: ScheduledGame | None = None
        self.connection, theirs = Pipe()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _PROGRAM, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C at a terminal is for the runner alone
            )
        self.connection.send((plan, cores))

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def start(self, game: ScheduledGame) -> None:
        """Begins a game. If the worker has ended, `result` says so."""
        self.games += 1
        self._game = game
        with contextlib.suppress(OSError):
            self.connection.send(game)

    def result(self) -> GameOutcome:
        """Waits for the game that was started."""
        assert self._game
        game, self._game = self._game, None
        try:
            outcome: GameOutcome = self.connection.recv()
        except (EOFError, OSError):
            self.kill()
            return LostGame(
                game, f"its worker process ended with {exit_text(self._process.returncode)}"
            )
        return outcome

    def release(self) -> None:
        """Tells it to end, its game and its engines too, without waiting."""
        self.connection.close()

    def close(self) -> None:
        """Ends it, its game and its engines."""
        self.release()
        try:
            self._process.wait(CLOSING)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """Ends it at once; the guards of its engines end those."""
        self.connection.close()
        self._process.kill()
        self._process.wait()


def main(descriptor: int) -> None:
    """Plays the games that come through a socket until its other end is closed."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    connection = Connection(descriptor)
    games: queue.SimpleQueue[ScheduledGame] = queue.SimpleQueue()
    player, standstill = threading.get_ident(), SuspendDetector()
    with contextlib.suppress(KeyboardInterrupt, EOFError, OSError):
        plan, cores = connection.recv()
        threading.Thread(target=_receive, args=(connection, games, player), daemon=True).start()
        with contextlib.closing(WorkerEngines(plan, cores)) as engines:
            while True:
                connection.send(_play(engines, games.get(), standstill))


def _receive(connection: Connection, games: queue.SimpleQueue[ScheduledGame], player: int) -> None:
    """Hands games to the thread that plays, and stops it, whatever it does, at the end."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            games.put(connection.recv())
    signal.pthread_kill(player, signal.SIGINT)
    threading.Event().wait(CLOSING)
    os._exit(ExitStatus.FAILURE)


def _play(engines: WorkerEngines, game: ScheduledGame, standstill: SuspendDetector) -> GameOutcome:
    before = standstill.update()
    try:
        record = engines.play(game)
        stood = standstill.update() - before
        if stood >= LONG or (stood and record.cause in (Termination.TIME, Termination.HUNG)):
            return LostGame(game, f"the machine stood still for {stood:.1f} s in the middle of it")
        return record
    except Exception as error:
        with contextlib.suppress(OSError):  # the terminal may be gone
            traceback.print_exc()
        return LostGame(game, f"internal error: {type(error).__name__}: {error}")


SCARCE = 0.05  # share of the memory that must be left for another game to begin

_TOPOLOGY = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"


class GamePool(Protocol):
    """Plays games, several at a time.

    warning: what users should know about it before the first game; note: what they should know now.
    Both may be empty.
    """

    warning: str
    note: str

    def check_engines(self) -> Mapping[str, Admission]:
        """Checks each engine; results by name. Raises EngineRejected."""

    def free(self) -> int:
        """Returns how many games can be begun now."""

    def start(self, game: ScheduledGame) -> None:
        """Begins a game; its outcome comes by `wait`."""

    def wait(self, timeout: float) -> list[GameOutcome]:
        """Returns outcomes that have come; waits at most that many seconds for the first."""

    def close(self) -> None:
        """Ends all games and engines."""


class WorkerPool:
    """Worker processes on this machine, one for each game at a time.

    Both engines of a game run on the same processors, which no other game has, if there are as many
    as `jobs` games need.
    """

    def __init__(self, plan: MatchPlan) -> None:
        self.note = self.warning = ""
        self._plan = plan
        jobs, threads = plan.jobs, max(engine.threads for engine in plan.engines)
        cores = core_sets(jobs, threads) if plan.pin else [None] * jobs
        if plan.pin and None in cores:
            self.warning = (
                f"{jobs} games at a time need {jobs * threads} processor cores, more than this "
                "machine has: no game gets cores of its own"
            )
        self._places = deque(cores)
        self._idle: list[tuple[Cores, Worker]] = []
        self._busy: list[tuple[Cores, Worker]] = []

    def check_engines(self) -> Mapping[str, Admission]:
        return check_engines(self._plan)

    def free(self) -> int:
        share = _available_memory()
        scarce = share < SCARCE and bool(self._busy)  # one game is always worth a try
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


def check_engines(plan: MatchPlan) -> dict[str, Admission]:
    """Checks each engine; results by name. Raises EngineRejected."""
    return {engine.name: check_engine(engine, plan) for engine in plan.engines}


def core_sets(jobs: int, threads: int) -> list[Cores]:
    """Returns processors for each of the games, none of them twice; None if there are too few."""
    cores = _cores()
    if jobs * threads > len(cores):
        return [None] * jobs
    return [frozenset(cores[at * threads : (at + 1) * threads]) for at in range(jobs)]


def _cores() -> list[int]:
    """Returns the processors that we may use, the first of each physical core before any second
    one.
    """
    if not hasattr(os, "sched_getaffinity"):
        return []
    return sorted(os.sched_getaffinity(0), key=lambda core: (_place_in_core(core), core))


def _place_in_core(core: int) -> int:
    """Returns 0 for the first processor of a physical core, more for its hyperthreads."""
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
    """Returns the share of this machine's memory that programs may still take."""
    memory = psutil.virtual_memory()
    return float(memory.available / memory.total)


LEAST = 1.0  # seconds; a busy machine may let a process wait for less
_TICK = 0.1  # seconds between readings of the clock

# Linux has a clock that goes on while the machine is suspended.
_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class SuspendDetector:
    """Adds up the time for which this process did not run, from its creation on."""

    def __init__(self) -> None:
        self._total = 0.0
        self._last = time.clock_gettime(_CLOCK)
        self._lock = Lock()
        Thread(target=self._run, name="standstill", daemon=True).start()

    def update(self) -> float:
        """Takes the time since the last reading into account.

        Returns the seconds of standstills of LEAST and more so far, also right after one.
        """
        with self._lock:
            now = time.clock_gettime(_CLOCK)
            gap, self._last = now - self._last - _TICK, now
            if gap >= LEAST:
                self._total += gap
            return self._total

    def _run(self) -> None:
        while True:
            time.sleep(_TICK)
            self.update()
