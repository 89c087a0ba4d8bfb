"""Solved boards: proofs for small boards of the game, and for the board itself if possible."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from time import monotonic
from typing import Any

from markupsafe import Markup

from pinchtp._core import Proof, Solver
from pinchtp.engine.analysis import PROOF_WORDS
from pinchtp.games.notation import cell_of, format_move, is_point
from pinchtp.games.session import Session
from pinchtp.html.format import MINUS, TIMES, seconds
from pinchtp.render.svg import CellMark, marks_svg
from pinchtp.report.experiment import FIRST_LIMIT, LIMIT_FACTOR, Experiment, Measurements, WorkUnit
from pinchtp.report.figures import Figure, FigureUnit
from pinchtp.report.playing import Cancelled, StopCheck
from pinchtp.report.section import Block, Chart, Section, SectionResult, SectionTable
from pinchtp.report.subject import ReportSubject
from pinchtp.report.symmetries import classes, symmetries
from pinchtp.solving.job_tree import seen_across, value_at_once

MEMORY = 512  # MB for a proof


class SolvedExperiment(Experiment):
    """An experiment that proves the values of boards and of their first moves, one board a unit."""

    name = "solved"
    description = "proofs"
    weight = 6
    first_seconds = FIRST_LIMIT

    def next(self, measurements: Measurements, running: Collection[int]) -> WorkUnit | None:
        done = measurements.results(self.name)
        if running:
            return None
        boards = _boards(measurements.subject)
        units = list(done.values())
        if not units:
            return self.unit(0, [*boards[0], FIRST_LIMIT], FIRST_LIMIT)
        last = units[-1]
        size = (last["width"], last["height"])
        limit = last["limit"]
        if is_solved(last):
            at = boards.index(size) + 1
            if at == len(boards):
                return None
            size = boards[at]
        else:
            limit *= LIMIT_FACTOR
        return self.unit(len(units), [*size, limit], limit)

    def measure(self, subject: ReportSubject, unit: WorkUnit, stop: StopCheck) -> Any:
        width, height, limit = unit.task
        began = monotonic()
        start = subject.entry.start(width, height, **subject.rules)
        solver = Solver(start, memory_mb=MEMORY)
        solution = solver.solve(start, limit / 2, stop)
        first, nodes = _first_moves(subject, width, height, began + limit, stop)
        if stop():
            raise Cancelled
        return {
            "width": width,
            "height": height,
            "limit": limit,
            "value": PROOF_WORDS[solution.value],
            "line": solution.line,
            "nodes": solution.nodes + nodes,
            "first": first,
            "seconds": round(monotonic() - began, 3),
        }


def is_solved(unit: Mapping[str, Any]) -> bool:
    """Returns whether the values of the board and of all first moves are known."""
    return "unknown" not in (unit["value"], *unit["first"].values())


def _boards(subject: ReportSubject) -> list[tuple[int, int]]:
    """Returns the smaller square boards, the smallest first, and the subject's own board."""
    side = min(subject.width, subject.height)
    small = [(size, size) for size in range(subject.entry.smallest, side)]
    return [*small, (subject.width, subject.height)]


def _first_moves(
    subject: ReportSubject, width: int, height: int, deadline: float, stop: StopCheck
) -> tuple[dict[str, str], int]:
    """Returns the first moves' values for their player, without a swap, and positions searched."""
    start = subject.entry.start(width, height, **subject.with_swap(False))
    values: dict[str, str] = {}
    nodes = 0
    solver = Solver(start, memory_mb=MEMORY)
    groups = classes(start.legal_moves(), symmetries(subject.entry, start))
    for at, (move, images) in enumerate(groups.items()):
        share = max(deadline - monotonic(), 0.0) / (len(groups) - at)
        value = value_at_once(start, move)
        if value is Proof.UNKNOWN:
            solution = solver.solve(start.play(move), share, stop)
            value = seen_across(start, move, solution.value)
            nodes += solution.nodes
        values |= {str(image): PROOF_WORDS[value] for image in images}
    return values, nodes


