"""The games of a match on disk: one SQLite file, which survives whatever ends the runner.

A row is one attempt at a game, written in a transaction of its own when the game has ended. So at
any instant the file holds the games that are finished, and nothing of those that are not.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Any, Self

from pinchtp.base.closing import Closing
from pinchtp.base.sqlite import CannotKeep, FileKind, StoreError, make_durable
from pinchtp.base.streams import storable
from pinchtp.client.identity import EngineIdentity
from pinchtp.games import Color
from pinchtp.match.plan import MatchPlan, PlanError
from pinchtp.match.plan_file import continued, differences, from_json, to_json
from pinchtp.match.record import (
    DRAW,
    Cause,
    Fault,
    GameRecord,
    MoveRecord,
    Opening,
    Task,
    Winner,
)
from pinchtp.match.schedule import most_games, schedule
from pinchtp.match.store_file import (
    DAMAGE,
    connect_to_read,
    connect_to_write,
    damaged,
    locked,
    opening,
    reading,
    writing,
)

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


FREE_TEXTS = ("detail", "stderr", "transcript", "sgf")  # columns that are shown as they are
_TYPES = {
    **dict.fromkeys(("number", "attempt", "pair", "seed"), int),
    **dict.fromkeys(("started", "seconds", "overhead"), float),
    **dict.fromkeys(("black", "white", "machine", *FREE_TEXTS), str),
}
_LATEST = 1e11  # seconds since 1970, in the year 5138


def row_of(record: GameRecord) -> dict[str, Any]:
    """A record as a row of the table, by column."""
    task = record.task
    opening = [task.opening.name, *task.opening.moves]
    moves = [[str(m.color), m.text, m.seconds, m.winrate, m.book] for m in record.moves]
    identities = {
        str(color): [each.name, each.version, each.command, each.binary]
        for color, each in record.identities.items()
    }
    return {
        "number": task.number,
        "attempt": task.attempt,
        "pair": task.pair,
        "black": task.black,
        "white": task.white,
        "opening": json.dumps(opening),
        "seed": task.seed,
        "winner": _word(record.winner),
        "cause": record.cause.value,
        "detail": storable(record.detail),
        "failed": _word(record.failed),
        "moves": json.dumps(moves, separators=(",", ":")),
        "identities": json.dumps(identities),
        "started": record.started,
        "seconds": record.seconds,
        "overhead": record.overhead,
        "machine": record.machine,
        "stderr": storable(record.stderr),
        "transcript": storable(record.transcript),
        "sgf": storable(record.sgf),
        "faults": json.dumps([[str(fault.color), fault.cause] for fault in record.faults]),
    }


def rows_of(cursor: sqlite3.Cursor) -> Iterator[dict[str, Any]]:
    """What a query finds, by column."""
    columns = [name for name, *_ in cursor.description]
    for values in cursor:
        yield dict(zip(columns, values, strict=True))


def record_of(row: Mapping[str, Any], names: set[str]) -> GameRecord:
    """Returns the record that a row holds. names: of the engines.

    Raises ValueError for a game of others and for a value of another type; of a damaged row,
    whatever reading such values does.
    """
    for column, kind in _TYPES.items():
        if not isinstance(row[column], kind):
            raise ValueError(f"{column} is {row[column]!r}")
    if not 0 <= row["started"] + row["seconds"] < _LATEST:
        raise ValueError(f"a game of {row['seconds']} s started at {row['started']}")
    name, *opening = json.loads(row["opening"])
    task = Task(
        row["number"],
        row["pair"],
        row["black"],
        row["white"],
        Opening(name, tuple(opening)),
        row["seed"],
        row["attempt"],
    )
    if task.black == task.white or not {task.black, task.white} <= names:
        raise ValueError(f"game {task.label} was played by {task.black!r} and {task.white!r}")
    identities = json.loads(row["identities"])
    plain = ("detail", "started", "seconds", "overhead", "machine", "stderr")
    return GameRecord(
        task=task,
        winner=_winner(row["winner"]),
        cause=Cause(row["cause"]),
        failed=Color.read(row["failed"]) if row["failed"] else None,
        moves=tuple(_move(*each) for each in json.loads(row["moves"])),
        identities={Color.read(color): EngineIdentity(*each) for color, each in identities.items()},
        transcript=row["transcript"],
        sgf=row["sgf"],
        faults=tuple(
            Fault(Color.read(color), Cause(cause)) for color, cause in json.loads(row["faults"])
        ),
        **{column: row[column] for column in plain},
    )


def _move(color: str, text: str, seconds: float, winrate: float | None, book: bool) -> MoveRecord:
    """Returns a move. Raises ValueError for a value of another type or out of range."""
    if not isinstance(text, str) or not seconds >= 0 or not 0 <= (winrate or 0) <= 1:
        raise ValueError(f"a move is {text!r}, after {seconds!r} s, with winrate {winrate!r}")
    return MoveRecord(Color.read(color), text, seconds, winrate, book)


def _word(value: Winner | None) -> str | None:
    return None if value is None else str(value)


def _winner(word: str | None) -> Winner | None:
    if word is None:
        return None
    return DRAW if word == str(DRAW) else Color.read(word)
