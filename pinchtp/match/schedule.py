"""Which games a match consists of, in which order."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, count, islice

from pinchtp.match.option_types import Format
from pinchtp.match.plan import MOST_GAMES, MatchPlan, Stage
from pinchtp.match.record import Opening, Task

NO_OPENING = (Opening(),)


def pairings(plan: MatchPlan, engines: int | None = None) -> list[tuple[str, str]]:
    """Who meets whom, each two once; engines: of how many, all unless given."""
    names = [engine.name for engine in plan.engines[:engines]]
    if plan.format is Format.GAUNTLET:
        return [(names[0], other) for other in names[1:]]
    return list(combinations(names, 2))


def schedule(plan: MatchPlan) -> Iterator[Task]:
    """All games of the match, in the order in which they are to be started.

    The two games of a pair stand together; every pairing gets its first pair before one gets its
    second, all of them with the same opening (unpaired, each of the two games has the next one). So
    at any time all pairings have about as many games, and a match that is made longer goes on as it
    began. What engines that were added later have to play follows the games of those before.
    """
    openings = _openings(plan)
    for pair, (round_, one, two, games) in enumerate(_pairs(plan, _stages(plan))):
        for second, (black, white) in enumerate(((one, two), (two, one))):
            if second in games:
                number = 2 * pair + second
                turn = round_ if plan.paired else 2 * round_ + second
                opening = openings[(plan.opening_start - 1 + turn) % len(openings)]
                yield Task(number, pair, black, white, opening, _seed(plan, number))


def total(plan: MatchPlan) -> int:
    """How many games the schedule has."""
    games: dict[tuple[str, str], int] = {}
    for stage in _stages(plan):
        _add_stage(games, plan, stage)
    return sum(games.values())


def most_games(plan: MatchPlan, numbers: Collection[int]) -> int:
    """The games of each two engines that the match had when it had most, as far as its numbers of
    games tell: it may have been made shorter since.
    """
    if not numbers:
        return plan.games
    before = sum(1 for _ in _pairs(plan, plan.stages))
    taken = max(numbers) // 2 + 1 - before
    without_end = (*plan.stages, Stage(len(plan.engines), MOST_GAMES))
    pairs = islice(_pairs(plan, without_end), before, before + max(0, taken))
    rounds = {pair: round_ for pair, (round_, *_) in zip(count(before), pairs, strict=False)}
    games = (2 * rounds[each // 2] + each % 2 + 1 for each in numbers if each // 2 in rounds)
    return max([plan.games, *games])


def _pairs(plan: MatchPlan, stages: Sequence[Stage]) -> Iterator[tuple[int, str, str, list[int]]]:
    """Pairs of games, in their order: round, both engines, and which of the two are played."""
    before: dict[tuple[str, str], int] = {}  # games of each pairing in earlier stages
    for stage in stages:
        for round_ in range((stage.games + 1) // 2):
            for meeting in pairings(plan, stage.engines):
                done = before.get(meeting, 0)
                games = [each for each in (0, 1) if done <= 2 * round_ + each < stage.games]
                if games:
                    yield round_, *meeting, games
        _add_stage(before, plan, stage)


def _stages(plan: MatchPlan) -> tuple[Stage, ...]:
    return (*plan.stages, Stage(len(plan.engines), plan.games))


def _add_stage(games: dict[tuple[str, str], int], plan: MatchPlan, stage: Stage) -> None:
    for meeting in pairings(plan, stage.engines):
        games[meeting] = max(stage.games, games.get(meeting, 0))


def _openings(plan: MatchPlan) -> Sequence[Opening]:
    openings = list(plan.openings) or list(NO_OPENING)
    if plan.shuffle:
        random.Random(f"openings {plan.seed}").shuffle(openings)
    return openings


def _seed(plan: MatchPlan, number: int) -> int:
    return random.Random(f"game {plan.seed} {number}").getrandbits(63)
