"""What a move may take in need: never more than the clock bears, whatever comes late."""

from __future__ import annotations

import math
import random

import pytest
from base.test_clock import SEEDS, clocks, delay, estimates, lags
from hypothesis import assume, given

from pinchtp.base.allowance import LAG, Allowance, allotment, allowance, fitting_lag
from pinchtp.base.clock import Clock, TimeControl


def at(control: TimeControl, left: float, stones: int = 0, moves: float = 30) -> Allowance:
    return allowance(Clock.start(control).set_left(left, stones), moves)


# --- worked examples


def test_no_limit() -> None:
    assert allowance(Clock.start(TimeControl.none()), 30) == Allowance(math.inf, math.inf)


@pytest.mark.parametrize(
    "control", [TimeControl.canadian(0, 10, 1), TimeControl.byoyomi(0, 10, 3)], ids=str
)
def test_a_period_of_its_own_is_all_that_a_move_has(control: TimeControl) -> None:
    allowed = allowance(Clock.start(control), 30)
    assert allowed == Allowance.fixed(pytest.approx(10 - 5 * LAG))  # type: ignore[arg-type]


def test_fischer_time_sent_as_periods_is_kept() -> None:
    assert at(TimeControl.canadian(60, 10, 1), 50, 1).kept
    assert not at(TimeControl.canadian(60, 10, 1), 10, 1).kept


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
def test_other_time_stretches(control: TimeControl, left: float, stones: int) -> None:
    allowed = at(control, left, stones)
    assert allowed.kept
    even = allotment(Clock.start(control).set_left(left, stones), 30)
    assert even is not None
    assert allowed.target == pytest.approx(1.5 * even)
    assert allowed.most == pytest.approx(3 * even)


def test_most_of_the_time_stays_for_the_moves_to_come() -> None:
    for moves in (3, 5, 10):
        allowed = at(TimeControl.absolute(60), 60, moves=moves)
        even = allotment(Clock.start(TimeControl.absolute(60)), moves)
        assert even is not None
        assert even <= allowed.most <= max(even, 20)
    capped = TimeControl.fischer_capped(600, 100, 600, 90)
    assert at(capped, 600, moves=1000).most == pytest.approx(90 - 5 * LAG)


def test_something_set_aside() -> None:
    assert Allowance(2, 5, kept=True).less(0.5) == Allowance(1.5, 4.5, kept=True)
    assert Allowance(2, 5).less(3) == Allowance(0, 2)
    assert Allowance().less(3) == Allowance()


# --- properties


@given(clocks, estimates, lags)
def test_what_a_move_may_take_in_need_loses_nothing(clock: Clock, moves: float, lag: float) -> None:
    allowed = allowance(clock, moves, lag)
    even = allotment(clock, moves, lag)
    assert even is not None
    assert 0 <= even <= allowed.target <= allowed.most
    assume(allowed.most > 0)
    after = clock.after(allowed.most + fitting_lag(clock.control, lag))
    assert not after.expired
    if clock.control.periods:
        kept = (clock.stones,) if clock.stones else (0, clock.control.periods)
        assert after.stones in kept


@given(clocks, estimates, lags)
def test_a_stretched_move_leaves_time(clock: Clock, moves: float, lag: float) -> None:
    even = allotment(clock, moves, lag)
    assert even is not None
    allowed = allowance(clock, moves, lag)
    assert allowed.most <= max(even, clock.left / 3 + clock.control.increment)


# --- whole games


SYSTEMS = [
    TimeControl.absolute(10),
    TimeControl.absolute(60),
    TimeControl.canadian(0, 30, 25),
    TimeControl.canadian(5, 10, 1),
    TimeControl.byoyomi(10, 1, 5),
    TimeControl.fischer(5, 0.3),
    TimeControl.fischer(60, 0.5),
    TimeControl.fischer_capped(60, 5, 60, 10),
]


@pytest.mark.parametrize("hears", [True, False], ids=["time_left", "alone"])
@pytest.mark.parametrize("control", SYSTEMS, ids=str)
def test_no_game_is_lost_that_is_unclear_all_the_time(control: TimeControl, hears: bool) -> None:
    """Every move takes what it may in need, or what is usual, and some are late."""
    for moves in (10, 40, 150):
        for seed in range(4 * SEEDS):
            rng = random.Random(seed)
            clock = own = Clock.start(control)
            for left in range(moves, 0, -1):
                allowed = allowance(own, left * 3 ** rng.uniform(-1, 1))
                search = allowed.most if rng.random() < 0.8 else allowed.target
                clock = clock.after(search + delay(rng))
                own = clock if hears else own.after(search + LAG)
                assert not clock.expired
