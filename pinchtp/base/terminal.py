"""Line editing and status lines at a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from shutil import get_terminal_size
from time import monotonic
from typing import TypeVar

from pinchtp.base.process import Resource
from pinchtp.base.streams import STDERR, warn

T = TypeVar("T")

CLEAR_LINE = "\r\x1b[K"


def edit_lines(words: Callable[[], Iterable[str]]) -> None:
    """Sets up line editing, history and completion for input(), if readline is installed.

    words: returns the completions of the first word of a line.
    """
    if sys.platform == "win32":  # the console has everything but completion
        return
    with suppress(ImportError):
        import readline  # noqa: PLC0415

        def complete(text: str, number: int) -> str | None:
            is_first = readline.get_begidx() == 0
            completions = [word for word in words() if is_first and word.startswith(text)]
            return f"{completions[number]} " if number < len(completions) else None

        readline.set_completer(complete)
        readline.set_completer_delims(" ")
        readline.parse_and_bind("tab: complete")
        readline.parse_and_bind("set enable-bracketed-paste off")  # pasted commands run one by one


class StatusLine(Resource):
    """A status line on standard error, if that is a terminal.

    It appears after DELAY seconds, and changes at most every INTERVAL seconds; close() removes it.
    """

    DELAY, INTERVAL = 1.0, 0.5

    def __init__(self) -> None:
        self.began = monotonic()
        self._due = self.began + self.DELAY
        self._is_shown = False
        self.is_terminal = sys.stderr is not None and os.isatty(STDERR)

    @property
    def seconds(self) -> float:
        return monotonic() - self.began

    @property
    def is_due(self) -> bool:
        """Whether show() would write. Check it before computing a costly text."""
        return self.is_terminal and monotonic() >= self._due

    def show(self, *parts: str) -> None:
        """Replaces the line, if it is due.

        parts: separated by semicolons. The last are left out if they do not fit; the first is cut.
        """
        if self.is_due:
            self._due = monotonic() + self.INTERVAL
            self._is_shown = True
            room = get_terminal_size().columns - 1
            while len(text := "; ".join(parts)) > room and len(parts) > 1:
                parts = parts[:-1]
            warn(CLEAR_LINE + text[:room], end="")

    def close(self) -> None:
        """Removes the line."""
        if self._is_shown:
            self._is_shown = False
            warn(CLEAR_LINE, end="")


def with_progress(items: Collection[T], unit: str) -> Iterator[T]:
    """Yields items, and shows the number done on a StatusLine. unit: plural, such as `games`."""
    with StatusLine() as status:
        for number, item in enumerate(items):
            status.show(f"{number:,} of {len(items):,} {unit}")
            yield item
