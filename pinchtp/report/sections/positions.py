"""Distinct positions: exact counts by number of turns."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from time import monotonic
from typing import Any

from pinchtp.html.format import TIMES
from pinchtp.report.experiment import FIRST_LIMIT, LIMIT_FACTOR, Experiment, Measurements, WorkUnit
from pinchtp.report.figures import Figure, FigureUnit, format_number
from pinchtp.report.games import RandomGames
from pinchtp.report.playing import Cancelled, StopCheck
from pinchtp.report.section import Block, Section, SectionResult, SectionTable
from pinchtp.report.subject import ReportSubject
from pinchtp.report.symmetries import canonical, symmetries

MEMORY = 1024  # MB for the positions of a count
MOST_LISTED = 300_000  # maximum positions of a count up to symmetry

PLAIN = "plain"
SYMMETRIC = "symmetric"
TIME = "time"
SPACE = "memory"


class PositionsExperiment(Experiment):
    """An experiment that counts positions, all or up to symmetry, one depth per unit."""

    name = "positions"
    description = "exact counts of positions"
    weight = 6
    first_seconds = FIRST_LIMIT
    least = 4

    def next(self, measurements: Measurements, running: Collection[int]) -> WorkUnit | None:
        done = measurements.results(self.name)
        if running:
            return None  # the next count depends on the result
        waiting = [task for kind in (PLAIN, SYMMETRIC) if (task := _task(done, kind))]
        if not waiting:
            return None
        kind, depth, limit = min(waiting, key=lambda task: (task[2], task[1]))
        # Most shallow counts take no time; longer ones use up their limit.
        expected = limit if depth > 2 else 0.2
        return self.unit(len(done), [kind, depth, limit], expected)

    def measure(self, subject: ReportSubject, unit: WorkUnit, stop: StopCheck) -> Any:
        kind, depth, limit = unit.task
        deadline = monotonic() + limit

        def late() -> bool:
            return stop() or monotonic() >= deadline

        count, ended = _count_positions(subject, kind, depth, late)
        if stop():
            raise Cancelled
        return {"kind": kind, "depth": depth, "limit": limit, "count": count, "ended": ended}


def counts(done: Mapping[int, Any], kind: str) -> list[int]:
    """Returns the known numbers of new positions by depth, from depth 0."""
    counts_by_depth = {
        unit["depth"]: unit["count"]
        for unit in done.values()
        if unit["kind"] == kind and unit["count"] is not None
    }
    return [counts_by_depth[depth] for depth in range(len(counts_by_depth))]


def end(done: Mapping[int, Any], kind: str) -> str:
    """Returns the reason for the end of a count: TIME, SPACE or empty."""
    last = [unit for unit in done.values() if unit["kind"] == kind]
    return str(last[-1]["ended"]) if last else ""


def _task(done: Mapping[int, Any], kind: str) -> tuple[str, int, float] | None:
    """Returns the next count; None if memory is used up, or no positions are left."""
    units = [unit for unit in done.values() if unit["kind"] == kind]
    if not units:
        return kind, 0, FIRST_LIMIT
    last = units[-1]
    if last["ended"] == SPACE or last["count"] == 0:
        return None
    if last["ended"] == TIME:
        return kind, last["depth"], last["limit"] * LIMIT_FACTOR
    return kind, last["depth"] + 1, last["limit"]


def _count_positions(
    subject: ReportSubject, kind: str, depth: int, late: StopCheck
) -> tuple[int | None, str]:
    """Returns the number of new positions; or None, and the reason."""
    if kind == SYMMETRIC:
        return _count_symmetric(subject, depth, late)
    start = subject.start()
    if depth == 0:
        return 1, ""
    try:
        so_far = start.perft(depth, distinct=True, memory_mb=MEMORY, should_stop=late)
        before = 0
        if depth > 1 and so_far is not None:
            known = start.perft(depth - 1, distinct=True, memory_mb=MEMORY, should_stop=late)
            if known is None:
                return None, TIME
            before = known
    except MemoryError:
        return None, SPACE
    return (None, TIME) if so_far is None else (so_far - before, "")


def _count_symmetric(subject: ReportSubject, depth: int, late: StopCheck) -> tuple[int | None, str]:
    """Returns the number of new positions up to symmetry; or None, and the reason."""
    start = subject.start()
    known = symmetries(subject.entry, start)
    seen = {canonical(start, known)}
    frontier = [start]
    new = 1
    for _ in range(depth):
        following = []
        waiting = list(frontier)
        while waiting:
            position = waiting.pop()
            if position.result is not None:
                continue
            if late():
                return None, TIME
            for move in position.legal_moves():
                after = position.play(move)
                if after.mid_turn and after.result is None:
                    waiting.append(after)
                    continue
                key = canonical(after, known)
                if key not in seen:
                    seen.add(key)
                    following.append(after)
            if len(seen) > MOST_LISTED:
                return None, SPACE
        frontier = following
        new = len(following)
    return new, ""


class PositionsSection(Section):
    name = "positions"
    title = "Distinct positions"
    about = (
        "How many new positions can be reached after 0, 1, 2, 3 … turns: how fast the game grows, "
        "and how much symmetry reduces these numbers."
    )
    uses = (PositionsExperiment.name, RandomGames.name)

    def summarize(self, measurements: Measurements) -> SectionResult | None:
        done = measurements.results(PositionsExperiment.name)
        plain = counts(done, PLAIN)
        symmetric = counts(done, SYMMETRIC)
        if not plain:
            return None
        known = len(symmetries(measurements.subject.entry, measurements.subject.start()))
        figures = [
            Figure("depth", "Depth of the count in turns", len(plain) - 1, FigureUnit.WHOLE),
            Figure(
                "deepest",
                f"New positions after {len(plain) - 1} turns",
                plain[-1],
                FigureUnit.WHOLE,
                method="An exact count. A swap counts as a turn.",
            ),
            Figure(
                "symmetries",
                "Symmetries of the game",
                known,
                FigureUnit.WHOLE,
                method="Rotations and reflections of the board, including the identity. Random "
                "games, mapped move by move, stay valid under them.",
            ),
        ]
        actions = {
            move
            for unit in measurements.results(RandomGames.name).values()
            for move in unit["actions"]
        }
        if actions:
            figures.append(
                Figure(
                    "actions",
                    "Distinct actions",
                    len(actions),
                    FigureUnit.WHOLE,
                    method="Moves, or steps of moves, that were legal at any time in random games.",
                )
            )
        ends = {PLAIN: end(done, PLAIN), SYMMETRIC: end(done, SYMMETRIC)}
        return SectionResult(figures, (), {"plain": plain, "symmetric": symmetric, "ends": ends})

    def blocks(self, summary: SectionResult, subject: ReportSubject) -> Sequence[Block]:
        plain = summary.data["plain"]
        symmetric = summary.data["symmetric"]
        rows = []
        for depth in range(max(len(plain), len(symmetric))):
            one = plain[depth] if depth < len(plain) else None
            two = symmetric[depth] if depth < len(symmetric) else None
            growth = one / plain[depth - 1] if depth and one and plain[depth - 1] else None
            rows.append(
                [
                    str(depth),
                    "" if one is None else f"{one:,}",
                    "" if growth is None else f"{format_number(growth)}{TIMES}",
                    "" if two is None else f"{two:,}",
                    f"{one / two:.2f}" if one and two else "",
                ]
            )
        head = ["Turns", "New positions", "-Growth", "Up to symmetry", "-Ratio"]
        return [SectionTable("New positions by depth", head, rows, _note(summary.data["ends"]))]


def _note(ends: dict[str, str]) -> str:
    reasons = {
        TIME: "the budget was used up",
        SPACE: f"they need more than {MEMORY} MB of memory",
    }
    listed = {**reasons, SPACE: f"there are more than {MOST_LISTED:,} of them"}
    parts = ["Exact numbers of positions that cannot be reached in fewer turns."]
    if ends[PLAIN]:
        parts.append(f"Deeper positions were not counted because {reasons[ends[PLAIN]]}.")
    if ends[SYMMETRIC]:
        parts.append(
            f"Deeper positions up to symmetry were not counted because {listed[ends[SYMMETRIC]]}."
        )
    return " ".join(parts)
