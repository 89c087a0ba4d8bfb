"""How many positions there are after the first turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from pinchtp.html.format import TIMES
from pinchtp.report.evidence import Measurements
from pinchtp.report.experiments.positions import (
    MEMORY,
    MOST_LISTED,
    PLAIN,
    SPACE,
    SYMMETRIC,
    TIME,
    PositionsExperiment,
    counts,
    end,
)
from pinchtp.report.experiments.random_games import RandomGames
from pinchtp.report.figures import Figure, FigureUnit, number
from pinchtp.report.sections.section import Chart, Section, SectionResult, SectionTable
from pinchtp.report.subject import ReportSubject
from pinchtp.report.symmetries import symmetries


class PositionsSection(Section):
    name: ClassVar[str] = "positions"
    title: ClassVar[str] = "Distinct positions"
    about: ClassVar[str] = (
        "How many different positions can stand on the board after 0, 1, 2, 3 … turns: how fast "
        "the game spreads out, and how much its symmetries fold together."
    )
    uses: ClassVar[tuple[str, ...]] = (PositionsExperiment.name, RandomGames.name)

    def summarize(self, measurements: Measurements) -> SectionResult | None:
        done = measurements.results(PositionsExperiment.name)
        plain, symmetric = counts(done, PLAIN), counts(done, SYMMETRIC)
        if not plain:
            return None
        known = len(symmetries(measurements.subject.entry, measurements.subject.start()))
        figures = [
            Figure("depth", "Turns counted to", len(plain) - 1, FigureUnit.WHOLE),
            Figure("deepest", f"Positions first met after {len(plain) - 1} turns", plain[-1],
                   FigureUnit.WHOLE, method="An exact count; a swap is a turn."),
            Figure("symmetries", "Symmetries of the game", known, FigureUnit.WHOLE,
                   method="Ways to turn and reflect the board that random games survive, "
                   "mapped move by move."),
        ]  # fmt: skip
        actions = {
            move
            for unit in measurements.results(RandomGames.name).values()
            for move in unit["actions"]
        }
        if actions:
            figures.append(
                Figure("actions", "Distinct actions", len(actions), FigureUnit.WHOLE,
                       method="Moves, or parts of turns, that were legal at any time in random "
                       "games.")
            )  # fmt: skip
        ends = {PLAIN: end(done, PLAIN), SYMMETRIC: end(done, SYMMETRIC)}
        return SectionResult(figures, (), {"plain": plain, "symmetric": symmetric, "ends": ends})

    def blocks(
        self, summary: SectionResult, subject: ReportSubject
    ) -> Sequence[Chart | SectionTable]:
        plain, symmetric = summary.data["plain"], summary.data["symmetric"]
        rows = []
        for depth in range(max(len(plain), len(symmetric))):
            one = plain[depth] if depth < len(plain) else None
            two = symmetric[depth] if depth < len(symmetric) else None
            growth = one / plain[depth - 1] if depth and one and plain[depth - 1] else None
            rows.append(
                [
                    str(depth),
                    "" if one is None else f"{one:,}",
                    "" if growth is None else f"{number(growth)}{TIMES}",
                    "" if two is None else f"{two:,}",
                    f"{one / two:.2f}" if one and two else "",
                ]
            )
        head = ["Turns", "Positions", "-Growth", "Without images", "-Ratio"]
        return [SectionTable("New positions by depth", head, rows, _note(summary.data["ends"]))]


def _note(ends: dict[str, str]) -> str:
    reasons = {
        TIME: "the budget was used up",
        SPACE: f"they would take more than {MEMORY} MB",
    }
    listed = {**reasons, SPACE: f"there are more than {MOST_LISTED:,}"}
    parts = ["Positions that no shorter sequence of turns leads to; exact."]
    if ends[PLAIN]:
        parts.append(f"Deeper ones are not counted, as {reasons[ends[PLAIN]]}.")
    if ends[SYMMETRIC]:
        parts.append(f"Deeper ones without images are not, as {listed[ends[SYMMETRIC]]}.")
    return " ".join(parts)
