"""Repair of a damaged store: a new one with all games that can be read."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from pinchtp.base.sqlite import StoreError
from pinchtp.match.game.record import GameRecord
from pinchtp.match.game.task import Task
from pinchtp.match.plan.plan import MOST_GAMES, MatchPlan
from pinchtp.match.plan.schedule import schedule
from pinchtp.match.results.connection import size_of
from pinchtp.match.results.errors import DAMAGE, opening
from pinchtp.match.results.recovery import (
    LEAST_ROW,
    connect_to_restored,
    games_held,
    readable_rows,
)
from pinchtp.match.results.rows import record_of
from pinchtp.match.results.store import PlayedAlready, Store, read_plan


@dataclass(frozen=True)
class Repair:
    """The result of a repair. games: attempts in the new store. lost: attempts that are not, at
    least.
    """

    games: int
    lost: int


def repair(damaged: Path, repaired: Path, plan: MatchPlan | None = None) -> Repair:
    """Copies the plan and every readable game of a store to a new one, which can be played on.

    The games that are lost are missing there, and are played again when the match goes on. plan:
    the match, if that cannot be read from the store. Raises StoreError if the file is no store, its
    plan cannot be read and none is given, no game of the plan can be read though there are some, or
    the new file cannot be written.
    """
    if os.path.lexists(repaired):
        raise StoreError(f"{repaired} exists already: give another name with --to")
    with opening(damaged) as resources:
        old = connect_to_restored(damaged, resources)
        plan = plan or _plan(damaged, old)
        games = failed = 0
        with Store.begin(repaired, plan) as new:
            for record in _records(old, plan, size_of(damaged)):
                if record and _added(new, record):
                    games += 1
                else:
                    failed += 1
        lost = max(failed, (games_held(old) or 0) - games)
    if lost and not games:
        repaired.unlink()
        raise StoreError(
            f"{damaged}: none of {lost} games can be read as a game of this match: give a match "
            "file that describes it"
        )
    return Repair(games, lost)


def _plan(path: Path, connection: sqlite3.Connection) -> MatchPlan:
    with suppress(StoreError, *DAMAGE):
        return read_plan(connection)
    raise StoreError(
        f"{path}: the plan of the match cannot be read, without which no game can be "
        "kept: give a match file that describes it as well"
    )


def _records(
    connection: sqlite3.Connection, plan: MatchPlan, size: int
) -> Iterator[GameRecord | None]:
    """Yields the games; None for a row that is no game of the plan. size: of the store in bytes."""
    tasks = _Tasks(plan, most=size // LEAST_ROW)
    names = {engine.name for engine in plan.engines}
    for row in readable_rows(connection, size):
        record = None
        with suppress(*DAMAGE):
            record = record_of(row, names) if row else None
        yield record if record and tasks.has(record.task) else None


class _Tasks:
    """The games of a match, however long it was made, as far as they have been looked up."""

    def __init__(self, plan: MatchPlan, most: int) -> None:
        """most: games that there can be."""
        self._schedule = islice(schedule(replace(plan, games=MOST_GAMES)), most)
        self._contents: dict[int, tuple[object, ...]] = {}

    def has(self, task: Task) -> bool:
        """Returns whether a game, or an attempt at it, is one of the match."""
        while task.number not in self._contents:
            following = next(self._schedule, None)
            if following is None:
                return False
            self._contents[following.number] = _contents(following)
        return self._contents[task.number] == _contents(task)


def _contents(task: Task) -> tuple[object, ...]:
    """Returns what is the same in all attempts; the names of openings may change."""
    return task.pair, task.black, task.white, task.opening.moves, task.seed


def _added(store: Store, record: GameRecord) -> bool:
    """Adds a game; returns False for one that is there already."""
    try:
        store.add(record)
    except PlayedAlready:
        return False
    return True
