"""Time management: budgets of searches, and the time that moves really took.

Pure functions of seconds share out a clock; the margin for late moves is learned from the moves
made; both are applied to the clocks of a game.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right, insort
from collections import deque
from dataclasses import dataclass
from time import monotonic

from pinchtp.base.clock import LAG_BUFFER, Clock, TimeControl, limit_of
from pinchtp.games import Color
from pinchtp.games.session import Session
from pinchtp.player.settings import Settings

_RESERVE_LAGS = 4.0
"""Lags kept in reserve, beyond the usual one, for the odd move that is late by several: 0.5 s in
all, the worst seen (see LAG_BUFFER). Time that a move does not renew keeps twice as many, for two
such moves: main time without overtime, and a Canadian period of many stones."""

# The rest was tuned with simulated games: change a value and read what this prints, with
# CLOCK_SEEDS=1000 for rare losses: `pytest tests/player/test_clock_games.py -k share -s`.

_LAGS_PER_MOVE = 2.5
"""Lags set aside for each move still expected, so that they suffice for three times as many moves.
3 would be safe if each delay were a whole lag; delays average about half of one. With 2 one game
in 1000 of 300 moves was lost on time, with 2.5 none in 15000; 3 only costs more time at 1 s per
move."""

_SPENDING_RATIO = 1.5
"""The ratio of spending to an even share of main time. N moves then leave about N ** -1.5 of it, or
N ** -0.5 when the game always ends three times earlier than expected: a tenth for N = 100. At 1 the
latter would be a quarter; at 2 the second half of a game gets less than a third of the time even
when its end was known."""

_EXTRA_MOVES = 1.0
"""Moves added to those expected. No move then takes more than 60 % of the main time left, and a
game that exceeds its expected length still has time."""

_OPTIMUM_SHARES, _MAXIMUM_SHARES = 1.5, 3.0
"""Multiples of the even share: the plan of a move, and its maximum while the best move is unclear.
Either leaves two thirds of the time. Most searches end earlier, once the leading move cannot be
overtaken, which saves more than a third of the time."""


@dataclass(frozen=True, slots=True)
class SearchTime:
    """A time budget for the search of a move, in seconds; infinite without a limit.

    optimum: planned by the clock alone. maximum: an equally safe limit for a search that needs
    more. reusable: whether later moves can use time that this one leaves.
    """

    optimum: float = math.inf
    maximum: float = math.inf
    reusable: bool = False

    @classmethod
    def fixed(cls, seconds: float) -> SearchTime:
        """Time that is this move's alone."""
        return cls(seconds, seconds)

    def less(self, seconds: float) -> SearchTime:
        """Returns this budget reduced by `seconds`, at least 0."""
        return SearchTime(
            max(self.optimum - seconds, 0.0), max(self.maximum - seconds, 0.0), self.reusable
        )


def search_time(clock: Clock, moves_left: float, lag: float = LAG_BUFFER) -> SearchTime:
    """Returns the budget of the next search; arguments as for even_share().

    Overtime that belongs to this move alone is used in full. Otherwise a move plans more than its
    even share, since most searches end early, but at most a third of the time left.
    """
    even = even_share(clock, moves_left, lag)
    if even is None:
        return SearchTime()
    control = clock.control
    if clock.stones and control.stones <= 1:
        return SearchTime(even, even, reusable=control.periods == 0 and clock.left > control.period)
    lag = cap_lag(control, lag)
    if control.period:
        room = clock.left / 3
    else:
        gain = max(control.increment - lag, 0.0)
        third = _spendable_seconds(clock, moves_left, lag) / 3
        room = min(third + gain, _longest_search(clock, lag))
    optimum = max(even, min(_OPTIMUM_SHARES * even, room))
    maximum = max(even, min(_MAXIMUM_SHARES * even, room))
    return SearchTime(optimum, maximum, reusable=True)


