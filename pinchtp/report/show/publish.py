"""The files of a report, and when they are written."""

from __future__ import annotations

from pathlib import Path
from time import monotonic

from pinchtp.html.document import write_document
from pinchtp.report.experiments.experiment import WorkUnit
from pinchtp.report.measuring.run import Listener, MeasurementRun
from pinchtp.report.report import GameReport
from pinchtp.report.sections.samples import SamplesSection, as_sgf
from pinchtp.report.show.page import document

FIRST = 5.0  # seconds after which the page is written first
PAUSE = 20  # times as long as writing took before it is written again


class CannotWrite(Exception):
    """A file cannot be written; the text says which and why."""


class Files:
    """Where a report is written. Raises CannotWrite if there can be no such folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = folder / "report.db"
        self.page = folder / "report.html"
        self.json = folder / "report.json"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CannotWrite(f"{folder}: {error.strerror}") from None

    def write(self, report: GameReport) -> None:
        """Writes page, data and sample games. Raises CannotWrite."""
        samples = report.sections.get(SamplesSection.name)
        games = as_sgf(samples, report.subject) if samples else []
        try:
            write_document(self.page, document(report))
            write_document(self.json, report.as_json())
            for number, game in enumerate(games, start=1):
                write_document(self.folder / f"game-{number}.sgf", game)
        except OSError as error:
            raise CannotWrite(
                f"{error.filename or self.folder}: {error.strerror}; what was measured is in "
                f"{self.store}, and the same command tries again"
            ) from None


def report_of(run: MeasurementRun) -> GameReport:
    """What is known now."""
    return GameReport.of(
        run.measurements,
        seconds=run.used,
        machines=tuple(run.store.machines()),
        missing=run.missing(),
    )


class Publisher:
    """Writes the report anew now and then while it is measured, and passes on what it hears."""

    def __init__(self, files: Files, listener: Listener) -> None:
        self._files, self._listener = files, listener
        self._next = monotonic() + FIRST

    def progress(self, run: MeasurementRun) -> None:
        self._listener.progress(run)
        began = monotonic()
        if began >= self._next:
            self._files.write(report_of(run))
            self._next = monotonic() + PAUSE * (monotonic() - began)

    def failed(self, unit: WorkUnit, trace: str) -> None:
        self._listener.failed(unit, trace)
