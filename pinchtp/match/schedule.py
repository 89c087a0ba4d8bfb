"""The games of a match, and their order."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations

from pinchtp.match.option_types import Format
from pinchtp.match.plan import MatchPlan
from pinchtp.match.record import Opening, ScheduledGame


class Schedule:
    """The games of a match, in starting order.

    The two games of a pair are adjacent. Every pairing gets its first pair before any gets its
    second, all with the same opening (unpaired, each of the two games has the next one), so all
    pairings have about the same number of games at any time. More games or engines change none of
    the earlier games.

    pairings: all pairs of engines that meet.
    """

    def __init__(self, plan: MatchPlan) -> None:
        names = [engine.name for engine in plan.engines]
        is_gauntlet = plan.format is Format.GAUNTLET
        self.pairings = [
            pairing
            for pairing in combinations(names, 2)
            if not is_gauntlet or pairing[0] == names[0]
        ]
        self._plan = plan
        self._openings = list(plan.openings) or [Opening()]
        if plan.shuffle:
            random.Random(f"openings {plan.seed}").shuffle(self._openings)

    def __iter__(self) -> Iterator[ScheduledGame]:
        games = self._plan.games
        for first in range(0, games, 2):
            for pairing in self.pairings:
                for number in range(first, min(first + 2, games)):
                    yield self.game(pairing, number)

    def __len__(self) -> int:
        return self._plan.games * len(self.pairings)

    def game(self, pairing: tuple[str, str], number: int) -> ScheduledGame:
        """Returns a game of two engines, also one beyond those of the schedule."""
        turn = number // 2 if self._plan.paired else number
        at = (self._plan.opening_start - 1 + turn) % len(self._openings)
        return ScheduledGame(pairing, number, self._openings[at])
