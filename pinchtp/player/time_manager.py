"""Time management: the time budgets of searches, and the measured delays of moves.

Functions divide the time on a clock among moves. LagEstimator learns the margin for delays from
past moves. TimeManager applies both to the clocks of a game.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right, insort
from collections import deque
from dataclasses import dataclass, replace
from time import monotonic

from pinchtp.base.clock import LAG_BUFFER, Clock, TimeControl, limit_of
from pinchtp.games import Color
from pinchtp.games.session import Session
from pinchtp.player.settings import Settings

_RESERVE_LAGS = 4.0
"""Lags kept in reserve, in addition to the lag of the move, for a rare move with a long delay:
0.5 s in all, the longest delay measured (see LAG_BUFFER). Time that a move does not renew has twice
this reserve, for two such moves: main time without overtime, and a Canadian period of many
stones."""

# The following values were tuned with simulated games. To test a change, run
# `pytest tests/player/test_clock_games.py -k share -s`, with CLOCK_SEEDS=1000 for rare losses.

_LAGS_PER_MOVE = 2.5
"""Lags reserved for each expected move, so that they suffice for three times as many moves. 3 would
be safe if each delay were a whole lag, but the mean delay is about half a lag. With 2, one game of
300 moves in 1000 was lost on time; with 2.5, none in 15,000; with 3, only the cost at 1 s per move
increases."""

_SPENDING_RATIO = 1.5
"""The ratio of spending to an even share of main time. After N moves, about N ** -1.5 of it is
left, or N ** -0.5 if games always end three times earlier than expected: a tenth for N = 100. With
1, it would be a quarter; with 2, the second half of a game gets less than a third of the time, even
if its end was known."""

_EXTRA_MOVES = 1.0
"""Moves added to the expected ones. Then a move takes at most 60 % of the main time left, and a
game that exceeds its expected length still has time."""

_OPTIMUM_SHARES, _MAXIMUM_SHARES = 1.5, 3.0
"""Multiples of the even share: the optimum time of a move, and its maximum while the best move is
unclear. Either leaves two thirds of the time. Most searches end earlier, when the leading move
cannot be overtaken, which saves more than a third of the time."""


@dataclass(frozen=True, slots=True)
class SearchTime:
    """The time budget of a search, in seconds; infinite without a limit.

    optimum: the planned time, which depends only on the clock. maximum: a safe limit for a search
    that needs more. reusable: whether later moves can use the time that this search leaves.
    """

    optimum: float = math.inf
    maximum: float = math.inf
    reusable: bool = False

    @classmethod
    def fixed(cls, seconds: float) -> SearchTime:
        """Returns a budget whose unused time is lost."""
        return cls(seconds, seconds)

    def less(self, seconds: float) -> SearchTime:
        """Returns this budget reduced by `seconds`, at least 0."""
        return SearchTime(
            max(self.optimum - seconds, 0.0), max(self.maximum - seconds, 0.0), self.reusable
        )


def search_time(clock: Clock, moves_left: float, lag: float = LAG_BUFFER) -> SearchTime:
    """Returns the budget of the next search. clock, moves_left, lag: see even_share().

    Overtime that expires after this move is used in full. Otherwise the optimum is more than the
    even share, because most searches end early, but at most a third of the time left.
    """
    even = even_share(clock, moves_left, lag)
    if even is None:
        return SearchTime()
    control = clock.control
    if clock.overtime_count and control.stones <= 1:
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
    """Returns the seconds of the next search if all moves take equal shares; None without a limit.

    clock: the mover's clock at the start of the move.
    moves_left: the estimated number of the mover's remaining moves, including this one; at least 1.
        An estimate that is three times too small is safe; one that is three times too large still
        spends the greater part of the time.
    lag: the seconds (more than 0) that a move may cost beyond its search; see cap_lag().

    The result is never negative. The rest of the time covers one lag for this move and a reserve of
    several lags for long delays; if the clock has less, the result is 0. A byo-yomi period is spent
    up to that margin, even if other periods are left. A Canadian period is spent evenly. Main time
    is spent more slowly as it decreases.
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
    """Returns the expected lag for a clock, at most a quarter of the overtime per move.

    Games at 0.1 s per move are played on machines with short delays; a lag of 0.1 s would leave no
    time for the search.
    """
    if not control.period:
        return lag
    return min(lag, control.period / max(control.stones, 1) / 4)


