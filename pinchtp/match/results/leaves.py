"""Rows of an SQLite file that are found without the tree which leads to them.

A table is a B-tree: its leaves hold the rows, its inner pages only say where the leaves are. Where
an inner page is damaged, SQLite finds none of the rows below it, though they are there. Layout of
pages, cells and records: https://www.sqlite.org/fileformat2.html, sections 1.5 to 2.1.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import suppress

Value = int | float | str | bytes | None

FILE_HEADER = 100  # bytes, at the beginning of the first page
LEAF = 13  # the kind of a page that holds rows of a table
LEAF_HEADER = 8  # bytes
INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # bytes, by the type in a record's header
FLOAT, ZERO, ONE = 7, 8, 9  # further types
LEAST_BLOB = 12  # even types from here on are bytes, odd ones text


class Leaves:
    """All leaves of tables in a file. What they hold may belong to any table, or be out of date."""

    def __init__(self, data: bytes) -> None:
        """data: the whole file. Raises ValueError if its header tells no size of pages."""
        size = int.from_bytes(data[16:18])
        self._data = data
        self._page = 1 << 16 if size == 1 else size
        if self._page < 512 or self._page & (self._page - 1):
            raise ValueError(f"pages of {size} bytes")
        self._room = self._page - data[20]  # without what an extension keeps at each page's end

    def rows(self) -> Iterator[tuple[int, int]]:
        """Of each row its number (rowid), and where it is in the file."""
        for begin in range(0, len(self._data), self._page):
            header = begin + (0 if begin else FILE_HEADER)
            if self._integer(header, 1) != LEAF:
                continue
            pointers = header + LEAF_HEADER
            count = min(self._integer(header + 3, 2), (self._page - LEAF_HEADER) // 2)
            for pointer in range(pointers, pointers + 2 * count, 2):
                place = begin + self._integer(pointer, 2)
                with suppress(ValueError):  # a damaged leaf
                    _, after = self._varint(place)
                    number, _ = self._varint(after)
                    yield number, place

    def read(self, place: int) -> list[Value]:
        """The values of the row at a place. Raises ValueError if there is none."""
        payload = self._payload(place)
        length, at = _varint(payload, 0)
        values, end = list[Value](), length
        while at < length:
            kind, at = _varint(payload, at)
            size = _size(kind)
            if end + size > len(payload):
                raise ValueError("a record that is cut off")
            values.append(_value(kind, payload[end : end + size]))
            end += size
        return values

    def _payload(self, place: int) -> bytes:
        """A cell's record, of which the rest may be in a chain of other pages."""
        size, at = self._varint(place)
        _, at = self._varint(at)
        most = self._room - 35
        least = (self._room - 12) * 32 // 255 - 23
        local = size
        if size > most:
            local = least + (size - least) % (self._room - 4)
            local = local if local <= most else least
        parts, following = [self._data[at : at + local]], 0
        left = size - local
        if left:
            following = self._integer(at + local, 4)
        while left > 0:
            begin = (following - 1) * self._page
            if not 0 < begin < len(self._data):
                raise ValueError(f"page {following} is not there")
            following = self._integer(begin, 4)
            parts.append(self._data[begin + 4 : begin + 4 + min(left, self._room - 4)])
            left -= len(parts[-1])
            if not parts[-1]:
                raise ValueError("a page without an end")
        return b"".join(parts)

    def _integer(self, at: int, size: int) -> int:
        return int.from_bytes(self._data[at : at + size])

    def _varint(self, at: int) -> tuple[int, int]:
        return _varint(self._data, at)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, and where the next one begins."""
    value = 0
    for place in range(at, min(at + 8, len(data))):
        value = value << 7 | data[place] & 0x7F
        if data[place] < 0x80:
            return value, place + 1
    if at + 8 >= len(data):
        raise ValueError("a number that is cut off")
    return value << 8 | data[at + 8], at + 9


def _size(kind: int) -> int:
    """Bytes of a value."""
    if kind >= LEAST_BLOB:
        return (kind - LEAST_BLOB) // 2
    return INTEGERS.get(kind, 8 if kind == FLOAT else 0)


def _value(kind: int, data: bytes) -> Value:
    """Raises ValueError for a type that is none, and text that is no UTF-8."""
    if kind in INTEGERS:
        return int.from_bytes(data, signed=True)
    if kind >= LEAST_BLOB:
        return data.decode() if kind % 2 else data
    if kind == FLOAT:
        return float(struct.unpack(">d", data)[0])
    if kind in (ZERO, ONE):
        return kind - ZERO
    if kind == 0:
        return None
    raise ValueError(f"no value has type {kind}")
