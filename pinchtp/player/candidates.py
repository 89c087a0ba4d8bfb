"""The moves of a report as clients are told of them: texts, bounds and priors."""

from __future__ import annotations

import math
from typing import NamedTuple

from pinchtp._core import Proof, Report
from pinchtp.games.session import Session
from pinchtp.player.levels import normalized_priors

CONFIDENCE = 1.96  # standard deviations below the mean at which lcb lies: 95 % of a normal curve


class CandidateMove(NamedTuple):
    """A move of a search.

    winrate: of the side to move; of the position if the move was not visited. lcb: a lower bound of
    it. line: the principal variation by turns, this move first. moves: the same line as moves.
    """

    visits: int
    winrate: float
    lcb: float
    prior: float
    line: tuple[str, ...]
    moves: list[int]
    proof: Proof


def candidates(session: Session, report: Report, most: int | None = None) -> list[CandidateMove]:
    """Returns the best moves of a report on a session's position, whose winrate has to be known.

    most: how many; by default all that were visited, and at least one.
    """
    if most is None:
        most = max(1, sum(choice.visits > 0 for choice in report.choices))
    priors = normalized_priors(report.choices)
    assert report.winrate is not None
    result = []
    for choice in report.choices[:most]:
        winrate = report.winrate if choice.winrate is None else choice.winrate
        line = tuple(text for _, text in session.line_texts(choice.line))
        bound = lower_bound(winrate, choice.visits)
        prior = priors[choice.move]
        result.append(
            CandidateMove(choice.visits, winrate, bound, prior, line, choice.line, choice.proof)
        )
    return result


def lower_bound(winrate: float, visits: int) -> float:
    """Returns the lower end of a winrate's confidence interval, at least 0."""
    spread = math.sqrt(winrate * (1 - winrate) / visits) if visits else 0.5
    return max(0.0, winrate - CONFIDENCE * spread)