_VALUES = {"win": (1.0, "+"), "loss": (0.0, MINUS), "draw": (0.5, "="), "unknown": (0.5, "?")}
_SAYS = {
    "win": "the first player wins with perfect play.",
    "loss": "the second player wins with perfect play.",
    "draw": "perfect play ends in a draw.",
}
_BOARDS = 4  # maximum number of boards on the page


class SolvedSection(Section):
    name = "solved"
    title = "Solved boards"
    about = (
        "Proven results: who wins with perfect play, and which first moves win, on small boards "
        "and on each larger board that could be solved in time."
    )
    uses = (SolvedExperiment.name,)

    def summarize(self, measurements: Measurements) -> SectionResult | None:
        boards: dict[tuple[int, int], Any] = {}
        for unit in measurements.results(SolvedExperiment.name).values():
            boards[unit["width"], unit["height"]] = unit  # the last attempt is the longest
        if not boards:
            return None
        solved = [unit for unit in boards.values() if is_solved(unit)]
        figures = [
            Figure(
                "solved",
                "Boards solved, including all first moves",
                len(solved),
                FigureUnit.WHOLE,
            )
        ]
        says = []
        if solved:
            last = solved[-1]
            figures.append(
                Figure(
                    "perfect",
                    f"Turns of perfect play on {_name(last)}",
                    _turns(measurements.subject, last),
                    FigureUnit.WHOLE,
                    method="The length of one line of perfect play. There may be faster wins.",
                )
            )
            says.append(f"On {_name(last)}, {_SAYS[last['value']]}")
        return SectionResult(figures, says, {"boards": list(boards.values())})

    def blocks(self, summary: SectionResult, subject: ReportSubject) -> Sequence[Block]:
        boards = summary.data["boards"]
        rows = [
            [
                _name(unit),
                unit["value"],
                f"{_turns(subject, unit)}" if unit["value"] != "unknown" else "",
                _count_wins(unit),
                f"{unit['nodes']:,}",
                seconds(unit["seconds"]),
            ]
            for unit in boards
        ]
        head = [
            "Board",
            "First player",
            "-Turns",
            "Winning first moves",
            "-Positions searched",
            "-Time",
        ]
        note = "Values of first moves apply without a swap." if subject.entry.swaps else ""
        table = SectionTable("Results by board", head, rows, note)
        pictures = [_board(unit, subject) for unit in boards if _is_known(unit)]
        return [table, *pictures[-_BOARDS:]]


def _name(unit: Mapping[str, Any]) -> str:
    return f"{unit['width']}{TIMES}{unit['height']}"


def _count_wins(unit: Mapping[str, Any]) -> str:
    """Returns the numbers of first moves that win and that are unknown."""
    values = list(unit["first"].values())
    unknown = values.count("unknown")
    open_values = f", {unknown} unknown" if unknown else ""
    return f"{values.count('win')} of {len(values)}{open_values}"


def _is_known(unit: Mapping[str, Any]) -> bool:
    return any(value != "unknown" for value in unit["first"].values())


def _session(unit: Mapping[str, Any], subject: ReportSubject) -> Session:
    return Session(subject.entry, unit["width"], unit["height"], **subject.rules)


def _turns(subject: ReportSubject, unit: Mapping[str, Any]) -> int:
    """Returns the length of the solver's line of perfect play."""
    session = _session(unit, subject)
    for move in unit["line"]:
        session.play(session.to_move, move)
    return len(session.turns())


def _board(unit: Mapping[str, Any], subject: ReportSubject) -> Chart:
    marks = {}
    for text, value in unit["first"].items():
        move = int(text)
        share, sign = _VALUES[value]
        if is_point(move):
            title = f"{format_move(move)}: {value}"
            marks[cell_of(move, unit["width"])] = CellMark.share(share, title, sign)
    picture = Markup(marks_svg(_session(unit, subject), marks, f"First moves on {_name(unit)}"))
    rules = " (without a swap)" if subject.entry.swaps else ""
    note = f"Result of each first move{rules}: + win, {MINUS} loss, = draw, ? unknown."
    return Chart(f"First moves on {_name(unit)}", picture, note)