def _with_overtime(clock: Clock, spread: float, lag: float) -> float:
    """Returns the even share with overtime, in which every move has its share of a period."""
    control = clock.control
    left = clock.left
    # A period of many stones has more long delays than one that every move renews.
    reserve = _RESERVE_LAGS * lag if control.stones > 1 else 0.0
    if clock.overtime_count == 0:
        share = _search_seconds(control.period - reserve, control.stones or 1, lag)
        even = max(left / spread - lag, share)
        # Main time that is too short for another move is added to this one. That also synchronizes
        # a clock without time_left: the move in which overtime began is then known.
        with_rest = max(left - _RESERVE_LAGS * lag, 0.0) + share
        return even if left >= even + share / 2 else with_rest
    # Overtime longer than a period is main time: an opponent gave it, or a controller without a
    # command for Fischer time sent that (gtp2ogs: canadian with one stone).
    period = min(left, control.period)
    stones = clock.overtime_count if control.stones else 1
    even = _search_seconds(period - reserve, stones, lag) + (left - period) / spread
    return min(even, _search_seconds(left, 1, lag))


def _without_overtime(clock: Clock, moves: float, spread: float, lag: float) -> float:
    """Returns the even share of main time without overtime, with or without an increment."""
    control = clock.control
    left = clock.left
    even = _spendable_seconds(clock, moves, lag) / spread + max(control.increment - lag, 0.0)
    beyond_cap = left + control.increment - limit_of(control.cap)
    return min(max(even, beyond_cap), _longest_search(clock, lag))


def _spendable_seconds(clock: Clock, moves: float, lag: float) -> float:
    """Returns main time without the reserve for lags and long delays, in seconds."""
    gain = min(clock.control.increment - lag, 0.0)
    return max(clock.left - 2 * _RESERVE_LAGS * lag + _LAGS_PER_MOVE * max(1.0, moves) * gain, 0.0)


def _longest_search(clock: Clock, lag: float) -> float:
    """Returns the seconds of the longest safe search on a clock without overtime."""
    room = min(clock.left - _RESERVE_LAGS * lag, limit_of(clock.control.move_cap))
    return _search_seconds(room, 1, lag)


def _search_seconds(seconds: float, stones: int, lag: float) -> float:
    """Returns the search time of the first of `stones` moves that share `seconds`."""
    # At least half of a very short time is spent, because a move without a search loses too.
    reserve = min(_RESERVE_LAGS * lag, seconds / 2)
    return max((seconds - reserve) / stones - lag, 0.0)


MAX_DELAYS = 500  # stored delays, of search steps and responses
PRIOR_DELAYS = 10  # the number of observed delays that reduces the initial margin to a quarter
WORST_DELAY_SHARE = 1 / 5  # of the longest delay; the clock also has a reserve (_RESERVE_LAGS)
MAX_LAG_SHARE = 1 / 4  # of a period per move; protection from longer delays would cost more

# Longer delays in main time and in periods for several stones are ignored: the machine was
# suspended, and a reserve for that would cost time in every move. The seconds are the longest delay
# on busy machines (LAG_BUFFER); the share of the time is that of a few moves.
SUSPEND_SECONDS, SUSPEND_SHARE = 0.5, 0.01

MAX_TRANSFER_SECONDS = 5.0  # a longer one means a different game, or a clock set by hand

# The minimum margin, up to LAG_BUFFER, whose cost is negligible. With the reserve, the search of a
# move with a whole period takes 96 % of it.
SHARE_OF_MOVE = 0.008  # of a period per move
SHARE_OF_STONE = 0.02  # of a move's share of a period for several moves
SHARE_OF_MAIN = 0.001  # of main time, which many moves share
MIN_LAG = 0.005  # seconds of main time

# Before delays are observed, a search ends early by this share of its time, at most by the seconds.
PRIOR_MARGIN_SHARE, MAX_PRIOR_MARGIN = 0.05, 0.02
MIN_MARGIN = 0.0005  # seconds


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
        """Returns the delay that this share of all delays does not exceed; 0 without delays."""
        return self._sorted[int(share * (len(self._sorted) - 1))] if self._sorted else 0.0

    def prior_margin(self, seconds: float) -> float:
        """Returns what is left of an initial margin of `seconds` after the observed delays."""
        return seconds * (PRIOR_DELAYS / (PRIOR_DELAYS + len(self))) ** 2

    def expected_lag(self, most: float) -> float:
        """Returns the lag to plan for, from delays up to `most` seconds.

        It is the 95th percentile of all delays or a share of the longest, whichever is longer.
        """
        count = bisect_right(self._sorted, most)
        worst = self._sorted[count - 1] if count else 0.0
        return max(self.share(0.95), WORST_DELAY_SHARE * worst)


