"""The charts of a match: results and their history, first moves, openings, and move times."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from markupsafe import Markup

from pinchtp.base.ratings import EloEstimate
from pinchtp.base.text import count
from pinchtp.games.game import PIECES
from pinchtp.html import charts
from pinchtp.html.charts import Axis, ChartLine, Interval, round_numbers
from pinchtp.html.format import percent, seconds, signed
from pinchtp.html.replay import Replay, ReplayBoard
from pinchtp.match.record import Opening
from pinchtp.match.results.move_times import MoveTimeStats
from pinchtp.match.results.score_history import ScoreHistory
from pinchtp.match.results.sprt import Sprt
from pinchtp.match.results.stats import FirstMove, StatsReport
from pinchtp.render.svg import CellMark, marks_svg, position_svg

NOTHING = Markup("")
_MAX_ELO = 1200  # larger differences do not widen the scale


def match_charts(
    report: StatsReport,
    history: ScoreHistory,
    times: MoveTimeStats,
    sprt: Sprt | None,
    first_moves: Markup,
) -> dict[str, Markup]:
    """Returns the charts of a match by name; a chart without data is empty."""
    return {
        "shares": _shares(report),
        "ratings": _ratings(report),
        "scores": _scores(history.scores()),
        "elo": _elo(history.ratings()),
        "llr": _llr(history.llr(sprt), sprt) if sprt else NOTHING,
        "lengths": _lengths(report),
        "first_moves": first_moves,
        "times": _times(times.by_move()),
        "distribution": _distribution(times.distribution()),
    }


def _shares(report: StatsReport) -> Markup:
    """Returns the shares of games won, drawn and lost in a match of two."""
    if len(report.pairings) != 1 or not report.games:
        return NOTHING
    pairing = report.pairings[0]
    games = report.games
    return charts.share_bar(
        [
            ("won", pairing.wins / games),
            ("drawn", pairing.draws / games),
            ("lost", pairing.losses / games),
        ]
    )


def _ratings(report: StatsReport) -> Markup:
    if not report.games:
        return NOTHING
    if len(report.standings) == 2:
        pairing = report.pairings[0]
        rows = [_interval(f"{pairing.first} over {pairing.second}", pairing.elo)]
        return charts.intervals(rows, "Elo difference with its 95 % interval")
    rows = [_interval(each.name, each.rating) for each in report.standings if each.rating]
    return charts.intervals(rows, "Ratings with 95 % intervals")


def _interval(name: str, estimate: EloEstimate) -> Interval:
    return Interval(name, estimate.elo, estimate.low, estimate.high)


def _scores(lines: Sequence[ChartLine]) -> Markup:
    if not any(line.points for line in lines):
        return NOTHING
    quarters = (0, 0.25, 0.5, 0.75, 1)
    names = [line.name for line in lines]
    return _against_games(
        lines,
        Axis(0, 1, format=percent, ticks=quarters, marked={0.5: ""}),
        f"{f'Score of {names[0]}' if len(names) == 1 else 'Scores'} by number of games",
    )


def _elo(lines: Sequence[ChartLine]) -> Markup:
    """Draws Elo points on the scale of the later part, because the first games vary most."""
    if not any(line.points for line in lines):
        return NOTHING
    ends = [0.0]
    for line in lines:
        settled = len(line.points) // 5
        ends += [value for _, value in line.points[settled:]]
        ends += [end for both in line.band[settled:] for end in both]
    finite = [end for end in ends if abs(end) <= _MAX_ELO]
    names = [line.name for line in lines]
    return _against_games(
        lines,
        Axis(*charts.round_ends(min(finite), max(finite)), format=signed, marked={0: ""}),
        f"{f'Elo difference of {names[0]}' if len(names) == 1 else 'Ratings'} by number of games",
    )


def _llr(line: ChartLine, sprt: Sprt) -> Markup:
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
    return _against_games([line], axis, "Log-likelihood ratio by number of games")


def _against_games(lines: Sequence[ChartLine], y: Axis, label: str) -> Markup:
    most = max(line.points[-1][0] for line in lines if line.points)
    chart = charts.line_chart(lines, Axis(0, most, "games", whole=True), y, label)
    names = [line.name for line in lines if line.name]
    return chart + charts.legend(names) if names else chart


def _lengths(report: StatsReport) -> Markup:
    lengths = report.lengths
    if not lengths.games:
        return NOTHING
    label = "Games by number of moves"
    return charts.histogram(lengths.games, label, what="game", unit="move", mean=lengths.mean)


def _times(lines: Sequence[ChartLine]) -> Markup:
    points = [point for line in lines for point in line.points]
    most = max((seconds for _, seconds in points), default=0)
    if not most:
        return NOTHING
    return charts.line_chart(
        lines,
        Axis(0, max(move for move, _ in points), "move number", whole=True),
        Axis(0, most, format=seconds),
        "Mean time per move, by move number",
    ) + charts.legend([line.name for line in lines])


def _distribution(lines: Sequence[ChartLine]) -> Markup:
    points = [point for line in lines for point in line.points]
    if not points:
        return NOTHING
    low = min(at for at, _ in points)
    high = max(at for at, _ in points)
    return charts.line_chart(
        lines,
        Axis(low, high, "time per move", lambda value: seconds(10**value), _decades(low, high)),
        Axis(0, max(share for _, share in points), format=percent),
        "Shares of moves by their time",
    ) + charts.legend([line.name for line in lines])


def _decades(low: float, high: float) -> list[float]:
    """Returns the logarithms of 1, 2 and 5 times powers of ten; over a wide range, only of the
    powers.
    """
    digits = (1, 2, 5) if high - low < 2.5 else (1,)
    powers = range(math.floor(low), math.ceil(high) + 1)
    logarithms = [power + math.log10(digit) for power in powers for digit in digits]
    return [logarithm for logarithm in logarithms if low <= logarithm <= high]


def first_moves(
    moves: Mapping[str, FirstMove], board: ReplayBoard, cells: Mapping[str, int]
) -> Markup:
    """Draws the score of each first move on the board.

    cells: the cell of each first move; moves without a cell are omitted.
    """
    marks = {}
    for name, move in moves.items():
        if name in cells:
            share = move.points / move.games
            title = f"{count(move.games, 'game')}, {percent(share)} of the points for its player"
            marks[cells[name]] = CellMark.share(share, title)
    if not marks:
        return NOTHING
    return Markup(marks_svg(board.session, marks, "Score by first move"))


def opening_board(board: ReplayBoard, opening: Opening) -> Markup:
    """Returns the position after an opening, with its stones numbered."""
    replay = board.replay(opening.moves)
    label = f"The board after {' '.join(opening.moves) or 'no move'}"
    return Markup(position_svg(board.session, replay.final, _numbers(board, replay), label))


def _numbers(board: ReplayBoard, replay: Replay) -> dict[int, str]:
    """Returns, by cell, the number of the move that placed a stone there. Flips do not count."""
    cells = list(board.start)
    numbers = {}
    for move, changes in enumerate(replay.changes, start=1):
        for cell, value in changes:
            if value in PIECES and cells[cell] not in PIECES:
                numbers[cell] = str(move)
            cells[cell] = value
    return numbers
