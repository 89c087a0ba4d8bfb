"""The moves of a report as clients are told of them: texts, bounds and priors."""

from __future__ import annotations

import math
from typing import NamedTuple

from pinchtp._core import Choice, Proof, Report
from pinchtp.games.notation import split_turns
from pinchtp.games.session import Session
from pinchtp.player.levels import normalized_priors

CONFIDENCE = 1.96  # standard deviations below the mean at which lcb lies: 95 % of a normal curve


class CandidateMove(NamedTuple):
    """A move of a search.

    winrate: of the side to move; of the position if the move was not visited. lcb: a lower bound of
    it. line: the principal variation by turns, this move first. moves: the same line as moves.
    line_visits: of each turn of the line, at its first step; empty if the search has no tree.
    """

    visits: int
    winrate: float
    lcb: float
    prior: float
    line: tuple[str, ...]
    moves: list[int]
    proof: Proof
    line_visits: list[int]


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
        visits = _visits_of_turns(session, choice)[: len(line)]
        result.append(
            CandidateMove(
                choice.visits, winrate, bound, prior, line, choice.line, choice.proof, visits
            )
        )
    return result


def _visits_of_turns(session: Session, choice: Choice) -> list[int]:
    """Returns the visits of each turn of a choice's line, as Session.line_texts() divides it."""
    if not (session.game.notation.multi_part and choice.line_visits):
        return choice.line_visits
    visits, at = list[int](), 0
    for before, moves in split_turns(session.position, choice.line):
        visits += choice.line_visits[at : at + (len(moves) if before.mid_turn else 1)]
        at += len(moves)
    return visits


def lower_bound(winrate: float, visits: int) -> float:
    """Returns the lower end of a winrate's confidence interval, at least 0."""
    spread = math.sqrt(winrate * (1 - winrate) / visits) if visits else 0.5
    return max(0.0, winrate - CONFIDENCE * spread)
