"""SQLite files: their format and tables."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path


class StoreError(RuntimeError):
    """A file is not the expected store, or it is damaged or in use; the message has the remedy."""


class StoreWriteError(StoreError):
    """A result cannot be written: the disk is full, or the file is gone."""


@dataclass(frozen=True)
class FileFormat:
    """A format of files.

    application: four letters, SQLite's application_id, which `file` can recognize. schema: the
    version of the tables. tables: the SQL that creates them.
    """

    application: bytes
    schema: int
    tables: str

    def has_tables(self, path: Path, connection: sqlite3.Connection) -> bool:
        """Returns whether a file has this format; False for an empty file.

        path: for messages. Raises StoreError for another format or schema, and
        sqlite3.DatabaseError.
        """
        application, schema, tables = (
            connection.execute(query).fetchone()[0]
            for query in (
                "PRAGMA application_id",
                "PRAGMA user_version",
                "SELECT count(*) FROM sqlite_master",
            )
        )
        if application == 0 and tables == 0:
            return False
        if application != int.from_bytes(self.application):
            raise StoreError(f"{path} is a database of another program")
        if schema != self.schema:
            raise StoreError(
                f"{path} has schema {schema}, this pinchtp reads {self.schema}: use the version of "
                "pinchtp that wrote it"
            )
        return True

    def create(self, connection: sqlite3.Connection) -> None:
        """Creates the tables, in a transaction that stays open. Raises sqlite3.DatabaseError."""
        connection.executescript(
            f"BEGIN; {self.tables} "
            f"PRAGMA application_id = {int.from_bytes(self.application)}; "
            f"PRAGMA user_version = {self.schema};"
        )


def make_durable(connection: sqlite3.Connection) -> None:
    """Makes each later transaction durable at its end.

    It is forced to disk, and moved from the log to the file, so that a copy of the file alone has
    it. Raises sqlite3.DatabaseError.
    """
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA wal_autocheckpoint = 1")
    connection.execute("PRAGMA synchronous = FULL")
