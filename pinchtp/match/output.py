"""A match as tables for a terminal, or for the file or pipe in its place.

Engines' words cannot control the terminal. A match whose terminal is gone goes on, and its exit
status is the same as if someone had watched.
"""

from __future__ import annotations

import contextlib
import math
import sys
from collections.abc import Iterator
from typing import TextIO, cast

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from pinchtp.base.clock import TimeControl, format_time
from pinchtp.base.streams import discard, print_lines, printable
from pinchtp.match.plan import MatchPlan
from pinchtp.match.ratings import EloEstimate
from pinchtp.match.sprt import Sprt, SprtVerdict
from pinchtp.match.stats import MatchResult, PairStats, StatsReport

_SEPARATOR = "  "


def title(plan: MatchPlan) -> str:
    """Returns what is played, in a few words."""
    width, height = plan.board
    parts = [f"{plan.game} {width}x{height}", spoken(plan.time), *map("=".join, plan.options)]
    return printable(", ".join(parts if plan.referee else [*parts, "no referee"]))


def tables(report: StatsReport) -> RenderableType:
    """Returns all tables of a match."""
    parts: list[RenderableType] = [standings(report)]
    if len(report.standings) == 2:
        parts.append(versus(report.pairings[0]))
    elif report.games:
        parts.append(crosstable(report))
    if report.games:
        parts.append(games(report))
    if report.failures:
        parts.append(failures(report))
    return Group(*parts)


def print_result(result: MatchResult, out: Console) -> None:
    """Prints the match as tables, and what kept it from being complete."""
    out.print(title(result.plan))
    out.print(tables(result.report))
    if result.plan.sprt:
        out.print(test(result.plan.sprt, result.report, result.llr, result.verdict))
    for name, why in result.withdrawn.items():
        out.print(printable(f"{name} was withdrawn: it {why}"), soft_wrap=True)
    if not result.is_complete:
        out.print(f"games not played: {result.unplayed} of {result.total}")


def standings(report: StatsReport) -> PlainTable:
    """Returns a row for each engine, the best first; ratings only if there are more than two."""
    many = len(report.standings) > 2
    ratings = (">Elo", ">95 %") if many else ()
    table = PlainTable(
        "", ">games", ">score", ">wins", ">draws", ">losses", *ratings, ">s/move", ">max"
    )
    for each in report.standings:
        played = each.games > 0
        table.add_texts(
            each.name,
            f"{each.games}",
            f"{each.points / each.games:.1%}" if played else "",
            f"{each.wins}",
            f"{each.draws}",
            f"{each.losses}",
            *(
                (elo(each.rating.elo), interval(each.rating))
                if many and played
                else [""] * 2 * many
            ),
            f"{each.mean_seconds:.3f}" if each.moves else "",
            f"{each.most_seconds:.3f}" if each.moves else "",
        )
    return table


def versus(pairing: PairStats) -> Text:
    """Returns the comparison of two engines, as far as their pairs of games tell."""
    counts = ", ".join(
        f"{count} x {points}" for points, count in zip(_POINTS, pairing.pairs, strict=True)
    )
    return _line(
        f"{pairing.first} against {pairing.second}: Elo {elo(pairing.elo.elo)} "
        f"({interval(pairing.elo)} with 95 %), normalized "
        f"{elo(pairing.normalized.elo)}, superior with {pairing.superiority:.1%}\n"
        f"pairs of games by points: {counts}"
    )


def test(bounds: Sprt, report: StatsReport, llr: float, verdict: SprtVerdict | None) -> Text:
    """Returns the state of a sequential test of two engines, and its expected end."""
    low, high = bounds.bounds
    difference = bounds.elo1 if verdict is SprtVerdict.H1 else bounds.elo0
    accepted = f"accepted: {difference:g} Elo" if verdict else "undecided"
    return _line(
        f"SPRT {bounds.elo0:g} or {bounds.elo1:g} Elo: {accepted}",
        f"LLR {llr:.2f} in {low:.2f} to {high:.2f}",
        *_expected_end(bounds, report.pairings[0], verdict),
    )


def _expected_end(bounds: Sprt, pairing: PairStats, verdict: SprtVerdict | None) -> Iterator[str]:
    outlook = bounds.outlook(pairing.pairs)
    if outlook and not verdict:
        yield f"about {2 * outlook.outcomes:.0f} more games if results go on so"


