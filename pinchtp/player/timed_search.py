"""A search for a move within a time budget, in steps. After each step it decides whether to stop.

It stops early if there is a single choice, or if the leading move cannot be overtaken. It exceeds
its optimum while the best move is unclear (Baier and Winands, Time Management for Monte Carlo Tree
Search, 2016). While the game is open, it uses time that later moves cannot use to its end, because
the next search continues this one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import monotonic

from pinchtp._core import Choice, Position, Proof, Report
from pinchtp.player.time_manager import SearchTime, TimeManager

RIVAL_SHARE = 0.6
"""The share of the remaining simulations that the next rival is assumed to get if later moves can
use the saved time; a rival rarely gets all of them."""

MAX_OPEN_WINRATE = 0.97  # of either side; above it, the game counts as decided

CONTENDER_SHARE = 0.25
"""The minimum share of the leader's visits for a move of a higher winrate to contest the lead."""

OLD_LEAD_SHARE = 2 / 3  # of the time so far; a leader since then is new
WINRATE_FALL = 0.03  # a fall of the winrate that makes the best move unclear
COMPARED_SHARE = 1 / 8  # of the leader's visits; snapshots with fewer visits are not compared


@dataclass(frozen=True, slots=True)
class SearchSnapshot:
    """The state of a search at one time.

    seconds: since the search began.
    simulations: since the search began. Those of earlier searches and of pondering count only in
        visits and lead.
    rivals: the number of other moves without a proven result, plus one if the leader is part of a
        turn whose further parts leave a choice.
    leader: the best move. visits: its visits.
    winrate: of the side to move; NaN before the first visit.
    lead: the leader's visits minus those of the next rival.
    contested: whether a rival with a fair share of visits has a higher winrate.
    """

    seconds: float
    simulations: int
    rivals: int
    leader: int
    visits: int
    winrate: float
    lead: int
    contested: bool

    @classmethod
    def of(
        cls, report: Report, seconds: float, before: int, *, by_visits: bool = True
    ) -> SearchSnapshot:
        """Returns the snapshot of a report.

        seconds: since the search began. before: the visits of the root when it began. by_visits:
        whether moves are ranked by visits; if not, the lead is 0.
        """
        best, *others = report.choices
        rivals = [choice for choice in others if choice.proof is Proof.UNKNOWN]
        most = max((rival.visits for rival in rivals), default=0)
        return cls(
            seconds,
            report.visits - before,
            len(rivals),
            best.move,
            best.visits,
            math.nan if report.winrate is None else report.winrate,
            best.visits - most if by_visits else 0,
            any(_challenges(rival, best) for rival in rivals),
        )


def should_continue(search_time: SearchTime, history: Sequence[SearchSnapshot]) -> bool:
    """Returns whether to continue a search. history: its snapshots, the last one of now."""
    now = history[-1]
    if now.rivals == 0:
        return False
    left = time_limit(search_time, history) - now.seconds
    return left > 0 and not _is_settled(now, left, reusable=search_time.reusable)


def time_limit(search_time: SearchTime, history: Sequence[SearchSnapshot]) -> float:
    """Returns the seconds after which the search ends, if the best move stays clear or unclear."""
    return search_time.maximum if _is_unclear(history) else search_time.optimum


def _is_settled(now: SearchSnapshot, left: float, *, reusable: bool) -> bool:
    """Returns whether the leader cannot be overtaken in `left` more seconds, so that they are
    better saved.
    """
    if now.simulations == 0 or not (
        reusable or max(now.winrate, 1 - now.winrate) > MAX_OPEN_WINRATE
    ):
        return False
    share = RIVAL_SHARE if reusable and not now.contested else 1.0
    return now.lead > share * left * now.simulations / now.seconds


def _is_unclear(history: Sequence[SearchSnapshot]) -> bool:
    """Returns whether the best move is contested, has recently changed, or has lost winrate."""
    now = history[-1]
    since = OLD_LEAD_SHARE * now.seconds
    winrates = [past.winrate for past in history if past.visits >= COMPARED_SHARE * now.visits]
    return (
        now.contested
        or any(past.leader != now.leader for past in history if past.seconds >= since)
        or now.winrate < max(winrates) - WINRATE_FALL
    )


