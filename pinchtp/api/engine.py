"""The engine and the solver of the Python interface.

An engine is ours, in this process, or a GTP program in a subprocess.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import RLock
from typing import Never, Self

from pinchtp.api.arguments import check_type, number, texts, whole
from pinchtp.api.feed import Feed, Owner, Stop
from pinchtp.api.game import Game
from pinchtp.api.stream import AnalysisStream
from pinchtp.base.option_types import Float, Int
from pinchtp.base.process import Resource
from pinchtp.client.errors import EngineError
from pinchtp.engine.analysis import Analysis, Solved
from pinchtp.engine.engine import EngineProtocol, analyze
from pinchtp.engine.own import OwnEngine
from pinchtp.games import GAMES
from pinchtp.games.play_result import PlayResult
from pinchtp.games.session import Session
from pinchtp.player.network import Networks
from pinchtp.player.player import Limits, Player
from pinchtp.player.settings import AUTO, OPTIONS, STRENGTH, TIME, VISITS, Settings
from pinchtp.render.text import status_text

NOT_HERE = ("lag", "ponder")  # options for games with a clock
ENGINE_OPTIONS = {
    name: option
    for name, option in OPTIONS.items()
    if option.group == STRENGTH and name not in NOT_HERE
}
INTERVAL = 0.2  # seconds between the results of an analysis
MEMORY = Int(1, 2**20)  # MB of a GTP program
SOLVING = Float(0, math.inf)  # seconds
RECHECK = 0.05  # seconds after which a waiting call looks again for an analysis to stop


class EngineClosed(EngineError):
    """The engine was closed before or during the call."""


@dataclass(frozen=True, slots=True)
class _Call:
    """A call that uses the engine. gives_way: other calls stop it."""

    stop: Stop
    gives_way: bool


class _Dropped(Exception):
    """An analysis was stopped before it began."""


class Engine(Resource):
    """An engine that chooses moves and analyzes positions. Use it in a `with` statement.

    Any thread may call its methods, and an asyncio task may call them with asyncio.to_thread(). The
    calls run one at a time. play() and analyse() wait for each other. Every call stops the
    analysis() before it, even one that waits. Methods search a copy of the game, so the game may
    change during a call.

    An engine belongs to the process that created it. In a forked child, its methods raise
    EngineError.
    """

    def __init__(  # noqa: PLR0913  (the options of the command line)
        self,
        *,
        level: int | None = None,
        time: float | None = None,
        visits: int | None = None,
        threads: int | None = None,
        seed: int | None = None,
        memory: int | None = None,
        network: str | Path | None = None,
        search: str | None = None,
        resign: float | None = None,
        **unknown: Never,
    ) -> None:
        """Creates our engine in this process.

        The arguments are the options of the command line; None means the default.

        level: strength, from 1, a beginner, to 20, full strength; default: 20.
        time: maximum seconds of a search whose call has no limit; default: 1, or no limit with
        visits.
        visits: maximum visits of a search whose call has no limit; default: no limit.
        threads: the number of search threads; default: 1.
        seed: the seed for reproducible play with one thread and limited visits; default: random.
        memory: the maximum size of the search tree in MB (2**20 bytes); default: 512.
        network: `default`, `none` for playouts, or a file.
        search: `auto`, `mcts`, `alpha-beta` (Bushka only) or `uct`; a game without it is searched
        as with `auto`.
        resign: the winrate, in [0, 1], below which play() resigns; default: never.

        Raises ValueError for an unknown or invalid option, and NetworkError, which is a
        ValueError, for a file that is not a network.
        """
        given: dict[str, object] = {
            **{"level": level, "time": time, "visits": visits, "threads": threads, "seed": seed},
            **{"memory": memory, "network": network, "search": search, "resign": resign},
        }
        given = {name: value for name, value in given.items() if value is not None}
        settings = _settings({**given, **unknown})
        networks = Networks(settings.network)
        settings.game = networks.game or _game_with(settings.search)
        self._settings = settings
        self._set(OwnEngine(settings, networks), Limits(settings.move_seconds, settings.visits))

    @classmethod
    def popen(
        cls,
        command: str | Sequence[str],
        *,
        timeout: float = 30.0,
        memory_mb: int | None = None,
        startup: Sequence[str] = (),
    ) -> Self:
        """Starts a GTP program as a subprocess, and returns an engine with the same methods.

        The program ends at the end of the `with` block, and is killed if it does not.

        command: the command line, as a text or a list of its words.
        timeout: maximum seconds for the start, and for a response that needs no search.
        memory_mb: the program is killed when it and its subprocesses use more memory, in MB (2**20
        bytes); default: no limit.
        startup: GTP commands to send after the start.

        Raises ValueError for an invalid argument, and EngineError if the program does not start,
        respond in time or accept a startup command.
        """
        if not isinstance(command, str):
            command = texts("command", command, "a command line, or a list of its words")
        from pinchtp.engine.gtp import ForeignEngine  # noqa: PLC0415  (few programs need it)

        foreign = ForeignEngine(
            command,
            timeout=number("timeout", timeout, TIME),
            memory_mb=None if memory_mb is None else whole("memory_mb", memory_mb, MEMORY),
            startup=texts("startup", startup, "a list of commands"),
        )
        engine = cls.__new__(cls)
        engine._settings = None
        engine._set(foreign, Limits())
        return engine

    _settings: Settings | None  # of our engine

    def _set(self, backend: EngineProtocol, limits: Limits) -> None:
        self._backend = backend
        self._default_limits = limits
        self._busy = RLock()
        self._call: _Call | None = None
        self._order = RLock()  # of analyses; a signal handler may begin one while another begins
        self._last_analysis = Stop()
        self._is_closed = False
        self._owner = Owner()

    @property
    def name(self) -> str:
        """The name of the program."""
        return self._backend.name

    @property
    def version(self) -> str:
        """The version of the program."""
        return self._backend.version

    @property
    def options(self) -> dict[str, object]:
        """The options of our engine and their values, by name; empty for a GTP program."""
        if self._settings is None:
            return {}
        return {name: self._settings.value(name) for name in ENGINE_OPTIONS}

    def __repr__(self) -> str:
        return f"<Engine {self.name} {self.version}>"

    def play(
        self, game: Game, *, time: float | None = None, visits: int | None = None
    ) -> PlayResult:
        """Chooses a move for the side to move, without playing it in the game.

        time: maximum seconds of the search.
        visits: maximum visits of the search; with our engine, earlier searches of the game count.
        Without both, the limits of the engine apply; a GTP program then chooses its own time.

        Raises ValueError for an invalid argument or a game that is over, NetworkError, which is a
        ValueError, for a network of another game, and MemoryError if the search tree cannot be
        allocated. Raises EngineClosed if the engine is closed before or during the call, and
        another EngineError if the engine fails.
        """
        session = _open(game)
        limits = self._limits(time, visits)
        call = _Call(Stop(), gives_way=False)
        with self._alone(call):
            return self._backend.play(session, replace(limits, should_stop=call.stop.is_set))

    def analyse(
        self,
        game: Game,
        *,
        time: float | None = None,
        visits: int | None = None,
        ownership: bool = True,
    ) -> Analysis:
        """Searches the position of a game and returns the result.

        time: maximum seconds of the search.
        visits: maximum visits of the search; with our engine, earlier searches of the game count.
        Without both, the limits of the engine apply; a GTP program then searches for 1 s.
        ownership: whether the result has the expected owners of the points, if the engine supports
        it.

        Raises the errors of play(), and EngineError if the search ends without a result.
        """
        session = _open(game)
        limits = self._limits(time, visits)
        check_type("ownership", ownership, bool, "True or False")
        if limits == Limits():
            limits = Limits(seconds=1.0)  # a GTP program would not stop
        call = _Call(Stop(), gives_way=False)
        with self._alone(call):
            limits = replace(limits, should_stop=call.stop.is_set)
            result = analyze(self._backend, session, limits, ownership=ownership)
        if result is None:
            raise EngineError(f"{self.name}: the analysis ended without a result")
        return result

    def analysis(
        self,
        game: Game,
        *,
        time: float | None = None,
        visits: int | None = None,
        interval: float = INTERVAL,
        ownership: bool = True,
    ) -> AnalysisStream:
        """Searches the position of a game in the background.

        time: maximum seconds of the search.
        visits: maximum visits of the search; with our engine, earlier searches of the game count.
        Without both, the search runs until it is stopped; the limits of the engine do not apply.
        interval: seconds between results.
        ownership: whether results have the expected owners of the points, if the engine supports
        it.

        Raises ValueError for an invalid argument or a game that is over, and EngineError in a
        forked child. The stream raises the other errors of play().
        """
        session = _open(game)
        limits = _limits(time, visits)
        interval = number("interval", interval, TIME)
        check_type("ownership", ownership, bool, "True or False")

        stop = Stop()

        def run(feed: Feed) -> None:
            with suppress(_Dropped), self._alone(_Call(stop, gives_way=True)):
                self._backend.analyze(
                    session,
                    replace(limits, should_stop=stop.is_set),
                    feed.put,
                    interval=interval,
                    ownership=ownership,
                )

        self._owner.check()
        with self._order:
            self._last_analysis.set()  # here, because its thread may start after this one's
            self._last_analysis = stop
        return AnalysisStream(run, stop)

    def close(self) -> None:
        """Ends the engine and its running call. May be called again, and from any thread."""
        self._is_closed = True
        if not self._owner.is_here:
            return
        self._stop_call()
        while not self._busy.acquire(timeout=RECHECK):
            self._stop_call()
        try:
            if self._call is None:  # else it is this thread's call, which closes the engine
                self._backend.close()
        finally:
            self._busy.release()

    def _limits(self, time: float | None, visits: int | None) -> Limits:
        given = _limits(time, visits)
        return self._default_limits if given == Limits() else given

    @contextmanager
    def _alone(self, call: _Call) -> Iterator[None]:
        """Reserves the engine for a call within the block, after stopping an earlier analysis.

        Raises EngineClosed if the engine was closed before the block, or closed during it and the
        call needs a result.
        """
        self._wait(call)
        try:
            self._refuse_if_closed()
            self._call = call
            yield
            if not call.gives_way:
                self._refuse_if_closed()
        finally:
            self._call = None
            if self._is_closed:
                self._backend.close()
            self._busy.release()

    def _wait(self, call: _Call) -> None:
        """Reserves the engine for a call.

        Raises _Dropped if the call is stopped first, and EngineError in another process or while
        this thread is in another call.
        """
        self._owner.check()
        if not call.gives_way:
            self._last_analysis.set()
        while not self._busy.acquire(timeout=RECHECK):
            if call.stop.is_set():
                raise _Dropped
            if not call.gives_way:
                self._stop_analysis()
        if self._call is not None:  # called by a signal handler during a call
            self._busy.release()
            raise EngineError("the engine is busy with another call of this thread")

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise EngineClosed("the engine is closed")

    def _stop_analysis(self) -> None:
        """Stops an analysis that has reserved the engine before a call that waits for it."""
        call = self._call
        if call is not None and call.gives_way:
            call.stop.set()

    def _stop_call(self) -> None:
        call = self._call
        if call is not None:
            call.stop.set()


def _open(game: Game) -> Session:
    """Returns a copy of the session of a game. Raises ValueError if the game is over."""
    check_type("game", game, Game, "a pinchtp.Game")
    if game.is_over:
        raise ValueError(f"the game is over: {status_text(game.session)}")
    return game.session.copy()


def _limits(time: float | None, visits: int | None) -> Limits:
    """Returns the limits of a search. Raises ValueError for a limit out of range."""
    return Limits(
        math.inf if time is None else number("time", time, TIME),
        None if visits is None else whole("visits", visits, VISITS),
    )


def _settings(options: Mapping[str, object]) -> Settings:
    """Returns settings of our engine. Raises ValueError for an unknown or invalid option."""
    settings = Settings()
    for name, value in options.items():
        if name not in ENGINE_OPTIONS:
            raise ValueError(f"unknown option {name!r}: expected {', '.join(ENGINE_OPTIONS)}")
        try:
            settings.set(name, value)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    return settings


def _game_with(search: str) -> str:
    """Returns the name of the first game that has a search, for the check of the settings."""
    return next(name for name, game in GAMES.items() if search in (AUTO, *game.searches))


def solve(game: Game, *, seconds: float = math.inf, memory: int = 512) -> Solved:
    """Solves the position of a game: proves its result with best play.

    seconds: maximum time.
    memory: memory of the solver in MB (2**20 bytes).

    Raises ValueError for an invalid argument or a game that is over, and MemoryError if the memory
    cannot be allocated. Ctrl-C raises KeyboardInterrupt.
    """
    session = _open(game)
    settings = Settings()
    seconds = number("seconds", seconds, SOLVING)
    try:
        settings.set("memory", memory)
    except ValueError as error:
        raise ValueError(f"memory: {error}") from None
    position = session.position
    return Solved.of(session, Player(settings).solver(position).solve(position, seconds))
