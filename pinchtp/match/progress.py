"""Progress of a match: a live table on a terminal, otherwise lines, or only failures."""

from __future__ import annotations

import math
import sys
import time
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from pinchtp.base.streams import printable
from pinchtp.match.output import clock, console, elo, interval, tables, test, title
from pinchtp.match.runner import Runner
from pinchtp.match.worker import GamePool

REFRESH = 1.0  # seconds between pictures of the live table: each costs some milliseconds
LINE = 30.0  # seconds between lines


class MatchProgress:
    """Shows a match while it is played. A context manager."""

    def __init__(
        self, shown_on: Console | None = None, *, quiet: bool = False, every: float | None = None
    ) -> None:
        """shown_on: default: standard error. quiet: shows only what goes wrong. every: seconds
        between tables or lines; default: REFRESH or LINE.
        """
        self._console = shown_on or console(sys.stderr)
        self._live: Live | None = None
        if self._console.is_terminal and not quiet:
            self._live = Live(console=self._console, auto_refresh=False, transient=True)
        usual = REFRESH if self._live else LINE
        self._every = math.inf if quiet else usual if every is None else every
        self._next = time.monotonic() + (0 if self._live else self._every)

    def __enter__(self) -> Self:
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._live:
            self._live.stop()

    def tell(self, message: str) -> None:
        """Prints something that went wrong."""
        self._console.print(printable(message), soft_wrap=self._live is None)

    def show(self, runner: Runner, pool: GamePool) -> None:
        """Shows how the match stands, if it is time to; called several times a second."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + self._every  # one line, also after a standstill
        if self._live:
            self._live.update(_picture(runner, pool), refresh=True)
        else:
            self.tell(f"{progress(runner)}{_notes(pool)}: {score(runner)}")


def _picture(runner: Runner, pool: GamePool) -> Group:
    report = runner.summary.report()
    parts = [
        Text(f"{title(runner.plan)}: {progress(runner)}{_notes(pool)}"),
        tables(report),
    ]
    if runner.plan.sprt:
        parts.append(test(runner.plan.sprt, report, runner.llr, runner.verdict))
    return Group(*parts)


def progress(runner: Runner) -> str:
    """Returns how far the match is, and how long it will take."""
    done = runner.summary.games
    passed = time.monotonic() - runner.began
    parts = [f"{done} of {runner.total} games", f"{runner.running} running", clock(passed)]
    if runner.played:
        left = (runner.total - done) * passed / runner.played
        parts.append(f"about {clock(left)} left")
    return ", ".join(parts)


def score(runner: Runner) -> str:
    """Returns the score in one line."""
    if len(runner.summary.engines) == 2:
        pairing = runner.summary.pairing(*runner.summary.engines)
        text = f"{pairing.first} {pairing.points:g} - {pairing.games - pairing.points:g} "
        text += f"{pairing.second}, Elo {elo(pairing.elo.elo)}"
        text += f" ({interval(pairing.elo)})"
        return f"{text}, LLR {runner.llr:.2f}" if runner.plan.sprt else text
    standings = runner.summary.report().standings
    return ", ".join(f"{each.name} {each.points:g}/{each.games}" for each in standings)


def _notes(pool: GamePool) -> str:
    return f"; {pool.note}" if pool.note else ""
