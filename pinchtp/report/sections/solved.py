"""What is certain: values by proof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pinchtp.games.notation import cell_of, format_move, is_point
from pinchtp.games.session import Session
from pinchtp.html.board import Board
from pinchtp.html.board_chart import Share, share_board
from pinchtp.html.format import MINUS, TIMES, seconds
from pinchtp.report.evidence import Measurements
from pinchtp.report.experiments.solved import SolvedExperiment, is_solved
from pinchtp.report.figures import Figure, FigureUnit
from pinchtp.report.sections.section import Chart, Section, SectionResult, SectionTable
from pinchtp.report.subject import ReportSubject

_VALUES = {"win": (1.0, "+"), "loss": (0.0, MINUS), "draw": (0.5, "="), "unknown": (0.5, "?")}
_SAYS = {
    "win": "the first player wins, whatever the second does.",
    "loss": "the second player wins, whatever the first does.",
    "draw": "best play of both ends in a draw.",
}
_BOARDS = 4  # that are shown


class SolvedSection(Section):
    name: ClassVar[str] = "solved"
    title: ClassVar[str] = "Solved"
    about: ClassVar[str] = (
        "What is known for certain: who wins with perfect play, on small boards and as far as a "
        "proof could be found in time, and which first moves win there."
    )
    uses: ClassVar[tuple[str, ...]] = (SolvedExperiment.name,)

    def summarize(self, measurements: Measurements) -> SectionResult | None:
        boards: dict[tuple[int, int], Any] = {}
        for unit in measurements.results(SolvedExperiment.name).values():
            boards[unit["width"], unit["height"]] = unit  # the last try is the longest
        if not boards:
            return None
        solved = [unit for unit in boards.values() if is_solved(unit)]
        figures = [
            Figure("solved", "Boards solved with all first moves", len(solved), FigureUnit.WHOLE)
        ]
        says = []
        if solved:
            last = solved[-1]
            figures.append(
                Figure("perfect", f"Turns of best play on {_name(last)}",
                       _turns(measurements.subject, last), FigureUnit.WHOLE,
                       method="One line of best play; a faster win is not looked for.")
            )  # fmt: skip
            says.append(f"On {_name(last)} {_SAYS[last['value']]}")
        return SectionResult(figures, says, {"boards": list(boards.values())})

    def blocks(
        self, summary: SectionResult, subject: ReportSubject
    ) -> Sequence[Chart | SectionTable]:
        boards = summary.data["boards"]
        rows = [
            [
                _name(unit),
                unit["value"],
                f"{_turns(subject, unit)}" if unit["value"] != "unknown" else "",
                _winning(unit),
                f"{unit['nodes']:,}",
                seconds(unit["seconds"]),
            ]
            for unit in boards
        ]
        head = ["Board", "First player", "-Turns", "Winning first moves", "-Positions", "-Time"]
        rules = " without a swap" if subject.entry.swaps else ""
        table = SectionTable(
            "Values by board", head, rows, f"Winning first moves are counted{rules}."
        )
        pictures = [_board(unit, subject) for unit in boards if _is_known(unit)]
        return [table, *pictures[-_BOARDS:]]


def _name(unit: Mapping[str, Any]) -> str:
    return f"{unit['width']}{TIMES}{unit['height']}"


def _winning(unit: Mapping[str, Any]) -> str:
    """How many first moves win, and of how many that is not known."""
    values = list(unit["first"].values())
    unknown = values.count("unknown")
    told = f", {unknown} unknown" if unknown else ""
    return f"{values.count('win')} of {len(values)}{told}"


def _is_known(unit: Mapping[str, Any]) -> bool:
    return any(value != "unknown" for value in unit["first"].values())


def _session(unit: Mapping[str, Any], subject: ReportSubject) -> Session:
    return Session(subject.entry, unit["width"], unit["height"], **subject.rules)


def _turns(subject: ReportSubject, unit: Mapping[str, Any]) -> int:
    """The length of the line of best play."""
    session = _session(unit, subject)
    for move in unit["line"]:
        session.play(session.to_move, move)
    return len(session.turns())


def _board(unit: Mapping[str, Any], subject: ReportSubject) -> Chart:
    shares = {}
    for text, value in unit["first"].items():
        move, (share, sign) = int(text), _VALUES[value]
        if is_point(move):
            title = f"{format_move(move)}: {value}"
            shares[cell_of(move, unit["width"])] = Share(share, title, sign)
    picture = share_board(Board(_session(unit, subject)), shares, f"First moves on {_name(unit)}")
    rules = ", if nobody may swap" if subject.entry.swaps else ""
    note = f"+ wins for who plays there first, {MINUS} loses, = draws, ? is not known{rules}."
    return Chart(f"First moves on {_name(unit)}", picture, note)
