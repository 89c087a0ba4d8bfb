"""Text that strangers wrote, made safe to be stored, shown and quoted."""

from __future__ import annotations

import re

# Bytes that are no UTF-8 survive a round trip, as file names may need.
ENCODING = ("utf-8", "surrogateescape")


def storable(text: str) -> str:
    """A text in which bytes that were no UTF-8 are written out (`\\xff`), so that it is Unicode."""
    return text.encode("utf-8", "backslashreplace").decode()


def printable(text: str, keep: str = "\n\t") -> str:
    """A text that does nothing to a terminal: what is not printed as a character, such as an escape
    sequence's first, is written out (`\\x1b`). keep: characters that stay as they are.
    """
    return "".join(
        each if each.isprintable() or each in keep else each.encode("unicode_escape").decode()
        for each in text
    )


_CONTROLS = {code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n"} | {127: 0x2421}


def visible(text: str) -> str:
    """A text for a page: pictures of control characters stand in their place; line breaks and tabs
    stay.
    """
    return text.translate(_CONTROLS)


def answerable(text: str) -> str:
    """A text that may stand in an answer of GTP: without blank lines and control characters."""
    lines = (re.sub(r"[^\S ]|[\x00-\x1f\x7f]", " ", line).strip() for line in text.split("\n"))
    return "\n".join(filter(None, lines))


def shorten(data: bytes, most: int = 60) -> str:
    """Bytes as a quoted text for messages, cut if they are many."""
    text = repr(data[:most].decode(*ENCODING))
    return text if len(data) <= most else f"{text}..."
