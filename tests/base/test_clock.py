"""The clock: each time system by worked examples, then by properties."""

import math
from collections.abc import Callable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pinchtp.base.clock import Clock, TimeControl

ABSOLUTE = TimeControl.absolute(600)
CANADIAN = TimeControl.canadian(600, 300, 25)
BYOYOMI = TimeControl.byoyomi(600, 30, 5)
FISCHER = TimeControl.fischer(600, 10)


# Time controls ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "control"),
    [
        ((600, 300, 25), CANADIAN),
        ((0, 300, 25), TimeControl.canadian(0, 300, 25)),
        ((600, 0, 0), ABSOLUTE),
        ((600, 0, 25), ABSOLUTE),
        ((0, 1, 0), TimeControl.none()),  # what GoGui sends for a game without a clock
        ((600, 300, 0), TimeControl.none()),
        ((0, 0, 0), TimeControl.none()),
    ],
)
def test_gtp_time_settings(settings: tuple[float, float, int], control: TimeControl) -> None:
    assert TimeControl.gtp(*settings) == control


def test_kata_negative_caps_are_none() -> None:
    assert TimeControl.fischer_capped(600, 10, -1, -1) == FISCHER
    both = TimeControl(600, increment=10, cap=900, move_cap=60)
    assert TimeControl.fischer_capped(600, 10, 900, 60) == both


def test_overtime_of_no_length_is_absolute() -> None:
    assert TimeControl.canadian(600, 0, 0) == TimeControl.byoyomi(600, 0, 0) == ABSOLUTE


def test_times_beyond_2_to_the_31_are_taken() -> None:
    assert Clock.start(TimeControl.absolute(2.0**40)).left == 2.0**40


@pytest.mark.parametrize(
    ("build", "text"),
    [
        (lambda: TimeControl.absolute(-1), "main time must be a finite number, 0 or more, not -1"),
        (lambda: TimeControl.absolute(math.nan), "main time must be a finite number"),
        (lambda: TimeControl.absolute(math.inf), "main time must be a finite number"),
        (lambda: TimeControl.absolute(10**400), "main time must be a finite number"),
        (lambda: TimeControl.absolute(0), "first move must be longer than 0 s"),
        (lambda: TimeControl.fischer(0, 10), "first move must be longer than 0 s"),
        (lambda: TimeControl.fischer_capped(60, 5, 90, 0), "first move must be longer than 0 s"),
        (lambda: TimeControl.fischer_capped(60, 5, 30, -1), "cap must be at least main time 60 s"),
        (lambda: TimeControl.fischer_capped(60, 5, -math.inf, -1), "cap must be a finite number"),
        (lambda: TimeControl.fischer_capped(60, 5, 0.5, -1), "cap must be at least main time 60 s"),
        (lambda: TimeControl.fischer_capped(60, 5, 0, -1), "cap must be at least main time 60 s"),
        (
            lambda: TimeControl.fischer_capped(60, 5, 90, -math.inf),
            "the cap of a move must be a finite number",
        ),
        (lambda: TimeControl.fischer(60, -5), "increment must be"),
        (lambda: TimeControl.canadian(60, 30, 0), "these are 30 s, 0 stones and 0 periods"),
        (lambda: TimeControl.canadian(60, 0, 5), "longer than 0 s"),
        (lambda: TimeControl.canadian(60, -30, 5), "period must be"),
        (lambda: TimeControl.byoyomi(60, 30, 0), "at least 1"),
        (lambda: TimeControl.byoyomi(60, 30, -1), "periods must be"),
        (lambda: TimeControl.gtp(60, 30, -1), "stones must be"),
        (lambda: TimeControl.gtp(60, 0, -1), "stones must be"),
        (lambda: TimeControl.gtp(-60, 30, 0), "main time must be"),
        (lambda: TimeControl.gtp(60, -30, 0), "period must be"),
        (lambda: TimeControl(60, 30, stones=5, periods=5), "overtime needs"),
        (lambda: TimeControl(60, 30, stones=5, increment=2), "without overtime"),
        (lambda: TimeControl(increment=0.5), "must come with main time"),
        (lambda: TimeControl(cap=60), "must come with main time"),
        (lambda: TimeControl(move_cap=60), "must come with main time"),
    ],
)
def test_impossible_controls_are_refused(build: Callable[[], TimeControl], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        build()


# Time left: worked examples --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("control", "moves", "left", "stones"),
    [
        (TimeControl.none(), (1e6, 1e6), math.inf, 0),
        (ABSOLUTE, (), 600, 0),
        (ABSOLUTE, (100, 200), 300, 0),
        (ABSOLUTE, (599.5, 0.5), 0, 0),
        # Canadian: the move that enters overtime is the period's first stone.
        (CANADIAN, (599,), 1, 0),
        (CANADIAN, (600,), 300, 24),
        (CANADIAN, (590, 20), 290, 24),
        (CANADIAN, (590, 20, *[10] * 23), 60, 1),
        (CANADIAN, (590, 20, *[10] * 23, 59), 300, 25),
        (CANADIAN, (590, 20, *[10] * 23, 60), 0, 1),
        (CANADIAN, (901,), 0, 25),
        (TimeControl.canadian(0, 300, 25), (), 300, 25),
        (TimeControl.canadian(60, 30, 1), (60, 29.9), 30, 1),
        # Byo-yomi: a period is lost when all of it is used, and made whole when not.
        (BYOYOMI, (599,), 1, 0),
        (BYOYOMI, (600,), 30, 5),
        (BYOYOMI, (629.9,), 30, 5),
        (BYOYOMI, (630,), 30, 4),
        (BYOYOMI, (600, 29.9, 29.9), 30, 5),
        (BYOYOMI, (600, 30, 59.9, 60), 30, 1),
        (BYOYOMI, (600, 149.9), 30, 1),
        (BYOYOMI, (600, 150), 0, 1),
        (BYOYOMI, (749.9,), 30, 1),
        (BYOYOMI, (750,), 0, 1),
        (TimeControl.byoyomi(0, 30, 5), (), 30, 5),
        # Fischer: the increment comes after the move, too late for a flag that fell.
        (FISCHER, (100,), 510, 0),
        (FISCHER, (0, 0), 620, 0),
        (FISCHER, (600,), 0, 0),
        (FISCHER, (600, 0), 0, 0),
        (TimeControl.fischer_capped(600, 10, 605, 60), (0,), 605, 0),
        (TimeControl.fischer_capped(600, 10, 605, 60), (60,), 550, 0),
        (TimeControl.fischer_capped(600, 10, 605, 60), (60.1,), 0, 0),
    ],
)
def test_clock_after_some_moves(
    control: TimeControl, moves: tuple[float, ...], left: float, stones: int
) -> None:
    clock = Clock.start(control)
    for elapsed in moves:
        clock = clock.after(elapsed)
    assert clock.left == pytest.approx(left)
    assert clock.overtime_count == stones


