"""Output to a terminal, or to the file or pipe in its place.

Engines' words cannot control the terminal. A match whose terminal is gone goes on, and its exit
status is the same as if someone had watched.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import TextIO, cast

from rich.console import Console
from rich.table import Table

from pinchtp.base.streams import discard, printable, write_result

WIDE = 200  # columns where there is no terminal that says how many it has


class Output:
    """A stream whose reader may go away: a closed terminal, a broken pipe, a full disk.

    What cannot be written is dropped, and so is all that follows.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.encoding = stream.encoding

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()

    def write(self, text: str) -> int:
        try:
            if text:  # a full disk does not even take nothing
                self._stream.write(text)
        except OSError:
            discard(self._stream)
        return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError:
            discard(self._stream)


class PlainTable(Table):
    """A table without lines, whose cells may hold anything."""

    def __init__(self, *columns: str) -> None:
        """columns: headings; `>` before one: its column is flush right, and wrapped if need be."""
        super().__init__(box=None, pad_edge=False, header_style="bold")
        for column in map(printable, columns):
            right = column.startswith(">")
            self.add_column(
                column.removeprefix(">"), justify="right" if right else "left", no_wrap=not right
            )

    def add_texts(self, *cells: str) -> None:
        self.add_row(*(printable(cell) for cell in cells))


def console(stream: TextIO) -> Console:
    """A console that prints what it is given, without markup, on this stream."""
    return Console(file=cast(TextIO, Output(stream)), highlight=False, markup=False)


def wide_console(stream: TextIO) -> Console:
    """Tables of many columns are cut neither in a file nor in a pipe."""
    found = console(stream)
    if not found.is_terminal:
        found.width = WIDE
    return found


@contextlib.contextmanager
def printed(console: Console) -> Iterator[Console]:
    """Prints on standard output what the block prints on a console, as write_result does."""
    with console.capture() as captured:
        yield console
    write_result(captured.get().removesuffix("\n"))


def say(text: str, stream: TextIO | None = None) -> None:
    """Prints a text that may hold anybody's words; to standard output unless told otherwise."""
    output = Output(sys.stdout if stream is None else stream)
    output.write(printable(text) + "\n")
    output.flush()
