"""Games of random moves: many by the core's playouts, and some move by move."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any, ClassVar

from pinchtp.report.experiments.experiment import Endless, WorkUnit
from pinchtp.report.playing import DRAW, Cancelled, StopCheck
from pinchtp.report.subject import ReportSubject

PLAYOUTS = 1000  # of a unit
STEPPED = 5  # games of a unit whose choices are counted


class RandomGames(Endless):
    """Each unit counts the lengths and winners of PLAYOUTS games, and the choices in STEPPED."""

    name: ClassVar[str] = "random"
    what: ClassVar[str] = "games of random moves"
    weight: ClassVar[float] = 3
    first_seconds: ClassVar[float] = 0.1
    most: ClassVar[int | None] = 100

    def measure(self, subject: ReportSubject, unit: WorkUnit, stop: StopCheck) -> Any:
        start = subject.start()
        seed = subject.unit_seed(self.name, unit.number)
        played = start.playouts(PLAYOUTS, seed)
        source = random.Random(seed)
        actions: set[int] = set()
        choices = [_choices(subject, source, actions, stop) for _ in range(STEPPED)]
        return {
            "lengths": dict(sorted(Counter(map(str, played[:, 1].tolist())).items())),
            "first": int((played[:, 2] == start.to_move).sum()),
            "draws": int((played[:, 2] == DRAW).sum()),
            "choices": choices,
            "actions": sorted(actions),
        }


def _choices(
    subject: ReportSubject, source: random.Random, actions: set[int], stop: StopCheck
) -> list[int]:
    """How many turns there were to choose from in each turn of a random game; see `branching`."""
    position, found, product = subject.start(), [], 1
    while position.result is None:
        if stop():
            raise Cancelled
        legal = position.legal_moves()
        actions.update(legal)
        product *= len(legal)
        position = position.play(legal[source.randrange(len(legal))])
        if not position.mid_turn or position.result is not None:
            found.append(product)
            product = 1
    return found