def even_share(clock: Clock, moves_left: float, lag: float = LAG_BUFFER) -> float | None:
    """Returns how long the search of the next move may take if all moves take equal shares.

    clock: the mover's, at the start of the move.
    moves_left: the mover's own moves still to come, this one included, by the caller's estimate;
        less than 1 counts as 1. It may be wrong: three times too small is safe, three times too
        large still spends the greater part.
    lag: seconds (more than 0) that a move may cost beyond its search; see cap_lag.

    Returns seconds, never negative, or None without a limit. The rest covers one lag for
    this move and a reserve of several for accidents; where the clock does not hold as much it is 0.
    A byo-yomi period is spent up to that margin, also while spare periods are left; a Canadian
    period is spent evenly; main time is spent at a pace that slows down as it dwindles.
    """
    if clock.left == math.inf:
        return None
    lag = cap_lag(clock.control, lag)
    moves = max(1.0, moves_left)
    spread = moves / _SPENDING_RATIO + _EXTRA_MOVES
    if clock.control.period:
        return _with_overtime(clock, spread, lag)
    return _without_overtime(clock, moves, spread, lag)


def cap_lag(control: TimeControl, lag: float) -> float:
    """Returns the lag to expect on a clock, at most a quarter of a move's overtime.

    Games at 0.1 s per move are played on machines that respond in time; a lag of 0.1 s would leave
    nothing for the search.
    """
    if not control.period:
        return lag
    return min(lag, control.period / max(control.stones, 1) / 4)


def _with_overtime(clock: Clock, spread: float, lag: float) -> float:
    """Returns the even share with overtime, where every move has its share of a period."""
    control = clock.control
    left = clock.left
    # A period of many stones meets more accidents than one that every move renews.
    spikes = _RESERVE_LAGS * lag if control.stones > 1 else 0.0
    if clock.stones == 0:
        share = _search_seconds(control.period - spikes, control.stones or 1, lag)
        wish = max(left / spread - lag, share)
        # A rest too short for a move goes with this one. That also synchronizes a clock
        # without time_left: it then knows the move in which overtime began, even if it is inexact.
        rest_too = max(left - _RESERVE_LAGS * lag, 0.0) + share
        return wish if left >= wish + share / 2 else rest_too
    # More than a period in overtime is time that an opponent gave, or Fischer time sent by a
    # controller that has no other words for it (gtp2ogs: canadian with one stone): main time.
    period = min(left, control.period)
    stones = clock.stones if control.stones else 1
    wish = _search_seconds(period - spikes, stones, lag) + (left - period) / spread
    return min(wish, _search_seconds(left, 1, lag))


def _without_overtime(clock: Clock, moves: float, spread: float, lag: float) -> float:
    """Returns the even share of main time without overtime, perhaps with an increment."""
    control = clock.control
    left = clock.left
    wish = _spendable_seconds(clock, moves, lag) / spread + max(control.increment - lag, 0.0)
    beyond_cap = left + control.increment - limit_of(control.cap)
    return min(max(wish, beyond_cap), _longest_search(clock, lag))


def _spendable_seconds(clock: Clock, moves: float, lag: float) -> float:
    """Returns main time less what is set aside for lags and accidents, in seconds."""
    gain = min(clock.control.increment - lag, 0.0)
    return max(clock.left - 2 * _RESERVE_LAGS * lag + _LAGS_PER_MOVE * max(1.0, moves) * gain, 0.0)


def _longest_search(clock: Clock, lag: float) -> float:
    """Returns the longest search, in seconds, that a clock without overtime survives."""
    room = min(clock.left - _RESERVE_LAGS * lag, limit_of(clock.control.move_cap))
    return _search_seconds(room, 1, lag)


def _search_seconds(seconds: float, stones: int, lag: float) -> float:
    """Returns the search time of the first of `stones` moves that share `seconds`."""
    # Half of a very short time is spent even so: not searching at all loses just as surely.
    reserve = min(_RESERVE_LAGS * lag, seconds / 2)
    return max((seconds - reserve) / stones - lag, 0.0)


MAX_DELAYS = 500  # delays: steps of a search and answers
PRIOR_DELAYS = 10  # observed delays that shrink the initial margin to a quarter
WORST_DELAY_SHARE = 1 / 5  # planned for, since the clock has a reserve of lags (_RESERVE_LAGS)
MAX_LAG_SHARE = 1 / 4  # of a move's own period: to be safe from longer delays would cost more

