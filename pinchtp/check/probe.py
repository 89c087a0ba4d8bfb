"""A process of the engine under test, and the facts about the engine.

A check sends the commands that it tests with `ask` or `exchange`: an engine that crashes or hangs
fails it. It sends its preconditions with `ask_or_skip`, which skips the check if they fail, so that
each defect fails only one check.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from time import monotonic

from pinchtp.base.process import Resource
from pinchtp.base.text import ENCODING, shorten
from pinchtp.check.check import CheckFailed, CheckSkipped
from pinchtp.client import EngineError, EngineTimeout, Transcript
from pinchtp.client.engine import EngineProcess
from pinchtp.games import GameType

MAX_RESPONSE = 1 << 20  # bytes
ECHO_SECONDS = 1.0  # to wait for a response after an echo, which a terminal would send, too
START_TIMEOUTS = 6  # multiple of the response timeout: engines load networks first

ANSWER = re.compile(rb"^[=?]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Reply:
    """A response: its bytes, and their meaning to a lenient parser.

    stray: unexpected output before the response. raw: the response with its line ends.
    id: the digits after the status, or empty.
    """

    stray: bytes
    raw: bytes
    ok: bool
    id: str
    text: str

    @classmethod
    def read(cls, stray: bytes, raw: bytes, id: str = "") -> Reply:
        """Parses a response.

        id: of the command. It decides whether digits without a following space are an id.
        """
        body = raw[1:].decode(*ENCODING).replace("\r", "")
        match = re.match(r"[0-9]+(?=\s)" if id else r"[0-9]+(?=[ \t])", body)
        number = match[0] if match else ""
        if not number and id and body.startswith(id):
            number = id
        text = body[len(number) :].lstrip(" \t").rstrip("\n")
        return cls(stray, raw, raw.startswith(b"="), number, text)

    def __str__(self) -> str:
        return shorten(self.raw)


@dataclass
class EngineFacts:
    """Facts about the engine, queried once for all its processes; see learn_facts().

    timeout: seconds for a response. listed: the response to list_commands, or None.
    size, large: accepted board sizes, for quick checks and for those that need a long search;
    None if all usual ones are rejected. observers: queries that show the state.
    hung: timed-out commands, and phases of commands. starts: seconds from start to first response.
    game: None if unknown or not one of our games.
    """

    command: tuple[str, ...]
    timeout: float
    game: GameType | None = None
    name: str = ""
    version: str = ""
    listed: list[str] | None = None
    known: dict[str, bool] = field(default_factory=dict)
    size: int | None = None
    large: int | None = None
    observers: list[str] = field(default_factory=list)
    hung: set[str] = field(default_factory=set)
    starts: list[float] = field(default_factory=list)


class EngineProbe(Resource):
    """A process of the engine. Use it in a `with` statement, which kills it at the end."""

    def __init__(self, facts: EngineFacts, transcript: Transcript) -> None:
        """Raises EngineStartError."""
        self.facts = facts
        self.transcript = transcript
        self._others: list[EngineProbe] = []
        self._began = monotonic()
        self._has_responded = False
        self._engine = EngineProcess(facts.command, max_answer=MAX_RESPONSE, transcript=transcript)
        self.client = self._engine.launch()
        transcript.add("!", f"process {self.client.pid} starts".encode())

    def close(self) -> None:
        """Kills this process and those that `another` started."""
        self.close_others()
        self._engine.kill()

    def close_others(self) -> None:
        while self._others:
            self._others.pop().close()

    def another(self) -> EngineProbe:
        """Starts another process of the engine and waits for its response to `name`.

        It ends with the check. Raises CheckSkipped if it does not respond.
        """
        probe = EngineProbe(self.facts, self.transcript)
        self.adopt(probe)
        probe.ask_or_skip("name")
        return probe

    def adopt(self, other: EngineProbe) -> None:
        """Closes another probe together with this one."""
        self._others.append(other)

    # --- commands

    def only_echoes(self, line: str) -> bool:
        """Sends a command line; returns whether the only output is the same line.

        reply() still returns the output. Raises EngineError.
        """
        self.write(f"{line}\n")
        self._await_start()
        return all(
            self.client.peek(seconds).strip() == line.encode() for seconds in (0.0, ECHO_SECONDS)
        )

    def write(self, data: str | bytes) -> None:
        """Sends bytes or a text unchanged."""
        raw = data.encode(*ENCODING) if isinstance(data, str) else data
        self.client.write(raw, self.facts.timeout)

    def reply(self, timeout: float | None = None, id: str = "") -> Reply:
        """Reads the next response, and output before it. id: of the command."""
        deadline = monotonic() + (self.facts.timeout if timeout is None else timeout)
        if not self._has_responded:
            self._await_start()
            deadline = max(deadline, monotonic() + self.facts.timeout)
        stray = bytearray()
        while not (match := ANSWER.search(block := self.client.read(deadline - monotonic()))):
            stray += block
            if monotonic() > deadline:
                raise EngineTimeout(f"did not respond, but sent {shorten(bytes(stray))}")
        stray += block[: match.start()]
        if not self._has_responded:
            self._has_responded = True
            self.facts.starts.append(monotonic() - self._began)
        return Reply.read(bytes(stray), block[match.start() :], id)

    def exchange(self, data: str | bytes, count: int = 1) -> list[Reply]:
        """Sends bytes or a text unchanged, and reads `count` responses to commands without ids.

        Raises EngineError.
        """
        self.write(data)
        return [self.reply() for _ in range(count)]

    def ask(self, line: str, timeout: float | None = None) -> Reply:
        """Sends a command line; returns the response. Raises EngineError."""
        number = re.match(r"[0-9]*", line)
        self.write(line + "\n")
        try:
            return self.reply(timeout, number[0] if number else "")
        except EngineTimeout:
            if timeout is None:
                self.facts.hung.add(line.split(maxsplit=1)[0])
            raise

    def ask_or_skip(self, line: str) -> str:
        """Returns the text of a successful response. Raises CheckSkipped otherwise."""
        reply = self.ask_any(line)
        if not reply.ok:
            raise CheckSkipped(f"{line!r} is rejected: {reply.text}")
        return reply.text

    def ask_any(self, line: str) -> Reply:
        """Returns the response to a command, possibly an error. Raises CheckSkipped without one."""
        name = line.split(maxsplit=1)[0]
        if name in self.facts.hung:
            raise CheckSkipped(f"{name} gets no response")
        try:
            return self.ask(line)
        except EngineTimeout:
            raise CheckSkipped(f"{name} gets no response") from None
        except EngineError as error:
            raise CheckSkipped(f"at {line!r} the engine {error}") from None

    def silence(self, seconds: float) -> bytes:
        """Returns the engine's output within `seconds` without a command."""
        return self.client.collect(seconds)

    # --- listed commands

    def lists(self, name: str) -> bool:
        """Returns whether the engine lists this command."""
        if self.facts.listed is not None:
            return name in self.facts.listed
        if name not in self.facts.known:
            self.facts.known[name] = self._knows(name)
        return self.facts.known[name]

    def require(self, *names: str) -> None:
        """Raises CheckSkipped if the engine does not list all of these commands."""
        for name in names:
            if not self.lists(name):
                raise CheckSkipped(f"{name} is not listed")

    def filter_listed(self, *names: str) -> list[str]:
        """Returns those of the commands that are listed. Raises CheckSkipped if there are none."""
        listed = [name for name in names if self.lists(name)]
        if not listed:
            raise CheckSkipped(f"not listed: {', '.join(names)}")
        return listed

    def _await_start(self) -> None:
        """Waits for the first output. Raises EngineTimeout."""
        timeout = START_TIMEOUTS * self.facts.timeout
        if not self.client.await_output(self._began + timeout - monotonic()):
            raise EngineTimeout(f"sent nothing within {timeout:.3g} s from its start")

    def _knows(self, name: str) -> bool:
        try:
            return self.ask_or_skip(f"known_command {name}").strip() == "true"
        except CheckSkipped:
            return False


def check_that(condition: object, reason: str) -> None:
    """Raises CheckFailed with the reason unless the condition holds."""
    if not condition:
        raise CheckFailed(reason)
