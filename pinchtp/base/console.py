"""Output of tables and texts to a terminal, a file or a pipe.

Texts from any source are printed in a form that cannot control the terminal.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import TextIO, cast

from rich.console import Console
from rich.table import Table

from pinchtp.base.streams import discard, print_lines
from pinchtp.base.text import printable

FILE_COLUMNS = 200  # width of tables in a file or pipe


class Output:
    """A stream whose reader may disappear: a closed terminal, a broken pipe, a full disk.

    Output that cannot be written is dropped, and so is all later output.
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
            if text:  # a full disk rejects even an empty text
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
    """A table without lines, whose cells may contain any text."""

    def __init__(self, *columns: str, wraps: bool = False) -> None:
        """columns: headings; `>` at the beginning right-aligns a column. wraps: whether a narrow
        terminal wraps the first column instead of truncating it.
        """
        super().__init__(box=None, pad_edge=False, header_style="bold")
        for column in map(printable, columns):
            right = column.startswith(">")
            self.add_column(
                column.removeprefix(">"), justify="right" if right else "left", no_wrap=True
            )
        self.columns[0].no_wrap = not wraps

    def add_texts(self, *cells: str) -> None:
        self.add_row(*(printable(cell) for cell in cells))


def make_console(stream: TextIO) -> Console:
    """Returns a console for a stream, without markup. Files and pipes have FILE_COLUMNS columns."""
    console = Console(file=cast(TextIO, Output(stream)), highlight=False, markup=False)
    if not console.is_terminal:
        console.width = FILE_COLUMNS
    return console


@contextlib.contextmanager
def print_rendered() -> Iterator[Console]:
    """Yields a console, and prints its output on standard output as print_lines() does."""
    console = make_console(sys.stdout)
    with console.capture() as captured:
        yield console
    print_lines(captured.get().removesuffix("\n"))


def print_text(text: str, stream: TextIO | None = None) -> None:
    """Prints a text from any source, by default to standard output."""
    output = Output(sys.stdout if stream is None else stream)
    output.write(printable(text) + "\n")
    output.flush()
