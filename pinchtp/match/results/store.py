"""The store of a match: an SQLite file, which survives a killed runner and a power failure.

A row is one attempt at a game, written in one transaction when the game ends. So the file always
contains exactly the finished games.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Self

import msgspec
from msgspec import structs

from pinchtp.base.files import free_name
from pinchtp.base.process import Resource
from pinchtp.base.sqlite import FileFormat, StoreError, StoreWriteError, make_durable
from pinchtp.base.text import to_unicode
from pinchtp.match.plan import MatchPlan, PlanError
from pinchtp.match.plan_file import from_json, plan_differences, to_json
from pinchtp.match.record import GameRecord, Key
from pinchtp.match.results.store_file import (
    DAMAGE,
    connect_to_read,
    connect_to_write,
    damage_error,
    lock_store,
    move,
    opening,
    reading,
    writing,
)

IN_MEMORY = Path(":memory:")
SCHEMA = 3

_TABLES = """
CREATE TABLE match (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  plan TEXT NOT NULL,       -- JSON
  started REAL NOT NULL     -- seconds since 1970
);
CREATE TABLE game (
  first TEXT NOT NULL,      -- the pairing: an engine,
  second TEXT NOT NULL,     -- and another one
  number INTEGER NOT NULL,  -- of the game within the pairing
  attempt INTEGER NOT NULL, -- more than 0 if earlier ones were void
  display_number INTEGER NOT NULL,
  is_void INTEGER NOT NULL, -- 0 or 1
  record TEXT NOT NULL,     -- JSON: a GameRecord without the texts that follow
  detail TEXT NOT NULL,
  stderr TEXT NOT NULL,
  transcript TEXT NOT NULL, -- of games in which an engine failed
  sgf TEXT NOT NULL,
  PRIMARY KEY (first, second, number, attempt)
);
CREATE UNIQUE INDEX finished ON game (first, second, number) WHERE NOT is_void;
CREATE INDEX shown ON game (display_number);
"""
_KIND = FileFormat(b"Pnch", SCHEMA, _TABLES)


class Attempts(NamedTuple):
    """The attempts at a game so far. latest: the number of the latest one, from 0."""

    latest: int
    display_number: int


class PlayedAlready(StoreWriteError):
    """The game already has a result."""


class OtherMatch(StoreError):
    """The games in a store are of a match with other options."""


class MatchStore(Resource):
    """The store of one match, for use in a `with` statement.

    `open` is for readers, at any time; `begin` is for the process that plays.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, resources: ExitStack) -> None:
        """resources: closed with the store; they include the connection."""
        self.path = path
        self._connection = connection
        self._resources = resources
        self._next_plan: MatchPlan | None = None  # not saved yet

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Opens a store to read it. Raises StoreError."""
        path = Path(path)
        if not os.path.isfile(path):
            raise StoreError(f"{path}: no such file")
        with opening(path) as resources:
            store = cls(path, connect_to_read(path, resources), resources)
            if not store._has_tables():
                raise StoreError(
                    f"{path} is empty: no match has started in it, or it was copied without its "
                    f"log, {path.name}-wal"
                )
            store._resources = resources.pop_all()
        return store

    @classmethod
    def begin(cls, path: str | Path, plan: MatchPlan) -> Self:
        """Opens a new or existing store to play a match. The stored plan does not change before
        save_plan().

        Raises StoreError if the file is not a store, contains another match, or is in use by
        another runner.
        """
        path = Path(path)
        with opening(path) as resources:
            if path != IN_MEMORY:
                resources.enter_context(lock_store(path))
            store = cls(path, connect_to_write(path, resources), resources)
            store._begin(plan)
            store._resources = resources.pop_all()
        return store

    def close(self) -> None:
        self._resources.close()

    def plan(self) -> MatchPlan:
        """Returns the plan of the match."""
        if self._next_plan:
            return self._next_plan
        with reading(self.path):
            try:
                return read_plan(self._connection)
            except PlanError as error:
                raise StoreError(f"{self.path}: {error}") from None

    def save_plan(self) -> None:
        """Saves the plan of a resumed match, which may have more games or engines than before.

        Raises StoreError.
        """
        if self._next_plan:
            with writing(self.path), self._connection:
                self._connection.execute("UPDATE match SET plan = ?", (to_json(self._next_plan),))

    def replace_plan(self, plan: MatchPlan) -> None:
        """Saves another plan, of which all stored games are games too. Raises StoreError."""
        self._next_plan = plan
        self.save_plan()

    def add(self, record: GameRecord) -> None:
        """Adds a game; it is on disk when this returns.

        Raises PlayedAlready if the game has a result, and StoreWriteError if it cannot be written;
        earlier games are unaffected.
        """
        try:
            with self._connection:
                insert(self._connection, record)
        except sqlite3.IntegrityError:
            label = record.game.display_number
            raise PlayedAlready(f"{self.path}: game {label} already has a result") from None
        except sqlite3.DatabaseError as error:
            raise StoreWriteError(
                f"{self.path}: game {record.game.display_number} cannot be written: {error}"
            ) from None

    def records(self) -> Iterator[GameRecord]:
        """Yields all games in the order in which they ended, including void attempts.

        Raises StoreError where the file is damaged.
        """
        return self._select("ORDER BY rowid")

    def records_of(self, display_number: int) -> Iterator[GameRecord]:
        """Yields the attempts at a game. Raises StoreError where the file is damaged."""
        return self._select("WHERE display_number = ? ORDER BY rowid", display_number)

    def _select(self, condition: str, *values: int) -> Iterator[GameRecord]:
        with reading(self.path):
            names = _names(self.plan())
            rows = self._connection.execute(f"SELECT * FROM game {condition}", values)
            rows.row_factory = sqlite3.Row
            for row in rows:
                yield record_of(row, names)

    def finished(self) -> set[Key]:
        """Returns the keys of the games that have a result."""
        with reading(self.path):
            rows = self._connection.execute(
                "SELECT first, second, number FROM game WHERE NOT is_void"
            )
            return msgspec.convert(rows.fetchall(), set[Key])

    def attempts(self) -> dict[Key, Attempts]:
        """Returns the attempts at each game so far."""
        with reading(self.path):
            rows = self._connection.execute(
                "SELECT first, second, number, max(attempt), max(display_number) FROM game "
                "GROUP BY first, second, number"
            )
            attempts = ((row[:3], row[3:]) for row in rows)
            return msgspec.convert(dict(attempts), dict[Key, Attempts])

    def _begin(self, plan: MatchPlan) -> None:
        with writing(self.path):
            if self._has_tables():
                self._continue(plan)
            else:
                self._create(plan)

    def _continue(self, plan: MatchPlan) -> None:
        self._check()
        if self.attempts() and (differing := plan_differences(plan, self.plan())):
            raise OtherMatch(
                f"{self.path} holds another match: {'; '.join(differing)}. Give its options, "
                "or another database"
            )
        make_durable(self._connection)
        self._next_plan = plan

    def _check(self) -> None:
        """Raises StoreError for a damaged file, before the first write to it."""
        with reading(self.path):
            (verdict,) = self._connection.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise damage_error(self.path, " ".join(verdict.split()))

    def _create(self, plan: MatchPlan) -> None:
        with self._connection:
            create_tables(self._connection)
            self._connection.execute(
                "INSERT INTO match VALUES (1, ?, ?)", (to_json(plan), time.time())
            )

    def _has_tables(self) -> bool:
        """Returns whether the file contains a match; False if it is empty. Raises StoreError."""
        try:
            return _KIND.has_tables(self.path, self._connection)
        except sqlite3.OperationalError as error:
            raise StoreError(f"{self.path} cannot be read: {error}") from None
        except DAMAGE as error:
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB:
                raise StoreError(f"{self.path} is not a match database: {error}") from None
            raise damage_error(self.path, str(error)) from None


@contextmanager
def starting_over(path: Path) -> Iterator[Path | None]:
    """Moves the store of an earlier match, if any, to a free name, and yields that name or None.

    Moves it back if the block fails before a game is stored. Raises StoreError if a runner is
    playing the earlier match.
    """
    moved = None
    if path.exists():
        moved = free_name(path)
        with opening(path) as resources:
            resources.enter_context(lock_store(path))
            move(path, moved)
    try:
        yield moved
    except BaseException:
        if moved and not _has_games(path):
            move(moved, path)
        raise


def _has_games(path: Path) -> bool:
    try:
        with MatchStore.open(path) as store:
            return bool(store.attempts())
    except StoreError:
        return False


def create_tables(connection: sqlite3.Connection) -> None:
    """Creates the tables of a new store, in a transaction that stays open.

    Raises sqlite3.DatabaseError.
    """
    make_durable(connection)
    _KIND.create(connection)


def read_plan(connection: sqlite3.Connection) -> MatchPlan:
    """Returns the plan in a store. Raises PlanError, and DAMAGE for a damaged file."""
    (text,) = connection.execute("SELECT plan FROM match").fetchone()
    return from_json(text)


def _names(plan: MatchPlan) -> set[str]:
    return {engine.name for engine in plan.engines}


_KEY = ("first", "second", "number", "attempt", "display_number", "is_void")
# Texts for display only. They have separate columns, so that damage to them does not lose games.
FREE_TEXTS = ("detail", "stderr", "transcript", "sgf")
_WITHOUT_TEXTS: Mapping[str, Any] = dict.fromkeys(FREE_TEXTS, "")
_DECODER = msgspec.json.Decoder(GameRecord)


def insert(connection: sqlite3.Connection, record: GameRecord) -> None:
    """Adds a record as a row of the table. Raises sqlite3.DatabaseError."""
    row = {
        **dict(zip(_KEY, _key_of(record), strict=True)),
        "record": msgspec.json.encode(structs.replace(record, **_WITHOUT_TEXTS)).decode(),
        **{name: to_unicode(getattr(record, name)) for name in FREE_TEXTS},
    }
    values = ", ".join(f":{column}" for column in row)
    connection.execute(f"INSERT INTO game ({', '.join(row)}) VALUES ({values})", row)


def record_of(row: sqlite3.Row, names: set[str]) -> GameRecord:
    """Returns the record in a row. names: of the engines.

    Raises ValueError for a game between other engines or a row with contradictory columns, and
    DAMAGE for a damaged row.
    """
    record = _DECODER.decode(row["record"])
    game = record.game
    first, second = game.pairing
    if first == second or first not in names or second not in names:
        raise ValueError(
            f"game {game.display_number} was played by {game.black!r} and {game.white!r}"
        )
    texts = {name: row[name] for name in FREE_TEXTS}
    is_text = all(isinstance(text, str) for text in texts.values())
    if not is_text or [row[name] for name in _KEY] != _key_of(record):
        raise ValueError(f"game {game.display_number} contradicts itself")
    return structs.replace(record, **texts)


def _key_of(record: GameRecord) -> list[object]:
    """Returns the values of the columns in _KEY, which are also in the record."""
    game = record.game
    return [*game.pairing, game.number, game.attempt, game.display_number, record.is_void]
