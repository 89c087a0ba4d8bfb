"""A GTP engine as a subprocess that cannot hang, flood or outlive its client.

`GtpClient.send` sends a command and waits for its response until a deadline. `write`, `read` and
the methods after them transfer raw bytes, for conformance checks. One thread may use an engine at a
time. This module does not depend on games.
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
MAX_STDERR = 1 << 14  # bytes stored of the end of standard error

# Terminators of reads. Some engines end lines with CR LF, so a match has up to three bytes.
ANSWER_END = re.compile(rb"\n\r?\n")
LINE_END = re.compile(rb"\n")
_LONGEST_END = 3

_ALIVE_EVERY = 0.1  # seconds between liveness checks of a silent engine
_AFTERMATH = 0.2  # maximum seconds between an engine's last output and its exit

# An id has at most 18 digits; further digits belong to the text.
_FRAME = re.compile(rb"([=?])([0-9]{0,18}+)[ \t]*+(.*+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Response:
    """A response to a command.

    ok: whether it is a success (`=`) rather than an error (`?`). text: without status, id and
    surrounding newlines. seconds: from sending the command to the end of the response.
    """

    ok: bool
    id: int | None
    text: str
    seconds: float = 0.0

    @classmethod
    def parse(cls, raw: bytes, seconds: float = 0.0) -> Response:
        """Reads a response, including its end.

        Carriage returns, blank lines before it and a missing space are accepted. Raises
        ProtocolError if it is malformed.
        """
        frame = _FRAME.match(raw.replace(b"\r", b"").strip(b"\n"))
        if not frame:
            raise ProtocolError(f"sent a malformed response: {shorten(raw)}")
        status, number, text = frame.groups()
        return cls(status == b"=", int(number) if number else None, text.decode(*ENCODING), seconds)


class GtpClient(Resource):
    """A running engine. Use it in a `with` statement, whose end kills the engine and all its child
    processes.

    Methods that wait take a timeout in seconds and raise EngineTimeout when it expires. Methods
    that communicate with the engine raise EngineDied if it has exited or closed its pipes.
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

        command: a list of arguments, or one text that is split as in a shell.
        cwd: its working directory; default: ours.
        env: environment variables to add to ours.
        max_answer: maximum number of bytes that it may send before they are read.
        transcript: records commands and responses; engines may share it.
        memory_mb: maximum resident memory of the engine and its child processes, in MB (2**20
        bytes); above it they are killed.
        cores: the CPU cores that it may use, on Linux and Windows; default: all.

        Raises EngineStartError.
        """
        self.command = split_command(command)
        self.transcript = Transcript() if transcript is None else transcript
        self._max_answer = max_answer
        self._received = bytearray()
        self._posted, self._posted_at = "", 0.0  # the latest command, and the time it was sent
        self._is_overdue = False  # whether its response timed out, and may still arrive
        try:
            self._process = Process(self.command, cwd, env, cores)
        except OSError as error:
            where = f" in {cwd}" if cwd else ""
            raise EngineStartError(f"{self.command[0]}{where}: {error.strerror}") from None
        self._memory = MemoryGuard(self._process, memory_mb) if memory_mb else None
        self._input_open = True
        self._stderr = StderrTail(self._process.stderr, MAX_STDERR)

    # --- commands and responses

    def send(self, command: str, timeout: float) -> Response:
        """Sends a command and returns its response.

        Raises ProtocolError for a malformed response, UnexpectedOutput for output between the
        previous response and the command, and ValueError for a text that is not one command. After
        an EngineTimeout it raises another one until response() has returned the late response.
        """
        self.post(command, timeout)
        return self._response(timeout, self._posted_at)

    def post(self, command: str, timeout: float) -> None:
        """Sends a command without waiting for its response; see response().

        Raises the errors of send(), except ProtocolError.
        """
        if not command.partition("#")[0].strip() or "\n" in command:
            raise ValueError(f"not one command: {command!r}")
        # A late response would be read as the response to this command.
        if self._is_overdue and self.status is None:
            raise EngineTimeout(f"has yet to respond to {shorten(self._posted.encode(*ENCODING))}")
        self._posted = command
        self._posted_at = monotonic()
        self._expect_silence()
        self.write(command.encode(*ENCODING) + b"\n", timeout)

    def response(self, timeout: float) -> Response:
        """Returns the response to the last command.

        May be called again after an EngineTimeout. Raises ProtocolError for a malformed response.
        """
        return self._response(timeout, monotonic())

    def ask(self, command: str, timeout: float) -> str:
        """Sends a command and returns the text of its response.

        Raises CommandRefused for an error response (`?`), and the errors of send().
        """
        response = self.send(command, timeout)
        if not response.ok:
            raise CommandRefused(response.text)
        return response.text

    def quit(self, timeout: float) -> int | None:
        """Sends `quit`, waits for the end of the engine, and kills what still runs.

        Returns the exit status; None if the engine had to be killed. Does not raise.
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
        """Sends bytes and buffers output received during the write, so that neither side blocks.

        Raises ValueError after close_input().
        """
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
        """Returns the output up to and including the first match of `end`.

        end: ANSWER_END or LINE_END.
        """
        self._is_overdue = False
        return self._read(end, timeout, monotonic())

    def collect(self, seconds: float) -> bytes:
        """Returns all unread output, including that of the next `seconds` or until its end."""
        self._is_overdue = False
        deadline = monotonic() + seconds
        with contextlib.suppress(EngineDied):
            self._receive_ready()
            while self._receive(deadline):
                pass
        return self._take(len(self._received))

    def peek(self, seconds: float) -> bytes:
        """Returns the same output as collect(), without removing it."""
        output = self.collect(seconds)
        self._received[:0] = output
        return output

    def await_output(self, timeout: float) -> bool:
        """Waits for output; returns False if none arrives within the timeout."""
        return bool(self._received) or self._receive(monotonic() + timeout)

    def close_input(self) -> None:
        """Closes the engine's standard input, which ends most engines."""
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
        """Waits for the end of the engine, and returns its exit status."""
        status = self._process.wait(timeout)
        if status is None:
            raise EngineTimeout(f"still runs after {timeout:.3g} s")
        return status

    def members(self) -> set[int]:
        """Returns the process ids of the engine and all its child processes."""
        return self._process.members()

    def cpu_seconds(self) -> float:
        """Returns the CPU seconds that members() have used."""
        return self._process.cpu_seconds()

    @property
    def stderr(self) -> str:
        """Returns the end of the engine's standard error."""
        return self._stderr.data.decode(*ENCODING)

    @property
    def stderr_size(self) -> int:
        """The number of bytes written to standard error so far."""
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
        """Raises UnexpectedOutput if there is unread output other than newlines."""
        with contextlib.suppress(EngineDied):  # the following write raises it
            self._receive_ready()
        unread = self._take(len(self._received))
        if unread.strip():
            raise UnexpectedOutput(f"sent unexpected output: {shorten(unread)}")

    def _receive(self, deadline: float) -> bool:
        """Waits for more output and buffers it; returns False if none arrives by the deadline."""
        while (left := deadline - monotonic()) > 0:
            if self._receive_ready(min(left, _ALIVE_EVERY)):
                return True
            if self._process.status is not None:  # a child may still hold the output open
                if self._receive_ready():
                    return True
                raise self._dead("ended")
        return False

    def _receive_ready(self, seconds: float = 0.0) -> bool:
        """Buffers the output available within `seconds`; returns False if there is none."""
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
        """Returns the output up to and including the first match of `end`.

        began: the start of the timeout, by the monotonic clock. command: the command whose response
        this is, for messages.
        """
        at = 0
        while not (match := end.search(self._received, at)):
            at = max(0, len(self._received) - _LONGEST_END + 1)
            if not self._receive(began + timeout):
                raise EngineTimeout(self._overdue(timeout, command))
        return self._take(match.end())

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
        """Returns how the engine ended, as a sentence without its subject."""
        status = self._process.wait(_AFTERMATH)
        if status is None:
            return f"{what}, but still runs"
        self._stderr.join(_AFTERMATH)
        last = self.stderr.strip().splitlines()[-1:]
        return f"ended with {exit_text(status)}" + (f": {last[0]}" if last else "")


def split_command(command: str | Sequence[str]) -> tuple[str, ...]:
    """Returns the arguments of a command line.

    Raises EngineStartError if it is empty or has an unclosed quote.
    """
    try:
        words = _words(command) if isinstance(command, str) else command
    except ValueError as error:
        raise EngineStartError(f"{command}: {error}") from None
    if not words:
        raise EngineStartError("the command line is empty")
    return tuple(words)


def program_name(command: str) -> str:
    """Returns the file name of a command line's program. Raises EngineStartError."""
    return Path(split_command(command)[0]).name


def _words(command: str) -> Sequence[str]:
    """Splits a command line as a shell would; on Windows a backslash is part of a path."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.commenters = ""
    if sys.platform == "win32":
        lexer.escape = ""
    return list(lexer)
