"""A game of a match as a row of the store, and back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

from pinchtp.base.text import storable
from pinchtp.games import Color
from pinchtp.match.game.record import DRAW, Cause, Fault, GameRecord, Identity, MoveRecord, Winner
from pinchtp.match.game.task import Opening, Task


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
        "faults": faults_text(record),
    }


def key_of(record: GameRecord) -> tuple[int, int]:
    """The primary key of its row."""
    return record.task.number, record.task.attempt


def rows_of(cursor: sqlite3.Cursor) -> Iterator[dict[str, Any]]:
    """What a query finds, by column."""
    columns = [name for name, *_ in cursor.description]
    for values in cursor:
        yield dict(zip(columns, values, strict=True))


def record_of(row: Mapping[str, Any], names: set[str]) -> GameRecord:
    """The record that a row holds. names: of the engines.

    Raises ValueError for a game of others; of a damaged row, whatever reading such values does.
    """
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
        moves=tuple(
            MoveRecord(Color.read(word), *rest) for word, *rest in json.loads(row["moves"])
        ),
        identities={Color.read(color): Identity(*each) for color, each in identities.items()},
        transcript=row["transcript"],
        sgf=row["sgf"],
        faults=_faults(row),
        **{column: row[column] for column in plain},
    )


def faults_text(record: GameRecord) -> str:
    """The column `faults`, which schema 1 did not have."""
    return json.dumps([[str(fault.color), fault.cause] for fault in record.faults])


def _faults(row: Mapping[str, Any]) -> tuple[Fault, ...]:
    """Schema 1 told of false scores in the detail alone."""
    if "faults" in row:
        faults = json.loads(row["faults"])
        return tuple(Fault(Color.read(color), Cause(cause)) for color, cause in faults)
    return tuple(
        Fault(color, Cause.SCORE)
        for color in Color
        if "which is wrong" in row["detail"].partition(f"({color}) says ")[2]
    )


def _word(value: Winner | None) -> str | None:
    return None if value is None else str(value)


def _winner(word: str | None) -> Winner | None:
    if word is None:
        return None
    return DRAW if word == str(DRAW) else Color.read(word)
