"""Saves from a damaged store what can be read of it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from pinchtp.base.database import StoreError
from pinchtp.match.game.record import GameRecord
from pinchtp.match.plan.plan import MatchPlan
from pinchtp.match.results.store import PlayedAlready, Store


@dataclass(frozen=True)
class Repair:
    """What was saved. games: attempts in the new store. lost: places of those that are not, counted
    from 1 in the order in which they were played.
    """

    games: int
    lost: tuple[int, ...]


def repair(damaged: Path, repaired: Path, plan: MatchPlan | None = None) -> Repair:
    """Copies the plan and every readable game of a store to a new one, which can be played on.

    The games that are lost are missing there, and are played again when the match goes on. plan:
    the match, if that cannot be read from the store. Raises StoreError if the file is no store, its
    plan cannot be read and none is given, or the new file cannot be written.
    """
    if os.path.lexists(repaired):
        raise StoreError(f"{repaired} exists already: give another name with --to")
    games, lost = 0, []
    with Store.open(damaged, copied=True) as old:
        plan = plan or _plan(old)
        with Store.begin(repaired, plan) as new:
            for place, record in old.readable_records(plan):
                if record is not None and _added(new, record):
                    games += 1
                else:
                    lost.append(place)
    return Repair(games, tuple(lost))


def _plan(store: Store) -> MatchPlan:
    try:
        return store.plan()
    except StoreError:
        raise StoreError(
            f"{store.path}: the plan of the match cannot be read, without which no game can be "
            "kept: give a match file that describes it as well"
        ) from None


def _added(store: Store, record: GameRecord) -> bool:
    """Keeps a game; False for one that is there already."""
    try:
        store.add(record)
    except PlayedAlready:
        return False
    return True
