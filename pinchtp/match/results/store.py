"""The games of a match on disk: one SQLite file, which survives whatever ends the runner.

A row is one attempt at a game, written in a transaction of its own when the game has ended. So at
any instant the file holds the games that are finished, and nothing of those that are not.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from pinchtp.base.closing import Closing
from pinchtp.match.game.record import GameRecord
from pinchtp.match.plan.plan import MatchPlan, PlanError
from pinchtp.match.plan.stored import from_json, to_json
from pinchtp.match.results.rows import faults_text, key_of, record_of, row_of

IN_MEMORY = Path(":memory:")
APPLICATION = int.from_bytes(b"Pnch")  # SQLite's application_id, by which `file` may know it
SCHEMA = 2
LEAST_ROW = 64  # bytes of a game without moves, at least

_FAULTS = "faults TEXT NOT NULL DEFAULT '[]'"
_TABLES = f"""
CREATE TABLE match (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  plan TEXT NOT NULL,       -- JSON
  begun REAL NOT NULL       -- seconds since 1970
);
CREATE TABLE game (
  number INTEGER NOT NULL,  -- its place in the schedule
  attempt INTEGER NOT NULL, -- more than 0 if earlier ones were void
  pair INTEGER NOT NULL,    -- of games with one opening and colors exchanged
  black TEXT NOT NULL,
  white TEXT NOT NULL,
  opening TEXT NOT NULL,    -- JSON: name and moves
  seed INTEGER NOT NULL,
  winner TEXT,              -- black, white, draw; NULL if void
  cause TEXT NOT NULL,
  detail TEXT NOT NULL,
  failed TEXT,              -- black or white
  moves TEXT NOT NULL,      -- JSON: color, text, seconds, winrate, book of each
  identities TEXT NOT NULL, -- JSON: by color name, version, command, hash of the program
  started REAL NOT NULL,    -- seconds since 1970
  seconds REAL NOT NULL,
  overhead REAL NOT NULL,   -- seconds a move that the runner took
  machine TEXT NOT NULL,
  stderr TEXT NOT NULL,
  transcript TEXT NOT NULL, -- of games in which an engine failed
  sgf TEXT NOT NULL,
  {_FAULTS}, -- JSON: color and cause of each; since schema 2
  PRIMARY KEY (number, attempt)
);
CREATE UNIQUE INDEX finished ON game (number) WHERE winner IS NOT NULL;
"""


class StoreError(Exception):
    """The file is no store, of another match, damaged or in use; the text says what to do."""


class CannotKeep(StoreError):
    """A game cannot be written any more: the disk is full, or the file was taken away."""


class Store(Closing):
    """The store of one match. Use it in a `with` statement.

    `open` is for readers, at any time; `begin` for the process that plays.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: int | None = None) -> None:
        self.path = path
        self._connection = connection
        self._lock = lock

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Opens a store to read it. Raises StoreError."""
        path = Path(path)
        if not path.is_file():
            raise StoreError(f"{path}: there is no such file")
        store = cls(path, _connect_to_read(path))
        try:
            if not store._has_tables():
                raise StoreError(f"{path} holds no match yet")
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def begin(cls, path: str | Path, plan: MatchPlan) -> Self:
        """Opens the store of a match to play it: a new one, or one with games of the same match.

        Raises StoreError if the file is something else, the match there is another one, or some
        other runner plays it just now.
        """
        path = Path(path)
        lock = None if path == IN_MEMORY else _lock(path)
        try:
            store = cls(path, _connect(path), lock)
        except BaseException:
            _unlock(path, lock)
            raise
        try:
            store._begin(plan)
        except BaseException:
            store.close()
            raise
        return store

    def close(self) -> None:
        self._connection.close()
        _unlock(self.path, self._lock)
        self._lock = None

    def plan(self) -> MatchPlan:
        """The match that is played."""
        with _damage(self.path):
            (text,) = self._connection.execute("SELECT plan FROM match").fetchone()
            try:
                return from_json(text)
            except PlanError as error:
                raise StoreError(f"{self.path}: {error}") from None

    def add(self, record: GameRecord) -> None:
        """Keeps a game; it is on disk when this returns.

        Raises ValueError if a result of that game is there already, CannotKeep if it cannot be
        written; what was kept before stays.
        """
        row = row_of(record)
        marks = ", ".join(f":{name}" for name in row)
        try:
            with self._connection:
                self._connection.execute(
                    f"INSERT INTO game ({', '.join(row)}) VALUES ({marks})", row
                )
        except sqlite3.IntegrityError:
            raise ValueError(f"game {record.task.number} was played already") from None
        except sqlite3.DatabaseError as error:
            raise CannotKeep(
                f"{self.path}: game {record.task.label} cannot be kept: {error}"
            ) from None

    def records(self, skip: int = 0) -> Iterator[GameRecord]:
        """All games in the order in which they ended, void attempts among them.

        skip: how many of the first are left out. Raises StoreError where the file is damaged.
        """
        with _damage(self.path):
            cursor = self._connection.execute(
                "SELECT * FROM game ORDER BY rowid LIMIT -1 OFFSET ?", (skip,)
            )
            names = [column[0] for column in cursor.description]
            for values in cursor:
                yield record_of(dict(zip(names, values, strict=True)))

    def readable_records(self) -> Iterator[tuple[int, GameRecord | None]]:
        """As records, of a damaged file: each with its place, counted from 1; None for what cannot
        be read.
        """
        for place in range(1, self._places() + 1):
            try:
                cursor = self._connection.execute("SELECT * FROM game WHERE rowid = ?", (place,))
                names = [column[0] for column in cursor.description]
                values = cursor.fetchone()
                if values:
                    yield place, record_of(dict(zip(names, values, strict=True)))
            except _DAMAGE:
                yield place, None

    def finished(self) -> set[int]:
        """Numbers of the games that have a result."""
        with _damage(self.path):
            rows = self._connection.execute("SELECT number FROM game WHERE winner IS NOT NULL")
            return {number for (number,) in rows}

    def attempts(self) -> dict[int, int]:
        """How many attempts there were, by number of the game."""
        with _damage(self.path):
            rows = self._connection.execute("SELECT number, count(*) FROM game GROUP BY number")
            return dict(rows)

    def _places(self) -> int:
        """The number of the last row, at most as many as the file has room for."""
        room = self.path.stat().st_size // LEAST_ROW
        try:
            (last,) = self._connection.execute("SELECT max(rowid) FROM game").fetchone()
            return min(last or 0, room)
        except sqlite3.DatabaseError:
            return room

    def _begin(self, plan: MatchPlan) -> None:
        try:
            self._begin_or_continue(plan)
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{self.path} cannot be written: {error}") from None

    def _begin_or_continue(self, plan: MatchPlan) -> None:
        if not self._has_tables():
            self._create(plan)
            return
        self._check()
        before, has_games = self.plan(), bool(self.attempts())
        if has_games and (differences := plan.differences(before)):
            raise StoreError(
                f"{self.path} holds another match: {'; '.join(differences)}. Give the options with "
                "which it was begun, or another --db"
            )
        self._make_durable()
        self._migrate()
        if has_games:
            plan = plan.continuing(before)
        with self._connection:  # more games may have been asked for
            self._connection.execute("UPDATE match SET plan = ?", (to_json(plan),))

    def _migrate(self) -> None:
        """Brings the tables of an older pinchtp up to date, with what they hold."""
        (schema,) = self._connection.execute("PRAGMA user_version").fetchone()
        if schema == SCHEMA:
            return
        faults = [(faults_text(each), *key_of(each)) for each in self.records() if each.faults]
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute(f"ALTER TABLE game ADD COLUMN {_FAULTS}")
            self._connection.executemany(
                "UPDATE game SET faults = ? WHERE number = ? AND attempt = ?", faults
            )
            self._connection.execute(f"PRAGMA user_version = {SCHEMA}")

    def _make_durable(self) -> None:
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")  # a game counts when it is on disk

    def _check(self) -> None:
        """Raises StoreError for a damaged file, before anything is written to it."""
        with _damage(self.path):
            (found,) = self._connection.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise _damaged(self.path, " ".join(found.split()))

    def _create(self, plan: MatchPlan) -> None:
        self._make_durable()
        with self._connection:
            self._connection.executescript(
                f"BEGIN; {_TABLES} PRAGMA application_id = {APPLICATION}; "
                f"PRAGMA user_version = {SCHEMA};"
            )
            self._connection.execute(
                "INSERT INTO match VALUES (1, ?, ?)", (to_json(plan), time.time())
            )

    def _has_tables(self) -> bool:
        """Whether there is a match in it; False for an empty file. Raises StoreError."""
        try:
            application, schema, tables = (
                self._connection.execute(question).fetchone()[0]
                for question in (
                    "PRAGMA application_id",
                    "PRAGMA user_version",
                    "SELECT count(*) FROM sqlite_master",
                )
            )
        except sqlite3.OperationalError as error:
            raise StoreError(f"{self.path} cannot be read: {error}") from None
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{self.path} is no store of a match: {error}") from None
        if application == 0 and tables == 0:
            return False
        if application != APPLICATION:
            raise StoreError(f"{self.path} is a database of some other program")
        if not 1 <= schema <= SCHEMA:
            raise StoreError(
                f"{self.path} has schema {schema}, this pinchtp knows {SCHEMA}: use the version of "
                "pinchtp that made it"
            )
        return True


def _connect(path: Path) -> sqlite3.Connection:
    try:
        return sqlite3.connect(path, timeout=10)
    except sqlite3.OperationalError as error:
        raise StoreError(f"{path}: {error}") from None


def _connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing, and needs no right to.

    Where it might, it leaves none of the files beside the store with which SQLite shares it. Where
    they cannot be made, the match cannot be played either, so there is nothing to lock.
    """
    address = path.resolve().as_uri()
    connection = sqlite3.connect(f"{address}?mode=rw", uri=True, timeout=10)
    try:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError:
        connection.close()
        connection = sqlite3.connect(f"{address}?immutable=1", uri=True)
    except sqlite3.DatabaseError:
        pass  # whoever reads the file reports it
    return connection


