"""Measurements on disk: one SQLite file, which stays valid however the run ends.

A row is one unit of work. When a unit is done, one transaction writes its row and the part of the
budget used so far. An interrupted run loses only the units in progress, and repeats no others.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import msgspec

from pinchtp.base.sqlite import FileFormat, StoreError, StoreWriteError, make_durable
from pinchtp.report.experiment import Measurements, UnitResult
from pinchtp.report.subject import ReportSubject

_TABLES = """
CREATE TABLE subject (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  subject TEXT NOT NULL  -- JSON
);
CREATE TABLE unit (
  experiment TEXT NOT NULL,
  number INTEGER NOT NULL,
  data TEXT NOT NULL,     -- JSON: the result
  seconds REAL NOT NULL,  -- of work
  machine TEXT NOT NULL,
  version TEXT NOT NULL,  -- of pinchtp
  ended REAL NOT NULL,    -- seconds since 1970
  PRIMARY KEY (experiment, number)
);
CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  begun REAL NOT NULL,    -- seconds since 1970
  seconds REAL NOT NULL   -- that it took until its latest unit was done
);
"""
_KIND = FileFormat(b"Prep", 1, _TABLES)


class ReportStore(AbstractContextManager[Any]):
    """The results of one subject, in an SQLite file that one process uses at a time."""

    def __init__(self, path: Path, subject: ReportSubject) -> None:
        """Opens or creates a store. Raises StoreError."""
        self.path = path
        self.subject = subject
        self._run: int | None = None
        try:
            self._connection = sqlite3.connect(path, timeout=0.5)
        except sqlite3.OperationalError as error:
            raise StoreError(f"{path}: {error}") from None
        try:
            self._open()
        except BaseException:
            self._connection.close()
            raise

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()

    def measurements(self) -> Measurements:
        """Returns all results. Raises StoreError for a damaged file."""
        measurements = Measurements(self.subject)
        with self._reading():
            for name, number, data, seconds in self._connection.execute(
                "SELECT experiment, number, data, seconds FROM unit ORDER BY rowid"
            ):
                measurements.add(name, number, msgspec.json.decode(data), float(seconds))
        return measurements

    def seconds(self) -> float:
        """Returns the seconds of the budget that all runs have used so far.

        Raises StoreError for a damaged file.
        """
        with self._reading():
            (total,) = self._connection.execute("SELECT total(seconds) FROM run").fetchone()
            return float(total)

    def machines(self) -> tuple[str, ...]:
        """Returns the names of the machines that measured. Raises StoreError for a damaged file."""
        return self._distinct("machine")

    def versions(self) -> tuple[str, ...]:
        """Returns the versions of pinchtp that measured. Raises StoreError for a damaged file."""
        return self._distinct("version")

    def days(self) -> tuple[str, ...]:
        """Returns the first and the last local day of the measurements, one if they are equal, none
        before the first. Raises StoreError for a damaged file.
        """
        days = self._distinct("date(ended, 'unixepoch', 'localtime')")
        return days if len(days) < 2 else (days[0], days[-1])

    def _distinct(self, value: str) -> tuple[str, ...]:
        """Returns the values of an expression over all units, in order."""
        with self._reading():
            rows = self._connection.execute(f"SELECT DISTINCT {value} FROM unit ORDER BY 1")
            return tuple(text for (text,) in rows)

    def add(self, outcome: UnitResult, seconds: float) -> None:
        """Adds a unit; it is on disk when this returns.

        seconds: of this run so far. Raises StoreWriteError; earlier units are unaffected.
        """
        unit = outcome.unit
        row = (
            unit.experiment,
            unit.number,
            msgspec.json.encode(outcome.data).decode(),
            outcome.seconds,
            outcome.machine,
            outcome.version,
            time.time(),
        )
        try:
            with self._connection:
                self._connection.execute("INSERT INTO unit VALUES (?, ?, ?, ?, ?, ?, ?)", row)
                self._note_run(seconds)
        except sqlite3.DatabaseError as error:
            raise StoreWriteError(
                f"{self.path}: unit {unit.number} of {unit.experiment} cannot be stored: {error}; "
                "earlier measurements are safe"
            ) from None

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Turns errors of reading a damaged file into a StoreError."""
        try:
            yield
        except (sqlite3.DatabaseError, ValueError) as error:
            raise StoreError(f"{self.path} is damaged: {error}") from None

    def _note_run(self, seconds: float) -> None:
        if self._run is None:
            cursor = self._connection.execute(
                "INSERT INTO run (begun, seconds) VALUES (?, ?)", (time.time() - seconds, seconds)
            )
            self._run = cursor.lastrowid
        self._connection.execute("UPDATE run SET seconds = ? WHERE id = ?", (seconds, self._run))

    def _open(self) -> None:
        try:
            self._connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            if not _KIND.has_tables(self.path, self._connection):
                self._create()
            make_durable(self._connection)
            self._connection.execute("BEGIN EXCLUSIVE")
            self._connection.execute("COMMIT")
            self._check_subject()
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise StoreError(f"{self.path} is in use by another run") from None
            raise StoreError(f"{self.path} cannot be used: {error}") from None
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{self.path} is not a report database: {error}") from None

    def _create(self) -> None:
        with self._connection:
            _KIND.create(self._connection)
            self._connection.execute("INSERT INTO subject VALUES (1, ?)", (self.subject.as_json(),))

    def _check_subject(self) -> None:
        row = self._connection.execute("SELECT subject FROM subject").fetchone()
        if row is None:
            raise StoreError(f"{self.path} is damaged: it does not name its subject")
        try:
            kept = msgspec.json.decode(row[0], type=dict[str, Any])
        except ValueError as error:
            raise StoreError(f"{self.path} is damaged: {error}") from None
        wanted = msgspec.to_builtins(self.subject)
        differing = [name for name in wanted if kept.get(name) != wanted[name]]
        if differing:
            differences = "; ".join(
                f"{name} is {_plain(kept.get(name))}, not {_plain(wanted[name])}"
                for name in differing
            )
            raise StoreError(
                f"{self.path} holds other measurements: {differences}. "
                "Give another directory (--out)"
            )


def _plain(value: Any) -> str:
    return msgspec.json.encode(value).decode() if isinstance(value, dict) else f"{value}" or "none"
