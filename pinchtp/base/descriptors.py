"""The standard streams, in whatever state whoever started the program left them.

A parent may leave them closed or non-blocking (a flag that it shares, so that it is not ours to
clear), may go away, or may never read what is told on standard error. Only the way of commands and
answers matters: nothing here lets standard error hold it up.
"""

from __future__ import annotations

import os
import select
import sys
from contextlib import suppress

STDIN, STDOUT, STDERR = 0, 1, 2
PATIENCE = (
    0.2  # seconds that a note waits for a slow reader of standard error, before it is dropped
)

_GONE = select.POLLERR | select.POLLHUP | select.POLLNVAL


def fill_closed() -> None:
    """Puts a pipe that nobody holds the other end of where a standard stream is closed.

    Otherwise the next file to be opened would be taken for it. Reading such a pipe meets its end,
    and writing a BrokenPipeError, as if a parent had gone away.
    """
    for descriptor in (STDIN, STDOUT, STDERR):
        try:
            os.fstat(descriptor)
        except OSError:
            reading, writing = os.pipe()
            kept, other = (reading, writing) if descriptor == STDIN else (writing, reading)
            os.dup2(kept, descriptor)
            for each in {kept, other} - {descriptor}:
                os.close(each)


def read(descriptor: int, most: int) -> bytes:
    """Waits for bytes and takes them; empty at the end."""
    while True:
        try:
            return os.read(descriptor, most)
        except BlockingIOError:
            _wait(descriptor, select.POLLIN)


def write(descriptor: int, data: bytes) -> None:
    """Writes all, past every buffer. Raises BrokenPipeError if nobody reads, and other OSErrors."""
    left = memoryview(data)
    while left:
        try:
            left = left[os.write(descriptor, left) :]
        except BlockingIOError:
            _wait(descriptor, select.POLLOUT)


def can_be_read(descriptor: int) -> bool:
    """Whether reading would not wait."""
    return bool(_wait(descriptor, select.POLLIN, 0))


def is_broken(descriptor: int) -> bool:
    """Whether what is written there reaches nobody any more."""
    return bool(_wait(descriptor, 0, 0) & _GONE)


def note(text: str, patience: float = PATIENCE) -> None:
    """Tells people a line on standard error, or drops it if that cannot be done soon."""
    if sys.stderr is None:
        return
    with suppress(OSError, ValueError):
        try:
            descriptor = sys.stderr.fileno()
        except (OSError, ValueError):  # what stands in for it is no file
            print(text, file=sys.stderr)
            return
        left = memoryview(f"{text}\n".encode(errors="backslashreplace"))
        # A pipe that can be written takes so much without waiting.
        while left and _wait(descriptor, select.POLLOUT, patience) & select.POLLOUT:
            left = left[os.write(descriptor, left[: select.PIPE_BUF]) :]


def _wait(descriptor: int, events: int, seconds: float | None = None) -> int:
    """Waits for one of these events, or trouble; tells what there is."""
    poll = select.poll()
    poll.register(descriptor, events)
    found = poll.poll(None if seconds is None else 1000 * seconds)
    return found[0][1] if found else 0
