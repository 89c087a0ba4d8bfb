"""The games that can be read from a damaged store: by SQLite, or beside it where it finds none."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal

from pinchtp.match.game.record import GameRecord
from pinchtp.match.results.errors import DAMAGE
from pinchtp.match.results.leaves import Leaves, Value
from pinchtp.match.results.rows import record_of, rows_of

LEAST_ROW = 64  # bytes of a game without moves, at least


def readable_records(
    connection: sqlite3.Connection, names: set[str], size: int
) -> Iterator[tuple[int, GameRecord | None]]:
    """Each game with its place, counted from 1; None for what cannot be read.

    connection: to a copy of the store. names: of the engines. size: of the store in bytes.
    """
    strays = _Strays(connection)
    most = size // LEAST_ROW  # games that there can be
    for place in range(1, max(min(_last(connection), most), strays.last) + 1):
        record = _record(connection, place, names)
        record = record or strays.record(place, names) or record
        if record is not None:
            yield place, record or None


def _last(connection: sqlite3.Connection) -> int:
    """The place of the last game; 0 if SQLite does not find it."""
    with suppress(sqlite3.DatabaseError):
        (last,) = connection.execute("SELECT max(rowid) FROM game").fetchone()
        return last or 0
    return 0


def _record(
    connection: sqlite3.Connection, place: int, names: set[str]
) -> GameRecord | Literal[False] | None:
    """The game at a place, False if it cannot be read, None if SQLite finds none there."""
    try:
        cursor = connection.execute("SELECT * FROM game WHERE rowid = ?", (place,))
        row = next(rows_of(cursor), None)
        return record_of(row, names) if row else None
    except DAMAGE:
        return False


class _Strays:
    """The games in a file that is damaged, found without SQLite. last: the last place of any."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.last = 0
        self._places: dict[int, list[int]] = {}  # where rows of that number are in the file
        with suppress(sqlite3.DatabaseError):
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with suppress(*DAMAGE):
            _, _, file = connection.execute("PRAGMA database_list").fetchone()
            self._columns = connection.execute("PRAGMA table_info(game)").fetchall()
            data = Path(file).read_bytes()
            self._leaves = Leaves(data)
            for place, where in self._leaves.rows():
                if place <= len(data) // LEAST_ROW:
                    self.last = max(self.last, place)
                    self._places.setdefault(place, []).append(where)

    def record(self, place: int, names: set[str]) -> GameRecord | None:
        """The game at a place; None if there is none that can be read. names: of the engines."""
        for where in self._places.get(place, ()):
            with suppress(*DAMAGE):
                return record_of(self._row(self._leaves.read(where)), names)
        return None

    def _row(self, values: list[Value]) -> dict[str, Value]:
        """A row by column, which may lack columns of a later schema."""
        row = dict(zip((name for _, name, *_ in self._columns), values, strict=False))
        for _, name, kind, *_ in self._columns:
            if kind == "REAL" and name in row:  # whole numbers are stored as integers
                row[name] = float(row[name])
        return row
