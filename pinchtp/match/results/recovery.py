"""Rows of a damaged store, read by SQLite from a copy that has the first page of a new store.

That page holds the header of the file and the schema, which are the same in every store. So damage
there costs nothing. Of the rest SQLite reads whatever is intact: https://sqlite.org/fileformat2.html
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pinchtp.base.sqlite import StoreError
from pinchtp.match.results.connection import connect_to_copy
from pinchtp.match.results.errors import DAMAGE
from pinchtp.match.results.rows import FREE_TEXTS, rows_of
from pinchtp.match.results.store import create_tables

PAGE_SIZES = (4096, 512, 1024, 2048, 8192, 16384, 32768, 65536)  # bytes; SQLite's default first
PAGE_COUNT = slice(28, 32)  # of the header; 0 if the size of the file counts
UNREADABLE = "\N{REPLACEMENT CHARACTER}"
LEAST_ROW = 64  # bytes of a game without moves, at least
ROWS_FROM = "SELECT * FROM game WHERE rowid >= ? ORDER BY rowid"  # they are numbered from 1

Row = dict[str, Any]


def connect_to_restored(path: Path, resources: ExitStack) -> sqlite3.Connection:
    """Returns a connection to a copy of a damaged store whose header and schema are intact.

    Bytes of texts that are not UTF-8 are replaced by UNREADABLE. resources: close and remove the
    copy. Raises StoreError if the file has no table of a match under any page size, and OSError.
    """
    for page_size in PAGE_SIZES:
        with ExitStack() as opened:
            connection = connect_to_copy(path, opened, _first_page(page_size))
            connection.text_factory = lambda data: data.decode(errors="replace")
            if _holds_match(connection):
                resources.push(opened.pop_all())
                return connection
    raise StoreError(f"{path}: no match can be read from it")


def readable_rows(connection: sqlite3.Connection, size: int) -> Iterator[Row | None]:
    """Yields the rows of all games, in the order of play; None for one that is damaged.

    size: of the store in bytes.
    """
    most = size // LEAST_ROW
    place, last = 1, min(games_held(connection) or most, most)
    while place <= last:
        try:
            for row in rows_of(connection.execute(ROWS_FROM, (place,))):
                place += 1
                yield row if _is_intact(row) else None
            return
        except DAMAGE:  # of the row at that place, or of the way to it
            place += 1
            yield None


def games_held(connection: sqlite3.Connection) -> int | None:
    """Returns how many games the store had before it was damaged; None if that is lost too."""
    for question in (
        "SELECT count(*) FROM game INDEXED BY sqlite_autoindex_game_1",
        "SELECT max(rowid) FROM game",
    ):
        with suppress(*DAMAGE):
            (games,) = connection.execute(question).fetchone()
            return games or 0
    return None


def _is_intact(row: Row) -> bool:
    """Returns whether all texts but those that nobody parses are free of damaged bytes."""
    return not any(
        isinstance(value, str) and UNREADABLE in value
        for column, value in row.items()
        if column not in FREE_TEXTS
    )


def _holds_match(connection: sqlite3.Connection) -> bool:
    """Returns whether a plan or a game is where a store has it: both hold JSON."""
    for question in ("SELECT plan FROM match", "SELECT opening FROM game"):
        with suppress(*DAMAGE):
            (text,) = connection.execute(question).fetchone()
            if text.startswith(("{", "[")):
                return True
    return False


def _first_page(page_size: int) -> bytes:
    """Returns the first page of a new store. page_size: bytes."""
    with TemporaryDirectory(prefix="pinchtp-") as folder:
        path = Path(folder) / "new.db"
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(f"PRAGMA page_size = {page_size}")
            create_tables(connection)
            connection.commit()
        page = bytearray(path.read_bytes()[:page_size])
    page[PAGE_COUNT] = bytes(4)
    return bytes(page)