@pytest.mark.parametrize("elapsed", [-0.1, math.nan, math.inf])
def test_impossible_moves_are_refused(elapsed: float) -> None:
    with pytest.raises(ValueError, match="elapsed must be"):
        Clock.start(ABSOLUTE).after(elapsed)


@pytest.mark.parametrize(
    ("control", "message", "left", "stones"),
    [
        (ABSOLUTE, (250, 0), 250, 0),
        (ABSOLUTE, (250, 3), 250, 0),
        (ABSOLUTE, (-2, 0), 0, 0),
        (CANADIAN, (250, 0), 250, 0),
        (CANADIAN, (250, 3), 250, 3),
        (CANADIAN, (0, 0), 300, 25),
        (CANADIAN, (-2, 0), 300, 25),
        (BYOYOMI, (250, 0), 250, 0),
        (BYOYOMI, (25, 3), 25, 3),
        (BYOYOMI, (0, 0), 30, 5),
        (BYOYOMI, (0, 3), 30, 2),
        (FISCHER, (700, 0), 700, 0),
        (TimeControl.none(), (250, 0), 250, 0),
        (TimeControl.none(), (0.5, 0), 0.5, 0),
        (TimeControl.none(), (0, 0), math.inf, 0),
    ],
)
def test_gtp_time_left(
    control: TimeControl, message: tuple[float, int], left: float, stones: int
) -> None:
    clock = Clock.start(control).set_left(*message)
    assert (clock.left, clock.overtime_count) == (left, stones)


@pytest.mark.parametrize("message", [(math.nan, 0), (math.inf, 0), (-math.inf, 0), (30, -1)])
def test_impossible_messages_are_refused(message: tuple[float, int]) -> None:
    with pytest.raises(ValueError, match="left must be"):
        Clock.start(CANADIAN).set_left(*message)


# Properties --------------------------------------------------------------------------------------

seconds_ = st.floats(0.01, 1e5)
counts = st.integers(1, 50)
controls = st.one_of(
    st.builds(TimeControl.absolute, seconds_),
    st.builds(TimeControl.canadian, st.just(0.0) | seconds_, seconds_, counts),
    st.builds(TimeControl.byoyomi, st.just(0.0) | seconds_, seconds_, counts),
    st.builds(TimeControl.fischer, seconds_, seconds_),
    st.builds(lambda m, i, c, o: TimeControl.fischer_capped(m, i, m + c, o), *[seconds_] * 4),
)
clocks = st.builds(
    lambda control, left, stones: Clock.start(control).set_left(left, stones),
    controls,
    seconds_,
    st.integers(0, 50),
)


@given(clocks, st.floats(0, 1e6))
def test_time_left_restores_a_clock(clock: Clock, elapsed: float) -> None:
    clock = clock.after(elapsed)
    assume(not clock.expired)
    assert Clock.start(clock.control).set_left(clock.left, clock.overtime_count) == clock


@given(clocks, st.floats(0, 1e6), st.floats(0, 1e6))
def test_expired_clock_stays_expired(clock: Clock, elapsed: float, more: float) -> None:
    if clock.after(elapsed).expired:
        assert clock.after(elapsed + more).expired
        assert clock.after(elapsed).after(0).expired
