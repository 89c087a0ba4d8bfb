"""A GTP engine as a subprocess that cannot hang, flood or outlive the program that talks to it.

`GtpClient.send` sends a command and waits for its response until a deadline. Below it, `write`,
`read` and what follows them deal in raw bytes, for conformance checks. One thread may use an engine
at a time. Nothing here knows a game.
"""

from __future__ import annotations

import contextlib
import re
import shlex
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from pinchtp.base.process import Resource
from pinchtp.base.text import ENCODING, shorten
from pinchtp.client.errors import (
    CommandRefused,
    EngineDied,
    EngineError,
    EngineStartError,
    EngineTimeout,
    MemoryExceeded,
    ProtocolError,
    UnexpectedOutput,
)
from pinchtp.client.process import MemoryGuard, Process, exit_text
from pinchtp.client.transcript import StderrTail, Transcript

MAX_ANSWER = 1 << 24  # bytes received and not yet read
MAX_STDERR = 1 << 14  # bytes kept of the end of standard error

# Terminators of reads. Some engines end lines with CR LF; a pattern here fits three bytes at most.
ANSWER_END = re.compile(rb"\n\r?\n")
LINE_END = re.compile(rb"\n")
_LONGEST_END = 3

_ALIVE_EVERY = 0.1  # seconds between liveness checks of a silent engine
_AFTERMATH = 0.2  # seconds that a dying engine may take between its last output and its exit

