"""SQLite files of our own: the kind of a file, and how its tables are made."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path


class StoreError(Exception):
    """A file is no such store, of other contents, damaged or in use; the text says what to do."""


class StoreWriteError(StoreError):
    """A result cannot be written any more: the disk is full, or the file was taken away."""


@dataclass(frozen=True)
class FileFormat:
    """A kind of file.

    application: four letters, SQLite's application_id, by which `file` may know it. schema: the
    version of the tables. tables: makes them, in SQL.
    """

    application: bytes
    schema: int
    tables: str

    def has_tables(self, path: Path, connection: sqlite3.Connection) -> bool:
        """Whether a file is of this kind; False for an empty one.

        path: for messages. Raises StoreError for a file of another kind or schema, and
        sqlite3.DatabaseError.
        """
        application, schema, tables = (
            connection.execute(question).fetchone()[0]
            for question in (
                "PRAGMA application_id",
                "PRAGMA user_version",
                "SELECT count(*) FROM sqlite_master",
            )
        )
        if application == 0 and tables == 0:
            return False
        if application != int.from_bytes(self.application):
            raise StoreError(f"{path} is a database of some other program")
        if schema != self.schema:
            raise StoreError(
                f"{path} has schema {schema}, this pinchtp knows {self.schema}: use the version of "
                "pinchtp that made it"
            )
        return True

    def create(self, connection: sqlite3.Connection) -> None:
        """Makes the tables, in a transaction that stays open. Raises sqlite3.DatabaseError."""
        connection.executescript(
            f"BEGIN; {self.tables} "
            f"PRAGMA application_id = {int.from_bytes(self.application)}; "
            f"PRAGMA user_version = {self.schema};"
        )


def make_durable(connection: sqlite3.Connection) -> None:
    """What is written from now on is on disk when its transaction ends.

    Raises sqlite3.DatabaseError.
    """
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
