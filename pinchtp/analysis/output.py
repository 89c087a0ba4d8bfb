"""The writer of responses on standard output."""

from __future__ import annotations

from threading import Lock
from typing import Any

import msgspec

from pinchtp.base.process import ExitStatus
from pinchtp.base.streams import STDOUT, is_broken, warn, write


class AnswerWriter:
    """A writer of responses, one per line, for any thread.

    status: FAILURE after a response could not be written.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._is_closed = False
        self.status = ExitStatus.SUCCESS

    @property
    def is_broken(self) -> bool:
        """Whether responses can no longer be written: the disk is full, or the reader is gone."""
        return self._is_closed or is_broken(STDOUT)

    def send(self, answer: dict[str, Any]) -> None:
        """Writes a response, unless the output is broken. Raises MemoryError if it does not fit."""
        line = msgspec.json.encode(answer) + b"\n"
        with self._lock:
            if self._is_closed:
                return
            try:
                write(STDOUT, line)
            except BrokenPipeError:
                self._is_closed = True
            except OSError as error:
                self.lose(f"standard output: {error.strerror}")

    def lose(self, reason: str) -> None:
        """Stops writing responses, and prints the reason on standard error."""
        if self.status == ExitStatus.SUCCESS:
            warn(f"pinchtp: {reason}")
        self._is_closed = True
        self.status = ExitStatus.FAILURE
