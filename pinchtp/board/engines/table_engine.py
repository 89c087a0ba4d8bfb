"""An engine at a table. It follows the table's position, levels and clocks.

All calls block. One thread at a time may use an engine.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from threading import Event

from pinchtp.base.clock import Clock, TimeControl, format_time
from pinchtp.base.process import python_command
from pinchtp.base.text import printable, to_unicode
from pinchtp.board.protocol.hello import EngineInfo, OverlayInfo
from pinchtp.board.protocol.players import Strength
from pinchtp.client import (
    ANSWER_END,
    LINE_END,
    EngineTimeout,
    Response,
    Transcript,
)
from pinchtp.client.analysis_lines import ANALYZE
from pinchtp.client.option_commands import (
    LEVEL,
    NODES,
    SECONDS,
    UNLIMITED_NODES,
    option_command,
)
from pinchtp.client.time_settings import END_TIME_LIMIT
from pinchtp.engine.gtp import GtpProgram, command_words
from pinchtp.games import Color
from pinchtp.games.play_result import PlayResult
from pinchtp.games.session import Session
from pinchtp.player.levels import LEVELS

START_TIMEOUT = 60.0  # seconds until the first response
TIMEOUT = 15.0  # seconds for a response without a search
CONSOLE_TIMEOUT = 600.0  # seconds for a console command of the host

_PINCHTP = re.compile(r"(?:^|[\s/])pinchtp['\"]?(?=\s|$)")

USUAL_SECONDS = 1.0  # per move, without another limit
LEAST_GRACE = 2.0  # minimum grace period in seconds

MOST_SHOWN = 500  # characters per line of the GTP log

TEXT_OVERLAYS = ("pinchtp-connection",)  # sentences rather than drawings
OPENING_OVERLAYS = ("pinchtp-swap_map",)
# Drawings that live analysis also has.
LIVE_OVERLAYS = ("pinchtp-visits", "pinchtp-winrates", "pinchtp-priors", "pinchtp-ownership")


def our_command() -> str:
    """Returns the command of our engine, for command_words(). Raises FrozenProgram.

    The engine is restarted when the values of the placeholders change.
    """
    command = shlex.join([*python_command(), "-m", "pinchtp"])
    return command + " --game {game} --size {width}x{height} {options} --no-files"


@dataclass(frozen=True)
class EngineCommand:
    """The command line of an engine.

    name: its label. command: see command_words(). own: whether it is pinchtp itself. memory_mb: its
    memory limit in MB (2**20 bytes). patience: the grace period in seconds after the time limit of
    a move.
    """

    name: str
    command: str
    own: bool
    memory_mb: int
    patience: float


def without_files(command: str) -> str:
    """Returns a command line, with `--no-files` if it runs pinchtp as an engine."""
    program = _PINCHTP.search(command)
    return (
        command
        if program is None
        else f"{command[: program.end()]} --no-files{command[program.end() :]}"
    )


class Traffic(Transcript):
    """A transcript that passes the kind and the text of each line to a function."""

    def __init__(self, on_line: Callable[[str, str], None]) -> None:
        super().__init__()
        self._on_line = on_line

    def add(self, kind: str, data: bytes) -> None:
        super().add(kind, data)
        for line in to_unicode(data.decode("utf-8", "surrogateescape")).split("\n"):
            if line.strip():
                self._on_line(kind, printable(line[:MOST_SHOWN]))


class TableEngine(GtpProgram):
    """An engine at a table. stop: interrupts its current call when set, from any thread."""

    def __init__(
        self,
        spec: EngineCommand,
        on_line: Callable[[str, str], None],
        warn: Callable[[str], None],
    ) -> None:
        """on_line: called with the kind and the text of each line of the GTP log. warn: called with
        a predicate about the engine. Both are called in the thread that uses the engine.
        """
        self.stop = Event()
        super().__init__(
            (),
            start_timeout=START_TIMEOUT,
            timeout=TIMEOUT,
            memory_mb=spec.memory_mb,
            transcript=Traffic(on_line),
            should_stop=self.stop.is_set,
        )
        self.spec = spec
        self._warn = warn
        self.overlays: tuple[OverlayInfo, ...] = ()
        self._level: Strength | None = None  # last sent
        self._control: TimeControl | None = None  # last sent

    def info(self) -> EngineInfo:
        """Returns the description of the engine for the page."""
        return EngineInfo(
            name=self.spec.name,
            commands=sorted(map(printable, self.commands)),
            overlays=list(self.overlays),
        )

    def prepare(self, session: Session) -> None:
        """Starts the engine if necessary, and brings it to the session's position.

        Raises Stopped if the engine was stopped, so that it does not start a search.
        """
        self.check_stop()
        words = command_words(self.spec.command, session)
        if words != self.command:
            self.kill()
        if self.client is None:
            self.command = words
            self._forget_settings()
            self.start()
            listed = self.try_ask("gogui-analyze_commands")
            self.overlays = tuple(_overlays(printable(to_unicode(listed)), self.commands))
        elif self.client.status is not None:
            self.send("name")  # raises the reason of its end
        self.position.go_to(session)
        self.check_stop()

    def generate(
        self, session: Session, level: Strength, clocks: Mapping[Color, Clock] | None
    ) -> PlayResult:
        """Lets the engine choose and play a move for the side to move; returns it.

        Raises ProtocolError if the move is illegal, and Stopped if the engine was stopped.
        """
        self.prepare(session)
        self.set_level(level)
        timeout = self.set_clocks(session.to_move, level, clocks)
        self.check_stop()
        return self.position.genmove(session, timeout)

    def execute(self, session: Session, line: str, timeout: float) -> Response:
        """Runs a console command, and kills the engine after `timeout` seconds.

        Afterwards the engine's position and settings count as unknown.
        """
        self.prepare(session)
        name = line.split(maxsplit=1)[0].lower()
        self.position.forget()
        self._forget_settings()
        if name in ANALYZE:  # endless, but the console shows only complete responses
            return self._short_analysis(line)
        try:
            response = self.send(line, timeout)
        except EngineTimeout:  # handled here, so that the command is not repeated
            response = Response(False, None, f"no response within {timeout:g} s: engine restarted")
            self.kill()
        if name == "quit":
            self.kill()
        return response

    # --- strength and time; only changes are sent

    def set_level(self, level: Strength) -> None:
        """Sets the strength with the options that the engine supports."""
        as_started = (level.number, level.visits, level.seconds) == (None,) * 3
        if level == self._level or (self._level is None and as_started):
            return
        number = level.number or len(LEVELS)
        strength = LEVELS[number - 1]
        visits = level.visits
        if not self.try_option(LEVEL, number) and not strength.is_full_strength:
            visits = strength.visits
        is_quick = visits is not None or not strength.is_full_strength
        seconds = self.spec.patience if is_quick else USUAL_SECONDS
        self.try_option(NODES, visits or UNLIMITED_NODES)
        self.try_option(SECONDS, f"{level.seconds or seconds:g}")
        self._level = level

    def set_clocks(
        self, color: Color, level: Strength, clocks: Mapping[Color, Clock] | None
    ) -> float:
        """Sends the clocks before a move of a color; returns the seconds to wait for the response.

        A search with a limit of seconds per move may take twice as long, within the grace period.
        """
        patience = self.spec.patience
        seconds = level.seconds
        is_per_move = clocks is None and seconds is not None
        if is_per_move and not option_command(SECONDS, self.knows):
            assert seconds
            clocks = {each: Clock.start(TimeControl.per_move(seconds)) for each in Color}
        if clocks is None:
            if self._control not in (None, TimeControl.none()):
                self.accepts(END_TIME_LIMIT)
            self._control = TimeControl.none()
        else:
            self._send_clocks(color, clocks)
        if is_per_move and (clocks is None or self.knows("time_settings")):
            assert seconds
            return seconds + min(patience, max(seconds, LEAST_GRACE))
        if clocks is None:
            return 2 * patience
        control = clocks[color].control
        left = clocks[color].left + control.period * max(control.periods, 1)
        return min(left, 1e6) + patience

    def _send_clocks(self, color: Color, clocks: Mapping[Color, Clock]) -> None:
        control = clocks[color].control
        if control != self._control:
            if not self.announce_time(control):
                self._warn(
                    f"accepts no command for the time {format_time(control)}: it has no clock"
                )
            self._control = control
        for each, clock in clocks.items():
            self.tell_time(each, clock)

    # --- internals

    def _forget_settings(self) -> None:
        """Drops the last sent settings, after a restart or a console command."""
        self._level = None
        self._control = None

    def _short_analysis(self, line: str) -> Response:
        """Returns the response of an analysis command of the console, ended after one second."""
        assert self.client
        self.client.post(line, self.timeout)
        data = self.client.collect(1.0)
        self.client.write(b"\n", self.timeout)
        while not ANSWER_END.search(data[-3:]):
            data += self.client.read(self.timeout, LINE_END)
        return Response.parse(data)


def _overlays(listed: str, commands: frozenset[str]) -> Iterator[OverlayInfo]:
    """Yields the overlays without arguments in the response to gogui-analyze_commands."""
    for line in listed.split("\n"):
        kind, _, rest = line.partition("/")
        title, _, command = rest.rpartition("/")
        name = command.partition(" ")[0]
        draws = (kind == "gfx" and not name.startswith("gogui-")) or name in TEXT_OVERLAYS
        if draws and name in commands and name not in LIVE_OVERLAYS and "%" not in command:
            yield OverlayInfo(command, title, name in OPENING_OVERLAYS)
