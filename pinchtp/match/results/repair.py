"""Saves from a damaged store what can be read of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pinchtp.match.game.record import GameRecord
from pinchtp.match.results.store import Store, StoreError


@dataclass(frozen=True)
class Repair:
    """What was saved. games: attempts in the new store. lost: places of those that are not, counted
    from 1 in the order in which they were played.
    """

    games: int
    lost: tuple[int, ...]


def repair(damaged: Path, repaired: Path) -> Repair:
    """Copies the plan and every readable game of a store to a new one, which can be played on.

    The games that are lost are missing there, and are played again when the match goes on. Raises
    StoreError if the file is no store, its plan cannot be read, or the new file cannot be written.
    """
    if repaired.exists():
        raise StoreError(f"{repaired} exists already: give another name with --to")
    games, lost = 0, []
    with Store.open(damaged) as old:
        plan = old.plan()
        with Store.begin(repaired, plan) as new:
            for place, record in old.readable_records():
                if record is not None and _added(new, record):
                    games += 1
                else:
                    lost.append(place)
    return Repair(games, tuple(lost))


def _added(store: Store, record: GameRecord) -> bool:
    """Keeps a game; False for one that is there already, or whose values no game can have."""
    players = {engine.name for engine in store.plan().engines}
    if not {record.task.black, record.task.white} <= players:
        return False
    try:
        store.add(record)
    except ValueError:
        return False
    return True
