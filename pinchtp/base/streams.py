"""Reads and writes of descriptors, and standard streams in any state.

Reads and writes of descriptors wait. On Windows, only pipes and consoles can be polled without
waiting; a file is always readable, a pipe is always writable, and only a write detects a lost
reader.

The standard streams may be closed or non-blocking; the latter is a flag shared with the parent,
which we must not clear. The parent may end, and it may never read standard error. Standard error
must not block commands and responses.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import Any, TextIO

from pinchtp.base.process import ExitStatus

if sys.platform == "win32":
    import _winapi
    import errno
    import msvcrt

    def read_into(descriptor: int, buffer: bytearray) -> int:
        """Waits for bytes and reads them into a buffer; returns how many, 0 at the end."""
        data = os.read(descriptor, len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def write(descriptor: int, data: bytes) -> None:
        """Writes all, unbuffered. Raises BrokenPipeError without a reader, and other OSErrors."""
        left = memoryview(data)
        while left:
            try:
                left = left[os.write(descriptor, left[:_MOST]) :]
            except OSError as error:
                if error.errno == errno.EINVAL:  # of a pipe without a reader
                    raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE)) from None
                raise

    def write_within(descriptor: int, data: bytes, timeout: float) -> None:
        """Writes all; ignores the timeout. Raises OSError."""
        write(descriptor, data)

    def can_be_read(descriptor: int) -> bool:
        """Returns whether reading would not block."""
        if os.isatty(descriptor):
            return msvcrt.kbhit()
        try:
            found = _winapi.PeekNamedPipe(msvcrt.get_osfhandle(descriptor), 0)
        except OSError:  # a file, or the end of a pipe
            return True
        return found[-2] > 0

    def is_broken(descriptor: int) -> bool:
        """Returns False, because a lost reader cannot be detected."""
        return False

    _MOST = 1 << 15  # bytes per write, because a console rejects more
else:
    import select

    _GONE = select.POLLERR | select.POLLHUP | select.POLLNVAL

    def read_into(descriptor: int, buffer: bytearray) -> int:
        """Waits for bytes and reads them into a buffer; returns how many, 0 at the end."""
        while True:
            try:
                return os.readv(descriptor, [buffer])
            except BlockingIOError:
                _wait(descriptor, select.POLLIN)

    def write(descriptor: int, data: bytes) -> None:
        """Writes all, unbuffered. Raises BrokenPipeError without a reader, and other OSErrors."""
        left = memoryview(data)
        while left:
            try:
                left = left[os.write(descriptor, left) :]
            except BlockingIOError:
                _wait(descriptor, select.POLLOUT)

    def write_within(descriptor: int, data: bytes, timeout: float) -> None:
        """Writes all, but drops the rest after a wait of `timeout` seconds. Raises OSError."""
        left = memoryview(data)
        # A writable pipe accepts PIPE_BUF bytes without blocking.
        while left and _wait(descriptor, select.POLLOUT, timeout) & select.POLLOUT:
            left = left[os.write(descriptor, left[: select.PIPE_BUF]) :]

    def can_be_read(descriptor: int) -> bool:
        """Returns whether reading would not block."""
        return bool(_wait(descriptor, select.POLLIN, 0))

    def is_broken(descriptor: int) -> bool:
        """Returns whether a pipe has lost its reader."""
        return bool(_wait(descriptor, 0, 0) & _GONE)

    def _wait(descriptor: int, events: int, seconds: float | None = None) -> int:
        """Waits for one of the events or an error; returns what happened, or 0 after the time."""
        poll = select.poll()
        poll.register(descriptor, events)
        ready = poll.poll(None if seconds is None else 1000 * seconds)
        return ready[0][1] if ready else 0


STDIN, STDOUT, STDERR = 0, 1, 2
WARN_TIMEOUT = 0.2  # seconds that a warning waits for a slow reader before it is dropped


def is_typed() -> bool:
    """Returns whether standard input and output are terminals."""
    return os.isatty(STDIN) and os.isatty(STDOUT)


def fill_closed() -> None:
    """Opens the null device in place of each closed standard stream.

    Otherwise the next opened file would get its descriptor. A read returns the end of the input. A
    write to standard output fails, so that responses are not lost silently; messages to standard
    error are dropped.
    """
    for descriptor in (STDIN, STDOUT, STDERR):
        mode = os.O_WRONLY if descriptor == STDERR else os.O_RDONLY
        try:
            os.fstat(descriptor)
        except OSError:  # closed: open() returns it, because it is the lowest free one
            os.set_inheritable(os.open(os.devnull, mode), True)
    sys.stdin = sys.stdin or os.fdopen(STDIN, closefd=False)
    sys.stdout = sys.stdout or os.fdopen(STDOUT, "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(STDERR, "w", errors="backslashreplace", closefd=False)


class _Waiting(io.RawIOBase):
    """A non-blocking descriptor whose reads and writes wait."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def fileno(self) -> int:
        return self._descriptor

    def isatty(self) -> bool:
        return os.isatty(self._descriptor)

    def readable(self) -> bool:
        return self._descriptor == STDIN

    def writable(self) -> bool:
        return self._descriptor != STDIN

    def readinto(self, buffer: Any) -> int:
        return read_into(self._descriptor, buffer)

    def write(self, data: Any) -> int:
        write(self._descriptor, data)
        return len(data)


