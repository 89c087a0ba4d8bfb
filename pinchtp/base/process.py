"""A process: its exit status, processors, signals that stop it, and resources that it closes."""

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
    """This program has no interpreter that could be started."""


def python_command() -> list[str]:
    """Returns the start of a command line for Python. Raises FrozenProgram."""
    if getattr(sys, "frozen", False):  # then the executable is the program itself
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
    """A request to stop a run. seen: one of the signals was received."""

    def __init__(self, signals: Iterable[signal.Signals] = _SIGNALS) -> None:
        self.seen = False
        self._signals = tuple(signals)

    @contextlib.contextmanager
    def at_signals(self) -> Iterator[Callable[[], bool]]:
        """Makes signals only set the flag within the block; a second Ctrl-C interrupts."""
        with signals_as(self._note, self._signals):
            yield lambda: self.seen

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.seen = True
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.default_int_handler)


@contextlib.contextmanager
def signals_as(
    handler: Callable[[int, FrameType | None], Any], signals: Iterable[signal.Signals] = _SIGNALS
) -> Iterator[None]:
    """Sends signals, by default those that end a run, to a handler within the block.

    Signals that were ignored at the start of the program stay ignored, for nohup and background
    jobs of a shell.
    """
    usual = {each: signal.getsignal(each) for each in signals}
    handled = [each for each in usual if usual[each] is not signal.SIG_IGN]
    for each in handled:
        signal.signal(each, handler)
    try:
        yield
    finally:
        for each in handled:
            signal.signal(each, usual[each])


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
