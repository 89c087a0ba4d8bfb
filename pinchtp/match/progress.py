"""The progress of a match: a live table on a terminal, lines elsewhere, or only failures."""

from __future__ import annotations

import math
import sys
import time
from typing import Self

from rich.console import Group
from rich.live import Live
from rich.text import Text

from pinchtp.base.console import make_console
from pinchtp.base.text import printable
from pinchtp.match.playing.pool import GamePool
from pinchtp.match.record import GameRecord
from pinchtp.match.results.tables import (
    format_clock,
    format_estimate,
    game_line,
    llr_text,
    result_tables,
)
from pinchtp.match.runner import Runner

TABLE_SECONDS = 1.0  # between updates of the live table, each of which takes some milliseconds
LINE_SECONDS = 30.0  # between lines


class MatchProgress:
    """Displays a match while it is played. A context manager."""

    def __init__(self, *, quiet: bool = False, verbose: bool = False) -> None:
        """quiet: shows only what report() is given. verbose: shows a line per finished game."""
        self._console = make_console(sys.stderr)
        self._is_verbose = verbose
        self._is_quiet = quiet
        self._live: Live | None = None
        if self._console.is_terminal and not quiet:
            self._live = Live(console=self._console, auto_refresh=False, transient=True)
        interval = TABLE_SECONDS if self._live else LINE_SECONDS
        self._interval = math.inf if quiet else interval
        self._next = time.monotonic() + (0 if self._live else self._interval)
        self._announced: list[str] = []

    def __enter__(self) -> Self:
        for message in self._announced:
            self.warn(message)
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._live:
            self._live.stop()

    def report(self, message: str) -> None:
        """Prints a message about a failure or an engine."""
        self._console.print(printable(message), soft_wrap=self._live is None)

    def warn(self, message: str) -> None:
        """Prints a message, unless quiet."""
        if not self._is_quiet:
            self.report(message)

    def announce(self, message: str) -> None:
        """Prints a message when the games begin, unless quiet."""
        self._announced.append(message)

    def report_game(self, record: GameRecord) -> None:
        """Prints a line for a finished game, if verbose."""
        if self._is_verbose:
            self.report(game_line(record))

    def show(self, runner: Runner, pool: GamePool) -> None:
        """Shows the state of the match at intervals; called several times per second."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + self._interval  # one line, even after a suspend
        if self._live:
            lines = Group(
                Text(progress(runner, pool)), result_tables(runner.plan, runner.summary.report())
            )
            self._live.update(lines, refresh=True)
        else:
            self.report(f"{progress(runner, pool)}: {score(runner)}")


def progress(runner: Runner, pool: GamePool) -> str:
    """Returns the number of games, the time so far and the time left, and the pool's note."""
    done = runner.summary.games
    passed = time.monotonic() - runner.began
    parts = [f"{done}/{runner.total} games", format_clock(passed)]
    if runner.played:
        left = (runner.total - done) * (passed - runner.waited) / runner.played
        parts.append(f"about {format_clock(left)} left")
    return "; ".join(filter(None, (", ".join(parts), pool.note)))


def score(runner: Runner) -> str:
    """Returns the score in one line."""
    if len(runner.summary.engines) == 2:
        text = f"Elo: {format_estimate(runner.summary.pairing(*runner.summary.engines).elo)}"
        sprt = runner.plan.sprt
        return f"{text}, {llr_text(sprt, runner.llr)}" if sprt else text
    best = runner.summary.report().standings[0]
    return f"{best.name} leads with {best.points:g}/{best.games}"
