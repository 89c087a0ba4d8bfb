"""The search time for a clock: worked examples, then properties."""

import math

import pytest
from base.test_clock import ABSOLUTE, BYOYOMI, CANADIAN, FISCHER, clocks
from hypothesis import assume, given
from hypothesis import strategies as st

from pinchtp.base.clock import LAG_BUFFER, Clock, TimeControl
from pinchtp.player.time_manager import SearchTime, cap_lag, even_share, search_time

# --- the even share: worked examples


def allotted(control: TimeControl, left: float, stones: int = 0, moves_left: float = 30) -> float:
    seconds = even_share(Clock.start(control).set_left(left, stones), moves_left)
    assert seconds is not None
    return seconds


def test_unlimited_time_has_no_even_share() -> None:
    assert even_share(Clock.start(TimeControl.none()), 30) is None


def test_byoyomi_uses_one_period() -> None:
    assert [allotted(BYOYOMI, 30, periods) for periods in (5, 2, 1)] == [30 - 5 * LAG_BUFFER] * 3
    assert allotted(TimeControl.byoyomi(0, 1, 3), 1, 3) == pytest.approx(0.5)


@pytest.mark.parametrize("period", [0.01, 0.1, 0.3])
def test_period_below_lag_still_gives_time(period: float) -> None:
    assert period / 5 < allotted(TimeControl.byoyomi(0, period, 1), period, 1) < period / 2
    assert period / 5 < allotted(TimeControl.canadian(0, period, 1), period, 1) < period / 2
    assert (
        period / 10 < allotted(TimeControl.canadian(0, 25 * period, 25), 25 * period, 25) < period
    )


def test_main_time_before_overtime_is_used_up() -> None:
    assert allotted(BYOYOMI, 600, moves_left=15) == pytest.approx(600 / 11, rel=0.1)
    assert allotted(BYOYOMI, 600, moves_left=300) == pytest.approx(30 - 5 * LAG_BUFFER)
    assert allotted(BYOYOMI, 10) == pytest.approx(10 + 30 - 9 * LAG_BUFFER)


def test_canadian_uses_period_evenly() -> None:
    assert allotted(CANADIAN, 300, 25) == pytest.approx(12, abs=0.2)
    assert allotted(CANADIAN, 12, 1) == pytest.approx(12 - 9 * LAG_BUFFER)


def test_excess_over_period_is_main_time() -> None:
    # From gtp2ogs for a player with 1917 s of Fischer time and 20 s increment.
    assert allotted(TimeControl.canadian(1780, 20, 1), 1917, 1) == pytest.approx(110, abs=5)


def test_fischer_uses_increment_within_limit() -> None:
    assert allotted(FISCHER, 600) == pytest.approx(10 + 600 / 21, rel=0.1)
    assert allotted(FISCHER, 11) == pytest.approx(11 - 9 * LAG_BUFFER)
    assert allotted(FISCHER, 5 * LAG_BUFFER) == 0
    capped = TimeControl.fischer_capped(600, 100, 600, 90)
    assert allotted(capped, 600, moves_left=1000) == pytest.approx(90 - 5 * LAG_BUFFER)


def test_expired_clock_gives_no_time() -> None:
    assert allotted(ABSOLUTE, 0) == allotted(ABSOLUTE, 5 * LAG_BUFFER) == allotted(FISCHER, 0) == 0
    last = allotted(ABSOLUTE, 20 * LAG_BUFFER, moves_left=1)
    assert 0 < last < LAG_BUFFER * 10
    assert allotted(ABSOLUTE, 20 * LAG_BUFFER, moves_left=0.1) == last


# --- the search time: worked examples


def at(control: TimeControl, left: float, stones: int = 0, moves: float = 30) -> SearchTime:
    return search_time(Clock.start(control).set_left(left, stones), moves)


def test_unlimited_time() -> None:
    assert search_time(Clock.start(TimeControl.none()), 30) == SearchTime(math.inf, math.inf)


@pytest.mark.parametrize(
    "control", [TimeControl.canadian(0, 10, 1), TimeControl.byoyomi(0, 10, 3)], ids=str
)
def test_period_per_move_is_fixed_time(control: TimeControl) -> None:
    allowed = search_time(Clock.start(control), 30)
    assert allowed == SearchTime.fixed(pytest.approx(10 - 5 * LAG_BUFFER))  # type: ignore[arg-type]


