"""Balance: the first player's advantage, draws, and the values of first moves."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

from markupsafe import Markup

from pinchtp.base.intervals import mean_interval, share_interval
from pinchtp.games import Color, RuleValue
from pinchtp.games.notation import cell_of, format_move, is_point
from pinchtp.games.session import Session
from pinchtp.html.charts import Interval, intervals
from pinchtp.render.svg import CellMark, marks_svg
from pinchtp.report.experiment import Experiment, Measurements, WorkUnit
from pinchtp.report.figures import (
    Figure,
    FigureUnit,
    format_interval,
    format_value,
    select_quotable,
)
from pinchtp.report.games import OtherGames, StrongGames, strong_players
from pinchtp.report.playing import (
    PlayedGame,
    SearchMover,
    StopCheck,
    find_score,
    play_game,
    read_winner,
)
from pinchtp.report.section import (
    LISTED_MOVES,
    Block,
    Chart,
    Section,
    SectionResult,
    SectionTable,
)
from pinchtp.report.subject import ReportSubject, pie_rule
from pinchtp.report.symmetries import classes, symmetries

SEARCH = 4  # times the visits per move of strong play


class FirstMoves(Experiment):
    """An experiment that evaluates first moves: each unit searches after one and plays a game.

    First moves that are equal by symmetry count as one. Every move gets a unit before any move
    gets its next one.
    """

    name = "first-moves"
    description = "searches and games after every first move"
    weight = 15
    least = 50

    def fewest(self, subject: ReportSubject) -> int:
        return max(self.least, len(first_moves(subject)))

    def next(self, measurements: Measurements, running: Collection[int]) -> WorkUnit | None:
        number = self.free_number(measurements, running)
        assert number is not None
        moves = list(first_moves(measurements.subject))
        return self.unit(number, moves[number % len(moves)])

    def measure(self, subject: ReportSubject, unit: WorkUnit, stop: StopCheck) -> Any:
        rules = subject.with_swap(False)
        seed = subject.unit_seed(self.name, unit.number)
        chance = self._evaluate(subject, _start_after(subject, rules, unit.task), seed, stop)
        players = strong_players(subject, unit, stop)
        game = play_game(_start_after(subject, rules, unit.task), players, stop)
        score = find_score(read_winner(game), subject.first)
        return {"move": unit.task, "chance": score if chance is None else chance, "points": score}

    def _evaluate(
        self, subject: ReportSubject, session: Session, seed: int, stop: StopCheck
    ) -> float | None:
        """Returns the first player's winrate as the mean of both players' next searches.

        A search overrates the player to move; the mean cancels this. Returns None if the game is
        over.
        """
        engine = SearchMover(subject, SEARCH * subject.visits, seed, stop)
        seen: dict[Color, float] = {}
        while not session.is_over and len(seen) < len(Color):
            color = session.to_move
            chosen = engine.choose(session)
            assert chosen.winrate is not None
            seen[color] = chosen.winrate.pov(subject.first)
            session.play(color, *chosen.moves)
        return round(fmean(seen.values()), 4) if seen else None


def _start_after(subject: ReportSubject, rules: Mapping[str, RuleValue], move: int) -> Session:
    """Returns a game that began with this move."""
    session = subject.session(rules)
    session.play(session.to_move, move)
    return session


def first_moves(subject: ReportSubject) -> dict[int, list[int]]:
    """Returns one first move of each symmetry class, with all moves of its class."""
    start = subject.start(subject.with_swap(False))
    return classes(start.legal_moves(), symmetries(subject.entry, start))


class BalanceSection(Section):
    name = "balance"
    title = "Balance"
    about = (
        "Whether the first player has an advantage in strong play, how often games are drawn, the "
        "value of each first move, and the effect of the pie rule."
    )
    uses = (StrongGames.name, OtherGames.name, FirstMoves.name)
    by_visits = ""

    def summarize(self, measurements: Measurements) -> SectionResult | None:
        subject = measurements.subject
        figures: list[Figure] = []
        names = {False: "without", True: "with"}
        for experiment, rules, swaps in (
            (StrongGames.name, subject.rules, subject.has_swap),
            (OtherGames.name, subject.with_swap(not subject.has_swap), not subject.has_swap),
        ):
            games = measurements.games(experiment, rules)
            suffix = "" if experiment == StrongGames.name else f"-{names[swaps]}-pie"
            if games:
                figures += _describe_games(games, suffix, subject, swaps)
        moves = _summarize_first_moves(measurements)
        if len(moves) == len(first_moves(subject)):  # the best of some may be far from the best
            figures += _describe_first_moves(moves)
            figures += _describe_choice(moves) if subject.entry.swaps else []
        if not (figures or moves):
            return None
        return SectionResult(
            figures, draw_conclusions(figures, subject.first), {"first-moves": moves}
        )

    def blocks(self, summary: SectionResult, subject: ReportSubject) -> Sequence[Block]:
        rows = [
            Interval(
                figure.name,
                100 * (figure.value or 0) - 50,
                100 * (figure.low or 0) - 50,
                100 * (figure.high if figure.high is not None else 1) - 50,
            )
            for figure in summary.figures
            if figure.key.startswith(("first", "opener"))
        ]
        blocks: list[Block] = []
        if rows:
            picture = intervals(rows, "Shares of points", format=lambda value: f"{value + 50:g} %")
            blocks.append(Chart("Who wins", picture, "Lines are 95 % intervals. 50 % is even."))
        moves = summary.data["first-moves"]
        if moves:
            blocks.append(_board(moves, subject))
            blocks.append(_table(moves))
        return blocks


def _describe_games(
    games: Sequence[PlayedGame], suffix: str, subject: ReportSubject, swaps: bool
) -> list[Figure]:
    count = len(games)
    rule = pie_rule(swaps)
    method = f"Games of the engine against itself with {subject.visits:,} visits per move."
    first = share_interval(sum(find_score(game.winner, game.first) for game in games), count)
    draws = share_interval(sum(game.winner is None for game in games), count)
    figures = [
        Figure.of(
            f"first{suffix}",
            f"First player's score, {rule}",
            first,
            FigureUnit.SHARE,
            method=f"{method} A draw is half a point. {subject.first.title} is the first player.",
            glance=True,
        ),
        Figure.of(f"draws{suffix}", f"Draws, {rule}", draws, FigureUnit.SHARE, glance=not suffix),
        Figure.of(
            f"decisive{suffix}",
            f"Decisive games, {rule}",
            share_interval(sum(game.winner is not None for game in games), count),
            FigureUnit.SHARE,
        ),
    ]
    return figures + (_describe_swaps(games, suffix, rule) if swaps else [])


def _describe_swaps(games: Sequence[PlayedGame], suffix: str, rule: str) -> list[Figure]:
    owners = [game.first.opponent if game.is_swapped else game.first for game in games]
    opener = sum(find_score(game.winner, owner) for game, owner in zip(games, owners, strict=True))
    return [
        Figure.of(
            f"swaps{suffix}",
            "Games with a swap",
            share_interval(sum(game.is_swapped for game in games), len(games)),
            FigureUnit.SHARE,
        ),
        Figure.of(
            f"opener{suffix}",
            f"Score of the first stone's owner, {rule}",
            share_interval(opener, len(games)),
            FigureUnit.SHARE,
            method="The player who owns the first stone after the decision to swap or not.",
        ),
    ]


def _summarize_first_moves(measurements: Measurements) -> list[dict[str, Any]]:
    """Returns each evaluated first move with its winrate by search, its interval and its points."""
    units_by_move: dict[int, list[Any]] = {}
    for unit in measurements.results(FirstMoves.name).values():
        units_by_move.setdefault(unit["move"], []).append(unit)
    groups = first_moves(measurements.subject) if units_by_move else {}
    moves = []
    for move, units in units_by_move.items():
        evaluated = mean_interval([unit["chance"] for unit in units])
        is_bounded = math.isfinite(evaluated.low)
        played = share_interval(sum(unit["points"] for unit in units), len(units))
        moves.append(
            {
                "moves": groups[move],
                "chance": evaluated.value,
                "low": max(evaluated.low, 0.0) if is_bounded else None,
                "high": min(evaluated.high, 1.0) if is_bounded else None,
                "points": sum(unit["points"] for unit in units),
                "games": len(units),
                "game-low": played.low,
                "game-high": played.high,
            }
        )
    return sorted(moves, key=lambda group: -group["chance"])


def _describe_first_moves(moves: Sequence[dict[str, Any]]) -> list[Figure]:
    best = moves[0]
    method = (
        f"The mean of each player's next search after the move, with {SEARCH} times the visits of "
        "strong play. The interval covers the random variation of the searches, but not the errors "
        "of the evaluation. The best of many moves looks slightly better than it is."
    )
    samples = sum(move["games"] for move in moves)
    wins = sum(move["points"] for move in moves)
    return [
        Figure(
            "best-first",
            "First player's winrate after the best first move",
            best["chance"],
            FigureUnit.SHARE,
            best["low"],
            best["high"],
            best["games"],
            method,
            detail=format_move(best["moves"][0]),
        ),
        Figure.of(
            "any-first",
            "First player's score over all first moves",
            share_interval(wins, samples),
            FigureUnit.SHARE,
            method="Games that start with each first move in turn, without a swap. Moves that are "
            "equal by symmetry count as one.",
        ),
    ]


def _describe_choice(moves: Sequence[dict[str, Any]]) -> list[Figure]:
    """Returns the figures of the choice to swap after the first move."""
    even = min(moves, key=lambda group: abs(group["chance"] - 0.5))
    worse = 0.5 + abs(even["chance"] - 0.5)
    ends = [abs(end - 0.5) for end in (even["low"], even["high"]) if end is not None]
    reach = 0.5 + max(ends) if ends else None
    return [
        Figure(
            "swap-worth",
            "First moves worth swapping",
            sum(len(move["moves"]) for move in moves if move["chance"] > 0.5)
            / sum(len(move["moves"]) for move in moves),
            FigureUnit.SHARE,
            None,
            None,
            None,
            "First moves after which the first player's winrate is above 50 % without a swap.",
        ),
        Figure(
            "pie-evenness",
            "Winrate of the player who may swap, after the most even first move",
            worse,
            FigureUnit.SHARE,
            0.5 if reach else None,
            reach,
            even["games"],
            "The player who may swap chooses the better side. 50 % is perfectly even.",
            detail=format_move(even["moves"][0]),
        ),
    ]


def draw_conclusions(figures: Sequence[Figure], first: Color) -> list[str]:
    """Returns sentences about the advantage and the draws. first: the first player's color."""
    says = []
    for figure in select_quotable(figures):
        _, _, rule = figure.name.partition(", ")
        if figure.key.startswith("first"):
            says.append(_leader(figure, rule, first))
        elif figure.key == "draws":
            says.append(_draws(figure, rule))
    return says


