"""How many different positions there are after so many turns."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from time import monotonic
from typing import Any, ClassVar

from pinchtp.report.evidence import Measurements
from pinchtp.report.experiments.experiment import Experiment, WorkUnit
from pinchtp.report.playing import Cancelled, StopCheck
from pinchtp.report.subject import ReportSubject
from pinchtp.report.symmetries import canonical, symmetries

MEMORY = 1024  # MB for the positions of a count
MOST_LISTED = 300_000  # positions whose images are looked at
FIRST_LIMIT = 2.0  # seconds of the first try of a count; each further one may take FACTOR times it
FACTOR = 4

PLAIN, SYMMETRIC = "plain", "symmetric"
TIME, SPACE = "time", "memory"


class PositionsExperiment(Experiment):
    """Each unit tries to count the positions of one depth, up to symmetries or as they are."""

    name: ClassVar[str] = "positions"
    what: ClassVar[str] = "exact counts of positions"
    weight: ClassVar[float] = 6
    first_seconds: ClassVar[float] = FIRST_LIMIT
    least: ClassVar[int] = 4

    def next(self, measurements: Measurements, running: Collection[int]) -> WorkUnit | None:
        done = measurements.results(self.name)
        if running:
            return None  # each count tells how far the next one may go
        waiting = [task for kind in (PLAIN, SYMMETRIC) if (task := _task(done, kind))]
        if not waiting:
            return None
        kind, depth, limit = min(waiting, key=lambda task: (task[2], task[1]))
        # Most counts of little depth take no time; those that take long use up their limit.
        expected = limit if depth > 2 else 0.2
        return self.unit(len(done), [kind, depth, limit], expected)

    def measure(self, subject: ReportSubject, unit: WorkUnit, stop: StopCheck) -> Any:
        kind, depth, limit = unit.task
        deadline = monotonic() + limit

        def late() -> bool:
            return stop() or monotonic() >= deadline

        count, ended = _counted(subject, kind, depth, late)
        if stop():
            raise Cancelled
        return {"kind": kind, "depth": depth, "limit": limit, "count": count, "ended": ended}


def counts(done: Mapping[int, Any], kind: str) -> list[int]:
    """The numbers of new positions by depth, from depth 0, as far as they are known."""
    found = {
        unit["depth"]: unit["count"]
        for unit in done.values()
        if unit["kind"] == kind and unit["count"] is not None
    }
    return [found[depth] for depth in range(len(found))]


def end(done: Mapping[int, Any], kind: str) -> str:
    """Why a count goes no deeper: TIME, SPACE or nothing."""
    last = [unit for unit in done.values() if unit["kind"] == kind]
    return str(last[-1]["ended"]) if last else ""


def _task(done: Mapping[int, Any], kind: str) -> tuple[str, int, float] | None:
    """What is to be counted next; None if memory allows no more, or if there are no more."""
    units = [unit for unit in done.values() if unit["kind"] == kind]
    if not units:
        return kind, 0, FIRST_LIMIT
    last = units[-1]
    if last["ended"] == SPACE or last["count"] == 0:
        return None
    if last["ended"] == TIME:
        return kind, last["depth"], last["limit"] * FACTOR
    return kind, last["depth"] + 1, last["limit"]


def _counted(
    subject: ReportSubject, kind: str, depth: int, late: StopCheck
) -> tuple[int | None, str]:
    """The number, or None and why there is none."""
    if kind == SYMMETRIC:
        return _symmetric(subject, depth, late)
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


def _symmetric(subject: ReportSubject, depth: int, late: StopCheck) -> tuple[int | None, str]:
    """As _counted, with positions that are images of each other counted once."""
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
        frontier, new = following, len(following)
    return new, ""