class LagEstimator:
    """An estimator of the lag from the latest delays.

    It records the delays of searches and search steps after their deadline, and the additional cost
    of responses by the controller's `time_left`.
    """

    def __init__(self) -> None:
        self._searches = DelayWindow()
        self._transfers = DelayWindow()

    def record_delay(self, seconds: float) -> None:
        """Records the delay, in seconds, of a search step or a move after its deadline."""
        self._searches.add(seconds)

    def record_transfer(self, seconds: float) -> None:
        """Records the additional seconds of the last response by the controller's clock."""
        if seconds <= MAX_TRANSFER_SECONDS:
            self._transfers.add(seconds)

    def lag(self, clock: Clock) -> float:
        """Returns the expected cost of a move beyond its search, in seconds."""
        most = _longest_planned_delay(clock.control)
        observed = self._searches.expected_lag(most) + self._transfers.expected_lag(most)
        prior = self._searches.prior_margin(LAG_BUFFER)
        return max(observed, prior, _negligible_lag(clock.control, clock.left))

    def margin(self, seconds: float) -> float:
        """Returns the margin in seconds for a search of `seconds` to end in time."""
        prior = self._searches.prior_margin(min(MAX_PRIOR_MARGIN, PRIOR_MARGIN_SHARE * seconds))
        return min(max(self._searches.share(0.9), prior, MIN_MARGIN), seconds / 2)


def _longest_planned_delay(control: TimeControl) -> float:
    """Returns the longest delay, in seconds, for which time is reserved."""
    if control.period > 0 and control.stones <= 1:
        return MAX_LAG_SHARE * control.period
    return max(SUSPEND_SECONDS, SUSPEND_SHARE * (control.period or control.main or 0.0))


def _negligible_lag(control: TimeControl, left: float) -> float:
    """Returns a lag, in seconds, whose cost for a move is negligible. left: seconds."""
    if not control.period:
        return min(max(SHARE_OF_MAIN * left, MIN_LAG), LAG_BUFFER)
    share = SHARE_OF_STONE / control.stones if control.stones > 1 else SHARE_OF_MOVE
    return min(share * control.period, LAG_BUFFER)


class TimeManager:
    """A manager of the clocks of a session, which also measures delays.

    A move begins with begin() and ends with stop_clock(); in between, its search gets the budget
    from search_time(). A turn that is requested part by part has the time of one move.
    """

    def __init__(self, settings: Settings) -> None:
        self.lag_estimator = LagEstimator()
        self._settings = settings
        self._began = monotonic()
        self._clock: Clock | None = None
        self._moves_left = 1.0
        self._spent = 0.0  # seconds of the earlier parts of the turn
        self._due: float | None = None  # seconds to the search's deadline; None if it ended early
        self._charged: tuple[Color, Clock] | None = None  # the mover's clock, without the lag

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
        """The seconds since the move began."""
        return monotonic() - self._began

    @property
    def left(self) -> float:
        """The seconds that the move may still take; negative after its maximum."""
        return self.search_time().maximum - self.elapsed

    def search_time(self) -> SearchTime:
        """Returns the current budget of the move, in seconds since its beginning."""
        if self._clock is None or self._clock.left == math.inf:
            seconds = self._settings.move_seconds
            if math.isinf(seconds):
                return SearchTime()
            margin = self.lag_estimator.margin(seconds)
            return SearchTime.fixed(max(seconds - self._spent - margin, 0.0))
        return search_time(self._clock, self._moves_left, self._lag(self._clock))

    def record_step(self, due: float, late: float) -> None:
        """Records that a step, due `due` seconds into the move, was `late` seconds late."""
        self.lag_estimator.record_delay(late)
        self._due = due

    def stop_clock(self, session: Session, color: Color, *, parts: int) -> None:
        """Deducts the cost of a move from the color's clock. parts: the number of its parts."""
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
            self._spent = 0.0  # the first parts of the next turn may be chosen elsewhere

    def set_left(self, session: Session, color: Color, seconds: float, count: int) -> None:
        """Sets the color's clock to the controller's values.

        Their difference from ours is recorded as the cost of the last response, unless the
        controller counts whole seconds. Raises ValueError for an invalid time.
        """
        clock = session.clock(color).set_left(seconds, count)
        session.set_clock(color, clock)
        if self._charged is None or self._charged[0] != color:
            return
        expected = self._charged[1]
        same_phase = clock == replace(expected, left=clock.left)
        if same_phase and seconds != int(seconds):
            self.lag_estimator.record_transfer(expected.left - clock.left)
        self._charged = None

    def _lag(self, clock: Clock) -> float:
        return self.lag_estimator.lag(clock) if self._settings.lag is None else self._settings.lag
