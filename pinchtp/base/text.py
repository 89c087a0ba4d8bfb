"""Text that is safe to print, to send and to show."""

from __future__ import annotations

import re

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


_CONTROLS = [code for code in (*range(32), 127) if chr(code) not in "\t\n"]
_DIRECTIONS = [*range(0x202A, 0x202F), *range(0x2066, 0x206A)]  # they turn the text that follows
_SYMBOLS = {code: 0x2421 if code == 127 else 0x2400 + code for code in _CONTROLS}
_VISIBLE: dict[int, int | None] = {**_SYMBOLS, **dict.fromkeys(_DIRECTIONS)}
_DROPPED = dict.fromkeys(_CONTROLS)


def visible(text: str) -> str:
    """Returns a text for a page.

    Control characters are replaced by their symbols, except line breaks and tabs; those that turn
    the direction of writing are left out.
    """
    return text.translate(_VISIBLE)


def without_controls(text: str) -> str:
    """Returns a text without control characters, except line breaks and tabs."""
    return text.translate(_DROPPED)


def in_answer(text: str) -> str:
    """Returns a text for a GTP response, which a blank line would end: blank lines get a space, and
    control characters are dropped.
    """
    return re.sub(r"(?<=\n)(?=\n)", " ", without_controls(text))


def shorten(data: bytes, most: int = 60) -> str:
    """Bytes as a quoted text for messages, truncated if there are many."""
    text = repr(data[:most].decode(*ENCODING))
    return text if len(data) <= most else f"{text}..."
