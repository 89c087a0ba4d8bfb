"""Waiting reads and writes of file descriptors, for POSIX and for Windows.

On Windows only pipes and consoles can be looked at without waiting; a file is always readable, a
pipe always writable, and a lost reader shows when something is written.
"""

from __future__ import annotations

import os
import sys

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
        """Writes all, however long that takes. Raises OSError."""
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
        """Returns False: a pipe does not show that it has lost its reader."""
        return False

    _MOST = 1 << 15  # bytes a write: a console rejects many
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
        """Writes all, but drops the rest once it has waited `timeout` seconds. Raises OSError."""
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
        """Waits for one of these events or an error; returns the events."""
        poll = select.poll()
        poll.register(descriptor, events)
        found = poll.poll(None if seconds is None else 1000 * seconds)
        return found[0][1] if found else 0
