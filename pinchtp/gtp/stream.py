"""Bytes of a file descriptor as command lines, and answers as bytes."""

from __future__ import annotations

import os
from collections.abc import Iterator

CHUNK = 1 << 16
MAX_LINE = 1 << 24  # bytes; a whole game in one command takes a few thousand

# Stands for a line beyond MAX_LINE, of which no more is kept; no command has this name.
TOO_LONG = "(line too long)"

# Bytes that are no UTF-8 survive a round trip, as file names may need.
ENCODING = ("utf-8", "surrogateescape")


def read_lines(descriptor: int) -> Iterator[str]:
    """Yields each line, without its line feed, as soon as it has come in; the last one may lack it.

    Reads the descriptor itself, so that nothing that has come in hides in a buffer.
    """
    kept = b""
    overlong = False
    while chunk := os.read(descriptor, CHUNK):
        *complete, rest = chunk.split(b"\n")
        for line in complete:
            yield TOO_LONG if overlong else (kept + line).decode(*ENCODING)
            kept, overlong = b"", False
        overlong = overlong or len(kept) + len(rest) > MAX_LINE
        kept = b"" if overlong else kept + rest
    if overlong:
        yield TOO_LONG
    elif kept:
        yield kept.decode(*ENCODING)


def write_text(descriptor: int, text: str) -> None:
    """Writes all of a text at once, past every buffer. Raises BrokenPipeError if nobody reads."""
    data = memoryview(text.encode(*ENCODING))
    while data:
        data = data[os.write(descriptor, data) :]
