"""Conversions of texts for terminals, GTP responses, pages and messages."""

from __future__ import annotations

import re

# Bytes that are not UTF-8 survive a round trip, because file names may contain them.
ENCODING = ("utf-8", "surrogateescape")

MOST_QUOTED = 60  # bytes of a text in a message


def to_unicode(text: str) -> str:
    """Returns valid Unicode, with the bytes of a text that are not UTF-8 escaped (`\\xff`)."""
    return text.encode("utf-8", "backslashreplace").decode()


def printable(text: str, keep: str = "\n\t") -> str:
    """Returns a text that is harmless on a terminal, with unprintable characters escaped (`\\x1b`).

    keep: unprintable characters to keep.
    """
    return "".join(
        character
        if character.isprintable() or character in keep
        else character.encode("unicode_escape").decode()
        for character in text
    )


_CONTROLS = [code for code in (*range(32), 127) if chr(code) not in "\t\n"]
_DIRECTIONS = [*range(0x202A, 0x202F), *range(0x2066, 0x206A)]  # change the writing direction
_SYMBOLS = {code: 0x2421 if code == 127 else 0x2400 + code for code in _CONTROLS}
_VISIBLE: dict[int, int | None] = {**_SYMBOLS, **dict.fromkeys(_DIRECTIONS)}
_DROPPED = dict.fromkeys(_CONTROLS)


def sentence_of(reason: str) -> str:
    """Returns a reason as a sentence: with a capital letter and a full stop."""
    return f"{reason[0].upper()}{reason[1:]}."


def visible(text: str) -> str:
    """Returns a text for a page.

    Control characters other than line breaks and tabs are replaced by their symbols. Characters
    that change the writing direction are removed.
    """
    return text.translate(_VISIBLE)


def without_controls(text: str) -> str:
    """Returns a text without control characters, except line breaks and tabs."""
    return text.translate(_DROPPED)


def in_answer(text: str) -> str:
    """Returns a text for a GTP response.

    Blank lines, which would end the response, get a space. Control characters are removed.
    """
    return re.sub(r"(?<=\n)(?=\n)", " ", without_controls(text))


def shorten(data: bytes) -> str:
    """Returns bytes as a quoted text for messages, truncated after MOST_QUOTED bytes."""
    text = repr(data[:MOST_QUOTED].decode(*ENCODING))
    return text if len(data) <= MOST_QUOTED else f"{text}..."


def count(number: int, one: str, many: str = "") -> str:
    """Returns a count with its noun: `1 game`, `2 games`."""
    return f"{number} {one if number == 1 else many or one + 's'}"
