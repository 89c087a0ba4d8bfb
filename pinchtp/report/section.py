"""Sections: figures computed from what was measured, with charts and tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from markupsafe import Markup

from pinchtp.report.experiment import Measurements
from pinchtp.report.figures import Figure
from pinchtp.report.subject import ReportSubject


@dataclass(frozen=True)
class Chart:
    """A picture with its heading, and what to see in it."""

    title: str
    picture: Markup
    note: str = ""


@dataclass(frozen=True)
class SectionTable:
    """Rows of text below a heading. head: a name that starts with `-` is of a column that narrow
    screens leave out.
    """

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


@dataclass(frozen=True)
class SectionResult:
    """What a section has found out; all of it can be kept as JSON.

    figures: with their uncertainty. says: conclusions in words. data: what the pictures show.
    """

    figures: Sequence[Figure] = ()
    says: Sequence[str] = ()
    data: Mapping[str, Any] = field(default_factory=dict)


class Section(ABC):
    """A part of the report.

    name: on the command line and in JSON. about: what it measures, in words of a designer. uses:
    the experiments it rests on.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    uses: ClassVar[tuple[str, ...]]

    def listed(self, summary: SectionResult) -> Sequence[Figure]:
        """The figures that stand in no table of the section."""
        return summary.figures

    @abstractmethod
    def summarize(self, measurements: Measurements) -> SectionResult | None:
        """What is known so far; None while there is nothing to say."""

    def blocks(
        self, summary: SectionResult, subject: ReportSubject
    ) -> Sequence[Chart | SectionTable]:
        """Pictures and tables of a summary that may come from JSON."""
        return ()
