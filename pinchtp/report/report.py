"""Reports: the results of all sections, and their form in JSON."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Self

import msgspec

from pinchtp.base.command_line import format_option
from pinchtp.base.files import read_file
from pinchtp.player.settings import PACKAGED, SIZE
from pinchtp.report.experiment import Experiment, Measurements
from pinchtp.report.games import OtherGames, RandomGames, StrongGames
from pinchtp.report.section import Section, SectionResult
from pinchtp.report.sections.balance import BalanceSection, FirstMoves
from pinchtp.report.sections.drama import DramaSection, SampleExperiment
from pinchtp.report.sections.good_moves import GoodMovesSection
from pinchtp.report.sections.ladder import Evaluators, LadderExperiment, PlayoutLadder
from pinchtp.report.sections.ladder_section import LadderSection
from pinchtp.report.sections.length import LengthSection
from pinchtp.report.sections.mirrors import MirrorsExperiment, MirrorsSection
from pinchtp.report.sections.positions import PositionsExperiment, PositionsSection
from pinchtp.report.sections.rates import RatesExperiment, RatesSection
from pinchtp.report.sections.samples import SamplesSection
from pinchtp.report.sections.solved import SolvedExperiment, SolvedSection
from pinchtp.report.subject import ReportSubject

# In starting order.
EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment
    for experiment in (
        RatesExperiment(),
        RandomGames(),
        StrongGames(),
        PositionsExperiment(),
        OtherGames(),
        FirstMoves(),
        LadderExperiment(),
        PlayoutLadder(),
        Evaluators(),
        MirrorsExperiment(),
        SampleExperiment(),
        SolvedExperiment(),
    )
}

# In the order of the page.
SECTIONS: dict[str, Section] = {
    section.name: section
    for section in (
        BalanceSection(),
        DramaSection(),
        LadderSection(),
        LengthSection(),
        GoodMovesSection(),
        MirrorsSection(),
        SolvedSection(),
        SamplesSection(),
        PositionsSection(),
        RatesSection(),
    )
}


class ReportError(ValueError):
    """A report cannot be read or created; the text is for users."""


@dataclass(frozen=True)
class GameReport:
    """A report.

    sections: results by name. units: numbers of measured units by experiment. seconds: used of the
    budget, in all runs. versions: of pinchtp that measured. days: the first and the last day of the
    measurements, such as 2026-11-28. missing: experiments for which the budget was too small, with
    the seconds of budget that they need.
    """

    subject: ReportSubject
    sections: Mapping[str, SectionResult]
    units: Mapping[str, int]
    seconds: float = 0.0
    machines: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    days: tuple[str, ...] = ()
    missing: Mapping[str, float] = field(default_factory=dict)
    format: Literal["pinchtp report 1"] = "pinchtp report 1"

    @classmethod
    def of(cls, measurements: Measurements, **details: Any) -> Self:
        """Returns the report of the measurements so far."""
        summaries = {name: section.summarize(measurements) for name, section in SECTIONS.items()}
        sections = {name: summary for name, summary in summaries.items() if summary is not None}
        units = {name: measurements.count(name) for name in EXPERIMENTS if measurements.count(name)}
        return cls(measurements.subject, sections, units, **details)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Loads a report. Raises ReportError for an invalid file, or OSError."""
        try:
            return msgspec.json.decode(read_file(path), type=cls)
        except ValueError as error:
            raise ReportError(f"{path} is not a pinchtp report: {error}") from None

    @property
    def summaries(self) -> list[SectionResult]:
        """The results in the order of the page."""
        return [self.sections[name] for name in SECTIONS if name in self.sections]

    def as_json(self) -> str:
        return msgspec.json.format(msgspec.json.encode(self), indent=1).decode() + "\n"

    def command(self, section: Section) -> str:
        """Returns the command that repeats a section's figures, in another directory: in that of
        this report it would only find them.
        """
        subject = self.subject
        size = SIZE.format((subject.width, subject.height))
        units = ",".join(
            f"{name}={self.units[name]}" for name in section.uses if name in self.units
        )
        words = ["pinchtp", "report", "--game", subject.game, "--size", size]
        words += [
            format_option(rule, subject.rules[rule.name])
            for rule in subject.entry.options
            if subject.rules[rule.name] != rule.default
        ]
        words += ["--visits", f"{subject.visits}", "--seed", f"{subject.seed}"]
        if subject.judge != PACKAGED:
            words += ["--network", subject.judge]
        return shlex.join([*words, "--units", units, "--out", f"{subject.name}-again"])
