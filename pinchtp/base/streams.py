"""Standard streams in any state the parent process left them in, and text that is safe to print.

The streams may be closed or non-blocking (a flag that is shared with the parent, so that we must
not clear it), the parent may end, or may never read standard error. Only commands and answers
matter: nothing here lets standard error block them.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from typing import TextIO

from pinchtp.base.descriptors import write_within
from pinchtp.base.process import ExitStatus

STDIN, STDOUT, STDERR = 0, 1, 2
WARN_TIMEOUT = 0.2  # seconds that a note waits for a slow reader before it is dropped


def is_typed() -> bool:
    """Returns whether a person types the input and sees the output."""
    return os.isatty(STDIN) and os.isatty(STDOUT)


def fill_closed() -> None:
    """Puts a pipe whose other end is closed in place of each closed standard stream.

    Otherwise the next file to be opened would get its descriptor. Reading such a pipe finds its
    end, and writing raises BrokenPipeError, as if the parent had ended.
    """
    for descriptor in (STDIN, STDOUT, STDERR):
        try:
            os.fstat(descriptor)
        except OSError:
            reading, writing = os.pipe()
            kept, other = (reading, writing) if descriptor == STDIN else (writing, reading)
            os.dup2(kept, descriptor)
            for each in {kept, other} - {descriptor}:
                os.close(each)


def warn(text: str, timeout: float = WARN_TIMEOUT, end: str = "\n") -> None:
    """Writes a line to standard error, or drops it after `timeout` seconds."""
    if sys.stderr is None:
        return
    with suppress(OSError, ValueError):
        try:
            descriptor = sys.stderr.fileno()
        except (OSError, ValueError):  # replaced by an object that is not a file
            print(text, file=sys.stderr, end=end)
            return
        data = f"{text}{end}".encode(errors="backslashreplace")
        write_within(descriptor, data, timeout)


def print_lines(text: str) -> None:
    """Prints lines of a result on standard output.

    Exits with a message if they cannot be written, for example to a full disk.
    Raises BrokenPipeError if the reader is gone.
    """
    if not try_print(text):
        sys.exit(ExitStatus.FAILURE)


def try_print(text: str) -> bool:
    """Prints lines as print_lines does, but returns whether they were written."""
    try:
        print(text, flush=True)
    except OSError as error:
        discard(sys.stdout)
        if isinstance(error, BrokenPipeError):
            raise
        warn(f"pinchtp: standard output: {error.strerror}")
        return False
    return True


def discard(stream: TextIO) -> None:
    """Discards all later output of a stream, at the end of the program too."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


# Bytes that are not UTF-8 survive a round trip, since file names may contain them.
ENCODING = ("utf-8", "surrogateescape")


def to_unicode(text: str) -> str:
    """Returns a text whose bytes that were not UTF-8 are escaped (`\\xff`): valid Unicode."""
    return text.encode("utf-8", "backslashreplace").decode()


def printable(text: str, keep: str = "\n\t") -> str:
    """Returns a text that is harmless to a terminal: unprintable characters, such as the start of
    an escape sequence, are escaped (`\\x1b`). keep: characters that stay unchanged.
    """
    return "".join(
        each if each.isprintable() or each in keep else each.encode("unicode_escape").decode()
        for each in text
    )


_CONTROLS = {code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n"} | {127: 0x2421}


def visible(text: str) -> str:
    """A text for a page: control characters are replaced by their symbols, except line breaks and
    tabs.
    """
    return text.translate(_CONTROLS)


def gtp_text(text: str) -> str:
    """A text that is allowed in a GTP answer: without blank lines and control characters."""
    lines = (re.sub(r"[^\S ]|[\x00-\x1f\x7f]", " ", line).strip() for line in text.split("\n"))
    return "\n".join(filter(None, lines))


def shorten(data: bytes, most: int = 60) -> str:
    """Bytes as a quoted text for messages, truncated if there are many."""
    text = repr(data[:most].decode(*ENCODING))
    return text if len(data) <= most else f"{text}..."
