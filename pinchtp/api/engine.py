"""Engines, for Python: ours in this process, or any other over GTP; and the solver."""

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
from pinchtp.games.play_result import PlayResult
from pinchtp.games.session import Session
from pinchtp.player.network import Networks
from pinchtp.player.player import Limits, Player
from pinchtp.player.settings import OPTIONS, STRENGTH, TIME, VISITS, Settings
from pinchtp.render.text import status_text

NOT_HERE = ("lag", "ponder")  # options of games with a clock
ENGINE_OPTIONS = {
    name: option
    for name, option in OPTIONS.items()
    if option.group == STRENGTH and name not in NOT_HERE
}
INTERVAL = 0.2  # seconds between the results of an analysis
MEMORY = Int(1, 2**20)  # MB, of another engine
SOLVING = Float(0, math.inf)  # seconds
GIVE_WAY = 0.05  # seconds between looks for an analysis that has to make way


class EngineClosed(EngineError):
    """The engine was closed, before a call or during it."""


@dataclass(frozen=True, slots=True)
class _Call:
    """A call that an engine works on. gives_way: other calls end it."""

    stop: Stop
    gives_way: bool


class _Dropped(Exception):
    """An analysis was stopped before it began."""


class Engine(Resource):
    """An engine: chooses moves and analyzes positions. Use it in a `with` statement.

    Any thread may call it, and any asyncio task through asyncio.to_thread(); it does one thing at
    a time. play() and analyse() wait for each other; an analysis() that runs makes way for them.
    Games may change while it works on them: it has a copy. It belongs to the process that made it:
    in a forked child its methods raise EngineError.
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
        """Makes our engine in this process.

        Options are those of the command line, None for the default: level: 1 to 20. time, visits:
        limits of searches without one. threads: of a search. seed: for reproducible play. memory:
        MB of the tree. network: `default`, `none` or a file. search: `mcts`, `alpha-beta`, `uct` or
        `auto`. resign: below this winrate. Raises ValueError.
        """
        given: dict[str, object] = {
            **{"level": level, "time": time, "visits": visits, "threads": threads, "seed": seed},
            **{"memory": memory, "network": network, "search": search, "resign": resign},
        }
        given = {name: value for name, value in given.items() if value is not None}
        settings = _settings({**given, **unknown})
        networks = Networks(settings.network)
        settings.game = networks.game or settings.game
        self._settings = settings
        time = settings.time if settings.time or settings.visits else settings.move_seconds
        limits = Limits(math.inf if time is None else time, settings.visits)
        self._set(OwnEngine(settings, networks), limits)

    @classmethod
    def popen(
        cls,
        command: str | Sequence[str],
        *,
        timeout: float = 30.0,
        memory_mb: int | None = None,
        startup: Sequence[str] = (),
    ) -> Self:
        """Starts a GTP engine, whose methods are the same.

        command: its command line. timeout: seconds for a response that needs no thought. memory_mb:
        beyond which it is killed. startup: commands that it is sent first. It is killed at the end
        of the `with` block. Raises EngineError.
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
        self._is_closed = False
        self._owner = Owner()

    @property
    def name(self) -> str:
        """The name of the program."""
        return self._backend.name

    @property
    def version(self) -> str:
        return self._backend.version

    @property
    def options(self) -> dict[str, object]:
        """The options of our engine and their values; empty for others."""
        if self._settings is None:
            return {}
        return {name: self._settings.value(name) for name in ENGINE_OPTIONS}

    def __repr__(self) -> str:
        return f"<Engine {self.name} {self.version}>"

    def play(
        self, game: Game, *, time: float | None = None, visits: int | None = None
    ) -> PlayResult:
        """Chooses a move for the side to move; the game stays as it is.

        time: seconds. visits: at most. Raises ValueError if the game is over, and EngineError,
        EngineClosed if the engine is closed before it has a result.
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
        """Searches a position; arguments and errors as of play().

        ownership: who will own each point, too, if the engine reports it.
        """
        session = _open(game)
        limits = self._limits(time, visits)
        check_type("ownership", ownership, bool, "True or False")
        if limits == Limits():
            limits = Limits(seconds=1.0)  # other engines would not stop
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
        """Searches a position in the background, without end unless it is limited.

        interval: seconds between results. Other arguments and errors as of analyse().
        """
        session = _open(game)
        limits = _limits(time, visits)
        interval = number("interval", interval, TIME)
        check_type("ownership", ownership, bool, "True or False")

        def run(feed: Feed) -> None:
            with suppress(_Dropped), self._alone(_Call(feed.stop, gives_way=True)):
                self._backend.analyze(
                    session,
                    replace(limits, should_stop=feed.stop.is_set),
                    feed.put,
                    interval=interval,
                    ownership=ownership,
                )

        self._owner.check()
        return AnalysisStream(run)

    def close(self) -> None:
        """Ends the engine, and a call that it works on. May be called again, from any thread."""
        self._is_closed = True
        if not self._owner.is_here:
            return
        self._stop_call()
        while not self._busy.acquire(timeout=GIVE_WAY):
            self._stop_call()
        try:
            if self._call is None:  # else it is this thread's, and closes the engine as it ends
                self._backend.close()
        finally:
            self._busy.release()

    def _limits(self, time: float | None, visits: int | None) -> Limits:
        given = _limits(time, visits)
        return self._default_limits if given == Limits() else given

    @contextmanager
    def _alone(self, call: _Call) -> Iterator[None]:
        """Waits until nothing else is done; an analysis that runs is stopped.

        Raises EngineClosed if the engine is closed, by then or before the call has its result.
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
        """Reserves the engine for a call, unless the call is dropped first."""
        self._owner.check()
        self._stop_analysis()
        while not self._busy.acquire(timeout=GIVE_WAY):
            if call.stop.is_set():
                raise _Dropped
            self._stop_analysis()
        if self._call is not None:  # a signal handler calls
            self._busy.release()
            raise EngineError("the engine is busy with another call of this thread")

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise EngineClosed("the engine is closed")

    def _stop_analysis(self) -> None:
        call = self._call
        if call is not None and call.gives_way:
            call.stop.set()

    def _stop_call(self) -> None:
        call = self._call
        if call is not None:
            call.stop.set()


def _open(game: Game) -> Session:
    """Returns a copy of a game that is not over. Raises ValueError."""
    check_type("game", game, Game, "a pinchtp.Game")
    if game.is_over:
        raise ValueError(f"the game is over: {status_text(game.session)}")
    return game.session.copy()


def _limits(time: float | None, visits: int | None) -> Limits:
    """Returns the limits of a search, checked for every engine. Raises ValueError."""
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


def solve(game: Game, *, seconds: float = math.inf, memory: int = 512) -> Solved:
    """Proves who wins a game from its position, whatever the opponent does.

    seconds: to try. memory: MB, at most. Raises ValueError if the game is over, MemoryError if the
    system refuses the memory. Ctrl-C passes through.
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
