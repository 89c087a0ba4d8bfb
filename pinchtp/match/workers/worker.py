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
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection

from pinchtp.base.process import ExitStatus
from pinchtp.client.process import ending
from pinchtp.match.game.controller import Controller
from pinchtp.match.game.engine_spec import EngineSpec
from pinchtp.match.game.play import play_game
from pinchtp.match.game.record import Cause, GameRecord
from pinchtp.match.game.rules import GameRules
from pinchtp.match.game.task import Task
from pinchtp.match.game.traffic import Log
from pinchtp.match.workers.standstill import Standstill

KEPT = 4  # engines that stay alive at a time, of matches that have more
LONG = 5.0  # seconds of standstill after which a game counts no more, whatever came of it
CLOSING = 5.0  # seconds that engines and their worker may take to end

# Not `python -m`: there its classes would be others than those of the one who started it.
_PROGRAM = f"import sys; from {__name__} import main; main(int(sys.argv[1]))"


@dataclass(frozen=True)
class WorkerConfig:
    """What a worker has to know before its first game. cores: None is any. log: of the engines."""

    rules: GameRules
    engines: Mapping[str, EngineSpec]
    cores: frozenset[int] | None = None
    log: Log | None = None


@dataclass(frozen=True)
class Lost:
    """A game that was begun and has no record, as its worker was lost or did not know on."""

    task: Task
    reason: str


Outcome = GameRecord | Lost


class EnginePool:
    """The engines of one worker, started when they are needed first."""

    def __init__(self, config: WorkerConfig) -> None:
        self._config = config
        self._engines: dict[str, Controller] = {}  # the one used last at the end

    def play(self, task: Task) -> GameRecord:
        black, white = self._engine(task.black), self._engine(task.white)
        for name in list(self._engines)[:-KEPT]:
            self._engines.pop(name).close()
        try:
            return play_game(task, self._config.rules, black, white)
        except BaseException:
            black.kill()
            white.kill()
            raise

    def close(self) -> None:
        for engine in self._engines.values():
            engine.close()

    def _engine(self, name: str) -> Controller:
        config = self._config
        engine = self._engines.pop(name, None) or Controller(
            config.engines[name],
            deadlines=config.rules.deadlines,
            memory_mb=config.rules.memory_mb,
            cores=config.cores,
            log=config.log,
        )
        self._engines[name] = engine
        return engine


class Worker:
    """A worker process, seen from the one who started it.

    connection: to wait for; when something is to be read, `result` has come. games: begun so far.
    """

    def __init__(self, config: WorkerConfig) -> None:
        self.games = 0
        self._task: Task | None = None
        self.connection, theirs = Pipe()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _PROGRAM, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C at a terminal is for the runner alone
            )
        self.connection.send(config)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def start(self, task: Task) -> None:
        """Begins a game. If the worker has ended, `result` says so."""
        self.games += 1
        self._task = task
        with contextlib.suppress(OSError):
            self.connection.send(task)

    def result(self) -> Outcome:
        """Waits for the game that was started."""
        assert self._task
        task, self._task = self._task, None
        try:
            outcome: Outcome = self.connection.recv()
        except (EOFError, OSError):
            self.kill()
            return Lost(task, f"its worker process ended with {ending(self._process.returncode)}")
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
    tasks: queue.SimpleQueue[Task] = queue.SimpleQueue()
    player, standstill = threading.get_ident(), Standstill()
    with contextlib.suppress(KeyboardInterrupt, EOFError, OSError):
        config: WorkerConfig = connection.recv()
        threading.Thread(target=_receive, args=(connection, tasks, player), daemon=True).start()
        with contextlib.closing(EnginePool(config)) as engines:
            while True:
                connection.send(_play(engines, tasks.get(), standstill))


def _receive(connection: Connection, tasks: queue.SimpleQueue[Task], player: int) -> None:
    """Hands games to the thread that plays, and stops it, whatever it does, at the end."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            tasks.put(connection.recv())
    signal.pthread_kill(player, signal.SIGINT)
    threading.Event().wait(CLOSING)
    os._exit(ExitStatus.FAILURE)


def _play(engines: EnginePool, task: Task, standstill: Standstill) -> Outcome:
    before = standstill.update()
    try:
        record = engines.play(task)
        stood = standstill.update() - before
        if stood >= LONG or (stood and record.cause in (Cause.TIME, Cause.HUNG)):
            return Lost(task, f"the machine stood still for {stood:.1f} s in the middle of it")
        return record
    except Exception as error:
        with contextlib.suppress(OSError):  # the terminal may be gone
            traceback.print_exc()
        return Lost(task, f"internal error: {type(error).__name__}: {error}")
