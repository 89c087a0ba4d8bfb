"""The page of a report, and the other files written with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from pinchtp.base.files import make_directory
from pinchtp.html.document import PageTemplate, write_document
from pinchtp.html.format import TIMES
from pinchtp.html.format import seconds as spoken
from pinchtp.report.figures import Figure
from pinchtp.report.report import EXPERIMENTS, SECTIONS, GameReport
from pinchtp.report.run import MeasurementRun
from pinchtp.report.section import Chart, Section, SectionResult, SectionTable
from pinchtp.report.sections.samples import SamplesSection, as_sgf, make_replays

TEMPLATE = PageTemplate(
    "pinchtp.report",
    "report.html",
    styles=["board.css", "report.css"],
    scripts=["dom.js", "board.js", "curve.js", "viewer.js", "report.js"],
)


@dataclass(frozen=True)
class PageSection:
    """A section on the page. needs: a sentence if the budget was too small for it, or empty."""

    section: Section
    summary: SectionResult | None
    listed: Sequence[Figure]
    charts: Sequence[Chart]
    tables: Sequence[SectionTable]
    command: str
    needs: str

    @property
    def methods(self) -> list[tuple[str, str]]:
        """The methods of the figures: the names of the figures that share it, and its text."""
        names_by_method: dict[str, list[str]] = {}
        for figure in self.summary.figures if self.summary else ():
            noun = "observation" if figure.samples == 1 else "observations"
            observed = "" if figure.samples is None else f"{figure.samples:,} {noun}."
            if method := f"{figure.method} {observed}".strip():
                names_by_method.setdefault(method, []).append(figure.name)
        return [("; ".join(names), method) for method, names in names_by_method.items()]


def document(report: GameReport) -> str:
    """Returns the page."""
    subject = report.subject
    parts = [_part(section, report) for section in SECTIONS.values()]
    samples = report.sections.get(SamplesSection.name)
    data = None
    if samples:
        data = {"board": subject.board.as_data(), "games": make_replays(samples, subject)}
    return TEMPLATE.render(
        title=f"{subject.entry.title} {subject.width}{TIMES}{subject.height}",
        facts=facts(report),
        data=data,
        glance=glance(report),
        says=[says for summary in report.summaries for says in summary.says],
        parts=parts,
        samples=SamplesSection.name,
    )


def glance(report: GameReport) -> list[Figure]:
    """Returns the figures to show at a glance."""
    return [
        figure
        for summary in report.summaries
        for figure in summary.figures
        if figure.glance and figure.value is not None
    ]


def facts(report: GameReport) -> list[str]:
    """Returns the rules, the strength, the time, the place and the date of the measurements."""
    subject = report.subject
    return [
        *subject.agreed_rules,
        f"strong play: the engine with {subject.strength}",
        f"measured for {spoken(report.seconds)} on {', '.join(report.machines) or 'this machine'}",
        f"seed {subject.seed}",
        f"pinchtp {', '.join(report.versions) or 'unknown'}",
        *filter(None, [" to ".join(report.days)]),
    ]


def _part(section: Section, report: GameReport) -> PageSection:
    summary = report.sections.get(section.name)
    blocks = section.blocks(summary, report.subject) if summary else ()
    return PageSection(
        section,
        summary,
        section.list_figures(summary) if summary else (),
        [block for block in blocks if isinstance(block, Chart)],
        [block for block in blocks if isinstance(block, SectionTable)],
        report.command(section),
        _needs(section, report),
    )


def _needs(section: Section, report: GameReport) -> str:
    """Returns a sentence if the budget was too small for a section, else an empty text."""
    short = [name for name in section.uses if name in report.missing]
    if not short:
        return ""
    whole = max(report.missing[name] for name in short)
    measured = ", ".join(EXPERIMENTS[name].description for name in short)
    return f"The budget was too small for {measured}: about {spoken(whole)} or more are needed."


FIRST = 5.0  # seconds before the files are first written
PAUSE = 20  # pause between writes, as a multiple of the time of the last one


class CannotWrite(Exception):
    """A file cannot be written; the message has its path and the reason."""


class ReportFiles:
    """The files of a report, in one directory."""

    def __init__(self, folder: Path) -> None:
        """Raises CannotWrite if the directory cannot be created."""
        self.folder = folder
        self._next = monotonic() + FIRST
        self.store = folder / "report.db"
        self.page = folder / "report.html"
        self.json = folder / "report.json"
        try:
            make_directory(folder)
        except OSError as error:
            raise CannotWrite(f"{folder}: {error.strerror}") from None

    def update(self, run: MeasurementRun) -> None:
        """Writes the files at intervals during the measurement. Raises CannotWrite."""
        began = monotonic()
        if began >= self._next:
            self.write(report_of(run))
            self._next = monotonic() + PAUSE * (monotonic() - began)

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
                f"{error.filename or self.folder}: {error.strerror}; the measurements are in "
                f"{self.store}, and the same command tries again"
            ) from None


def report_of(run: MeasurementRun) -> GameReport:
    """Returns the report of the run so far."""
    return GameReport.of(
        run.measurements,
        seconds=round(run.used, 1),
        machines=run.store.machines(),
        versions=run.store.versions(),
        days=run.store.days(),
        missing=run.find_missing(),
    )
