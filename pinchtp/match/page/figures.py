"""The charts of a match."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from pinchtp.html import charts
from pinchtp.html.board import Board
from pinchtp.html.board_chart import Share, share_board
from pinchtp.html.charts import Axis, Interval, Line, round_numbers
from pinchtp.html.format import count, percent, seconds, signed
from pinchtp.match.page.score_history import ScoreHistory
from pinchtp.match.page.times import Times
from pinchtp.match.results.summary import FirstMove, Results
from pinchtp.match.statistics.rating import Estimate
from pinchtp.match.statistics.sprt import Sprt

NOTHING = Markup("")
_MOST_ELO = 1200  # of the scale, to either side


@dataclass(frozen=True)
class Figures:
    """All of them; one for which there is nothing to be drawn is empty."""

    shares: Markup
    ratings: Markup
    scores: Markup
    elo: Markup
    llr: Markup
    lengths: Markup
    first_moves: Markup
    times: Markup
    distribution: Markup


def of(
    report: Results, history: ScoreHistory, times: Times, sprt: Sprt | None, first_moves: Markup
) -> Figures:
    """The charts of a match as it stands now."""
    return Figures(
        shares=_shares(report),
        ratings=_ratings(report),
        scores=_scores(history.scores()),
        elo=_elo(history.ratings()),
        llr=_llr(history.llr(sprt), sprt) if sprt else NOTHING,
        lengths=_lengths(report),
        first_moves=first_moves,
        times=_times(times.by_move()),
        distribution=_distribution(times.distribution()),
    )


def _shares(report: Results) -> Markup:
    """Games won, drawn and lost in a match of two."""
    if len(report.pairings) != 1 or not report.games:
        return NOTHING
    pairing, games = report.pairings[0], report.games
    return charts.share_bar(
        [
            ("won", pairing.wins / games),
            ("drawn", pairing.draws / games),
            ("lost", pairing.losses / games),
        ]
    )


def _ratings(report: Results) -> Markup:
    if not report.games:
        return NOTHING
    if len(report.standings) == 2:
        pairing = report.pairings[0]
        rows = [_interval(f"{pairing.first} over {pairing.second}", pairing.elo)]
        return charts.intervals(rows, "Elo difference with its 95 % interval")
    rows = [_interval(each.name, each.rating) for each in report.standings]
    return charts.intervals(rows, "Ratings with 95 % intervals")


def _interval(name: str, estimate: Estimate) -> Interval:
    return Interval(name, estimate.elo, estimate.low, estimate.high)


def _scores(lines: Sequence[Line]) -> Markup:
    if not any(line.points for line in lines):
        return NOTHING
    quarters = (0, 0.25, 0.5, 0.75, 1)
    names = [line.name for line in lines]
    return _against_games(
        lines,
        Axis(0, 1, format=percent, ticks=quarters, marked={0.5: ""}),
        f"{f'Score of {names[0]}' if len(names) == 1 else 'Scores'} against games played",
    )


def _elo(lines: Sequence[Line]) -> Markup:
    """The scale is that of the later part, as the first games mean little."""
    if not any(line.points for line in lines):
        return NOTHING
    ends = [0.0]
    for line in lines:
        settled = len(line.points) // 5
        ends += [value for _, value in line.points[settled:]]
        ends += [end for both in line.band[settled:] for end in both]
    finite = [end for end in ends if abs(end) <= _MOST_ELO]
    names = [line.name for line in lines]
    return _against_games(
        lines,
        Axis(*charts.rounded(min(finite), max(finite)), format=signed, marked={0: ""}),
        f"{f'Elo difference of {names[0]}' if len(names) == 1 else 'Ratings'} against games played",
    )


def _llr(line: Line, sprt: Sprt) -> Markup:
    if not line.points:
        return NOTHING
    lower, upper = sprt.bounds
    values = [lower, upper, *(value for _, value in line.points)]
    margin = 0.12 * (upper - lower)
    axis = Axis(
        min(values) - margin,
        max(values) + margin,
        ticks=round_numbers(min(values), max(values), 6),
        marked={lower: "H0 accepted", upper: "H1 accepted"},
    )
    return _against_games([line], axis, "Log-likelihood ratio against games played")


def _against_games(lines: Sequence[Line], y: Axis, label: str) -> Markup:
    most = max(line.points[-1][0] for line in lines if line.points)
    chart = charts.line_chart(lines, Axis(0, most, "games", whole=True), y, label)
    names = [line.name for line in lines if line.name]
    return chart + charts.legend(names) if names else chart


def _lengths(report: Results) -> Markup:
    lengths = report.lengths
    if not lengths.games:
        return NOTHING
    label = "Games by number of moves"
    return charts.histogram(lengths.games, label, what="game", unit="move", mean=lengths.mean)


def _times(lines: Sequence[Line]) -> Markup:
    points = [point for line in lines for point in line.points]
    most = max((seconds for _, seconds in points), default=0)
    if not most:
        return NOTHING
    return charts.line_chart(
        lines,
        Axis(0, max(move for move, _ in points), "move of the game", whole=True),
        Axis(0, most, format=seconds),
        "Mean time of a move against the move of the game",
    ) + charts.legend([line.name for line in lines])


def _distribution(lines: Sequence[Line]) -> Markup:
    points = [point for line in lines for point in line.points]
    if not points:
        return NOTHING
    low, high = min(at for at, _ in points), max(at for at, _ in points)
    return charts.line_chart(
        lines,
        Axis(low, high, "time of a move", lambda value: seconds(10**value), _decades(low, high)),
        Axis(0, max(share for _, share in points), format=percent),
        "Shares of moves by the time they took",
    ) + charts.legend([line.name for line in lines])


def _decades(low: float, high: float) -> list[float]:
    """Logarithms of 1, 2 and 5 times powers of ten, or where they are many, of these alone."""
    digits = (1, 2, 5) if high - low < 2.5 else (1,)
    powers = range(math.floor(low), math.ceil(high) + 1)
    found = [power + math.log10(digit) for power in powers for digit in digits]
    return [each for each in found if low <= each <= high]


def first_moves(moves: Mapping[str, FirstMove], board: Board, cells: Mapping[str, int]) -> Markup:
    """The share of points that the player of each first move won, on the board.

    cells: where each first move was placed; moves of other kinds have no place on the chart.
    """
    shares = {}
    for name, move in moves.items():
        if name in cells:
            share = move.points / move.games
            title = f"{count(move.games, 'game')}, {percent(share)} for who played it"
            shares[cells[name]] = Share(share, title)
    return share_board(board, shares, "Win rate by first move") if shares else NOTHING
