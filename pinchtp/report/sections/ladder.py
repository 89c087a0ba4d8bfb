"""How much better more thinking plays: the depth of the game."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from pinchtp.match.statistics.rating import bradley_terry, elo_difference
from pinchtp.pages.charts import Axis, Line, line_chart, rounded
from pinchtp.pages.format import outcomes, percent, signed
from pinchtp.report.evidence import Evidence
from pinchtp.report.experiments.ladder import (
    CONFIDENCE,
    LOOKS,
    RANDOM,
    SCORE,
    Ladder,
    Pairing,
    pairings,
    rungs,
)
from pinchtp.report.figures import Figure, Unit, interval, shown
from pinchtp.report.sections.section import Chart, Section, Summary, Table
from pinchtp.report.statistics import Estimate, mean, share
from pinchtp.report.subject import Subject


class LadderSection(Section):
    name: ClassVar[str] = "ladder"
    title: ClassVar[str] = "Ladder"
    about: ClassVar[str] = (
        "How many steps of skill there are: random play, then players who think longer and longer, "
        "each of whom clearly beats the one before. A deep game has many rungs, and still rewards "
        "longer thinking at the top."
    )
    uses: ClassVar[tuple[str, ...]] = (Ladder.name,)

    def summarize(self, evidence: Evidence) -> Summary | None:
        done = evidence.results(Ladder.name)
        played = pairings(done)
        if not played:
            return None
        steps = rungs(done)
        ratings = _ratings(played)
        first = evidence.subject.first
        games = [game for pairing in played for game in pairing.games]
        points = sum(won if color == first else 1 - won for won, color, _ in games)
        top = ratings[-1]
        figures = [
            Figure("rungs", "Rungs above random play", len(steps) - 1, Unit.WHOLE, glance=True,
                   method=f"Players of whom each scores at least {percent(SCORE)} against the one "
                   f"before, with {percent(CONFIDENCE)} confidence; judged after {_looks()} pairs "
                   "of games, the risk shared among the looks."),
            Figure("top", f"Elo of {top['visits']:,} simulations a move over random play",
                   top["elo"], Unit.ELO, top["low"], top["high"], len(games),
                   "All games of the ladder by Bradley and Terry, with one virtual draw each "
                   "against the mean."),
            Figure.of("first", "First player's score in these games", share(points, len(games)),
                      Unit.SHARE),
            Figure.of("length", "Turns of these games", mean([float(each[2]) for each in games]),
                      Unit.TURNS),
        ]  # fmt: skip
        figures += _last_doubling(played)
        data = {
            "pairings": [_pairing(each, int(first)) for each in played],
            "ratings": ratings,
            "rungs": steps,
        }
        return Summary(figures, (), data)

    def blocks(self, summary: Summary, subject: Subject) -> Sequence[Chart | Table]:
        found: list[Chart | Table] = []
        ratings = [each for each in summary.data["ratings"] if each["visits"] != RANDOM]
        if len(ratings) > 1:
            found.append(_chart(ratings))
        found.append(_table(summary.data["pairings"]))
        return found


def _looks() -> str:
    *some, last = LOOKS
    return f"{', '.join(map(str, some))} and {last}"


def _ratings(played: Sequence[Pairing]) -> list[dict[str, Any]]:
    """Elo of all players over random play, the least simulations first."""
    visits = sorted({each.weak for each in played} | {each.strong for each in played})
    points = np.zeros((len(visits), len(visits)))
    for each in played:
        weak, strong = visits.index(each.weak), visits.index(each.strong)
        points[strong, weak] += each.points
        points[weak, strong] += len(each.games) - each.points
    found = bradley_terry(points)
    base = found[0].elo
    return [
        {"visits": number, "elo": one.elo - base, "low": one.low - base, "high": one.high - base}
        for number, one in zip(visits, found, strict=True)
    ]


def _last_doubling(played: Sequence[Pairing]) -> list[Figure]:
    """What doubling is worth at the top, from the last pairing that was judged."""
    judged = [each for each in played if each.weak != RANDOM and len(each.games) >= 2 * LOOKS[0]]
    if not judged:
        return []
    last = judged[-1]
    doublings = math.log2(last.strong / last.weak)
    won, drawn, lost = last.outcomes
    found = elo_difference((lost, drawn, won))
    low, value, high = (end / doublings for end in (found.low, found.elo, found.high))
    gain = Estimate(value, low, high, len(last.games))
    return [
        Figure.of("doubling", f"Elo of a doubling, {last.weak:,} to {last.strong:,} simulations",
                  gain, Unit.ELO, method="From the games of these two players.", glance=True)
    ]  # fmt: skip


def _pairing(pairing: Pairing, first: int) -> dict[str, Any]:
    score = share(pairing.points, len(pairing.games))
    won = sum(one if color == first else 1 - one for one, color, _ in pairing.games)
    return {
        "weak": pairing.weak,
        "strong": pairing.strong,
        "outcomes": list(pairing.outcomes),
        "score": score.value,
        "low": score.low,
        "high": score.high,
        "first": won / len(pairing.games),
        "length": mean([float(each[2]) for each in pairing.games]).value,
        "rung": pairing.is_rung,
    }


def _chart(ratings: Sequence[dict[str, Any]]) -> Chart:
    points = [(math.log2(each["visits"]), each["elo"]) for each in ratings]
    band = [(each["low"], each["high"]) for each in ratings]
    low, high = min(each[0] for each in band), max(each[1] for each in band)
    ticks = [number for number in range(3, 23, 2) if points[0][0] <= number <= points[-1][0]]
    picture = line_chart(
        [Line("", points, band)],
        Axis(points[0][0], points[-1][0], "simulations a move",
             lambda value: f"{2 ** round(value):,}", ticks),
        Axis(*rounded(min(low, 0), high), format=signed),
        "Elo over random play against simulations a move",
    )  # fmt: skip
    note = "Elo points over random play; the band is the 95 % interval. It flattens where more "
    return Chart("Strength by thinking", picture, note + "thinking helps no more.")


def _table(played: Sequence[dict[str, Any]]) -> Table:
    rows = [
        [
            _player(each["strong"]),
            _player(each["weak"]),
            _outcomes(each),
            shown(each["score"], Unit.SHARE),
            interval(each["low"], each["high"], Unit.SHARE),
            shown(each["first"], Unit.SHARE),
            shown(each["length"], Unit.TURNS),
            "yes" if each["rung"] else "",
        ]
        for each in played
    ]
    head = [
        "Simulations", "Against", "Won, drawn, lost", "Score", "-95 %", "-First player",
        "-Turns", "Rung",
    ]  # fmt: skip
    note = "Pairs of games with colors exchanged."
    return Table("Games of the ladder", head, rows, note)


def _outcomes(pairing: dict[str, Any]) -> str:
    won, drawn, lost = pairing["outcomes"]
    return outcomes(won, drawn, lost, " ")


def _player(visits: int) -> str:
    return "random play" if visits == RANDOM else f"{visits:,}"
