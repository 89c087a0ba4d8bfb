"""One engine: a GTP subprocess that is started when it is needed and told the position that is
asked about. Blocking; one thread at a time may use it.

Nothing is asked of an engine but GTP, and what goes beyond GTP 2 only if `list_commands` has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Event
from time import monotonic

from pinchtp.base.clock import Clock
from pinchtp.base.streams import printable, shorten, storable
from pinchtp.board.engines.limits import EngineLimits
from pinchtp.board.engines.position import EnginePosition
from pinchtp.board.engines.report import Report, read_line
from pinchtp.board.engines.spec import EngineSpec
from pinchtp.board.engines.spelling import Generated, last_move, read_move
from pinchtp.board.messages import EngineInfo, Level, OverlayInfo
from pinchtp.client import (
    ANSWER_END,
    LINE_END,
    Client,
    EngineBabbles,
    EngineTimeout,
    ProtocolError,
    Refused,
    Response,
    Transcript,
)
from pinchtp.client.analysis import ANALYZE, GENMOVE_ANALYZE
from pinchtp.games import Color
from pinchtp.games.session import Session

STARTING = 60.0  # seconds that an engine may take to answer its first command
ANSWERING = 15.0  # and any other that needs no thought
ENDING = 2.0  # after it was told to stop thinking
POLL_INTERVAL = 0.01  # seconds between looks whether an engine is to stop
INTERVAL = 10  # hundredths of a second between lines of analysis

TELLING = ("pinchtp-connection",)  # what belongs to a picture of the board, but is told in words


class Traffic(Transcript):
    """A transcript that tells what goes to and fro as it happens, by kind and line."""

    def __init__(self, tell: Callable[[str, str], None]) -> None:
        super().__init__()
        self._tell = tell

    def add(self, kind: str, data: bytes) -> None:
        super().add(kind, data)
        for line in storable(data.decode("utf-8", "surrogateescape")).split("\n"):
            if line.strip():
                self._tell(kind, printable(line[:MOST_SHOWN]))


MOST_SHOWN = 500  # characters of a line of traffic


class EngineProcess:
    """An engine that may be running. stop: set it from any thread to end what it does now."""

    def __init__(self, spec: EngineSpec, tell: Callable[[str, str], None]) -> None:
        """tell: gets every line of traffic; called in the thread that uses the engine."""
        self.spec = spec
        self.stop = Event()
        self.commands: frozenset[str] = frozenset()
        self.version = ""
        self.overlays: tuple[OverlayInfo, ...] = ()
        self._tell = tell
        self._client: Client | None = None
        self._words: tuple[str, ...] = ()
        self._limits = EngineLimits(self)
        self._position = EnginePosition(self)

    @property
    def is_running(self) -> bool:
        return self._client is not None

    def knows(self, command: str) -> bool:
        return command in self.commands

    @property
    def analyze_command(self) -> str | None:
        return next(filter(self.knows, ANALYZE), None)

    def info(self) -> EngineInfo:
        """What the page is told about it."""
        return EngineInfo(
            name=self.spec.name,
            command="" if self.spec.own else self.spec.command,
            started=bool(self.commands),
            version=self.version,
            commands=sorted(self.commands),
            overlays=list(self.overlays),
        )

    def close(self) -> None:
        """Ends the process; the next use starts another."""
        client, self._client = self._client, None
        self._position.forget()
        if client is not None:
            client.close()

    # --- what it is asked; all raise EngineError if it fails

    def prepare(self, session: Session) -> None:
        """Brings it to the session's position, by as few commands as possible."""
        self._run(session)
        self._position.go_to(session)

    def generate(
        self, session: Session, level: Level, clocks: dict[Color, Clock] | None
    ) -> Generated:
        """A move for the side to move, which it also makes. Raises ProtocolError if it is illegal.

        Raises Stopped if it was stopped meanwhile.
        """
        self.prepare(session)
        color = session.to_move
        self._limits.set_level(level)
        limit = self._limits.set_clocks(color, level, clocks)
        name = next(filter(self.knows, GENMOVE_ANALYZE), None)
        if name is None:
            answer = self._interruptible(f"genmove {color.letter}", limit)
            text, winrate = answer.text.strip(), None
        else:
            extra = " rootInfo true" if name.startswith("kata") else ""
            answer = self._interruptible(f"{name} {color.letter} {INTERVAL * 5}{extra}", limit)
            text, winrate = last_move(answer.text, GENMOVE_ANALYZE[name])
        if self.stop.is_set():
            self._position.forget()
            raise Stopped
        if not answer.ok:
            raise ProtocolError(f"refused to move: {printable(storable(answer.text[:100]))}")
        generated = read_move(session, text, winrate)
        self._position.add(session, generated)
        return generated

    def analyze(
        self, session: Session, seen: Callable[[Report], bool], *, ownership: bool = False
    ) -> None:
        """Analyzes until it is stopped, or until `seen`, called with each report, says False."""
        self.prepare(session)
        name = self.analyze_command
        if name is None:
            raise ProtocolError("does not analyze")
        extra = " ownership true" if ownership and name.startswith("kata") else ""
        client = self._silent()
        client.write(f"{name} {session.to_move.letter} {INTERVAL}{extra}\n".encode(), ANSWERING)
        wants_more, ended, last, heard = True, False, monotonic(), False
        while wants_more and not self.stop.is_set():
            if not client.await_output(POLL_INTERVAL):
                if monotonic() - last > ANSWERING:
                    raise EngineTimeout(f"said nothing for {ANSWERING:g} s while it analyzed")
                continue
            last = monotonic()
            line = client.read(ANSWERING, LINE_END).decode("utf-8", "replace").strip()
            if line.startswith("?"):
                client.read(ANSWERING, LINE_END)
                raise ProtocolError(f"refused to analyze: {printable(line[1:101])}")
            if not line:
                ended = True
                break
            if report := read_line(line.removeprefix("=").strip(), ANALYZE[name]):
                wants_more, heard = seen(report), True
        if ended and not heard and not self.stop.is_set():
            raise ProtocolError("ended its analysis without saying anything")
        if not ended:
            client.write(b"\n", ANSWERING)
            while client.read(ANSWERING, LINE_END).strip():
                pass

    def ask(self, line: str, timeout: float = ANSWERING) -> str:
        """The text of an answer. Raises Refused as well."""
        answer = self._interruptible(line, timeout)
        if not answer.ok:
            raise Refused(answer.text)
        return answer.text

    def execute(self, session: Session, line: str) -> Response:
        """A command of a person at the console; after it nothing is known about its position."""
        self.prepare(session)
        name = line.split(maxsplit=1)[0].lower() if line.split() else ""
        self._position.forget()
        self._limits.forget()
        if name in ANALYZE:  # until the console is used again: it would be heard by nobody
            return self._short_analysis(line)
        answer = self._interruptible(line, 600.0)
        if name == "quit":
            self.close()
        return answer

    def solve(self, session: Session, seconds: float) -> str:
        """The answer to pinchtp-solve."""
        self.prepare(session)
        return self.ask(f"pinchtp-solve {seconds:g}", seconds + self.spec.patience)

    def graphics(self, session: Session, command: str) -> str:
        """The answer to a command that draws or tells something."""
        self.prepare(session)
        return self.ask(command, 120.0)

    # --- inside

    def _run(self, session: Session) -> None:
        """Sees to it that the process runs, for this game."""
        words = self.spec.words(session)
        if self._client is not None and words == self._words:
            if self._client.status is None:
                return
            self._client.send("name", ANSWERING)  # says how it died
        self.close()
        self._words = words
        self._limits.forget()
        self._client = Client(words, memory_mb=self.spec.memory_mb, transcript=Traffic(self._tell))
        name = self._optional("name", STARTING)
        self.commands = frozenset(self._optional("list_commands").split())
        self.version = f"{name} {self._optional('version')}".strip()[:100]
        listed = self._optional("gogui-analyze_commands")
        self.overlays = tuple(_overlays(listed, self.commands))

    def _optional(self, line: str, timeout: float = ANSWERING) -> str:
        assert self._client
        answer = self._client.send(line, timeout)
        return printable(storable(answer.text)) if answer.ok else ""

    def _silent(self) -> Client:
        """The client, after which the engine has said nothing unasked."""
        assert self._client
        stray = self._client.collect(0.0)
        if stray.strip():
            raise EngineBabbles(f"said something unasked: {shorten(stray)}")
        return self._client

    def _interruptible(self, line: str, timeout: float) -> Response:
        """Sends a command; a stop makes the engine answer early, or not at all."""
        client = self._silent()
        began = monotonic()
        client.write(line.encode("utf-8", "surrogateescape") + b"\n", ANSWERING)
        deadline, told_to_stop = began + timeout, False
        while True:
            if self.stop.is_set() and not told_to_stop:
                told_to_stop = True
                deadline = min(deadline, monotonic() + ENDING)
                if self.knows("gogui-interrupt"):
                    client.write(b"# interrupt\n", ANSWERING)
            if client.await_output(POLL_INTERVAL):
                with suppress(EngineTimeout):
                    raw = client.read(
                        min(0.2, max(POLL_INTERVAL, deadline - monotonic())), ANSWER_END
                    )
                    if raw.strip():
                        return Response.parse(raw, monotonic() - began)
            if monotonic() > deadline:
                if told_to_stop:
                    self.close()
                    raise Stopped
                raise EngineTimeout(f"gave no answer to {line!r} within {timeout:.3g} s")

    def _short_analysis(self, line: str) -> Response:
        """A second of an analysis that was asked for at the console."""
        client = self._silent()
        client.write(line.encode() + b"\n", ANSWERING)
        data = client.collect(1.0)
        client.write(b"\n", ANSWERING)
        while not ANSWER_END.search(data[-3:]):
            data += client.read(ANSWERING, LINE_END)
        return Response.parse(data)


class Stopped(Exception):
    """What the engine did was ended by us."""


def _overlays(listed: str, commands: frozenset[str]) -> Iterator[OverlayInfo]:
    """What an engine can draw or tell without arguments, from gogui-analyze_commands."""
    for line in listed.split("\n"):
        kind, _, rest = line.partition("/")
        title, _, command = rest.rpartition("/")
        name = command.partition(" ")[0]
        draws = (kind == "gfx" and not name.startswith("gogui-")) or name in TELLING
        if draws and name in commands and "%" not in command:
            yield OverlayInfo(command, title)
