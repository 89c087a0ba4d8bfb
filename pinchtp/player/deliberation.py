"""A search for a move that watches its time: it runs in steps, and asks after each how to go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import monotonic
from typing import Protocol

from pinchtp._core import Position, Report
from pinchtp.base.allowance import Allowance
from pinchtp.player.stopping import Snapshot, goes_on, limit

# A step is a fiftieth of the time, within these bounds. On a busy machine steps of 0.02 s make as
# many simulations a second as one of 2 s.
STEPS = 50
SHORTEST_STEP, LONGEST_STEP = 0.02, 0.1

# What is left of a turn's time for its further parts, which are searched less (Player.whole_turn).
SHARE_OF_PARTS, MOST_OF_PARTS = 0.15, 0.02


class Timing(Protocol):
    """The time of the move at hand, for its search."""

    def allowance(self) -> Allowance:
        """What the move may take since its search began, by all that is known now."""

    def paused(self, due: float, late: float) -> None:
        """A step was to end `due` seconds after the search began, and was `late` by so many."""


class Deliberation:
    """One search by time. think(seconds, number) makes a step of it, and returns a report and
    whether the search is over.

    position: what is searched. known: what was known of it before. by_visits: see Snapshot.at().
    """

    def __init__(
        self,
        think: Callable[[float, int], tuple[Report, bool]],
        timing: Timing,
        position: Position,
        known: Report,
        *,
        by_visits: bool = True,
    ) -> None:
        self._think = think
        self._timing = timing
        self._position = position
        self._before = known.visits
        self._by_visits = by_visits
        self._best = known.choices[0].move if known.choices else position.legal_moves()[0]
        self._history = [self._snapshot(known, 0.0)] if known.choices else []

    def reports(self, interval: float) -> Iterator[Report]:
        """Searches, and tells what is known at an interval in seconds, and once at the end."""
        began, elapsed, shown, number = monotonic(), 0.0, interval, 0
        while True:
            due = min(self._next_pause(elapsed), max(shown, elapsed))
            report, is_over = self._think(due - elapsed, number)
            elapsed, number = monotonic() - began, number + 1
            if is_over:
                break
            self._timing.paused(due, elapsed - due)
            self._note(report, elapsed)
            if not goes_on(self._allowance(), self._history):
                break
            if elapsed >= shown:
                shown = elapsed + interval
                yield report
        yield report

    def _next_pause(self, elapsed: float) -> float:
        allowance = self._allowance()
        end = limit(allowance, self._history) if self._history else allowance.target
        step = min(max(allowance.target / STEPS, SHORTEST_STEP), LONGEST_STEP)
        # What would be left for a last, short step goes with this one.
        return max(end, elapsed) if end - elapsed < 1.5 * step else elapsed + step

    def _allowance(self) -> Allowance:
        allowance = self._timing.allowance()
        if not self._position.play(self._best).mid_turn:
            return allowance
        return allowance.less(min(SHARE_OF_PARTS * allowance.target, MOST_OF_PARTS))

    def _note(self, report: Report, elapsed: float) -> None:
        self._best = report.choices[0].move
        self._history.append(self._snapshot(report, elapsed))

    def _snapshot(self, report: Report, elapsed: float) -> Snapshot:
        snapshot = Snapshot.at(report, elapsed, self._before, by_visits=self._by_visits)
        return replace(snapshot, rivals=snapshot.rivals + self._leaves_a_choice(snapshot.leader))

    def _leaves_a_choice(self, part: int) -> bool:
        """Whether a part of a turn leaves its player a choice among further ones."""
        position = self._position.play(part)
        while position.mid_turn:
            part, *others = position.legal_moves()
            if others:
                return True
            position = position.play(part)
        return False
