"""The process: exit status, CPU cores, signals that stop it, and resources that it closes."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from types import FrameType, TracebackType
from typing import Any, Self


class ExitStatus(IntEnum):
    """The exit statuses of all subcommands, which --help explains for each.

    SUCCESS: the requested result was produced.
    FAILURE: the result is incomplete or could not be written.
    WRONG_USE: the command line, or a file that it names, is invalid.
    INTERRUPTED: ended by Ctrl-C, with the status that shells report.
    """

    SUCCESS = 0
    FAILURE = 1
    WRONG_USE = 2
    INTERRUPTED = 130


if sys.platform == "win32":
    _SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGBREAK)
else:
    _SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class FrozenProgram(RuntimeError):
    """The program is frozen and has no Python interpreter to start."""


def python_command() -> list[str]:
    """Returns the first words of a command line that starts Python. Raises FrozenProgram."""
    if getattr(sys, "frozen", False):  # sys.executable is the program, not Python
        raise FrozenProgram(
            "a program frozen by PyInstaller cannot start the Python that this needs: "
            "run it with an installed Python (pip install pinchtp)"
        )
    return [sys.executable, "-P"]


def usable_processors() -> list[int]:
    """Returns the numbers of the CPU cores that this process may use: all, if none are excluded."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


class StopRequested:
    """A request to stop a run, by a signal. seen: whether one of the signals was received."""

    def __init__(self, signals: Iterable[signal.Signals] = _SIGNALS) -> None:
        self.seen = False
        self._signals = tuple(signals)

    @contextlib.contextmanager
    def at_signals(self) -> Iterator[Callable[[], bool]]:
        """Handles the signals within the block; yields a function that returns whether one was
        received. A second Ctrl-C raises KeyboardInterrupt.
        """
        with signals_as(self._note, self._signals):
            yield lambda: self.seen

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.seen = True
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.default_int_handler)


@contextlib.contextmanager
def signals_as(
    handler: Callable[[int, FrameType | None], Any] | signal.Handlers,
    signals: Iterable[signal.Signals] = _SIGNALS,
) -> Iterator[None]:
    """Handles signals, by default those that end a run, with a handler within the block.

    Processes that the block starts ignore what it ignores. Ignored signals stay ignored, for nohup
    and background jobs of a shell.
    """
    previous = {number: signal.getsignal(number) for number in signals}
    handled = [number for number in previous if previous[number] is not signal.SIG_IGN]
    for number in handled:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number in handled:
            signal.signal(number, previous[number])


class Resource(ABC):
    """A resource that a `with` statement closes, or aborts after an exception."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self.close()
        else:
            self.abort()

    @abstractmethod
    def close(self) -> None:
        """Releases all resources. May be called more than once."""

    def abort(self) -> None:
        """Releases all resources after an exception; closes them by default."""
        self.close()
