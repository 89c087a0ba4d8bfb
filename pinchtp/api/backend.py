"""The engines that `Engine` drives: our own in this process, and any GTP engine as a subprocess."""

from __future__ import annotations

import math
import shlex
import warnings
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from pinchtp import __version__
from pinchtp.api.feed import Feed, Stop
from pinchtp.api.results import Analysis, PlayResult, Winrate
from pinchtp.games import Color
from pinchtp.player.network import Networks
from pinchtp.player.player import Limits, Player
from pinchtp.player.settings import OPTIONS, STRENGTH, Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinchtp.client.analysis import AnalysisLine
    from pinchtp.games.session import Session

NOT_HERE = ("lag", "ponder")  # options of games with a clock
ENGINE_OPTIONS = {
    name: option
    for name, option in OPTIONS.items()
    if option.group == STRENGTH and name not in NOT_HERE
}
THOUGHT = 600.0  # seconds that a GTP engine may take for a move without a limit


@dataclass(frozen=True, slots=True)
class Limit:
    """When a search ends, whichever comes first; None: not by this."""

    time: float | None = None
    visits: int | None = None


class Backend(Protocol):
    """An engine. Its methods run one at a time, on any thread."""

    name: str
    version: str

    def choose(self, session: Session, limit: Limit, stop: Stop) -> PlayResult:
        """Chooses a move. Raises EngineError."""

    def analyze(
        self, session: Session, limit: Limit, interval: float, ownership: bool, feed: Feed
    ) -> None:
        """Feeds results at an interval in seconds, and the last at the end."""

    def close(self) -> None:
        """Ends the engine."""


class OwnEngine:
    """Our engine in this process."""

    name = "pinchtp"
    version = __version__

    def __init__(self, options: dict[str, object]) -> None:
        """Raises ValueError for an unknown option or an invalid value."""
        self.settings = Settings()
        for name, value in options.items():
            if name not in ENGINE_OPTIONS:
                raise ValueError(f"no option {name!r}; there are {', '.join(ENGINE_OPTIONS)}")
            try:
                self.settings.set(name, value)
            except ValueError as error:
                raise ValueError(f"{name}: {error}") from None
        networks = Networks(self.settings.network)
        self.settings.game = networks.game or self.settings.game
        self._player = Player(self.settings, networks)

    def choose(self, session: Session, limit: Limit, stop: Stop) -> PlayResult:
        began = monotonic()
        player, limits = self._player, _limits(limit, stop)
        report = player.search_at_level(session, limits)
        winrate = None if report.winrate is None else Winrate(report.winrate, session.to_move)
        resign = self.settings.resign
        if resign is not None and winrate is not None and winrate < resign:
            return PlayResult("resign", winrate, monotonic() - began)
        left = limits.seconds - (monotonic() - began)
        choice = player.choose(session, report)
        moves = player.complete_turn(session, choice, report.visits, left)
        return PlayResult(session.format(moves), winrate, monotonic() - began)

    def analyze(
        self, session: Session, limit: Limit, interval: float, ownership: bool, feed: Feed
    ) -> None:
        for report in self._player.reports(session, _limits(limit, feed.stop), interval):
            owners = self._player.ownership(session) if ownership else None
            analysis = Analysis.of(session, report, owners)
            if analysis is not None and not feed.put(analysis):
                return

    def close(self) -> None:
        self._player.forget()


def _limits(limit: Limit, stop: Stop) -> Limits:
    seconds = math.inf if limit.time is None else limit.time
    return Limits(seconds, limit.visits, stop.is_set)


class ForeignEngine:
    """A GTP engine as a subprocess."""

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        timeout: float,
        memory_mb: int | None,
        startup: Sequence[str],
    ) -> None:
        """Starts it; arguments as of Engine.popen(). Raises EngineError."""
        from pinchtp.client.engine import EngineProcess  # noqa: PLC0415  (few programs need it)
        from pinchtp.client.position import EnginePosition  # noqa: PLC0415

        self._command = command if isinstance(command, str) else shlex.join(command)
        self._engine = EngineProcess(
            command,
            timeout=timeout,
            start_timeout=timeout,
            memory_mb=memory_mb,
            startup=startup,
        )
        self._position = EnginePosition(self._engine)
        with self._errors():
            self._engine.start()
        self.name, self.version = self._engine.name, self._engine.version

    def choose(self, session: Session, limit: Limit, stop: Stop) -> PlayResult:
        with self._errors():
            self._go_to(session, stop)
            self._tell(limit)
            timeout = THOUGHT if limit.time is None else 2 * limit.time + self._engine.timeout
            move = self._position.genmove(session, timeout)
        winrate = None if move.winrate is None else Winrate(move.winrate, session.to_move)
        return PlayResult(move.text, winrate, move.seconds)

    def analyze(
        self, session: Session, limit: Limit, interval: float, ownership: bool, feed: Feed
    ) -> None:
        deadline = monotonic() + (math.inf if limit.time is None else limit.time)
        due = monotonic() + interval
        last: Analysis | None = None

        def see(line: AnalysisLine) -> bool:
            nonlocal last, due
            last = Analysis.of_line(session, line)
            now = monotonic()
            if now >= deadline or (limit.visits is not None and last.visits >= limit.visits):
                return False
            if now < due:
                return True
            due = now + interval
            shown, last = last, None
            return feed.put(shown)

        with self._errors():
            self._go_to(session, feed.stop)
            self._engine.analyze(session.to_move, see, ownership=ownership)
        if last is not None:
            feed.put(last)

    def close(self) -> None:
        self._engine.close()

    def _go_to(self, session: Session, stop: Stop) -> None:
        self._engine.stop_flag = stop
        self._engine.start()
        self._position.go_to(session)

    def _tell(self, limit: Limit) -> None:
        """Sends the limits of the next move, as far as the engine has words for them."""
        from pinchtp.base.clock import Clock, TimeControl  # noqa: PLC0415
        from pinchtp.client.option_commands import NODES, SECONDS  # noqa: PLC0415

        if limit.visits is not None:
            self._engine.set_option(NODES, limit.visits)
        if limit.time is not None and not self._engine.try_option(SECONDS, limit.time):
            control = TimeControl.canadian(0, limit.time, 1)
            if not self._engine.announce_time(control):
                text = f"accepts no command for {limit.time:g} s per move: it has no clock"
                warnings.warn(f"{self._command}: {text}", RuntimeWarning, stacklevel=4)
            for color in Color:
                self._engine.tell_time(color, Clock.start(control))

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Names the engine in errors, and ends it after those that end it."""
        from pinchtp.client import CommandRefused, EngineError  # noqa: PLC0415
        from pinchtp.client.engine import Stopped  # noqa: PLC0415

        try:
            yield
        except Stopped:
            raise EngineError(f"{self._command}: was stopped") from None
        except CommandRefused as error:
            raise EngineError(f"{self._command}: refused a command: {error}") from None
        except EngineError as error:
            self._engine.kill()
            raise type(error)(f"{self._command}: {error}") from None
