"""Worker processes, which play one game after another and keep the engines running between them.

Games run in separate processes, so that other games, the store and the display do not disturb the
measured times. `Worker` is the parent's side, which starts games; the process itself runs `main`.
The process and its engines end when the parent ends.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import threading
import traceback
from dataclasses import dataclass

from pinchtp.base.process import ExitStatus, python_command
from pinchtp.client.process import exit_text
from pinchtp.match.plan import MatchPlan
from pinchtp.match.playing.cores import Cores
from pinchtp.match.playing.engine import MatchEngine
from pinchtp.match.playing.game import play_game
from pinchtp.match.playing.suspend import SuspendDetector
from pinchtp.match.playing.worker_process import AnyConnection, connect, interrupt, start
from pinchtp.match.record import GameRecord, ScheduledGame, Termination

MAX_ENGINES = 4  # running engines per worker
VOID_SUSPEND_SECONDS = 5.0  # of suspends in a game, after which it is replayed
CLOSE_SECONDS = 5.0  # for engines and their worker to end

# Not `python -m`: its classes would differ from the parent's.
_PROGRAM = f"import sys; from {__name__} import main; main(int(sys.argv[1]))"


@dataclass(frozen=True)
class LostGame:
    """A game without a record, because its worker ended or failed."""

    game: ScheduledGame
    reason: str


GameOutcome = GameRecord | LostGame


class WorkerEngines:
    """The engines of a worker, started when first needed."""

    def __init__(self, plan: MatchPlan, cores: Cores) -> None:
        self._plan = plan
        self._cores = cores
        self._configs = {engine.name: engine for engine in plan.engines}
        self._engines: dict[str, MatchEngine] = {}  # the most recently used last
        # An engine that ponders would also think during the games of others.
        self._most = 2 if any(map(plan.ponders, plan.engines)) else MAX_ENGINES

    def play(self, game: ScheduledGame) -> GameRecord:
        black, white = self._engine(game.black), self._engine(game.white)
        for name in list(self._engines)[: -self._most]:
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
        """Makes the game, the engines and the process end, without waiting."""
        self.connection.close()

    def close(self) -> None:
        """Ends the game, the engines and the process."""
        self.release()
        try:
            self._process.wait(CLOSE_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """Kills the process; the guards of its engines kill the engines."""
        self.connection.close()
        self._process.kill()
        self._process.wait()


def main(number: int) -> None:
    """Plays the games received through a connection until its other end is closed."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    connection = connect(number)
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
    threading.Event().wait(CLOSE_SECONDS)
    os._exit(ExitStatus.FAILURE)


def _play(engines: WorkerEngines, game: ScheduledGame, suspends: SuspendDetector) -> GameOutcome:
    before = suspends.update()
    try:
        record = engines.play(game)
        seconds = suspends.update() - before
        is_late = record.termination in (Termination.TIME, Termination.HUNG)
        if seconds >= VOID_SUSPEND_SECONDS or (seconds and is_late):
            return LostGame(game, f"the machine was suspended for {seconds:.1f} s during the game")
        return record
    except Exception as error:
        with contextlib.suppress(OSError):  # of a closed terminal
            traceback.print_exc()
        return LostGame(game, f"internal error: {type(error).__name__}: {error}")
