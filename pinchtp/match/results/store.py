"""The games of a match on disk: one SQLite file, which survives whatever ends the runner.

A row is one attempt at a game, written in a transaction of its own when the game has ended. So at
any instant the file holds the games that are finished, and nothing of those that are not.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Self

from pinchtp.base.closing import Closing
from pinchtp.base.sqlite import CannotKeep, FileKind, StoreError, make_durable
from pinchtp.match.game.record import GameRecord
from pinchtp.match.plan.continuation import continued, differences
from pinchtp.match.plan.plan import MatchPlan, PlanError
from pinchtp.match.plan.schedule import most_games, schedule
from pinchtp.match.plan.stored import from_json, to_json
from pinchtp.match.results.connection import (
    connect_to_read,
    connect_to_write,
)
from pinchtp.match.results.errors import DAMAGE, damaged, opening, reading, writing
from pinchtp.match.results.lock import locked
from pinchtp.match.results.rows import record_of, row_of, rows_of

IN_MEMORY = Path(":memory:")
SCHEMA = 2

_TABLES = """
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
  faults TEXT NOT NULL,     -- JSON: color and cause of each
  PRIMARY KEY (number, attempt)
);
CREATE UNIQUE INDEX finished ON game (number) WHERE winner IS NOT NULL;
"""
_KIND = FileKind(b"Pnch", SCHEMA, _TABLES)


class PlayedAlready(CannotKeep):
    """There is a result of that game."""


class Store(Closing):
    """The store of one match. Use it in a `with` statement.

    `open` is for readers, at any time; `begin` for the process that plays.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, resources: ExitStack) -> None:
        """resources: what is closed with it, the connection among them."""
        self.path = path
        self._connection = connection
        self._resources = resources
        self._next_plan: MatchPlan | None = None  # which is not kept yet

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Opens a store to read it. Raises StoreError."""
        path = Path(path)
        if not os.path.isfile(path):
            raise StoreError(f"{path}: there is no such file")
        with opening(path) as resources:
            store = cls(path, connect_to_read(path, resources), resources)
            if not store._has_tables():
                raise StoreError(f"{path} holds no match yet")
            store._resources = resources.pop_all()
        return store

    @classmethod
    def begin(cls, path: str | Path, plan: MatchPlan) -> Self:
        """Opens the store of a match to play it: a new one, or one with games of the same match,
        whose plan stays as it was until keep_plan() is called.

        Raises StoreError if the file is something else, the match there is another one, or some
        other runner plays it just now.
        """
        path = Path(path)
        with opening(path) as resources:
            if path != IN_MEMORY:
                resources.enter_context(locked(path))
            store = cls(path, connect_to_write(path, resources), resources)
            store._begin(plan)
            store._resources = resources.pop_all()
        return store

    def close(self) -> None:
        self._resources.close()

    def plan(self) -> MatchPlan:
        """The match that is played."""
        if self._next_plan:
            return self._next_plan
        with reading(self.path):
            try:
                return read_plan(self._connection)
            except PlanError as error:
                raise StoreError(f"{self.path}: {error}") from None

    def keep_plan(self) -> None:
        """Keeps the plan with which the match goes on: there may be more games or engines than
        before. Raises StoreError.
        """
        if self._next_plan:
            with writing(self.path), self._connection:
                self._connection.execute("UPDATE match SET plan = ?", (to_json(self._next_plan),))

    def add(self, record: GameRecord) -> None:
        """Keeps a game; it is on disk when this returns.

        Raises PlayedAlready if a result of that game is there, and CannotKeep if it cannot be
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
            label = record.task.label
            raise PlayedAlready(f"{self.path}: game {label} was played already") from None
        except sqlite3.DatabaseError as error:
            raise CannotKeep(
                f"{self.path}: game {record.task.label} cannot be kept: {error}"
            ) from None

    def records(self, skip: int = 0) -> Iterator[GameRecord]:
        """All games in the order in which they ended, void attempts among them.

        skip: how many of the first are left out. Raises StoreError where the file is damaged.
        """
        with reading(self.path):
            names = _names(self.plan())
            cursor = self._connection.execute(
                "SELECT * FROM game ORDER BY rowid LIMIT -1 OFFSET ?", (skip,)
            )
            for row in rows_of(cursor):
                yield record_of(row, names)

    def finished(self) -> set[int]:
        """Numbers of the games that have a result."""
        with reading(self.path):
            rows = self._connection.execute("SELECT number FROM game WHERE winner IS NOT NULL")
            return {number for (number,) in rows}

    def attempts(self) -> dict[int, int]:
        """How many attempts there were, by number of the game."""
        with reading(self.path):
            rows = self._connection.execute("SELECT number, count(*) FROM game GROUP BY number")
            return dict(rows)

    def _begin(self, plan: MatchPlan) -> None:
        with writing(self.path):
            if self._has_tables():
                self._continue(plan)
            else:
                self._create(plan)

    def _continue(self, plan: MatchPlan) -> None:
        self._check()
        before, attempts = self.plan(), self.attempts()
        if attempts and (differing := differences(plan, before)):
            raise StoreError(
                f"{self.path} holds another match: {'; '.join(differing)}. Give the options with "
                "which it was begun, or another --db"
            )
        make_durable(self._connection)
        if attempts:
            with reading(self.path):
                plan = continued(plan, replace(before, games=most_games(before, attempts)))
                self._check_numbers(plan)
        self._next_plan = plan

    def _check_numbers(self, plan: MatchPlan) -> None:
        """Raises StoreError if games have numbers that the plan gives to others."""
        rows = self._connection.execute(
            "SELECT number, black, white FROM game WHERE winner IS NOT NULL"
        )
        players = {number: (black, white) for number, black, white in rows}
        last = max(players, default=-1)
        for task in takewhile(lambda task: task.number <= last, schedule(plan)):
            black, white = players.get(task.number, (task.black, task.white))
            if (black, white) != (task.black, task.white):
                raise StoreError(
                    f"{self.path}: game {task.label} was played by {black} and {white}, where "
                    f"{task.black} and {task.white} are to play: the match cannot go on"
                )

    def _check(self) -> None:
        """Raises StoreError for a damaged file, before anything is written to it."""
        with reading(self.path):
            (found,) = self._connection.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise damaged(self.path, " ".join(found.split()))

    def _create(self, plan: MatchPlan) -> None:
        with self._connection:
            create_tables(self._connection)
            self._connection.execute(
                "INSERT INTO match VALUES (1, ?, ?)", (to_json(plan), time.time())
            )

    def _has_tables(self) -> bool:
        """Whether there is a match in it; False for an empty file. Raises StoreError."""
        try:
            return _KIND.has_tables(self.path, self._connection)
        except sqlite3.OperationalError as error:
            raise StoreError(f"{self.path} cannot be read: {error}") from None
        except DAMAGE as error:
            raise StoreError(f"{self.path} is no store of a match: {error}") from None


def create_tables(connection: sqlite3.Connection) -> None:
    """Creates those of a new store, in a transaction that stays open.

    Raises sqlite3.DatabaseError.
    """
    make_durable(connection)
    _KIND.create(connection)


def read_plan(connection: sqlite3.Connection) -> MatchPlan:
    """Returns the plan in a store. Raises PlanError, and what reading a damaged file does."""
    (text,) = connection.execute("SELECT plan FROM match").fetchone()
    return from_json(text)


def _names(plan: MatchPlan) -> set[str]:
    return {engine.name for engine in plan.engines}
