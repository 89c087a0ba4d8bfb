"""Reports side by side: games, sizes, or two versions of a program."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from pathlib import Path

from pinchtp.base.process import ExitStatus
from pinchtp.html.document import PageTemplate, write_document
from pinchtp.html.format import seconds as spoken
from pinchtp.match.output import PlainTable, console, printed, say
from pinchtp.report.figures import Figure
from pinchtp.report.report import SECTIONS, GameReport, ReportError

TEMPLATE = PageTemplate("pinchtp.report", "compare.html", styles=["report.css"])
PAGE = "compare.html"


@dataclass(frozen=True)
class Row:
    """A figure in all reports; None for a report without it."""

    figures: Sequence[Figure | None]

    @property
    def name(self) -> str:
        """The words that all names begin with: `Elo of a doubling`, whichever doubling it is."""
        return " ".join(self._words[0][: self._common]).rstrip(",")

    def own(self, figure: Figure) -> str:
        """Returns the rest of the name of one: `64 to 128 simulations`."""
        return " ".join(figure.name.split()[self._common :])

    @property
    def differs(self) -> bool:
        """Whether the intervals of two figures of the same name are disjoint."""
        known = [each for each in self.figures if each is not None and each.value is not None]
        return any(
            one.name == other.name and _ends(one)[1] < _ends(other)[0]
            for one in known
            for other in known
        )

    @cached_property
    def _words(self) -> Sequence[Sequence[str]]:
        return [each.name.split() for each in self.figures if each is not None]

    @cached_property
    def _common(self) -> int:
        """Words that all names begin with, whether a comma follows or not."""
        places = zip(*([word.rstrip(",") for word in words] for words in self._words), strict=False)
        return sum(1 for _ in takewhile(lambda words: len(set(words)) == 1, places))


def _ends(figure: Figure) -> tuple[float, float]:
    """Returns the ends of the interval, which may be infinite."""
    assert figure.value is not None
    if not figure.is_estimate:
        return figure.value, figure.value
    infinite = float("inf")
    return (
        -infinite if figure.low is None else figure.low,
        infinite if figure.high is None else figure.high,
    )


def compare(paths: Sequence[Path], folder: Path | None) -> int:
    """Prints reports side by side, and writes a page into the folder if there is one.

    Returns the exit status. Raises ReportError.
    """
    reports = []
    for path in paths:
        try:
            reports.append(GameReport.load(path))
        except OSError as error:
            raise ReportError(f"{path}: {error.strerror}") from None
    names = _names(reports)
    sections = {
        section.title: found
        for section in SECTIONS.values()
        if (found := rows(section.name, reports))
    }
    _print(names, sections)
    if folder is not None:
        document = TEMPLATE.render(
            title="Reports side by side",
            facts=names,
            names=names,
            reports=reports,
            sections=sections,
            spoken=spoken,
        )
        try:
            folder.mkdir(parents=True, exist_ok=True)
            write_document(folder / PAGE, document)
        except OSError as error:
            raise ReportError(f"{folder / PAGE}: {error.strerror}") from None
        say(f"{folder / PAGE} shows them side by side")
    return ExitStatus.SUCCESS


def rows(section: str, reports: Sequence[GameReport]) -> list[Row]:
    """Returns the figures of a section, in the order in which the reports have them."""
    found: dict[str, list[Figure | None]] = {}
    for number, report in enumerate(reports):
        summary = report.sections.get(section)
        for figure in summary.figures if summary else ():
            found.setdefault(figure.key, [None] * len(reports))[number] = figure
    return [Row(figures) for figures in found.values()]


def _names(reports: Sequence[GameReport]) -> list[str]:
    """Returns a distinct name for each report."""
    names = [f"{each.subject.entry.title} {each.subject.board_name}" for each in reports]
    if len(set(names)) < len(names):
        names = [
            f"{name}, {each.version}, {each.subject.visits:,} simulations, "
            f"{each.subject.evaluator_name}"
            for name, each in zip(names, reports, strict=True)
        ]
    if len(set(names)) < len(names):
        names = [f"{number}. {name}" for number, name in enumerate(names, start=1)]
    return names


def _print(names: Sequence[str], sections: dict[str, list[Row]]) -> None:
    with printed(console(sys.stdout)) as out:
        for title, found in sections.items():
            table = PlainTable(title, *(f">{name}" for name in names), "")
            for row in found:
                cells = ["" if each is None else _cell(row, each) for each in row.figures]
                table.add_texts(row.name, *cells, "differs" if row.differs else "")
            out.print(table)


def _cell(row: Row, figure: Figure) -> str:
    own = row.own(figure)
    return f"{figure.text} ({own})" if own else figure.text
