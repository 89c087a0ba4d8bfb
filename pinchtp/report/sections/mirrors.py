"""Whether copying the opponent is a good plan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from pinchtp.report.evidence import Measurements
from pinchtp.report.experiments.mirrors import STRATEGIES, MirrorsExperiment, visits_of
from pinchtp.report.figures import Figure, FigureUnit, shown
from pinchtp.report.sections.section import Chart, Section, SectionResult, SectionTable
from pinchtp.report.statistics import share
from pinchtp.report.subject import ReportSubject

_NAMES = {str(strategy): name for strategy, name in STRATEGIES.items()}
_PLAYERS = {True: "first", False: "second"}


class MirrorsSection(Section):
    name: ClassVar[str] = "mirrors"
    title: ClassVar[str] = "Mirror strategies"
    about: ClassVar[str] = (
        "Whether a player who only copies the opponent, turned or reflected, does well: some games "
        "are refuted that way. Where the image is not legal, the mirroring player thinks as the "
        "opponent does."
    )
    uses: ClassVar[tuple[str, ...]] = (MirrorsExperiment.name,)

    def summarize(self, measurements: Measurements) -> SectionResult | None:
        groups: dict[tuple[str, bool], list[Any]] = {}
        for unit in measurements.results(MirrorsExperiment.name).values():
            groups.setdefault((unit["strategy"], unit["first"]), []).append(unit)
        if not groups:
            return None
        figures, rows = [], []
        method = (
            f"Games against the engine with {visits_of(measurements.subject):,} simulations a "
            "move; a draw is half a point."
        )
        for (strategy, first), units in sorted(groups.items()):
            score = share(sum(unit["points"] for unit in units), len(units))
            mirrored = sum(unit["mirrored"] for unit in units)
            turns = sum(unit["turns"] for unit in units)
            key = f"{strategy}-{_PLAYERS[first]}"
            name = f"{_NAMES[strategy]}, as {_PLAYERS[first]} player"
            figures.append(
                Figure.of(key, name.capitalize(), score, FigureUnit.SHARE, method=method)
            )
            row = {"name": name, "mirrored": mirrored / max(turns, 1), "low": score.low}
            rows.append(row | {"games": len(units)})
        return SectionResult(figures, _says(rows), {"rows": rows})

    def listed(self, summary: SectionResult) -> Sequence[Figure]:
        return ()

    def blocks(
        self, summary: SectionResult, subject: ReportSubject
    ) -> Sequence[Chart | SectionTable]:
        rows = [
            [
                figure.name, figure.text, figure.interval, f"{row['games']}",
                shown(row["mirrored"], FigureUnit.SHARE),
            ]
            for figure, row in zip(summary.figures, summary.data["rows"], strict=True)
        ]  # fmt: skip
        head = ["Strategy", "Score", "95 %", "-Games", "-Turns mirrored"]
        note = "A draw is half a point; 50 % is as good as thinking."
        return [SectionTable("Mirroring against the engine", head, rows, note)]


def _says(rows: Sequence[dict[str, Any]]) -> list[str]:
    strong = [row["name"] for row in rows if row["low"] > 0.5 and row["mirrored"] > 0.5]
    if strong:
        return [f"This does well against the engine: {'; '.join(strong)}."]
    return ["No mirror strategy is shown to beat the engine: none refutes the game at this level."]
