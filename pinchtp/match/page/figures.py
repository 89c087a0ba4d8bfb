"""The charts of a match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from pinchtp.match.page.course import Course
from pinchtp.match.results.summary import FirstMove, Report
from pinchtp.match.statistics.rating import Estimate
from pinchtp.pages import charts
from pinchtp.pages.board import Board
from pinchtp.pages.board_chart import Share, share_board
from pinchtp.pages.charts import Axis, Interval, Line
from pinchtp.pages.format import count, percent

NOTHING = Markup("")


@dataclass(frozen=True)
class Figures:
    """All of them; one for which there is nothing to be drawn is empty."""

    shares: Markup
    ratings: Markup
    scores: Markup
    lengths: Markup
    first_moves: Markup


def of(
    report: Report, course: Course, board: Board | None, first_cells: Mapping[str, int]
) -> Figures:
    """first_cells: the cell of each first move that is a placement."""
    return Figures(
        shares=_shares(report),
        ratings=_ratings(report),
        scores=_scores(course.lines()),
        lengths=_lengths(report),
        first_moves=_first_moves(report.first_moves, board, first_cells) if board else NOTHING,
    )


def _shares(report: Report) -> Markup:
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


def _ratings(report: Report) -> Markup:
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
    names = [line.name for line in lines]
    most = max(line.points[-1][0] for line in lines if line.points)
    quarters = (0, 0.25, 0.5, 0.75, 1)
    chart = charts.line_chart(
        lines,
        Axis(0, most, "games", whole=True),
        Axis(0, 1, format=percent, ticks=quarters, marked={0.5: ""}),
        f"{f'Score of {names[0]}' if len(names) == 1 else 'Scores'} against games played",
    )
    return chart + charts.legend(names)


def _lengths(report: Report) -> Markup:
    lengths = report.lengths
    if not lengths.games:
        return NOTHING
    label = "Games by number of moves"
    return charts.histogram(lengths.games, label, what="game", unit="move", mean=lengths.mean)


def _first_moves(moves: Mapping[str, FirstMove], board: Board, cells: Mapping[str, int]) -> Markup:
    """The share of points that the player of each first move won, on the board."""
    shares = {}
    for name, move in moves.items():
        if name in cells:
            share = move.points / move.games
            title = f"{count(move.games, 'game')}, {percent(share)} for who played it"
            shares[cells[name]] = Share(share, title)
    return share_board(board, shares, "Win rate by first move") if shares else NOTHING
