"""Types of options. Each type defines the valid values and reads them from text.

Texts are the same on command lines, in GTP and in stored plans. Values of TOML and Python are
converted to text first: `[13, 9]` becomes 13x9. An error names the expected value.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Generic, TypeVar

from pinchtp.base.clock import UNITS, seconds_text

T = TypeVar("T")
E = TypeVar("E", bound=Enum)

NUL = "\0"  # invalid in the names of files, in commands and in environment variables


class OptionType(ABC, Generic[T]):
    """A type of option values.

    expected: the valid values, for messages: "an integer from 1 to 256".
    words: the texts of all values, if they can be listed.
    separator: joins the values of a list; empty: a list is not valid.
    """

    expected: str
    words: tuple[str, ...] = ()
    separator = ""

    @abstractmethod
    def parse(self, text: str) -> T:
        """Returns the value of a text. Raises ValueError for an invalid text."""

    def format(self, value: T) -> str:
        """Returns the text of a value, from which parse() returns the same value."""
        return toml_text(value)

    def text(self, value: object) -> str:
        """Returns the text of a value of TOML or Python. Raises ValueError for an invalid type."""
        if isinstance(value, list | tuple) and self.separator:
            return self.separator.join(map(toml_text, value))
        if isinstance(value, list | tuple | Mapping):
            raise ValueError
        return toml_text(value)

    def add(self, earlier: T, value: T) -> T:
        """Returns the value of an option that is given twice: the later one, unless the type
        collects values.
        """
        return value

    def read(self, value: object) -> T:
        """Returns the value of a text, or of a value of TOML or Python.

        Raises ValueError with the expected value.
        """
        try:
            text = str(value) if isinstance(value, str) else self.text(value)
            if NUL not in text:
                return self.parse(text)
            expected = f"{self.expected}, without a NUL character"
        except ValueError:
            expected = self.expected
        raise ValueError(f"{toml_text(value)!r}: give {expected}")


class Bool(OptionType[bool]):
    """A boolean: true or false."""

    words = ("true", "false")
    expected = "one of true, false"

    def parse(self, text: str) -> bool:
        return self.words.index(text) == 0


class Int(OptionType[int]):
    """An integer from `least` to `most`."""

    def __init__(self, least: int, most: int) -> None:
        self.least = least
        self.most = most
        self.expected = f"an integer from {least} to {most}"

    def parse(self, text: str) -> int:
        value = int(_digits(text))
        if not self.least <= value <= self.most:
            raise ValueError
        return value


class Float(OptionType[float]):
    """A number from `least` to `most`."""

    def __init__(self, least: float, most: float, expected: str = "") -> None:
        self.least = least
        self.most = most
        self.expected = expected or f"a number from {least:.10g} to {most:.10g}"

    def parse(self, text: str) -> float:
        value = float(_digits(text))
        if not self.least <= value <= self.most:  # nan is not
            raise ValueError
        return value


class Count(Int):
    """An integer from `least` to `most`, with k or M for thousands or millions: 100k."""

    def __init__(self, least: int, most: int) -> None:
        super().__init__(least, most)
        self.expected += ", such as 100k"

    def parse(self, text: str) -> int:
        factor = {"k": 1000, "M": 1_000_000}.get(text[-1:], 1)
        return super().parse(str(int(_digits(text[:-1])) * factor) if factor > 1 else text)


class Megabytes(Int):
    """Memory in MB (2**20 bytes), with a unit or without: 512, 512M, 8GB, 1.5G."""

    _TEXT = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)([MGT])(?:i?B)?", re.ASCII | re.IGNORECASE)

    def __init__(self, least: int, most: int) -> None:
        super().__init__(least, most)
        self.expected += ", in MB unless it has a unit: 8G"

    def parse(self, text: str) -> int:
        found = self._TEXT.fullmatch(text)
        if not found:
            return super().parse(text)
        power = "MGT".index(found[2].upper())
        return super().parse(str(int(float(found[1]) * 1024**power)))


class Seconds(Float):
    """A time in seconds, with a unit or without: 5, 5s, 500ms, 2m."""

    def __init__(self, least: float, most: float) -> None:
        super().__init__(least, most)
        self.expected = f"seconds from {least:.10g} to {most:.10g}, such as 5, 5s or 500ms"

    def parse(self, text: str) -> float:
        number = text.rstrip("msh")
        unit = text.removeprefix(number)
        if unit not in UNITS:
            raise ValueError
        return super().parse(str(float(_digits(number)) * UNITS[unit]))


class Duration(OptionType[float]):
    """A time in seconds, as a sum of times with units: 90, 90s, 10m, 1h30m."""

    expected = "a time such as 90s, 10m or 1h30m"

    def parse(self, text: str) -> float:
        parts = re.findall(r"([0-9]+(?:\.[0-9]+)?)([smhd]?)", text)
        if not parts or "".join(number + unit for number, unit in parts) != text:
            raise ValueError
        seconds = sum(float(number) * UNITS[unit] for number, unit in parts)
        if not 0 < seconds <= 1e8:
            raise ValueError
        return seconds

    def format(self, value: float) -> str:
        for unit in "dhm":
            if value >= UNITS[unit] and value % UNITS[unit] == 0:
                return f"{seconds_text(value / UNITS[unit])}{unit}"
        return f"{seconds_text(value)}s"


class OneOf(OptionType[str]):
    """A word of a list."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        self.expected = "one of " + ", ".join(words)

    def parse(self, text: str) -> str:
        if text not in self.words:
            raise ValueError
        return text