def _challenges(choice: Choice, best: Choice) -> bool:
    if choice.winrate is None or best.winrate is None:
        return False
    return choice.winrate > best.winrate and choice.visits >= CONTENDER_SHARE * best.visits


def is_forced(position: Position, allowed: Sequence[int] = ()) -> bool:
    """Returns whether a position has a single turn. allowed: as in Limits."""
    first, *others = allowed or position.legal_moves()
    return not (others or _leaves_a_choice(position, first))


def _leaves_a_choice(position: Position, part: int) -> bool:
    """Returns whether a turn that begins with a part has a choice of further parts."""
    after = position.play(part)
    return after.mid_turn and not is_forced(after)


# A step takes a fiftieth of the optimum, within these bounds in seconds. On a busy machine, steps
# of 0.02 s make as many simulations per second as one of 2 s.
STEPS = 50
SHORTEST_STEP, LONGEST_STEP = 0.02, 0.1

# The share of a turn's time for its further parts (Player.complete_turn), and its maximum.
PARTS_SHARE, MAX_PARTS_SECONDS = 0.15, 0.02


class TimedSearch:
    """A search within a time budget."""

    def __init__(
        self,
        run_step: Callable[[float, int], tuple[Report, bool]],
        time_manager: TimeManager,
        position: Position,
        known: Report,
        *,
        by_visits: bool = True,
    ) -> None:
        """run_step: runs a step, given its seconds and its number; returns a report and whether the
        search is over. position: the root. known: the report before the search. by_visits: see
        SearchSnapshot.of().
        """
        self._run_step = run_step
        self._time_manager = time_manager
        self._position = position
        self._set_up = 0.0  # seconds of the move before the search
        self._before = known.visits
        self._by_visits = by_visits
        self._best = known.choices[0].move if known.choices else position.legal_moves()[0]
        self._history = [self._snapshot(known, 0.0)] if known.choices else []

    def reports(self, interval: float) -> Iterator[Report]:
        """Searches; yields a report every `interval` seconds, and one at the end.

        The time since the beginning of the move, such as to reserve memory, is deducted.
        """
        self._set_up = self._time_manager.elapsed
        began = monotonic()
        elapsed = 0.0
        shown = interval
        number = 0
        while True:
            due = min(self._next_pause(elapsed), max(shown, elapsed))
            report, is_over = self._run_step(due - elapsed, number)
            elapsed = monotonic() - began
            number += 1
            if is_over:
                break
            self._time_manager.record_step(self._set_up + due, elapsed - due)
            self._note(report, elapsed)
            if not should_continue(self._search_time(), self._history):
                break
            if elapsed >= shown:
                shown = elapsed + interval
                yield report
        yield report

    def _next_pause(self, elapsed: float) -> float:
        search_time = self._search_time()
        end = time_limit(search_time, self._history) if self._history else search_time.optimum
        step = min(max(search_time.optimum / STEPS, SHORTEST_STEP), LONGEST_STEP)
        # A short last step is joined to this one.
        return max(end, elapsed) if end - elapsed < 1.5 * step else elapsed + step

    def _search_time(self) -> SearchTime:
        search_time = self._time_manager.search_time().less(self._set_up)
        if not self._position.play(self._best).mid_turn:
            return search_time
        return search_time.less(min(PARTS_SHARE * search_time.optimum, MAX_PARTS_SECONDS))

    def _note(self, report: Report, elapsed: float) -> None:
        self._best = report.choices[0].move
        self._history.append(self._snapshot(report, elapsed))

    def _snapshot(self, report: Report, elapsed: float) -> SearchSnapshot:
        snapshot = SearchSnapshot.of(report, elapsed, self._before, by_visits=self._by_visits)
        return replace(
            snapshot, rivals=snapshot.rivals + _leaves_a_choice(self._position, snapshot.leader)
        )