def test_fischer_time_sent_as_periods_is_saved() -> None:
    assert at(TimeControl.canadian(60, 10, 1), 50, 1).reusable
    assert not at(TimeControl.canadian(60, 10, 1), 10, 1).reusable


@pytest.mark.parametrize(
    ("control", "left", "stones"),
    [
        (TimeControl.absolute(600), 600, 0),
        (TimeControl.fischer(60, 0.5), 40, 0),
        (TimeControl.canadian(0, 300, 25), 300, 25),
        (TimeControl.byoyomi(600, 5, 3), 600, 0),
    ],
    ids=str,
)
def test_other_controls_may_stretch(control: TimeControl, left: float, stones: int) -> None:
    allowed = at(control, left, stones)
    assert allowed.reusable
    even = even_share(Clock.start(control).set_left(left, stones), 30)
    assert even is not None
    assert allowed.optimum == pytest.approx(1.5 * even)
    assert allowed.maximum == pytest.approx(3 * even)


def test_stretched_move_leaves_most_time() -> None:
    for moves in (3, 5, 10):
        allowed = at(TimeControl.absolute(60), 60, moves=moves)
        even = even_share(Clock.start(TimeControl.absolute(60)), moves)
        assert even is not None
        assert even <= allowed.maximum <= max(even, 20)
    capped = TimeControl.fischer_capped(600, 100, 600, 90)
    assert at(capped, 600, moves=1000).maximum == pytest.approx(90 - 5 * LAG_BUFFER)


def test_reserved_time_is_subtracted() -> None:
    assert SearchTime(2, 5, reusable=True).less(0.5) == SearchTime(1.5, 4.5, reusable=True)
    assert SearchTime(2, 5).less(3) == SearchTime(0, 2)
    assert SearchTime().less(3) == SearchTime()


# --- properties

estimates = st.floats(1, 500)
lags = st.floats(0.001, 5)


def assert_never_expires(clock: Clock, seconds: float, lag: float) -> None:
    """Asserts that a search and its lag leave time on the clock, and its period."""
    assume(seconds > 0)
    after = clock.after(seconds + cap_lag(clock.control, lag))
    assert not after.expired
    if clock.control.periods:
        kept = (clock.overtime_count,) if clock.overtime_count else (0, clock.control.periods)
        assert after.overtime_count in kept


@given(clocks, estimates, lags)
def test_optimum_plus_lag_never_expires(clock: Clock, moves: float, lag: float) -> None:
    seconds = even_share(clock, moves, lag)
    assert seconds is not None
    assert seconds >= 0
    assert_never_expires(clock, seconds, lag)


@given(clocks, estimates, lags, st.sampled_from([0.25, 2.0, 64.0]))
def test_times_scale_with_clock(clock: Clock, moves: float, lag: float, unit: float) -> None:
    seconds = even_share(clock, moves, lag)
    c = clock.control
    assert c.main is not None
    scaled = TimeControl(
        c.main * unit,
        c.period * unit,
        c.stones,
        c.periods,
        c.increment * unit,
        None if c.cap is None else c.cap * unit,
        None if c.move_cap is None else c.move_cap * unit,
    )
    assert seconds is not None
    scaled_clock = Clock(scaled, clock.left * unit, clock.overtime_count)
    assert even_share(scaled_clock, moves, lag * unit) == pytest.approx(seconds * unit)


@given(clocks, estimates, lags)
def test_maximum_plus_lag_never_expires(clock: Clock, moves: float, lag: float) -> None:
    allowed = search_time(clock, moves, lag)
    even = even_share(clock, moves, lag)
    assert even is not None
    assert 0 <= even <= allowed.optimum <= allowed.maximum
    assert_never_expires(clock, allowed.maximum, lag)


@given(clocks, estimates, lags)
def test_stretched_move_leaves_time(clock: Clock, moves: float, lag: float) -> None:
    even = even_share(clock, moves, lag)
    assert even is not None
    allowed = search_time(clock, moves, lag)
    assert allowed.maximum <= max(even, clock.left / 3 + clock.control.increment)
