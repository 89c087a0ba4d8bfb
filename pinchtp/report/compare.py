"""Comparison of reports: of games, board sizes, or two versions of a program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pinchtp.base.console import PlainTable, print_rendered, print_text
from pinchtp.base.files import make_directory
from pinchtp.html.document import PageTemplate, write_document
from pinchtp.html.format import seconds as spoken
from pinchtp.report.figures import Figure
from pinchtp.report.page import CannotWrite
from pinchtp.report.report import SECTIONS, GameReport, ReportError
from pinchtp.report.section import Chart, Section

TEMPLATE = PageTemplate(
    "pinchtp.report", "compare.html", styles=["board.css", "report.css", "compare.css"]
)
PAGE = "compare.html"


@dataclass(frozen=True)
class Row:
    """The figures of all reports with one name; None for a report without it.

    Figures of one name are comparable: the name contains all conditions of the measurement, and
    the visits of strong play if they differ.
    """

    name: str
    figures: Sequence[Figure | None]

    @property
    def is_main(self) -> bool:
        """Whether a report shows it at a glance."""
        return any(figure is not None and figure.glance for figure in self.figures)

    @property
    def is_comparable(self) -> bool:
        """Whether at least two reports have an interval."""
        return (
            sum(figure is not None and figure.estimate is not None for figure in self.figures) > 1
        )

    @property
    def differs(self) -> bool:
        """Whether two of the intervals are disjoint."""
        known = [estimate for figure in self.figures if figure and (estimate := figure.estimate)]
        return any(one.high < other.low for one in known for other in known)


@dataclass(frozen=True)
class SectionComparison:
    """A section of all reports.

    charts: by title, each with the name of its report; only charts that several reports have.
    """

    section: Section
    rows: Sequence[Row]
    charts: Mapping[str, Sequence[tuple[str, Chart]]]


@dataclass(frozen=True)
class Comparison:
    """Several reports. names: distinct names for display."""

    names: Sequence[str]
    reports: Sequence[GameReport]
    sections: Sequence[SectionComparison]

    @classmethod
    def of(cls, reports: Sequence[GameReport]) -> Comparison:
        names = _names(reports)
        sections = [
            SectionComparison(section, section_rows, _charts(section, names, reports))
            for section in SECTIONS.values()
            if (section_rows := rows(section.name, reports))
        ]
        return cls(names, reports, sections)

    @property
    def main_rows(self) -> list[Row]:
        """The rows of the figures shown at a glance."""
        return [row for part in self.sections for row in part.rows if row.is_main]

    @property
    def verdict(self) -> str:
        """A sentence with the number of figures that differ."""
        comparable = [row for part in self.sections for row in part.rows if row.is_comparable]
        if not comparable:
            return "No two reports share a metric with a 95 % interval."
        differing = sum(row.differs for row in comparable)
        count = f"{differing:,} of {len(comparable):,} shared metrics differ by more than chance"
        return f"{count}: their 95 % intervals do not overlap." if differing else f"{count}."

    @property
    def differences(self) -> list[str]:
        """Sentences on the figures shown at a glance that differ."""
        return [
            f"{row.name}: "
            + "; ".join(
                f"{figure.text} ({figure.interval}) in {name}"
                for name, figure in zip(self.names, row.figures, strict=True)
                if figure and figure.estimate
            )
            for row in self.main_rows
            if row.differs
        ]

    @property
    def cautions(self) -> list[str]:
        """Sentences on conditions that differ between the reports."""
        conditions = {
            "Rules": [report.subject.pie_rule for report in self.reports],
            "Strong play": [report.subject.strength for report in self.reports],
            "Machines (they affect speeds)": [
                ", ".join(report.machines) or "unknown" for report in self.reports
            ],
        }
        return [
            f"{name}: "
            + "; ".join(
                f"{report} ({value})" for report, value in zip(self.names, values, strict=True)
            )
            for name, values in conditions.items()
            if len(set(values)) > 1
        ]


def compare(paths: Sequence[Path], folder: Path | None) -> None:
    """Writes a page to the directory if one is given, and prints reports side by side.

    Raises ReportError for an invalid report, and CannotWrite.
    """
    reports = []
    for path in paths:
        try:
            reports.append(GameReport.load(path))
        except OSError as error:
            raise ReportError(f"{path}: {error.strerror}") from None
    comparison = Comparison.of(reports)
    if folder is not None:  # first, since the reader of the output may end
        try:
            make_directory(folder)
            write_document(folder / PAGE, document(comparison))
        except OSError as error:
            raise CannotWrite(f"{folder / PAGE}: {error.strerror}") from None
    _print(comparison)
    if folder is not None:
        print_text(f"comparison: {folder / PAGE}")


def document(comparison: Comparison) -> str:
    """Returns the page."""
    return TEMPLATE.render(
        title="Comparison of reports",
        facts=[
            f"{name}, measured for {spoken(report.seconds)}"
            for name, report in zip(comparison.names, comparison.reports, strict=True)
        ],
        comparison=comparison,
    )


def rows(section: str, reports: Sequence[GameReport]) -> list[Row]:
    """Returns the rows of a section. A new row follows the figure before it in its report.

    Figures of strong play with different visits have separate rows.
    """
    is_mixed = len({report.subject.visits for report in reports}) > 1
    by_visits = SECTIONS[section].by_visits
    figures: dict[str, list[Figure | None]] = {}
    names: list[str] = []
    for number, report in enumerate(reports):
        summary = report.sections.get(section)
        at = 0
        for figure in summary.figures if summary else ():
            name = figure.name
            if is_mixed and by_visits is not None and figure.key.startswith(by_visits):
                name += f", {report.subject.visits:,} visits per move"
            if name not in figures:
                figures[name] = [None] * len(reports)
                names.insert(at, name)
            figures[name][number] = figure
            at = names.index(name) + 1
    return [Row(name, figures[name]) for name in names]


def _charts(
    section: Section, names: Sequence[str], reports: Sequence[GameReport]
) -> dict[str, list[tuple[str, Chart]]]:
    charts_by_title: dict[str, list[tuple[str, Chart]]] = {}
    for name, report in zip(names, reports, strict=True):
        summary = report.sections.get(section.name)
        if summary is None or not summary.data:  # tools/reports.py stores reports without data
            continue
        for block in section.blocks(summary, report.subject):
            if isinstance(block, Chart):
                charts_by_title.setdefault(block.title, []).append((name, block))
    return {title: charts for title, charts in charts_by_title.items() if len(charts) > 1}


def _names(reports: Sequence[GameReport]) -> list[str]:
    """Returns a distinct name for each report: game and board, and other differences if needed."""
    games = [f"{report.subject.entry.title} {report.subject.board_name}" for report in reports]
    details = [
        (
            *report.subject.agreed_rules,
            report.subject.strength,
            f"pinchtp {', '.join(report.versions)}",
        )
        for report in reports
    ]
    names = []
    for game, own in zip(games, details, strict=True):
        others = [other for name, other in zip(games, details, strict=True) if name == game]
        differing = [
            detail for at, detail in enumerate(own) if len({other[at] for other in others}) > 1
        ]
        names.append(", ".join([game, *differing]))
    if len(set(names)) < len(names):
        names = [f"{number}. {name}" for number, name in enumerate(names, start=1)]
    return names


def _print(comparison: Comparison) -> None:
    with print_rendered() as out:
        out.print(_table("At a glance", comparison.names, comparison.main_rows))
        for sentence in (comparison.verdict, *comparison.differences, *comparison.cautions):
            out.print(sentence, soft_wrap=True)
        for part in comparison.sections:
            out.print()
            out.print(_table(part.section.title, comparison.names, part.rows))


def _table(title: str, names: Sequence[str], rows: Sequence[Row]) -> PlainTable:
    table = PlainTable(title, *(f">{name}" for name in names), "", wraps=True)
    for row in rows:
        cells = ["" if figure is None else _cell(figure) for figure in row.figures]
        table.add_texts(row.name, *cells, "differs" if row.differs else "")
    return table


def _cell(figure: Figure) -> str:
    return f"{figure.text} ({figure.detail})" if figure.detail else figure.text
