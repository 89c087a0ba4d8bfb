"""Choices from bytes, which a fuzzer mutates: arguments, lines and whole sessions."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Source:
    """Reads choices from bytes; past their end every choice is the first one."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def is_empty(self) -> bool:
        return self._at >= len(self._data)

    def byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1] if self._at <= len(self._data) else 0

    def below(self, limit: int) -> int:
        """Returns an integer in 0..limit-1; limit is at most 65536."""
        first = self.byte()
        return (first if limit <= 256 else first << 8 | self.byte()) % limit

    def choice(self, values: Sequence[T]) -> T:
        return values[self.below(len(values))]

    def text(self, most: int = 12) -> str:
        """Returns arbitrary text, from bytes that may be invalid UTF-8."""
        length = self.below(most + 1)
        data = bytes(self.byte() for _ in range(length))
        return data.decode("utf-8", "surrogateescape")

    def rest(self) -> bytes:
        rest = self._data[self._at :]
        self._at = len(self._data)
        return rest