def _leader(score: Figure, rule: str, first: Color) -> str:
    number = "first"
    color = first
    if score.high is not None and score.high < 0.5:
        number = "second"
        color = first.opponent
        score = _turn_to_opponent(score)
    points = score.quote("of the points", "games")
    if score.low is not None and score.low > 0.5:
        return f"The {number} player ({color.title}) has an advantage {rule}: {points}."
    return (
        f"No significant advantage for either player {rule}: the first player ({color.title}) "
        f"scores {points}."
    )


def _turn_to_opponent(score: Figure) -> Figure:
    """Returns the opponent's score, with its interval."""
    known = score.estimate
    assert known
    return replace(score, value=1 - known.value, low=1 - known.high, high=1 - known.low)


def _draws(draws: Figure, rule: str) -> str:
    if draws.value:
        return f"Draws {rule}: {draws.quote('of the games', 'games')}."
    most = format_value(draws.high, draws.unit)
    return f"No draws in {draws.samples:,} games {rule}: at most {most} of all games."


def _board(moves: Sequence[dict[str, Any]], subject: ReportSubject) -> Chart:
    marks = {}
    for group in moves:
        chance, low, high = (
            None if group[name] is None else format_value(group[name], FigureUnit.SHARE)
            for name in ("chance", "low", "high")
        )
        spread = f" ({low} to {high})" if low else ""
        title = f"{chance}{spread} by search; {group['points']:g} points in {group['games']} games"
        for move in filter(is_point, group["moves"]):
            marks[cell_of(move, subject.width)] = CellMark.share(group["chance"], title)
    note = "The first player's winrate after each first move, in percent, without a swap."
    if subject.entry.swaps:
        note += " Orange moves are worth swapping, blue moves are not."
    picture = Markup(marks_svg(subject.session(), marks, "First moves"))
    return Chart("Values of first moves", picture, note)


def _table(moves: Sequence[dict[str, Any]]) -> SectionTable:
    even = sorted(moves, key=lambda group: abs(group["chance"] - 0.5))[:LISTED_MOVES]
    listed = [*moves[:LISTED_MOVES], *even, *moves[-LISTED_MOVES:]]
    picked = {tuple(group["moves"]) for group in listed}
    rows = [
        [
            " ".join(format_move(move) for move in group["moves"]),
            format_value(group["chance"], FigureUnit.SHARE),
            ""
            if group["low"] is None
            else format_interval(group["low"], group["high"], FigureUnit.SHARE),
            f"{group['points']:g}/{group['games']}",
            format_interval(group["game-low"], group["game-high"], FigureUnit.SHARE),
        ]
        for group in moves
        if tuple(group["moves"]) in picked
    ]
    head = ["First moves", "Winrate by search", "-95 % interval", "Points/games", "-95 % interval"]
    note = "The best, the most even and the worst first moves. Moves equal by symmetry share a row."
    return SectionTable("First moves", head, rows, note)
