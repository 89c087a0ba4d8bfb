"""Lines and tables of a match for the terminal, in the format of fastchess.

Control characters in text from engines are escaped.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.text import Text

from pinchtp.base.clock import TimeControl, format_time
from pinchtp.base.console import PlainTable
from pinchtp.base.ratings import EloEstimate, elo_difference, normalized_elo, superiority
from pinchtp.base.text import printable
from pinchtp.games import Color
from pinchtp.match.plan import MatchPlan
from pinchtp.match.record import DRAW, GameRecord, Winner
from pinchtp.match.results.sprt import Sprt
from pinchtp.match.results.stats import EngineStats, MatchResult, PairStats, StatsReport

WIDTH = 80  # maximum columns of a table
_LONGEST_NAME = 22  # maximum characters of a name in a table

DIFFERENT_TIMES = "different time controls"

_SCORES: dict[Winner | None, str] = {
    Color.BLACK: "1-0",
    Color.WHITE: "0-1",
    DRAW: "1/2-1/2",
    None: "*",
}


def title(plan: MatchPlan) -> str:
    """Returns the game, board, time control and rules of a match."""
    width, height = plan.board
    parts = [
        f"{plan.game} {width}x{height}",
        describe_time_control(plan.shared_time()),
        *map("=".join, plan.agreed.items()),
    ]
    return printable(", ".join(parts if plan.referee else [*parts, "no referee"]))


def print_result(result: MatchResult, out: Console) -> None:
    """Prints the results of a match, and the reasons if it is incomplete."""
    out.print(result_tables(result.plan, result.report))
    for name, why in result.disabled.items():
        out.print(printable(f"{name} disabled: {why}"), soft_wrap=True)
    if not result.is_complete:
        out.print(f"games not played: {result.unplayed} of {result.total}")


def result_tables(plan: MatchPlan, report: StatsReport) -> Group:
    """Returns all results of a match."""
    parts: list[RenderableType] = []
    if len(report.standings) == 2:
        pairing = report.pairings[0]
        heading = f"Results of {pairing.first} vs {pairing.second} ({title(plan)}):"
        parts += map(_line, [heading, *rating_lines(pairing.counts), _games_line(pairing)])
        if any(pairing.pairs):
            parts.append(_line(f"Ptnml(0-2): {list(pairing.pairs)}"))
        if plan.sprt:
            parts += map(_line, sprt_lines(plan.sprt, pairing.pairs))
        parts += map(_line, _game_lines(report))
        parts.append(_times(report.standings))
    else:
        parts += [_line(f"Results of {title(plan)}:"), *map(_line, _game_lines(report))]
        parts += [_standings(report.standings), *_crosstables(report)]
    if report.failures:
        parts.append(_failures(report))
    return Group(*parts)


def rating_lines(counts: Sequence[int]) -> list[str]:
    """Returns the ratings of two engines as fastchess does. counts: see base/ratings.py."""
    middle = len(counts) // 2
    lost = sum(counts[:middle])
    drawn = counts[middle]
    won = sum(counts[middle + 1 :])
    ratio = won / lost if lost else math.inf if won else math.nan
    pairs_ratio = f", PairsRatio: {ratio:.2f}" if middle > 1 else ""
    elo = format_estimate(elo_difference(counts))
    normalized = format_estimate(normalized_elo(counts))
    return [
        f"Elo: {elo}, nElo: {normalized}",
        f"LOS: {_percent(superiority(counts))}, "
        f"DrawRatio: {_percent(drawn / max(sum(counts), 1))}{pairs_ratio}",
    ]


def sprt_lines(sprt: Sprt, counts: Sequence[int]) -> list[str]:
    """Returns the state of a sequential test of two engines, and its expected end."""
    llr, verdict = sprt.test(counts)
    line = llr_text(sprt, llr)
    if verdict:
        return [f"{line}, {verdict} accepted"]
    outlook = sprt.outlook(counts)
    if outlook is None:
        return [line]
    games = outlook.outcomes * (2 if len(counts) == 5 else 1)
    return [line, f"Expected: {games:.0f} more games at this rate, {outlook.h1:.0%} for H1"]


def llr_text(sprt: Sprt, llr: float) -> str:
    """Returns a log-likelihood ratio with its share of the bound, the bounds and the hypotheses."""
    low, high = sprt.bounds
    share = llr / high if llr >= 0 else -llr / low
    return (
        f"LLR: {llr:z.2f} ({share:.1%}) ({low:.2f}, {high:.2f}) "
        f"[{sprt.elo0:.2f}, {sprt.elo1:.2f}] {sprt.model}"
    )


def game_line(record: GameRecord) -> str:
    """Returns the result of a game in one line, in the format of fastchess, Black first."""
    game = record.game
    result = f"{_SCORES[record.winner]} {{{record.termination}}}"
    return f"Finished game {game.label} ({game.black} vs {game.white}): {result}"


def _games_line(pairing: PairStats) -> str:
    return (
        f"Games: {pairing.games}, Wins: {pairing.wins}, Losses: {pairing.losses}, "
        f"Draws: {pairing.draws}, Points: {pairing.points:.1f} ({_percent(pairing.score)})"
    )


def format_estimate(estimate: EloEstimate) -> str:
    """Returns a rating with half of its interval, or with the only finite end of the interval."""
    if math.isfinite(estimate.error):
        return f"{estimate.elo:z.2f} +/- {estimate.error:.2f}"
    if math.isfinite(estimate.elo) and math.isfinite(estimate.high):
        return f"{estimate.elo:z.2f} (at most {estimate.high:z.2f})"
    if math.isfinite(estimate.elo) and math.isfinite(estimate.low):
        return f"{estimate.elo:z.2f} (at least {estimate.low:z.2f})"
    return "no estimate"


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %"


def _game_lines(report: StatsReport) -> Iterator[str]:
    """Yields the results by color, the lengths of games, and a warning about repeated games."""
    if not report.games:
        return
    balance = report.balance
    lengths = report.lengths
    yield (
        f"Black: {balance.black}, White: {balance.white}, Draws: {balance.draws}, "
        f"First player wins: {balance.first / report.games:.1%}, "
        f"Moves: {lengths.mean:.1f} +/- {lengths.deviation:.1f}"
    )
    if report.duplicates:
        repeat = "game repeats" if report.duplicates == 1 else "games repeat"
        yield f"{report.duplicates} {repeat} another game: use more openings"


def _standings(standings: Sequence[EngineStats]) -> PlainTable:
    """Returns a row for each engine, the best first."""
    table = PlainTable(
        ">Rank", "Name", ">Elo", ">+/-", ">Games", ">Score", ">Draw", ">s/move", ">max"
    )
    for rank, engine in enumerate(standings, 1):
        cells = [""] * 5
        if engine.rating:
            cells = [
                f"{engine.rating.elo:+z.0f}",
                f"{engine.rating.error:.0f}",
                f"{engine.games}",
                f"{engine.score:.1%}",
                f"{engine.draws / engine.games:.1%}",
            ]
        table.add_texts(f"{rank}", _short(engine.name), *cells, *_move_times(engine))
    return table


def _times(standings: Sequence[EngineStats]) -> PlainTable:
    """Returns the time per move of each engine."""
    table = PlainTable("", ">s/move", ">max")
    for standing in standings:
        if standing.moves:
            table.add_texts(_short(standing.name), *_move_times(standing))
    return table


def _move_times(engine: EngineStats) -> tuple[str, str]:
    if not engine.moves:
        return "", ""
    return f"{engine.mean_seconds:.3f}", f"{engine.most_seconds:.3f}"


def _crosstables(report: StatsReport) -> Iterator[PlainTable]:
    """Yields the points of each engine against every other, in tables of at most WIDTH columns."""
    if not report.games:
        return
    names = [standing.name for standing in report.standings]
    cells: dict[tuple[str, str], str] = {(name, name): "-" for name in names}
    for pairing in report.pairings:
        if pairing.games:
            cells[pairing.first, pairing.second] = f"{pairing.points:g}/{pairing.games}"
            cells[pairing.second, pairing.first] = (
                f"{pairing.games - pairing.points:g}/{pairing.games}"
            )
    widest = max(map(len, cells.values()))
    heading = "Points against"
    first = max(len(heading), *(len(_short(name)) for name in names))
    per_table = max(1, (WIDTH - first) // (widest + 2))
    for begin in range(0, len(names), per_table):
        ranks = range(begin, min(begin + per_table, len(names)))
        table = PlainTable(heading, *(f">{rank + 1}" for rank in ranks))
        for name in names:
            table.add_texts(_short(name), *(cells.get((name, names[rank]), "") for rank in ranks))
        yield table


def _failures(report: StatsReport) -> PlainTable:
    table = PlainTable("Failures", "termination", ">games")
    for failure in report.failures:
        engine = _short(failure.engine or "(unknown or both)")
        table.add_texts(engine, failure.termination, failure.count)
    return table


def _short(name: str) -> str:
    """Returns a name without its middle if it is too long: names often differ only at their end."""
    half = _LONGEST_NAME // 2
    return name if len(name) <= _LONGEST_NAME else f"{name[: half - 1]}…{name[-half:]}"


def describe_time_control(control: TimeControl | None) -> str:
    """Returns a time control in words. None: the engines have different ones."""
    if control is None:
        return DIFFERENT_TIMES
    if control.main is None:
        return "no clock"
    text = format_time(control)
    return f"{text} s per move" if control.main == 0 and control.stones == 1 else f"time {text}"


def format_clock(seconds: float) -> str:
    """Returns a duration such as 1:02:03."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _line(text: str) -> Text:
    return Text(printable(text))
