"""Our ends of the pipes to a program's standard input and output.

`Pipes` is the class for this operating system; both classes have the same methods.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
from contextlib import suppress
from threading import Condition, Thread

_CHUNK = 1 << 16  # maximum bytes per read or write

if sys.platform == "win32":

    class WindowsPipes:
        """Pipes with a thread each, because Windows cannot wait for several pipes."""

        def __init__(self, popen: subprocess.Popen[bytes]) -> None:
            assert popen.stdin
            assert popen.stdout
            self._stdin, self._stdout = popen.stdin, popen.stdout
            self._changed = Condition()  # guards the following fields
            self._output = b""  # received and not yet read
            self._input = b""  # to be written
            self._has_ended = False  # the output
            self._is_broken = False  # the input
            self._is_closing = False  # the input
            self._is_closed = False  # both pipes
            for work in (self._receive, self._send):
                Thread(target=work, name="pipes", daemon=True).start()

        def wait(self, seconds: float, *, writable: bool = False) -> bool:
            """Waits for output or its end, or until input is accepted if `writable`; returns False
            if there was neither.
            """

            def is_ready() -> bool:
                can_be_written = writable and (self._is_broken or not self._input)
                return bool(self._output) or self._has_ended or can_be_written

            with self._changed:
                return self._changed.wait_for(is_ready, seconds)

        def read(self) -> bytes:
            """Returns output, b"" at its end. Raises BlockingIOError if there is none."""
            with self._changed:
                if not (self._output or self._has_ended):
                    raise BlockingIOError
                output = self._output
                self._output = b""
                self._changed.notify_all()
                return output

        def write(self, data: memoryview) -> int:
            """Writes without waiting; returns how many bytes. Raises BlockingIOError if none are
            accepted, and BrokenPipeError.
            """
            with self._changed:
                if self._is_broken:
                    raise BrokenPipeError
                if self._input:
                    raise BlockingIOError
                self._input = bytes(data[:_CHUNK])
                self._changed.notify_all()
                return len(self._input)

        def close_stdin(self) -> None:
            """Closes the program's input, after what was written."""
            with self._changed:
                self._is_closing = True
                self._changed.notify_all()

        def close(self) -> None:
            """Closes both pipes of a program that has ended."""
            with self._changed:
                self._is_closing = self._is_closed = True
                self._changed.notify_all()

        def _receive(self) -> None:
            with self._stdout as stdout, suppress(OSError):
                while chunk := os.read(stdout.fileno(), _CHUNK):
                    with self._changed:
                        self._output = chunk
                        self._changed.notify_all()
                        self._changed.wait_for(lambda: self._is_closed or not self._output)
                        if self._is_closed:
                            break
            with self._changed:
                self._has_ended = True
                self._changed.notify_all()

        def _send(self) -> None:
            with suppress(OSError), self._stdin as stdin:
                while left := self._next_input():
                    while left:
                        left = left[os.write(stdin.fileno(), left) :]
                    with self._changed:
                        self._input = b""
                        self._changed.notify_all()
            with self._changed:
                self._is_broken = True
                self._changed.notify_all()

        def _next_input(self) -> memoryview:
            with self._changed:
                self._changed.wait_for(lambda: self._input or self._is_closing)
                return memoryview(self._input)

    Pipes = WindowsPipes
else:

    class PosixPipes:
        """Pipes that never block."""

        def __init__(self, popen: subprocess.Popen[bytes]) -> None:
            assert popen.stdin
            assert popen.stdout
            self._stdin, self._stdout = popen.stdin, popen.stdout
            for pipe in (self._stdin, self._stdout):
                os.set_blocking(pipe.fileno(), False)
            self._readable, self._both = select.poll(), select.poll()
            for poll in (self._readable, self._both):
                poll.register(self._stdout, select.POLLIN)
            self._both.register(self._stdin, select.POLLOUT)

        def wait(self, seconds: float, *, writable: bool = False) -> bool:
            """Waits for output or its end, or until input is accepted if `writable`; returns False
            if there was neither.
            """
            poll = self._both if writable else self._readable
            return bool(poll.poll(1000 * seconds))

        def read(self) -> bytes:
            """Returns output, b"" at its end. Raises BlockingIOError if there is none."""
            return os.read(self._stdout.fileno(), _CHUNK)

        def write(self, data: memoryview) -> int:
            """Writes without waiting; returns how many bytes. Raises BlockingIOError if none are
            accepted, and BrokenPipeError.
            """
            return os.write(self._stdin.fileno(), data)

        def close_stdin(self) -> None:
            """Closes the program's input, after what was written."""
            self._stdin.close()

        def close(self) -> None:
            """Closes both pipes of a program that has ended."""
            self._stdin.close()
            self._stdout.close()

    Pipes = PosixPipes
