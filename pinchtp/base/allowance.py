"""How much of a clock the next move may take. Pure functions of seconds, as all of clock.py."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pinchtp.base.clock import Clock, TimeControl, limit_of

LAG = 0.1
"""Seconds by which a move usually costs more than its search, at most: late wake-ups and the time
that the answer takes to arrive. Of some 500 round trips to a computing subprocess with four busy
processes per core, on 2 cores, 99 % were less than 0.07 s late, the worst 0.3 and 0.5 s."""

_SPIKE = 4.0
"""Lags kept in reserve, beyond the usual one, for the odd move that is late by several: 0.5 s in
all, the worst seen (see LAG). Time that a move does not renew keeps twice as many, for two such
moves: main time without overtime, and a Canadian period of many stones."""

# The rest was tuned with the simulated games of tests/base/test_clock.py: change a value and read
# what `pytest tests/base/test_clock.py -k share -s` prints, with CLOCK_SEEDS=1000 for rare losses.

_DOUBT = 2.5
"""Lags set aside for each move still expected, so that they suffice for three times as many moves.
3 would be safe if each delay were a whole lag; delays average about half of one. With 2 one game in
1000 of 300 moves was lost on time, with 2.5 none in 15000; 3 only costs more time at 1 s a move."""

_PACE = 1.5
"""How much faster than evenly main time is spent. N moves then leave about N ** -1.5 of it, or
N ** -0.5 when the game always ends three times earlier than expected: a tenth for N = 100. At 1 the
latter would be a quarter; at 2 the second half of a game gets less than a third of the time even
when its end was known."""

_TAIL = 1.0
"""Moves added to those expected. No move then takes more than 60 % of the main time left, and a
game that goes on beyond its expected end still has time."""

_PLAN, _STRETCH = 1.5, 3.0
"""Multiples of the allotment: what a move plans to take, and what it may take while the best move
is unclear; either leaves two thirds of the time. Most searches end earlier, once the leading move
cannot be overtaken, which saves more than a third of the time."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """How long the search for a move may take, in seconds; infinite without a limit.

    target: what the move should take as far as the clock knows. most: what it may take if the
    search asks for more; `most` is as safe as `target`. kept: whether later moves can use what this
    one leaves.
    """

    target: float = math.inf
    most: float = math.inf
    kept: bool = False

    @classmethod
    def fixed(cls, seconds: float) -> Allowance:
        """Time that is this move's alone."""
        return cls(seconds, seconds)

    def less(self, seconds: float) -> Allowance:
        """This allowance reduced by so many seconds, never below 0."""
        return Allowance(max(self.target - seconds, 0.0), max(self.most - seconds, 0.0), self.kept)


def allowance(clock: Clock, moves_left: float, lag: float = LAG) -> Allowance:
    """How long the search for the next move may take; arguments as for allotment().

    Overtime that belongs to this move alone is used in full. Otherwise a move plans more than its
    even share, since most searches end early, but at most a third of the time left.
    """
    even = allotment(clock, moves_left, lag)
    if even is None:
        return Allowance()
    control = clock.control
    if clock.stones and control.stones <= 1:
        return Allowance(even, even, kept=control.periods == 0 and clock.left > control.period)
    lag = fitting_lag(control, lag)
    if control.period:
        room = clock.left / 3
    else:
        gain = max(control.increment - lag, 0.0)
        room = min(_spare(clock, moves_left, lag) / 3 + gain, _at_once(clock, lag))
    target, most = (max(even, min(times * even, room)) for times in (_PLAN, _STRETCH))
    return Allowance(target, most, kept=True)


def allotment(clock: Clock, moves_left: float, lag: float = LAG) -> float | None:
    """The share of the next move in the time: how long its search may take if all take theirs.

    clock: the mover's, at the start of the move.
    moves_left: the mover's own moves still to come, this one included, by the caller's estimate;
        less than 1 counts as 1. It may be wrong: three times too small is safe, three times too
        large still spends the greater part.
    lag: seconds (more than 0) that a move may cost beyond its search; see fitting_lag.

    Returns seconds, never negative, or None without a limit. What it returns leaves one lag for
    this move and a reserve of several for accidents; where the clock does not hold as much it is 0.
    A byo-yomi period is spent up to that margin, also while spare periods are left; a Canadian
    period is spent evenly; main time is spent at a pace that slows down as it dwindles.
    """
    if clock.left == math.inf:
        return None
    lag = fitting_lag(clock.control, lag)
    moves = max(1.0, moves_left)
    spread = moves / _PACE + _TAIL
    if clock.control.period:
        return _with_overtime(clock, spread, lag)
    return _without_overtime(clock, moves, spread, lag)


def fitting_lag(control: TimeControl, lag: float) -> float:
    """The lag to expect on a clock: no more than a quarter of what overtime grants each move.

    Whoever plays at 0.1 s a move has machines that answer in time; expecting a lag of 0.1 s there
    would leave nothing for the search.
    """
    if not control.period:
        return lag
    return min(lag, control.period / max(control.stones, 1) / 4)


def _with_overtime(clock: Clock, spread: float, lag: float) -> float:
    """The allotment where no main time is harmless, as every move has its share of a period."""
    control, left = clock.control, clock.left
    # A period of many stones meets more accidents than one that every move renews.
    spikes = _SPIKE * lag if control.stones > 1 else 0.0
    if clock.stones == 0:
        share = _share(control.period - spikes, control.stones or 1, lag)
        wish = max(left / spread - lag, share)
        # A rest too short for a move goes with this one. That also keeps a clock that hears no
        # time_left in step: it knows in which move overtime began, even if it is off by a little.
        rest_too = max(left - _SPIKE * lag, 0.0) + share
        return wish if left >= wish + share / 2 else rest_too
    # More than a period in overtime is time that an opponent gave, or Fischer time sent by a
    # controller that has no other words for it (gtp2ogs: canadian with one stone): main time.
    period = min(left, control.period)
    stones = clock.stones if control.stones else 1
    wish = _share(period - spikes, stones, lag) + (left - period) / spread
    return min(wish, _share(left, 1, lag))


def _without_overtime(clock: Clock, moves: float, spread: float, lag: float) -> float:
    """The allotment where nothing comes after main time, but perhaps something with each move."""
    control, left = clock.control, clock.left
    wish = _spare(clock, moves, lag) / spread + max(control.increment - lag, 0.0)
    beyond_cap = left + control.increment - limit_of(control.cap)
    return min(max(wish, beyond_cap), _at_once(clock, lag))


def _spare(clock: Clock, moves: float, lag: float) -> float:
    """The part of main time that nothing is set aside from: not for lags, and not for accidents."""
    gain = min(clock.control.increment - lag, 0.0)
    return max(clock.left - 2 * _SPIKE * lag + _DOUBT * max(1.0, moves) * gain, 0.0)


def _at_once(clock: Clock, lag: float) -> float:
    """The longest search that a clock without overtime survives."""
    room = min(clock.left - _SPIKE * lag, limit_of(clock.control.move_cap))
    return _share(room, 1, lag)


def _share(seconds: float, stones: int, lag: float) -> float:
    """The search time for the first of `stones` moves that have `seconds` together."""
    # Half of a very short time is spent even so: not searching at all loses just as surely.
    reserve = min(_SPIKE * lag, seconds / 2)
    return max((seconds - reserve) / stones - lag, 0.0)
