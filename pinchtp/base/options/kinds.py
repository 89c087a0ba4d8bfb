"""The kinds of values that options have, and how each is read from text and written as text.

Text comes from command lines and GTP, and is accepted in TOML and Python as well. Everywhere else
values have their types.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Any, Generic, TypeVar

T = TypeVar("T")
E = TypeVar("E", bound=Enum)

NONE = "none"  # the text of an option that is not set


class Kind(ABC, Generic[T]):
    """A kind of value.

    expected: what is accepted, for messages: "a whole number from 1 to 256".
    words: the texts of all values, if they can be listed.
    """

    expected: str
    words: tuple[str, ...] = ()

    @abstractmethod
    def parse(self, text: str) -> T:
        """The value of a text. Raises ValueError for any other."""

    @abstractmethod
    def check(self, value: Any) -> T:
        """The value for a typed one, from a file or a program. Raises ValueError."""

    def format(self, value: T) -> str:
        """The text of a value; parse() gives the same value for it."""
        return str(value)

    def add(self, earlier: T, value: T) -> T:
        """The value when the option is given twice: the later one, unless the kind collects."""
        return value

    def read(self, value: object) -> T:
        """The value of a text, or of a typed value. Raises ValueError that says what is right."""
        try:
            return self.parse(value) if isinstance(value, str) else self.check(value)
        except ValueError:
            raise ValueError(f"{plain_text(value)!r}: give {self.expected}") from None


class Switch(Kind[bool]):
    """On or off."""

    words = ("true", "false")
    expected = "one of true, false"

    def parse(self, text: str) -> bool:
        return self.words.index(text) == 0

    def check(self, value: Any) -> bool:
        if not isinstance(value, bool):
            raise ValueError
        return value

    def format(self, value: bool) -> str:
        return self.words[0 if value else 1]


class Whole(Kind[int]):
    """A whole number from `least` to `most`."""

    def __init__(self, least: int, most: int) -> None:
        self.least, self.most = least, most
        self.expected = f"a whole number from {least} to {most}"

    def parse(self, text: str) -> int:
        return self.check(int(_digits(text)))

    def check(self, value: Any) -> int:
        if type(value) is not int or not self.least <= value <= self.most:
            raise ValueError
        return value


class Real(Kind[float]):
    """A number from `least` to `most`."""

    def __init__(self, least: float, most: float, expected: str = "") -> None:
        self.least, self.most = least, most
        self.expected = expected or f"a number from {least:g} to {most:g}"

    def parse(self, text: str) -> float:
        return self.check(float(_digits(text)))

    def check(self, value: Any) -> float:
        if type(value) not in (int, float) or not self.least <= value <= self.most:  # nan is not
            raise ValueError
        return float(value)


class OneOf(Kind[str]):
    """One of some words."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        self.expected = "one of " + ", ".join(words)

    def parse(self, text: str) -> str:
        if text not in self.words:
            raise ValueError
        return text

    def check(self, value: Any) -> str:
        raise ValueError


class Member(Kind[E]):
    """A member of an enumeration whose values are words."""

    def __init__(self, members: type[E]) -> None:
        self._members = members
        self.words = tuple(member.value for member in members)
        self.expected = "one of " + ", ".join(self.words)

    def parse(self, text: str) -> E:
        return self._members(text)

    def check(self, value: Any) -> E:
        return self._members(value)

    def format(self, value: E) -> str:
        return str(value.value)


class Several(Kind[tuple[T, ...]]):
    """One value of a kind or more, with commas between them: 1,2,4."""

    def __init__(self, kind: Kind[T], expected: str) -> None:
        self._kind = kind
        self.expected = expected

    def parse(self, text: str) -> tuple[T, ...]:
        return tuple(self._kind.parse(part) for part in text.split(","))

    def check(self, value: Any) -> tuple[T, ...]:
        values = value if isinstance(value, list | tuple) else [value]
        return tuple(map(self._kind.check, values))

    def format(self, value: tuple[T, ...]) -> str:
        return ",".join(map(self._kind.format, value))


class Size(Kind[tuple[int, int]]):
    """Columns and rows of a board, each from `least` to `most`: 9, 13x9, [13, 9]."""

    def __init__(self, least: int, most: int) -> None:
        self._side = Whole(least, most)
        self.expected = f"a size from {least} to {most}, or two: 9, 13x9"

    def parse(self, text: str) -> tuple[int, int]:
        width, times, height = text.lower().partition("x")
        return self._side.parse(width), self._side.parse(height if times else width)

    def check(self, value: Any) -> tuple[int, int]:
        width, height = value if isinstance(value, list | tuple) else (value, value)
        return self._side.check(width), self._side.check(height)

    def format(self, value: tuple[int, int]) -> str:
        width, height = value
        return f"{width}" if width == height else f"{width}x{height}"


class FileName(Kind[Path]):
    """The name of a file or folder."""

    expected = "the name of a file"

    def parse(self, text: str) -> Path:
        if not text:
            raise ValueError
        return Path(text)

    def check(self, value: Any) -> Path:
        if not isinstance(value, Path):
            raise ValueError
        return value


class WordOrFile(Kind[str | Path]):
    """One of some words, or the name of a file; `./none` names a file that is called as a word."""

    def __init__(self, *words: str) -> None:
        self._words = words
        self.expected = f"one of {', '.join(words)}, or the name of a file"

    def parse(self, text: str) -> str | Path:
        return text if text in self._words else FILE.parse(text)

    def check(self, value: Any) -> str | Path:
        return FILE.check(value)

    def format(self, value: str | Path) -> str:
        is_like_a_word = isinstance(value, Path) and str(value) in self._words
        return f"./{value}" if is_like_a_word else str(value)


SWITCH = Switch()
FILE = FileName()


def _digits(text: str) -> str:
    """Refuses what only Python reads as a number: 1_0, digits of other scripts, blanks."""
    if not text.isascii() or "_" in text or text != text.strip():
        raise ValueError
    return text


def plain_text(value: object) -> str:
    """A value of TOML as the text that would stand in a command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)
