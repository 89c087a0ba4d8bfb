"""Strength scaling: the gain in strength from more visits per move."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from pinchtp.base.intervals import ConfidenceInterval, mean_interval, share_interval
from pinchtp.base.ratings import CHAIN_PRIOR, bradley_terry, elo_of, score_interval
from pinchtp.base.text import count
from pinchtp.games import Color
from pinchtp.games.winrate import Winrate
from pinchtp.html.charts import Axis, ChartLine, legend, line_chart, round_ends
from pinchtp.html.format import outcomes, percent, signed
from pinchtp.report.experiment import Measurements
from pinchtp.report.figures import (
    Figure,
    FigureUnit,
    format_interval,
    format_value,
    select_quotable,
)
from pinchtp.report.section import Block, Chart, Section, SectionResult, SectionTable
from pinchtp.report.sections.ladder import (
    FIRST,
    LOOKS,
    MOST,
    PAIRS,
    RANDOM,
    RUNG_CONFIDENCE,
    SCORE,
    Evaluators,
    LadderExperiment,
    LadderMatch,
    LadderPlayer,
    PlayoutLadder,
    find_undecided,
    matches,
    rungs,
)
from pinchtp.report.subject import ReportSubject


class LadderSection(Section):
    name = "ladder"
    title = "Strength scaling"
    about = (
        "How many steps of skill the game has. Random play is at the bottom; each step is a player "
        "that searches more visits per move and clearly beats the step below. A deep game has many "
        "steps, and more visits still help at the top. If a network evaluates positions, the "
        "engine with random playouts is measured too, on the same scale."
    )
    uses = (LadderExperiment.name, PlayoutLadder.name, Evaluators.name)

    def summarize(self, measurements: Measurements) -> SectionResult | None:
        played = matches(measurements.results(LadderExperiment.name))
        if not played:
            return None
        subject = measurements.subject
        by_network = subject.has_network
        others = matches(measurements.results(PlayoutLadder.name))
        between = matches(measurements.results(Evaluators.name))
        all_met = _pair_players(played, others, between, by_network=by_network)
        ratings = _ratings(all_met)
        games = [game for match in played for game in match.games]
        points = sum(Winrate(won, Color(color)).pov(subject.first) for won, color, _ in games)
        top = next((rating for rating in ratings[::-1] if rating["by-network"] == by_network), None)
        extent = f"up to {max(match.strong for match in played):,} visits per move"
        figures = [
            _rungs(measurements, LadderExperiment.name, "rungs", by_network, glance=True),
            *_elo(ratings, top, sum(len(match.games) for _, _, match in all_met)),
            Figure.of(
                "first",
                f"First player's score, {extent}, {subject.pie_rule}",
                share_interval(points, len(games)),
                FigureUnit.SHARE,
            ),
            Figure.of(
                "length",
                f"Turns per game, {extent}",
                mean_interval([float(game[2]) for game in games]),
                FigureUnit.TURNS,
            ),
            *_doublings(played, _EVALUATIONS[by_network]),
        ]
        if others:
            figures.append(_rungs(measurements, PlayoutLadder.name, "playout-rungs", False))
        figures += _evaluators(between)
        data = {
            "pairings": [_match_data(*met, first=int(subject.first)) for met in all_met],
            "ratings": ratings,
        }
        return SectionResult(figures, _draw_conclusions(figures), data)

    def list_figures(self, summary: SectionResult) -> Sequence[Figure]:
        """Returns the figures without players and doublings, which the chart and table show."""
        return [
            figure for figure in summary.figures if not figure.key.startswith(("elo-", "doubling-"))
        ]

    def blocks(self, summary: SectionResult, subject: ReportSubject) -> Sequence[Block]:
        blocks: list[Block] = []
        ratings = [rating for rating in summary.data["ratings"] if rating["visits"] != RANDOM]
        if len(ratings) > 1:
            blocks.append(_chart(ratings))
        blocks.append(_table(summary.data["pairings"]))
        return blocks


_EVALUATORS = {True: "network", False: "playouts"}  # also in keys
_EVALUATIONS = {True: "network evaluation", False: "playout evaluation"}
_Met: TypeAlias = tuple[LadderPlayer, LadderPlayer, LadderMatch]  # strong, weak


def _pair_players(
    played: Sequence[LadderMatch],
    others: Sequence[LadderMatch],
    between: Sequence[LadderMatch],
    *,
    by_network: bool,
) -> list[_Met]:
    """Returns the players of all matches: of both ladders, and between network and playouts."""
    pairs = []
    for ladder, has_network in ((played, by_network), (others, False)):
        for match in ladder:
            strong = LadderPlayer(match.strong, has_network)
            # Random play is the same on both ladders.
            weak = LadderPlayer(match.weak, has_network and match.weak != RANDOM)
            pairs.append((strong, weak, match))
    for match in between:
        pairs.append((LadderPlayer(match.strong), LadderPlayer(match.weak, False), match))
    return pairs


def _rungs(
    measurements: Measurements, experiment: str, key: str, by_network: bool, *, glance: bool = False
) -> Figure:
    results = measurements.results(experiment)
    return Figure(
        key,
        f"Steps above random play, {_EVALUATIONS[by_network]}",
        len(rungs(results)) - 1,
        FigureUnit.WHOLE,
        glance=glance,
        at_least=_end(find_undecided(results)),
        method=f"Each step scores at least {percent(SCORE)} against the step below, with "
        f"{percent(RUNG_CONFIDENCE)} confidence. This is tested after {_looks()} pairs of games; "
        "the tests share the error probability.",
    )


def _end(match: LadderMatch) -> str:
    """Returns why there may be more rungs. match: the undecided one."""
    if match.strong > MOST:
        return f"no player has more than {MOST:,} visits per move"
    weak = "random play" if match.weak == RANDOM else f"{match.weak:,}"
    return f"the measurement ended at {match.strong:,} visits per move against {weak}"


def _draw_conclusions(figures: Sequence[Figure]) -> list[str]:
    rungs = figures[0]
    _, _, evaluation = rungs.name.partition(", ")
    number = count(int(rungs.value or 0), "step")
    says = [f"At least {number} above random play, {evaluation}: {rungs.at_least}."]
    for figure in select_quotable(figures):
        if figure.key == "doubling":
            _, _, players = figure.name.partition(", ")
            says.append(f"Doubling the visits ({players}) gains {figure.quote('Elo', 'games')}.")
    return says


def _evaluators(between: Sequence[LadderMatch]) -> list[Figure]:
    """Returns the score of the last complete step of the games between network and playouts."""
    whole = [match for match in between if len(match.games) >= 2 * PAIRS]
    if not whole:
        return []
    last = whole[-1]
    name = f"Score of the network, {last.strong:,} visits, against playouts, {last.weak:,} visits"
    return [
        Figure.of(
            "network",
            name,
            share_interval(last.points, len(last.games)),
            FigureUnit.SHARE,
            method=(
                f"Both start with {FIRST} visits per move. After every {PAIRS} pairs of games, the "
                "loser's visits are doubled, or multiplied by four if it won nothing, until both "
                "are about equally strong. The score is that of the last such step. A visit takes "
                "longer with the network than with playouts: see the section Speed."
            ),
        )
    ]


def _looks() -> str:
    *some, last = LOOKS
    return f"{', '.join(map(str, some))} and {last}"


def _ratings(all_met: Sequence[_Met]) -> list[dict[str, Any]]:
    """Returns the Elo of all players above random play: random play first, then players with
    playouts, then players with the network, both by increasing visits.
    """
    won: Counter[LadderPlayer] = Counter()
    for one, other, match in all_met:
        won[one] += match.points > 0
        won[other] += match.points < len(match.games)
    # A player without points has no finite rating.
    rated = {player for player, points in won.items() if points or player.visits == RANDOM}
    all_met = [met for met in all_met if rated.issuperset(met[:2])]
    players = sorted(
        rated,
        key=lambda player: (player.visits != RANDOM, player.by_network, player.visits),
    )
    points = np.zeros((len(players), len(players)))
    for one, other, match in all_met:
        strong = players.index(one)
        weak = players.index(other)
        points[strong, weak] += match.points
        points[weak, strong] += len(match.games) - match.points
    has_points = bool(points[0].any())
    points += ((points == 0) & (points.T > 0)) / 2  # after wins only no difference is finite
    estimates = bradley_terry(points, base=0, prior=CHAIN_PRIOR)
    return [
        {
            "visits": player.visits,
            "by-network": player.by_network,
            "elo": one.elo,
            "low": one.low,
            "high": one.high,
            "at-least": not has_points,
        }
        for player, one in zip(players, estimates, strict=True)
    ]


def _doublings(played: Sequence[LadderMatch], evaluation: str) -> list[Figure]:
    """Returns the gain of each doubling whose match has enough games; the last is the highest."""
    tested = [
        match for match in played if match.weak != RANDOM and len(match.games) >= 2 * LOOKS[0]
    ]
    figures = []
    for match in tested:
        is_last = match is tested[-1]
        doublings = math.log2(match.strong / match.weak)
        low, high = score_interval(match.outcomes[::-1])
        scores = low, match.points / len(match.games), high
        low, value, high = (elo_of(float(score)) / doublings for score in scores)
        figures.append(
            Figure.of(
                "doubling" if is_last else f"doubling-{match.weak}-{match.strong}",
                f"Elo per doubling, {match.weak:,} to {match.strong:,} visits, {evaluation}",
                ConfidenceInterval(value, low, high, len(match.games)),
                FigureUnit.ELO,
                method="From the games of these two players.",
                glance=is_last,
            )
        )
    return figures


def _elo(ratings: Sequence[dict[str, Any]], top: dict[str, Any] | None, games: int) -> list[Figure]:
    """Returns the rating of each player, those by network first. top: the strongest one."""
    method = (
        "Bradley-Terry rating from all games of this section; a player who scored nothing against "
        "another counts with half a point there."
    )
    players = [rating for rating in ratings if rating["visits"] != RANDOM]
    players.sort(key=lambda player: not player["by-network"])  # stable: fewest visits first
    return [
        Figure(
            "top"
            if player is top
            else f"elo-{_EVALUATORS[player['by-network']]}-{player['visits']}",
            f"Elo of {player['visits']:,} visits per move above random play, "
            f"{_EVALUATIONS[player['by-network']]}",
            player["elo"],
            FigureUnit.ELO,
            player["low"],
            None if player["at-least"] else player["high"],
            games,
            method,
            at_least="random play has won no game" if player["at-least"] else "",
        )
        for player in players
    ]


def _match_data(
    one: LadderPlayer, other: LadderPlayer, match: LadderMatch, *, first: int
) -> dict[str, Any]:
    score = share_interval(match.points, len(match.games))
    won = sum(Winrate(points, Color(color)).pov(Color(first)) for points, color, _ in match.games)
    return {
        "strong": {"visits": one.visits, "by-network": one.by_network},
        "weak": {"visits": other.visits, "by-network": other.by_network},
        "outcomes": list(match.outcomes),
        "score": score.value,
        "low": score.low,
        "high": score.high,
        "first": won / len(match.games),
        "length": mean_interval([float(game[2]) for game in match.games]).value,
        "rung": match.is_rung and (other.visits == RANDOM or one.by_network == other.by_network),
    }


def _chart(ratings: Sequence[dict[str, Any]]) -> Chart:
    lines = []
    for by_network in (True, False):
        mine = [rating for rating in ratings if rating["by-network"] == by_network]
        points = [(math.log2(rating["visits"]), rating["elo"]) for rating in mine]
        band = [(rating["low"], rating["high"]) for rating in mine]
        lines.append(ChartLine(_EVALUATIONS[by_network], points, band))
    lines = [line for line in lines if line.points]
    powers = [at for line in lines for at, _ in line.points]
    ends = [end for line in lines for both in line.band for end in both]
    ticks = [number for number in range(3, 23, 2) if min(powers) <= number <= max(powers)]
    picture = line_chart(
        lines,
        Axis(
            min(powers),
            max(powers),
            "visits per move",
            lambda value: f"{2 ** round(value):,}",
            ticks,
        ),
        Axis(*round_ends(min(*ends, 0), max(ends)), format=signed),
        "Elo above random play, by visits per move",
    )
    if len(lines) > 1:
        picture += legend([line.name for line in lines])
    note = (
        "Elo points above random play; bands are 95 % intervals. A curve flattens where more "
        "visits no longer help."
    )
    return Chart("Strength by visits per move", picture, note)


def _table(played: Sequence[dict[str, Any]]) -> SectionTable:
    evaluators = {pairing["strong"]["by-network"] for pairing in played}
    rows = [
        [
            _name(pairing["strong"], with_evaluator=len(evaluators) > 1),
            _name(pairing["weak"], with_evaluator=len(evaluators) > 1),
            _outcomes(pairing),
            format_value(pairing["score"], FigureUnit.SHARE),
            format_interval(pairing["low"], pairing["high"], FigureUnit.SHARE),
            format_value(pairing["first"], FigureUnit.SHARE),
            format_value(pairing["length"], FigureUnit.TURNS),
            "yes" if pairing["rung"] else "",
        ]
        for pairing in played
    ]
    head = [
        "Visits per move",
        "Against",
        "-Won, drawn, lost",
        "Score",
        "-95 % interval",
        "-First player's score",
        "-Turns per game",
        "New step",
    ]
    note = (
        "Pairs of games with colors reversed. A new step scores at least "
        f"{percent(SCORE)} against the step below, with {percent(RUNG_CONFIDENCE)} confidence."
    )
    return SectionTable("Matches between players", head, rows, note)


def _outcomes(match: dict[str, Any]) -> str:
    won, drawn, lost = match["outcomes"]
    return outcomes(won, drawn, lost, " ")


def _name(player: dict[str, Any], *, with_evaluator: bool) -> str:
    """Returns the name of a player. with_evaluator: whether to add the evaluator of positions."""
    if player["visits"] == RANDOM:
        return "random play"
    evaluator = f" ({_EVALUATORS[player['by-network']]})" if with_evaluator else ""
    return f"{player['visits']:,}{evaluator}"
