"""Which games a match consists of, in which order."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations

from pinchtp.match.game.task import Opening, Task
from pinchtp.match.plan.kinds import Format
from pinchtp.match.plan.plan import MatchPlan

NO_OPENING = (Opening(),)


def pairings(plan: MatchPlan) -> list[tuple[str, str]]:
    """Who meets whom, each two once."""
    names = [engine.name for engine in plan.engines]
    if plan.format is Format.GAUNTLET:
        return [(names[0], other) for other in names[1:]]
    return list(combinations(names, 2))


def schedule(plan: MatchPlan) -> Iterator[Task]:
    """All games of the match, in the order in which they are to be started.

    The two games of a pair stand together; every pairing gets its first pair before one gets its
    second, all of them with the same opening. So at any time all pairings have about as many games,
    and a match that is made longer goes on as it began.
    """
    openings = _openings(plan)
    meetings = pairings(plan)
    for round_ in range((plan.games + 1) // 2):
        for place, (one, two) in enumerate(meetings):
            pair = round_ * len(meetings) + place
            for second, (black, white) in enumerate(((one, two), (two, one))):
                if 2 * round_ + second < plan.games:
                    number = 2 * pair + second
                    opening = openings[round_ % len(openings)]
                    yield Task(number, pair, black, white, opening, _seed(plan, number))


def total(plan: MatchPlan) -> int:
    """How many games the schedule has."""
    return plan.games * len(pairings(plan))


def _openings(plan: MatchPlan) -> Sequence[Opening]:
    openings = list(plan.openings) or list(NO_OPENING)
    if plan.shuffle:
        random.Random(f"openings {plan.seed}").shuffle(openings)
    return openings


def _seed(plan: MatchPlan, number: int) -> int:
    return random.Random(f"game {plan.seed} {number}").getrandbits(63)
