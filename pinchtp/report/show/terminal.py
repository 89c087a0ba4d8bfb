"""A report on a terminal: how far it is, and what came of it."""

from __future__ import annotations

import sys
import time
from typing import Self

from rich.progress import BarColumn, Progress, TextColumn

from pinchtp.base.closing import Closing
from pinchtp.base.descriptors import note
from pinchtp.html.format import seconds as spoken
from pinchtp.match.show.terminal import PlainTable, console
from pinchtp.report.experiments.experiment import WorkUnit
from pinchtp.report.measuring.run import MeasurementRun
from pinchtp.report.report import GameReport
from pinchtp.report.sections import ALL
from pinchtp.report.show.page import glance

LINE = 30.0  # seconds between lines where there is no terminal


class ReportProgress(Closing):
    """A bar on a terminal, a line now and then elsewhere; a context manager."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._console = console(sys.stderr)
        self._quiet = quiet
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[end]}"),
            console=self._console,
            transient=True,
        )
        self._task = self._bar.add_task("measuring", total=1.0, end="")
        self._next_line = time.monotonic() + LINE

    def __enter__(self) -> Self:
        if self._has_bar:
            self._bar.start()
        return self

    def close(self) -> None:
        if self._has_bar:
            self._bar.stop()

    def progress(self, run: MeasurementRun) -> None:
        if self._quiet:
            return
        running = ", ".join(run.experiments[name].what for name in run.running)
        end = f"ends about {time.strftime('%H:%M:%S', time.localtime(time.time() + run.left))}" \
            if run.left < 1e9 else ""  # fmt: skip
        if self._has_bar:
            self._bar.update(
                self._task, description=running, end=end, total=run.budget.seconds,
                completed=min(run.used, run.budget.seconds),
            )  # fmt: skip
        elif time.monotonic() >= self._next_line:
            self._next_line = time.monotonic() + LINE  # one line, also after a standstill
            used, whole = spoken(run.used), spoken(run.budget.seconds)
            so_far = ", ".join(filter(None, (f"{used} of {whole}", end)))
            self._console.print(f"{so_far}: {running}", soft_wrap=True)

    def failed(self, unit: WorkUnit, trace: str) -> None:
        note(
            f"pinchtp report: internal error in unit {unit.number} of {unit.experiment}; the other "
            f"measurements go on\n{trace}"
        )

    @property
    def _has_bar(self) -> bool:
        return self._console.is_terminal and not self._quiet


def print_summary(report: GameReport) -> None:
    """The figures that tell most, and what is missing."""
    out = console(sys.stdout)
    subject = report.subject
    out.print(f"{subject.entry.title} {subject.board_name}, {spoken(report.seconds)} of measuring")
    table = PlainTable("", ">value", ">95 %")
    for figure in glance(report):
        table.add_texts(figure.name, figure.text, figure.interval)
    out.print(table)
    for summary in report.sections.values():
        for says in summary.says:
            out.print(says, soft_wrap=True)


def print_list() -> None:
    """What each section measures."""
    out = console(sys.stdout)
    for number, section in enumerate(ALL.values(), start=1):
        out.print(f"{number}. {section.title} ({section.name})")
        out.print(f"   {section.about}", soft_wrap=True)
