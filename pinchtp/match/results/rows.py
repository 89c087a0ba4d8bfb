"""A game of a match as a row of the store, and back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

from pinchtp.base.streams import storable
from pinchtp.games import Color
from pinchtp.match.game.record import DRAW, Cause, Fault, GameRecord, Identity, MoveRecord, Winner
from pinchtp.match.game.task import Opening, Task

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
        identities={Color.read(color): Identity(*each) for color, each in identities.items()},
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
