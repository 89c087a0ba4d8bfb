"""Command lines read from a file descriptor, and responses written to one."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import Protocol

from pinchtp.base.streams import can_be_read, is_broken, read_into, write
from pinchtp.base.text import ENCODING

CHUNK = 1 << 16
MAX_LINE = 1 << 20  # bytes; a whole game in one command takes a few thousand

# Maximum bytes of the lines that wait while a command runs; beyond that, input is not read. Each
# line counts as its bytes and LINE_COST, the memory of an empty line.
MAX_WAITING = 1 << 20
LINE_COST = 64

# Replaces a line longer than MAX_LINE; it is not the name of a command.
TOO_LONG = "(line too long)"

_IGNORED = "[\x00-\x20\x7f]*+"  # spaces and control characters
_INTERRUPT = re.compile(f"{_IGNORED}#{_IGNORED}interrupt{_IGNORED}")


class InputState(Protocol):
    """The state of the input after the line of the running command."""

    def is_waiting(self) -> bool:
        """Returns whether another line, even an empty one, has arrived or the input has ended."""

    def is_cancelled(self) -> bool:
        """Returns whether a client that could wait for the response has sent another line."""

    def is_interrupted(self) -> bool:
        """Returns whether a line `# interrupt` follows the command (gogui-interrupt), or the
        response has lost its reader.
        """


class ScriptInput:
    """The input state of files and the command line: the next line has always arrived."""

    def __init__(self, answers: int | None = None) -> None:
        """answers: the descriptor of the responses, if it can break."""
        self._answers = answers

    def is_waiting(self) -> bool:
        return True

    def is_cancelled(self) -> bool:
        return False

    def is_interrupted(self) -> bool:
        return self._answers is not None and is_broken(self._answers)


class InputReader:
    """An iterator over the lines of a descriptor, each as soon as it is complete.

    It reads the descriptor without a buffered stream, so it can look ahead while a command runs.
    Lines are without their newline, which may be missing after the last one.
    """

    def __init__(self, descriptor: int, answers: int | None = None) -> None:
        """answers: the descriptor of the responses; when it breaks, the command is interrupted."""
        self._descriptor = descriptor
        self._answers = answers
        self._buffer = bytearray(CHUNK)  # allocated before memory can run out
        self._lines: deque[str] = deque()
        self._held = 0  # bytes that the lines count as
        self._interrupts = 0  # among the lines
        self._begun = b""  # the beginning of an incomplete line
        self._overlong = False
        self._ended = False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        while not self._lines:
            if self._ended:
                raise StopIteration
            self._receive()
        line = self._lines.popleft()
        self._held -= len(line) + LINE_COST
        if _INTERRUPT.fullmatch(line):
            self._interrupts -= 1
        return line

    def is_waiting(self) -> bool:
        return self.is_cancelled() or self._ended

    def is_cancelled(self) -> bool:
        self._look()
        return bool(self._lines)

    def is_interrupted(self) -> bool:
        self._look()
        return self._interrupts > 0 or (self._answers is not None and is_broken(self._answers))

    def _look(self) -> None:
        """Reads available input without waiting, up to MAX_WAITING."""
        if not self._ended and self._held < MAX_WAITING and can_be_read(self._descriptor):
            self._receive()

    def _receive(self) -> None:
        size = read_into(self._descriptor, self._buffer)
        chunk = bytes(memoryview(self._buffer)[:size])
        if not chunk:
            self._ended = True
            if self._begun or self._overlong:
                self._complete(b"")
            return
        *complete, rest = chunk.split(b"\n")
        for line in complete:
            self._complete(line)
        self._overlong = self._overlong or len(self._begun) + len(rest) > MAX_LINE
        self._begun = b"" if self._overlong else self._begun + rest

    def _complete(self, end: bytes) -> None:
        too_long = self._overlong or len(self._begun) + len(end) > MAX_LINE
        line = TOO_LONG if too_long else (self._begun + end).decode(*ENCODING)
        self._begun = b""
        self._overlong = False
        self._interrupts += bool(_INTERRUPT.fullmatch(line))
        self._lines.append(line)
        self._held += len(line) + LINE_COST


def write_text(descriptor: int, text: str) -> None:
    """Writes a complete text, unbuffered. Raises BrokenPipeError if the reader is gone."""
    write(descriptor, text.encode(*ENCODING))
