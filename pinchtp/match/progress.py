"""A match as it goes on: a live table on a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Protocol, Self, TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from pinchtp.base.closing import Closing
from pinchtp.base.streams import printable
from pinchtp.match.output import clock, console, elo, interval, tables, test, title
from pinchtp.match.runner import Runner
from pinchtp.match.worker import WorkerPool

REFRESH = 1.0  # seconds between pictures of the live table: each costs some milliseconds
LINE = 30.0  # seconds between lines


class Display(Protocol):
    """Who is shown a match while it is played. A context manager."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    def tell(self, message: str) -> None:
        """Something that went wrong."""

    def show(self, runner: Runner, pool: WorkerPool) -> None:
        """How the match stands; called several times a second."""


class LineDisplay(Closing):
    """A line on the console every so often."""

    def __init__(self, shown_on: Console, every: float = LINE) -> None:
        self._console, self._every = shown_on, every
        self._next = time.monotonic() + every

    def close(self) -> None:
        """A line is complete at any time."""

    def tell(self, message: str) -> None:
        self._console.print(printable(message), soft_wrap=True)

    def show(self, runner: Runner, pool: WorkerPool) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + self._every  # one line, also after a standstill
            self.tell(f"{progress(runner)}{_notes(pool)}: {score(runner)}")


class TableDisplay(Closing):
    """A table that is always up to date."""

    def __init__(self, shown_on: Console) -> None:
        self._live = Live(console=shown_on, auto_refresh=False, transient=True)
        self._next = 0.0

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def close(self) -> None:
        self._live.stop()

    def tell(self, message: str) -> None:
        self._live.console.print(printable(message))

    def show(self, runner: Runner, pool: WorkerPool) -> None:
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + REFRESH
        report = runner.summary.report()
        parts = [
            Text(f"{title(runner.plan)}: {progress(runner)}{_notes(pool)}"),
            tables(report),
        ]
        if runner.plan.sprt:
            parts.append(test(runner.plan.sprt, report, runner.llr, runner.verdict))
        self._live.update(Group(*parts), refresh=True)


class QuietDisplay(LineDisplay):
    """Only what goes wrong."""

    @classmethod
    def on_stderr(cls) -> Self:
        return cls(console(sys.stderr))

    def show(self, runner: Runner, pool: WorkerPool) -> None:
        pass


def display_for(stream: TextIO, *, quiet: bool) -> Display:
    """What suits a terminal, or a file or pipe."""
    shown_on = console(stream)
    if quiet:
        return QuietDisplay(shown_on)
    return TableDisplay(shown_on) if shown_on.is_terminal else LineDisplay(shown_on)


def progress(runner: Runner) -> str:
    """How far it is, and how long it will take."""
    done = runner.summary.games
    passed = time.monotonic() - runner.began
    parts = [f"{done} of {runner.total} games", f"{runner.running} running", clock(passed)]
    if runner.played:
        left = (runner.total - done) * passed / runner.played
        parts.append(f"about {clock(left)} left")
    return ", ".join(parts)


def score(runner: Runner) -> str:
    """The score in one line."""
    if len(runner.summary.engines) == 2:
        pairing = runner.summary.pairing(*runner.summary.engines)
        text = f"{pairing.first} {pairing.points:g} - {pairing.games - pairing.points:g} "
        text += f"{pairing.second}, Elo {elo(pairing.elo.elo)}"
        text += f" ({interval(pairing.elo)})"
        return f"{text}, LLR {runner.llr:.2f}" if runner.plan.sprt else text
    standings = runner.summary.report().standings
    return ", ".join(f"{each.name} {each.points:g}/{each.games}" for each in standings)


def _notes(pool: WorkerPool) -> str:
    return f"; {pool.note}" if pool.note else ""
