"""Makes foreign text, from engines and files, safe to be stored, shown and quoted."""

from __future__ import annotations

import re

# Bytes that are not UTF-8 survive a round trip, as they may occur in file names.
ENCODING = ("utf-8", "surrogateescape")


def storable(text: str) -> str:
    """A text in which bytes that were not UTF-8 are escaped (`\\xff`), so that it is Unicode."""
    return text.encode("utf-8", "backslashreplace").decode()


def printable(text: str, keep: str = "\n\t") -> str:
    """A text that is harmless to a terminal: characters that are not printable, such as the start
    of an escape sequence, are escaped (`\\x1b`). keep: characters that stay unchanged.
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


def answerable(text: str) -> str:
    """A text that is allowed in a GTP answer: without blank lines and control characters."""
    lines = (re.sub(r"[^\S ]|[\x00-\x1f\x7f]", " ", line).strip() for line in text.split("\n"))
    return "\n".join(filter(None, lines))


def shorten(data: bytes, most: int = 60) -> str:
    """Bytes as a quoted text for messages, truncated if there are many."""
    text = repr(data[:most].decode(*ENCODING))
    return text if len(data) <= most else f"{text}..."
