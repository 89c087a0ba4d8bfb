"""What can be proven: small boards of the game, and the board itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from time import monotonic
from typing import Any, ClassVar

from pinchtp._core import Solver, Value
from pinchtp.games import Color, Position
from pinchtp.report.evidence import Measurements
from pinchtp.report.experiments.experiment import Experiment, WorkUnit
from pinchtp.report.experiments.games import rules_without_swap
from pinchtp.report.playing import Cancelled, StopCheck
from pinchtp.report.subject import ReportSubject
from pinchtp.report.symmetries import classes, symmetries

MEMORY = 512  # MB for a proof
FIRST_LIMIT = 2.0  # seconds of the first try on a board; each further one may take FACTOR times it
FACTOR = 4

WORDS = {Value.WIN: "win", Value.LOSS: "loss", Value.DRAW: "draw", Value.UNKNOWN: "unknown"}
_TURNED = {"win": "loss", "loss": "win"}


class SolvedExperiment(Experiment):
    """Each unit tries to prove the value of the start, and of every first move, of one board."""

    name: ClassVar[str] = "solved"
    what: ClassVar[str] = "proofs"
    weight: ClassVar[float] = 6
    first_seconds: ClassVar[float] = FIRST_LIMIT

    def next(self, measurements: Measurements, running: Collection[int]) -> WorkUnit | None:
        done = measurements.results(self.name)
        if running:
            return None
        boards = _boards(measurements.subject)
        units = list(done.values())
        if not units:
            return self.unit(0, [*boards[0], FIRST_LIMIT], FIRST_LIMIT)
        last = units[-1]
        size, limit = (last["width"], last["height"]), last["limit"]
        if is_solved(last):
            at = boards.index(size) + 1
            if at == len(boards):
                return None
            size = boards[at]
        else:
            limit *= FACTOR
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
            "value": WORDS[solution.value],
            "line": solution.line,
            "nodes": solution.nodes + nodes,
            "first": first,
            "seconds": round(monotonic() - began, 3),
        }


def is_solved(unit: Mapping[str, Any]) -> bool:
    """Whether the board's value and those of all first moves are known."""
    return "unknown" not in (unit["value"], *unit["first"].values())


def _boards(subject: ReportSubject) -> list[tuple[int, int]]:
    """Square boards from the smallest on, and the subject's own at the end."""
    side = min(subject.width, subject.height)
    small = [(each, each) for each in range(subject.entry.smallest, side)]
    return [*small, (subject.width, subject.height)]


def _first_moves(
    subject: ReportSubject, width: int, height: int, deadline: float, stop: StopCheck
) -> tuple[dict[str, str], int]:
    """The value of each first move without a swap, for its player, by move; positions searched."""
    start = subject.entry.start(width, height, **rules_without_swap(subject))
    found: dict[str, str] = {}
    nodes = 0
    solver = Solver(start, memory_mb=MEMORY)
    groups = classes(start.legal_moves(), symmetries(subject.entry, start))
    for at, (move, images) in enumerate(groups.items()):
        share = max(deadline - monotonic(), 0.0) / (len(groups) - at)
        value, searched = _value(start, start.play(move), solver, share, stop)
        nodes += searched
        found |= {str(each): value for each in images}
    return found, nodes


def _value(
    start: Position, after: Position, solver: Solver, seconds: float, stop: StopCheck
) -> tuple[str, int]:
    """What a position is worth to the player who moved to it, and how many were searched."""
    mover = Color(start.to_move)
    if after.result is not None:
        ends = {int(mover): "win", int(mover.opponent): "loss"}
        return ends.get(after.result, "draw"), 0
    solution = solver.solve(after, seconds, stop)
    value = WORDS[solution.value]
    same = after.to_move == start.to_move  # a turn that goes on
    return (value if same else _TURNED.get(value, value)), solution.nodes