# Longer delays are ignored, in main time and in a period for several stones: the machine was
# suspended, and preparing for that would cost time in every move. In seconds: the worst delay on
# busy machines (LAG_BUFFER). As a share: a loss of few moves.
SUSPEND_SECONDS, SUSPEND_SHARE = 0.5, 0.01

MAX_TRANSFER_SECONDS = 5.0  # more means another game, or a clock set by hand

# The minimum margin, up to LAG_BUFFER, whose cost is negligible. With the reserve, the search of a
# move with a whole period takes 96 % of it.
SHARE_OF_MOVE = 0.008  # of the period
SHARE_OF_STONE = 0.02  # of a move's share of a period for several
SHARE_OF_MAIN = 0.001  # of main time, which many moves have together
MIN_LAG = 0.005  # seconds of main time

# While nothing is known, a search ends early by this share of its time, at most by the seconds.
PRIOR_MARGIN_SHARE, MAX_PRIOR_MARGIN = 0.05, 0.02
MIN_MARGIN = 0.0005


class DelayWindow:
    """The latest delays, in seconds."""

    def __init__(self) -> None:
        self._latest: deque[float] = deque()
        self._sorted: list[float] = []

    def __len__(self) -> int:
        return len(self._latest)

    def add(self, seconds: float) -> None:
        seconds = max(seconds, 0.0)
        self._latest.append(seconds)
        insort(self._sorted, seconds)
        if len(self._latest) > MAX_DELAYS:
            del self._sorted[bisect_left(self._sorted, self._latest.popleft())]

    def share(self, share: float) -> float:
        """Returns the delay that this share of all delays does not exceed; 0 if there are none."""
        return self._sorted[int(share * (len(self._sorted) - 1))] if self._sorted else 0.0

    def prior_margin(self, seconds: float) -> float:
        """Returns the rest of an initial margin of `seconds` after the observed delays."""
        return seconds * (PRIOR_DELAYS / (PRIOR_DELAYS + len(self))) ** 2

    def expected_lag(self, most: float) -> float:
        """Returns the lag to plan for, from delays up to `most` seconds.

        It is the longer of the 95th percentile of all delays, and a share of the worst.
        """
        count = bisect_right(self._sorted, most)
        worst = self._sorted[count - 1] if count else 0.0
        return max(self.share(0.95), WORST_DELAY_SHARE * worst)


class LagEstimator:
    """Remembers how late the latest answers were, and the steps of the searches before them.

    It keeps both the lateness of searches in seconds after their deadline, and the further cost of
    responses according to the controller's `time_left`.
    """

    def __init__(self) -> None:
        self._searches = DelayWindow()
        self._transfers = DelayWindow()

    def record_delay(self, seconds: float) -> None:
        """Records by how much a step of a search ended late, or a move was ready late."""
        self._searches.add(seconds)

    def record_transfer(self, seconds: float) -> None:
        """Records the additional cost of the latest response by the controller's clock."""
        if seconds <= MAX_TRANSFER_SECONDS:
            self._transfers.add(seconds)

    def lag(self, clock: Clock) -> float:
        """Returns the seconds that a move probably costs beyond its search."""
        most = _longest_planned_delay(clock.control)
        observed = self._searches.expected_lag(most) + self._transfers.expected_lag(most)
        prior = self._searches.prior_margin(LAG_BUFFER)
        return max(observed, prior, _negligible_lag(clock.control, clock.left))

    def margin(self, seconds: float) -> float:
        """Returns the margin in seconds for a search of `seconds` to end in time."""
        prior = self._searches.prior_margin(min(MAX_PRIOR_MARGIN, PRIOR_MARGIN_SHARE * seconds))
        return min(max(self._searches.share(0.9), prior, MIN_MARGIN), seconds / 2)


