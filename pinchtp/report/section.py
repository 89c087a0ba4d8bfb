"""Sections: figures computed from measurements, with charts and tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias

from markupsafe import Markup

from pinchtp.report.experiment import Measurements
from pinchtp.report.figures import Figure
from pinchtp.report.subject import ReportSubject

LISTED_MOVES = 8  # the best and the worst first moves in a table: this many of each
LEAST_GAMES = 3  # minimum games for the mean of a turn


@dataclass(frozen=True)
class Chart:
    """A chart with its heading and a note."""

    title: str
    picture: Markup
    note: str = ""


@dataclass(frozen=True)
class SectionTable:
    """A table below a heading. head: a leading `-` marks a column that narrow screens hide."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


Block: TypeAlias = Chart | SectionTable


@dataclass(frozen=True)
class SectionResult:
    """The result of a section, in types of JSON.

    figures: with their uncertainty. says: conclusions, as sentences. data: for charts and tables.
    """

    figures: Sequence[Figure] = ()
    says: Sequence[str] = ()
    data: Mapping[str, Any] = field(default_factory=dict)


class Section(ABC):
    """A section of the report.

    name: on the command line and in JSON. about: its measurements, in words for game designers.
    uses: the experiments from which it is computed. by_visits: the start of the keys of figures
    that depend on the visits of strong play; None: no figure does.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    uses: ClassVar[tuple[str, ...]]
    by_visits: ClassVar[str | None] = None

    def list_figures(self, summary: SectionResult) -> Sequence[Figure]:
        """Returns the figures to list on the page: those that no table of the section has."""
        return summary.figures

    @abstractmethod
    def summarize(self, measurements: Measurements) -> SectionResult | None:
        """Returns the result so far; None without measurements."""

    def blocks(self, summary: SectionResult, subject: ReportSubject) -> Sequence[Block]:
        """Returns the charts and tables of a result, which may come from JSON."""
        return ()