# An id has at most 18 digits; further digits are part of the text.
_FRAME = re.compile(rb"([=?])([0-9]{0,18}+)[ \t]*+(.*+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Response:
    """A response as a controller parses it.

    text: without status, id and line ends around it. seconds: from the moment the command was sent
    to the answer's end.
    """

    ok: bool
    id: int | None
    text: str
    seconds: float = 0.0

    @classmethod
    def parse(cls, raw: bytes, seconds: float = 0.0) -> Response:
        """Reads an answer, its end included. Carriage returns and blank lines before it are let
        pass, and so is a missing space. Raises ProtocolError if it is malformed.
        """
        frame = _FRAME.match(raw.replace(b"\r", b"").strip(b"\n"))
        if not frame:
            raise ProtocolError(f"sent a malformed response: {shorten(raw)}")
        status, number, text = frame.groups()
        return cls(status == b"=", int(number) if number else None, text.decode(*ENCODING), seconds)


class GtpClient(Resource):
    """A running engine. Use it in a `with` statement; at its end the engine and all that it
    started are killed.

    All methods that wait take a timeout in seconds and raise EngineTimeout when it is over; those
    that talk to the engine raise EngineDied if it has exited or closed its pipes.
    """

    def __init__(  # noqa: PLR0913  (the settings of a subprocess)
        self,
        command: str | Sequence[str],
        *,
        cwd: str | Path | None = None,
        env: Mapping[str, str] | None = None,
        max_answer: int = MAX_ANSWER,
        transcript: Transcript | None = None,
        memory_mb: int | None = None,
        cores: Collection[int] | None = None,
    ) -> None:
        """Starts the engine.

        command: argument list, or one string that is split as a shell would. cwd: the directory it
        runs in. env: added to our environment. max_answer: bytes that it may send before they are
        read. transcript: keeps commands and answers; may be shared with other engines. memory_mb:
        resident memory in MB (2**20 bytes) beyond which it is killed, with all that it started.
        cores: the processors that it may run on (on Linux and Windows). Raises
        EngineStartError.
        """
        self.command = split_command(command)
        self.transcript = Transcript() if transcript is None else transcript
        self._max_answer = max_answer
        self._received = bytearray()
        self._posted, self._posted_at = "", 0.0  # the latest command, and when it was sent
        self._is_overdue = False  # whether its response was waited for, and may still come
        try:
            self._process = Process(self.command, cwd, env, cores)
        except OSError as error:
            where = f" in {cwd}" if cwd else ""
            raise EngineStartError(f"{self.command[0]}{where}: {error.strerror}") from None
        self._memory = MemoryGuard(self._process, memory_mb) if memory_mb else None
        self._input_open = True
        self._stderr = StderrTail(self._process.stderr, MAX_STDERR)

    # --- commands and answers

    def send(self, command: str, timeout: float) -> Response:
        """Sends a command and waits for its answer.

        Raises ProtocolError for a malformed response, and UnexpectedOutput for output since the
        last one. After an EngineTimeout it raises another one until response() has returned the
        late response.
        """
        self.post(command, timeout)
        return self._response(timeout, self._posted_at)

    def post(self, command: str, timeout: float) -> None:
        """Sends a command whose response is not waited for here; raises what send raises."""
        if not command.partition("#")[0].strip() or "\n" in command:
            raise ValueError(f"not one command: {command!r}")
        if self._is_overdue:  # its response would be taken for this one's
            raise EngineTimeout(f"has yet to respond to {shorten(self._posted.encode(*ENCODING))}")
        self._posted = command
        self._posted_at = monotonic()
        self._expect_silence()
        self.write(command.encode(*ENCODING) + b"\n", timeout)

    def response(self, timeout: float) -> Response:
        """Waits for the response to the command posted last. May be called again after an
        EngineTimeout.
        """
        return self._response(timeout, monotonic())

    def ask(self, command: str, timeout: float) -> str:
        """Returns the text of the response to a command. Raises CommandRefused if it begins with
        `?`, and what send raises.
        """
        answer = self.send(command, timeout)
        if not answer.ok:
            raise CommandRefused(answer.text)
        return answer.text

    def quit(self, timeout: float) -> int | None:
        """Asks the engine to end, waits, and kills what still runs; its exit status, None if it had
        to be killed. Raises nothing.
        """
        deadline = monotonic() + timeout
        with self:
            with contextlib.suppress(EngineError):
                if self._input_open:
                    self.send("quit", timeout)
            self.close_input()
            return self._process.wait(max(0.0, deadline - monotonic()))

    # --- bytes

    def write(self, data: bytes, timeout: float) -> None:
        """Sends bytes and buffers output received during the write, so that neither side blocks."""
        if not self._input_open:
            raise ValueError("the engine's input was closed")
        deadline = monotonic() + timeout
        self.transcript.add(">", data)
        view = memoryview(data)
        while view:
            try:
                view = view[self._process.pipes.write(view) :]
            except BlockingIOError:
                self._wait_writable(deadline)
            except BrokenPipeError:
                raise self._dead("closed its standard input") from None

    def read(self, timeout: float, end: re.Pattern[bytes] = ANSWER_END) -> bytes:
        """Reads up to and with the first match of `end` (ANSWER_END or LINE_END)."""
        self._is_overdue = False
        return self._read(end, timeout, monotonic())

    def collect(self, seconds: float) -> bytes:
        """Reads all output so far and of the next `seconds`, or until it ends."""
        self._is_overdue = False
        deadline = monotonic() + seconds
        with contextlib.suppress(EngineDied):
            self._receive_ready()
            while self._receive(deadline):
                pass
        return self._take(len(self._received))

    def peek(self, seconds: float) -> bytes:
        """Returns all output so far and of the next `seconds`, which stays there to be read."""
        output = self.collect(seconds)
        self._received[:0] = output
        return output

    def await_output(self, timeout: float) -> bool:
        """Waits until there is something to read; False if there is nothing in that time."""
        return bool(self._received) or self._receive(monotonic() + timeout)

    def close_input(self) -> None:
        """Closes the engine's standard input, on which most engines end."""
        if self._input_open:
            self._input_open = False
            self.transcript.add("!", b"end of input")
            self._process.pipes.close_stdin()

    # --- the process

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def status(self) -> int | None:
        """The exit status, negative for a signal; None while the engine runs."""
        return self._process.status

    def wait(self, timeout: float) -> int:
        """Waits for the engine's end; its exit status."""
        status = self._process.wait(timeout)
        if status is None:
            raise EngineTimeout(f"still runs after {timeout:.3g} s")
        return status

    def members(self) -> set[int]:
        """Ids of the processes that the engine consists of: itself and all that it started."""
        return self._process.members()

    def cpu_seconds(self) -> float:
        """Returns the processor time that these have used."""
        return self._process.cpu_seconds()

    @property
    def stderr(self) -> str:
        """Returns the end of the engine's standard error."""
        return self._stderr.data.decode(*ENCODING)

    @property
    def stderr_size(self) -> int:
        """Bytes written to standard error so far."""
        return self._stderr.total

    def close(self) -> None:
        """Kills the engine and all its children. May be called again."""
        self._input_open = False
        if self._memory:
            self._memory.stop()
        self._process.kill()
        self._stderr.join(_AFTERMATH)

    # --- inside

    def _expect_silence(self) -> None:
        """Raises UnexpectedOutput if the engine wrote anything but line ends."""
        with contextlib.suppress(EngineDied):  # the write that follows will tell
            self._receive_ready()
        stray = self._take(len(self._received))
        if stray.strip():
            raise UnexpectedOutput(f"sent unexpected output: {shorten(stray)}")

    def _receive(self, deadline: float) -> bool:
        """Waits for more output and keeps it; False if none came before the deadline."""
        while (left := deadline - monotonic()) > 0:
            if self._receive_ready(min(left, _ALIVE_EVERY)):
                return True
            if self._process.status is not None:  # but a child may hold the output open
                if self._receive_ready():
                    return True
                raise self._dead("ended")
        return False

    def _receive_ready(self, seconds: float = 0.0) -> bool:
        """Keeps the output of the next `seconds`, and no later one; False if there is none."""
        if not self._process.pipes.wait(seconds):
            return False
        chunk = self._process.pipes.read()
        if not chunk:
            raise self._dead("closed its standard output")
        self.transcript.add("<", chunk)
        self._received += chunk
        if len(self._received) > self._max_answer:
            raise UnexpectedOutput(f"exceeded the response limit of {self._max_answer} bytes")
        return True

    def _wait_writable(self, deadline: float) -> None:
        left = deadline - monotonic()
        if left <= 0 or not self._process.pipes.wait(left, writable=True):
            raise EngineTimeout("does not read its standard input")
        self._receive_ready()

    def _read(
        self, end: re.Pattern[bytes], timeout: float, began: float, command: str = ""
    ) -> bytes:
        """Reads up to and with the first match of `end`.

        began: of the timeout, by the monotonic clock. command: whose answer this is, for messages.
        """
        at = 0
        while not (found := end.search(self._received, at)):
            at = max(0, len(self._received) - _LONGEST_END + 1)
            if not self._receive(began + timeout):
                raise EngineTimeout(self._overdue(timeout, command))
        return self._take(found.end())

    def _response(self, timeout: float, began: float) -> Response:
        raw = b""
        self._is_overdue = True
        while not raw.strip():  # some engines write one blank line too many
            raw = self._read(ANSWER_END, timeout, began, self._posted)
        self._is_overdue = False
        return Response.parse(raw, monotonic() - self._posted_at)

    def _take(self, count: int) -> bytes:
        taken = bytes(self._received[:count])
        del self._received[:count]
        return taken

    def _overdue(self, timeout: float, command: str) -> str:
        to = f" to {shorten(command.encode(*ENCODING))}" if command else ""
        so_far = f", but sent {shorten(bytes(self._received))}" if self._received else ""
        return f"did not respond{to} within {timeout:.3g} s{so_far}"

    def _dead(self, what: str) -> EngineDied:
        if self._memory and self._memory.excess:
            return MemoryExceeded(self._memory.excess)
        return EngineDied(self._obituary(what))

    def _obituary(self, what: str) -> str:
        """Returns the cause of the death of the engine, as a sentence without a subject."""
        status = self._process.wait(_AFTERMATH)
        if status is None:
            return f"{what}, but still runs"
        self._stderr.join(_AFTERMATH)
        last = self.stderr.strip().splitlines()[-1:]
        return f"ended with {exit_text(status)}" + (f": {last[0]}" if last else "")


def split_command(command: str | Sequence[str]) -> tuple[str, ...]:
    """Returns the arguments of a command line. Raises EngineStartError if it is empty or a quote is
    open.
    """
    try:
        words = _words(command) if isinstance(command, str) else command
    except ValueError as error:
        raise EngineStartError(f"{command}: {error}") from None
    if not words:
        raise EngineStartError("the command line is empty")
    return tuple(words)


def _words(command: str) -> Sequence[str]:
    """Splits a command line as a shell would; on Windows a backslash is part of a path."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.commenters = ""
    if sys.platform == "win32":
        lexer.escape = ""
    return list(lexer)