def _longest_planned_delay(control: TimeControl) -> float:
    """Returns the longest rare delay, in seconds, that time is set aside for."""
    if control.period > 0 and control.stones <= 1:
        return MAX_LAG_SHARE * control.period
    return max(SUSPEND_SECONDS, SUSPEND_SHARE * (control.period or control.main or 0.0))


def _negligible_lag(control: TimeControl, left: float) -> float:
    """Returns a time whose cost is negligible for a move."""
    if not control.period:
        return min(max(SHARE_OF_MAIN * left, MIN_LAG), LAG_BUFFER)
    share = SHARE_OF_STONE / control.stones if control.stones > 1 else SHARE_OF_MOVE
    return min(share * control.period, LAG_BUFFER)


class TimeManager:
    """Keeps the clocks of a session, and measures how late answers come.

    A move begins with begin() and ends with stop_clock(). In between its search queries
    the budget. A turn that is requested part by part has the time of one move.
    """

    def __init__(self, settings: Settings) -> None:
        self.lag_estimator = LagEstimator()
        self._settings = settings
        self._began = monotonic()
        self._clock: Clock | None = None
        self._moves_left = 1.0
        self._spent = 0.0  # seconds of the turn's earlier parts
        self._due: float | None = None  # deadline of the search, unless it ended early
        self._charged: tuple[Color, Clock] | None = None  # the mover's clock, by our own time alone

    def begin(self, session: Session, color: Color) -> None:
        """Starts the time of the color's move, or of the next part of it."""
        self._began = monotonic()
        self._clock = session.clock(color)
        self._moves_left = session.moves_left()
        self._due = None
        if not session.position.mid_turn:
            self._spent = 0.0

    @property
    def elapsed(self) -> float:
        """Seconds since the move began."""
        return monotonic() - self._began

    @property
    def left(self) -> float:
        """Seconds that the move may still take; less than 0 if it is late."""
        return self.search_time().maximum - self.elapsed

    def search_time(self) -> SearchTime:
        """Returns the budget of the move since its search began, as known now."""
        if self._clock is None or self._clock.left == math.inf:
            seconds = self._settings.move_seconds
            if math.isinf(seconds):
                return SearchTime()
            margin = self.lag_estimator.margin(seconds)
            return SearchTime.fixed(max(seconds - self._spent - margin, 0.0))
        return search_time(self._clock, self._moves_left, self._lag(self._clock))

    def record_step(self, due: float, late: float) -> None:
        """Records that a step, due `due` seconds into the search, was `late` seconds late."""
        self.lag_estimator.record_delay(late)
        self._due = due

    def stop_clock(self, session: Session, color: Color, *, parts: int) -> None:
        """Deducts the move's cost from the color's clock. parts: the number of chosen moves."""
        elapsed = self.elapsed
        due = self.search_time().maximum if self._due is None or parts > 1 else self._due
        if elapsed > due:
            self.lag_estimator.record_delay(elapsed - due)
        self._spent += elapsed
        clock = session.clock(color)
        lag = cap_lag(clock.control, self._lag(clock))
        # A turn given in parts is one move of the clock.
        spend = clock.during if session.position.mid_turn else clock.after
        self._charged = color, spend(elapsed)
        session.set_clock(color, spend(elapsed + lag))
        if not session.position.mid_turn:
            self._spent = 0.0  # the next turn may begin with parts that others choose

    def set_left(self, session: Session, color: Color, seconds: float, stones: int) -> None:
        """Sets the color's clock to the controller's. Raises ValueError for an impossible time.

        The transfer time of the last response is learned from it, unless the controller counts in
        whole seconds.
        """
        clock = session.clock(color).set_left(seconds, stones)
        session.set_clock(color, clock)
        if self._charged is None or self._charged[0] != color:
            return
        expected = self._charged[1]
        same_phase = (clock.control, clock.stones) == (expected.control, expected.stones)
        if same_phase and seconds != int(seconds):
            self.lag_estimator.record_transfer(expected.left - clock.left)
        self._charged = None

    def _lag(self, clock: Clock) -> float:
        return self.lag_estimator.lag(clock) if self._settings.lag is None else self._settings.lag