def wait_on_streams() -> None:
    """Lets sys.stdin and sys.stdout wait if they are non-blocking.

    Python's own would take a moment without input for its end, and lose output.
    """
    if sys.platform == "win32":
        return
    if not os.get_blocking(STDIN):
        sys.stdin = _as_text(sys.stdin, io.BufferedReader(_Waiting(STDIN)))
    if not os.get_blocking(STDOUT):
        sys.stdout = _as_text(sys.stdout, io.BufferedWriter(_Waiting(STDOUT)))


def escape_unencodable() -> None:
    """Lets standard output escape characters that its encoding lacks, as standard error does."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _as_text(old: TextIO, buffer: io.BufferedReader | io.BufferedWriter) -> TextIO:
    """Returns a text stream with a buffer, and the encoding of another one."""
    is_line_buffered = bool(old.line_buffering)
    return io.TextIOWrapper(buffer, old.encoding, old.errors, line_buffering=is_line_buffered)


def warn(text: str, timeout: float = WARN_TIMEOUT, end: str = "\n") -> None:
    """Writes a line to standard error, or drops it after `timeout` seconds."""
    if sys.stderr is None:
        return
    with suppress(OSError, ValueError):
        try:
            descriptor = sys.stderr.fileno()
        except (OSError, ValueError):  # replaced by an object that is not a file
            print(text, file=sys.stderr, end=end)
            return
        data = f"{text}{end}".encode(errors="backslashreplace")
        write_within(descriptor, data, timeout)


def print_lines(text: str, end: str = "\n") -> None:
    """Prints lines of a result on standard output, after flushing earlier output.

    Exits with a message if they cannot be written, for example to a full disk.
    Raises BrokenPipeError if the reader is gone.
    """
    if not try_print(text, end):
        sys.exit(ExitStatus.FAILURE)


def try_print(text: str, end: str = "\n") -> bool:
    """Prints lines like print_lines(), but returns whether they were written."""
    try:
        if text or end:  # a full disk rejects even an empty text
            print(text, end=end)
        sys.stdout.flush()
    except OSError as error:
        report_unwritten(error)
        return False
    return True


def report_unwritten(error: OSError) -> None:
    """Prints an error about standard output, and discards all later output.

    Raises BrokenPipeError if the reader is gone.
    """
    discard(sys.stdout)
    if isinstance(error, BrokenPipeError):
        raise error
    warn(f"pinchtp: standard output: {error.strerror}")


def discard(stream: TextIO) -> None:
    """Discards all later output of a stream, including that at the end of the program."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