class OneOfEnum(OptionType[E]):
    """A member of an enumeration whose values are words."""

    def __init__(self, members: type[E]) -> None:
        self._members = members
        self.words = tuple(member.value for member in members)
        self.expected = "one of " + ", ".join(self.words)

    def parse(self, text: str) -> E:
        return self._members(text)

    def format(self, value: E) -> str:
        return str(value.value)


class ListOf(OptionType[tuple[T, ...]]):
    """A list of values of a type, separated by commas: 1,2,4."""

    separator = ","

    def __init__(self, type: OptionType[T], expected: str) -> None:
        self._type = type
        self.expected = expected

    def parse(self, text: str) -> tuple[T, ...]:
        return tuple(map(self._type.parse, comma_parts(text)))

    def format(self, value: tuple[T, ...]) -> str:
        return ",".join(map(self._type.format, value))


class Size(OptionType[tuple[int, int]]):
    """Columns and rows of a board, each from `least` to `most`: 9, 13x9, [13, 9]."""

    def __init__(self, least: int, most: int) -> None:
        self._side = Int(least, most)
        self.expected = f"a size from {least} to {most} (9), or columns and rows (13x9)"

    def parse(self, text: str) -> tuple[int, int]:
        width, times, height = text.lower().partition("x")
        return self._side.parse(width), self._side.parse(height if times else width)

    def format(self, value: tuple[int, int]) -> str:
        width, height = value
        return f"{width}" if width == height else f"{width}x{height}"

    def text(self, value: object) -> str:
        if isinstance(value, list | tuple):
            width, height = value
            return f"{width}x{height}"
        return super().text(value)


class PathType(OptionType[Path]):
    """The name of a file or directory."""

    expected = "the name of a file"

    def parse(self, text: str) -> Path:
        if not text:
            raise ValueError
        return Path(text)

    def text(self, value: object) -> str:
        if not isinstance(value, Path):
            raise ValueError
        return str(value)


class OneOfOrPath(OptionType[str | Path]):
    """A word of a list, or the name of a file; `./none` is a file with the name of a word."""

    def __init__(self, *words: str) -> None:
        self._words = words
        self.expected = f"one of {', '.join(words)}, or the name of a file"

    def parse(self, text: str) -> str | Path:
        return text if text in self._words else PATH.parse(text)

    def format(self, value: str | Path) -> str:
        is_like_a_word = isinstance(value, Path) and str(value) in self._words
        return f"./{value}" if is_like_a_word else str(value)

    def text(self, value: object) -> str:
        return self.format(Path(PATH.text(value)))


BOOL = Bool()
PATH = PathType()


def _digits(text: str) -> str:
    """Returns the text of a number.

    Raises ValueError for texts that only Python reads as a number: 1_0, digits of other scripts,
    and spaces around it.
    """
    if not text.isascii() or "_" in text or text != text.strip():
        raise ValueError
    return text


def comma_parts(text: str) -> list[str]:
    """Returns the parts of a text between commas, without surrounding spaces."""
    return [part.strip(" ") for part in text.split(",")]


def toml_text(value: object) -> str:
    """Returns the text of a value of TOML or Python on a command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)
