"""Exit statuses of our programs, and signals that ask a run to stop."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator
from enum import IntEnum
from types import FrameType
from typing import Any


class ExitStatus(IntEnum):
    """The exit statuses of all our programs; what they mean for one, its --help says.

    SUCCESS: it did what it was asked for.
    FAILURE: it ran, but the result is not the one asked for, or could not be written.
    WRONG_USE: it could not begin, as the command line or a file that it names is wrong.
    INTERRUPTED: Ctrl-C ended it; a shell says the same of other programs.
    """

    SUCCESS = 0
    FAILURE = 1
    WRONG_USE = 2
    INTERRUPTED = 130


_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopRequested:
    """Whether a run was told to stop. seen: a signal has come."""

    def __init__(self) -> None:
        self.seen = False

    @contextlib.contextmanager
    def at_signals(self) -> Iterator[Callable[[], bool]]:
        """In the block such signals only set the flag; a second Ctrl-C interrupts at once."""
        with signals_as(self._note):
            yield lambda: self.seen

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.seen = True
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.default_int_handler)


@contextlib.contextmanager
def signals_as(handler: Callable[[int, FrameType | None], Any]) -> Iterator[None]:
    """In the block the signals that end a run go to a handler.

    Signals that were ignored when the program was started stay ignored, as nohup and the background
    jobs of a shell need it.
    """
    usual = {each: signal.getsignal(each) for each in _SIGNALS}
    heard = [each for each in _SIGNALS if usual[each] is not signal.SIG_IGN]
    for each in heard:
        signal.signal(each, handler)
    try:
        yield
    finally:
        for each in heard:
            signal.signal(each, usual[each])