def crosstable(report: StatsReport) -> PlainTable:
    """Returns points of each engine against each other."""
    names = [each.name for each in report.standings]
    cells: dict[tuple[str, str], str] = {}
    for each in report.pairings:
        if each.games:
            cells[each.first, each.second] = f"{each.points:g}/{each.games}"
            cells[each.second, each.first] = f"{each.games - each.points:g}/{each.games}"
    table = PlainTable("points against", *(f">{name}" for name in names))
    for name in names:
        table.add_texts(
            name, *("-" if name == other else cells.get((name, other), "") for other in names)
        )
    return table


def games(report: StatsReport) -> Text:
    """Returns colors, lengths and repetitions."""
    balance, lengths = report.balance, report.lengths
    decided = max(balance.first + balance.second, 1)
    parts = [
        f"black {balance.black}, white {balance.white}, draws {balance.draws}",
        f"the first player won {balance.first / decided:.1%}",
        f"moves {lengths.mean:.1f} +- {lengths.deviation:.1f}",
    ]
    if report.duplicates:
        repeat = "repeats" if report.duplicates == 1 else "repeat"
        parts.append(f"{report.duplicates} {repeat} another game: more openings would help")
    return _line(*parts)


def failures(report: StatsReport) -> PlainTable:
    """Returns a table of what went wrong, and with whom."""
    table = PlainTable("failures", "cause", ">games")
    for each in report.failures:
        table.add_texts(each.engine or "(both)", each.cause, f"{each.games}")
    return table


def elo(value: float) -> str:
    return f"{round(value):+}" if math.isfinite(value) else f"{value:+}"


def interval(estimate: EloEstimate) -> str:
    return f"{elo(estimate.low)} to {elo(estimate.high)}"


def spoken(control: TimeControl) -> str:
    """Returns a time system for people."""
    if control.main is None:
        return "no clock"
    text = format_time(control)
    return f"{text} s a move" if control.main == 0 and control.stones == 1 else f"time {text}"


def clock(seconds: float) -> str:
    """Returns a time as people read it: 1:02:03."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


_POINTS = ("0", "½", "1", "1½", "2")


def _line(*parts: str) -> Text:
    return Text(printable(_SEPARATOR.join(parts)))


WIDE = 200  # columns where there is no terminal that says how many it has


class Output:
    """A stream whose reader may go away: a closed terminal, a broken pipe, a full disk.

    What cannot be written is dropped, and so is all that follows.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.encoding = stream.encoding

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()

    def write(self, text: str) -> int:
        try:
            if text:  # a full disk does not even take nothing
                self._stream.write(text)
        except OSError:
            discard(self._stream)
        return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError:
            discard(self._stream)


class PlainTable(Table):
    """A table without lines, whose cells may hold anything."""

    def __init__(self, *columns: str) -> None:
        """columns: headings; `>` before one: its column is flush right, and wrapped if need be."""
        super().__init__(box=None, pad_edge=False, header_style="bold")
        for column in map(printable, columns):
            right = column.startswith(">")
            self.add_column(
                column.removeprefix(">"), justify="right" if right else "left", no_wrap=not right
            )

    def add_texts(self, *cells: str) -> None:
        self.add_row(*(printable(cell) for cell in cells))


def console(stream: TextIO) -> Console:
    """Returns a console that prints what it is given, without markup, on this stream."""
    return Console(file=cast(TextIO, Output(stream)), highlight=False, markup=False)


def wide_console(stream: TextIO) -> Console:
    """Returns a console whose tables are cut neither in a file nor in a pipe."""
    found = console(stream)
    if not found.is_terminal:
        found.width = WIDE
    return found


@contextlib.contextmanager
def printed(console: Console) -> Iterator[Console]:
    """Prints on standard output what the block prints on a console, as print_lines does."""
    with console.capture() as captured:
        yield console
    print_lines(captured.get().removesuffix("\n"))


def say(text: str, stream: TextIO | None = None) -> None:
    """Prints a text that may hold anybody's words; to standard output unless told otherwise."""
    output = Output(sys.stdout if stream is None else stream)
    output.write(printable(text) + "\n")
    output.flush()