# --- damage


# What reading a damaged file may raise: SQLite's own errors, and ours for values that are none.
_DAMAGE = (sqlite3.DatabaseError, ValueError, TypeError, KeyError, IndexError, AttributeError)


@contextmanager
def _damage(path: Path) -> Iterator[None]:
    """Turns what goes wrong while a file is read into a StoreError."""
    try:
        yield
    except sqlite3.OperationalError as error:  # in use for too long, or the disk fails
        raise StoreError(f"{path} cannot be read: {error}") from None
    except _DAMAGE as error:
        raise _damaged(path, str(error)) from None


def _damaged(path: Path, why: str) -> StoreError:
    return StoreError(
        f"{path} is damaged: {why}. `pinchtp match repair {path}` saves all games that can be read"
    )


# --- one runner at a time


def _lock(path: Path) -> int:
    """Makes sure that no other runner plays this match; the lock goes with the process.

    It is not on the store itself: closing any descriptor of that would drop SQLite's own locks.
    Raises StoreError.
    """
    while True:
        try:
            lock = os.open(_lock_file(path), os.O_CREAT | os.O_RDWR, 0o644)
        except OSError as error:
            raise StoreError(f"{path}: {error.strerror}") from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            raise StoreError(f"{path} is being played by another runner") from None
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(lock), os.stat(_lock_file(path))):
                return lock
        os.close(lock)  # another runner ended in between and took the file along


def _unlock(path: Path, lock: int | None) -> None:
    if lock is not None:
        with suppress(OSError):
            os.unlink(_lock_file(path))
        os.close(lock)


def _lock_file(path: Path) -> str:
    return f"{path}-lock"
