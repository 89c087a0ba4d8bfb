"""The clock: each time system by worked examples, then by properties, then in simulated games."""

import math
import os
import random
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pinchtp.base.allowance import LAG, allotment, fitting_lag
from pinchtp.base.clock import Clock, TimeControl

ABSOLUTE = TimeControl.absolute(600)
CANADIAN = TimeControl.canadian(600, 300, 25)
BYOYOMI = TimeControl.byoyomi(600, 30, 5)
FISCHER = TimeControl.fischer(600, 10)


# What was agreed ---------------------------------------------------------------------------------


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
        (lambda: TimeControl.fischer(60, -5), "increment must be"),
        (lambda: TimeControl.canadian(60, 30, 0), "these are 30 s, 0 stones and 0 periods"),
        (lambda: TimeControl.canadian(60, 0, 5), "longer than 0 s"),
        (lambda: TimeControl.canadian(60, -30, 5), "period must be"),
        (lambda: TimeControl.byoyomi(60, 30, 0), "at least 1"),
        (lambda: TimeControl.byoyomi(60, 30, -1), "periods must be"),
        (lambda: TimeControl.gtp(60, 30, -1), "stones must be"),
        (lambda: TimeControl.gtp(60, 0, -1), "stones must be"),
        (lambda: TimeControl.gtp(-60, 30, 0), "main time must be"),
        (lambda: TimeControl(60, 30, stones=5, periods=5), "overtime needs"),
        (lambda: TimeControl(60, 30, stones=5, increment=2), "without overtime"),
        (lambda: TimeControl(increment=2), "must come with main time"),
        (lambda: TimeControl(cap=60), "must come with main time"),
        (lambda: TimeControl(move_cap=60), "must come with main time"),
    ],
)
def test_impossible_controls_are_refused(build: Callable[[], TimeControl], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        build()


# What is left: worked examples -------------------------------------------------------------------


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
def test_after(control: TimeControl, moves: tuple[float, ...], left: float, stones: int) -> None:
    clock = Clock.start(control)
    for elapsed in moves:
        clock = clock.after(elapsed)
    assert clock.left == pytest.approx(left)
    assert clock.stones == stones


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
    assert (clock.left, clock.stones) == (left, stones)


@pytest.mark.parametrize("message", [(math.nan, 0), (math.inf, 0), (-math.inf, 0), (30, -1)])
def test_impossible_messages_are_refused(message: tuple[float, int]) -> None:
    with pytest.raises(ValueError, match="left must be"):
        Clock.start(CANADIAN).set_left(*message)


# What to spend: worked examples ------------------------------------------------------------------


def allotted(control: TimeControl, left: float, stones: int = 0, moves_left: float = 30) -> float:
    seconds = allotment(Clock.start(control).set_left(left, stones), moves_left)
    assert seconds is not None
    return seconds


def test_no_limit_has_no_allotment() -> None:
    assert allotment(Clock.start(TimeControl.none()), 30) is None


def test_byoyomi_uses_nearly_the_period_and_no_spare_ones() -> None:
    assert [allotted(BYOYOMI, 30, periods) for periods in (5, 2, 1)] == [30 - 5 * LAG] * 3
    assert allotted(TimeControl.byoyomi(0, 1, 3), 1, 3) == pytest.approx(0.5)


@pytest.mark.parametrize("period", [0.01, 0.1, 0.3])
def test_a_period_shorter_than_the_lag_is_searched_all_the_same(period: float) -> None:
    assert period / 5 < allotted(TimeControl.byoyomi(0, period, 1), period, 1) < period / 2
    assert period / 5 < allotted(TimeControl.canadian(0, period, 1), period, 1) < period / 2
    assert (
        period / 10 < allotted(TimeControl.canadian(0, 25 * period, 25), 25 * period, 25) < period
    )


def test_main_time_before_overtime_is_all_used() -> None:
    assert allotted(BYOYOMI, 600, moves_left=15) == pytest.approx(600 / 11, rel=0.1)
    assert allotted(BYOYOMI, 600, moves_left=300) == pytest.approx(30 - 5 * LAG)
    assert allotted(BYOYOMI, 10) == pytest.approx(10 + 30 - 9 * LAG)


def test_canadian_uses_its_period_evenly() -> None:
    assert allotted(CANADIAN, 300, 25) == pytest.approx(12, abs=0.2)
    assert allotted(CANADIAN, 12, 1) == pytest.approx(12 - 9 * LAG)


def test_more_than_a_period_is_main_time() -> None:
    # gtp2ogs to a player who has 1917 s of Fischer time and 20 s increment.
    assert allotted(TimeControl.canadian(1780, 20, 1), 1917, 1) == pytest.approx(110, abs=5)


def test_fischer_uses_its_increment_and_no_more_than_it_may() -> None:
    assert allotted(FISCHER, 600) == pytest.approx(10 + 600 / 21, rel=0.1)
    assert allotted(FISCHER, 11) == pytest.approx(11 - 9 * LAG)
    assert allotted(FISCHER, 5 * LAG) == 0
    capped = TimeControl.fischer_capped(600, 100, 600, 90)
    assert allotted(capped, 600, moves_left=1000) == pytest.approx(90 - 5 * LAG)


def test_nothing_left_is_played_at_once() -> None:
    assert allotted(ABSOLUTE, 0) == allotted(ABSOLUTE, 5 * LAG) == allotted(FISCHER, 0) == 0
    last = allotted(ABSOLUTE, 20 * LAG, moves_left=1)
    assert 0 < last < LAG * 10
    assert allotted(ABSOLUTE, 20 * LAG, moves_left=0.1) == last


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
estimates = st.floats(1, 500)
lags = st.floats(0.001, 5)


@given(clocks, st.floats(0, 1e6))
def test_time_left_tells_all_of_a_clock(clock: Clock, elapsed: float) -> None:
    clock = clock.after(elapsed)
    assume(not clock.expired)
    assert Clock.start(clock.control).set_left(clock.left, clock.stones) == clock


@given(clocks, st.floats(0, 1e6), st.floats(0, 1e6))
def test_who_is_slower_is_not_better_off(clock: Clock, elapsed: float, more: float) -> None:
    if clock.after(elapsed).expired:
        assert clock.after(elapsed + more).expired
        assert clock.after(elapsed).after(0).expired


@given(clocks, estimates, lags)
def test_an_allotment_with_its_lag_loses_nothing(clock: Clock, moves: float, lag: float) -> None:
    seconds = allotment(clock, moves, lag)
    assert seconds is not None
    assert seconds >= 0
    assume(seconds > 0)
    after = clock.after(seconds + fitting_lag(clock.control, lag))
    assert not after.expired
    if clock.control.periods:
        kept = (clock.stones,) if clock.stones else (0, clock.control.periods)
        assert after.stones in kept


@given(clocks, estimates, lags, st.sampled_from([0.25, 2.0, 64.0]))
def test_seconds_have_no_meaning_of_their_own(
    clock: Clock, moves: float, lag: float, unit: float
) -> None:
    seconds = allotment(clock, moves, lag)
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
    assert allotment(Clock(scaled, clock.left * unit, clock.stones), moves, lag * unit) == (
        pytest.approx(seconds * unit)
    )


# Whole games -------------------------------------------------------------------------------------

SEEDS = int(os.environ.get("CLOCK_SEEDS", "5"))
LENGTHS = (10, 40, 150, 300)
Estimate = Callable[[int, random.Random], float]
ESTIMATES: dict[str, Estimate] = {
    "right": lambda left, _: left,
    "too large": lambda left, _: 3 * left,
    "too small": lambda left, _: left / 3,
    "noisy": lambda left, rng: left * 3 ** rng.uniform(-1, 1),
}
HEARS = {"always": 1.0, "at times": 0.3, "never": 0.0}


@dataclass
class Game:
    """The controller's clock at the end (expired: lost), and the search time of each move."""

    clock: Clock
    searches: list[float]


def delay(rng: random.Random) -> float:
    """Mostly within the lag, one time in 32 up to four times as long."""
    return rng.uniform(0, LAG) if rng.randrange(32) else rng.uniform(LAG, 4 * LAG)


def play(control: TimeControl, moves: int, estimate: Estimate, hears: float, seed: int) -> Game:
    """A game of one player against a controller that counts its own delays too."""
    rng = random.Random(seed)
    game = Game(Clock.start(control), [])
    own = game.clock
    for left in range(moves, 0, -1):
        if rng.random() < hears:
            own = game.clock.set_left(math.floor(game.clock.left), game.clock.stones)
        search = allotment(own, max(1, estimate(left, rng)))
        assert search is not None
        overhead = rng.uniform(0, LAG / 10)
        game.searches.append(search)
        game.clock = game.clock.after(search + overhead + delay(rng))
        own = own.after(search + overhead + LAG)
        if game.clock.expired:
            break
    return game


def games(control: TimeControl, lengths: tuple[int, ...] = LENGTHS) -> list[Game]:
    return [
        play(control, moves, estimate, hears, seed)
        for moves in lengths
        for estimate in ESTIMATES.values()
        for hears in HEARS.values()
        for seed in range(SEEDS)
    ]


@pytest.mark.parametrize(
    ("system", "numbers"),
    [
        ("absolute", (60,)),
        ("absolute", (1800,)),
        ("canadian", (0, 30, 25)),
        ("canadian", (60, 60, 10)),
        ("canadian", (300, 300, 25)),
        ("canadian", (5, 10, 1)),
        ("byoyomi", (600, 30, 5)),
        ("byoyomi", (10, 1, 5)),
        ("byoyomi", (0, 5, 3)),
        ("fischer", (5, 0.3)),
        ("fischer", (60, 1)),
        ("fischer", (120, 0.05)),
        ("fischer_capped", (60, 5, 60, 10)),
    ],
)
def test_no_game_and_no_byoyomi_period_is_lost(system: str, numbers: tuple[float, ...]) -> None:
    control = getattr(TimeControl, system)(*numbers)
    for game in games(control):
        assert not game.clock.expired
        assert not control.periods or game.clock.stones in (0, control.periods)


@pytest.mark.parametrize(("main", "moves"), [(300, 60), (600, 60), (600, 150), (1800, 300)])
def test_share_of_sudden_death_that_is_used(main: float, moves: int) -> None:
    control = TimeControl.absolute(main)
    for name, estimate in ESTIMATES.items():
        played = [play(control, moves, estimate, 1.0, seed) for seed in range(SEEDS)]
        lost = sum(game.clock.expired for game in played)
        left = max(game.clock.left for game in played)
        late = min(sum(game.searches[moves // 2 :]) / sum(game.searches) for game in played)
        used = f"at least {1 - left / main:.1%} used, {late:.0%} of it in the second half"
        print(f"{main} s, {moves} moves, {name}: {used}, {lost} lost")
        assert lost == 0
        assert left <= 0.15 * main
        assert late >= (0.03 if name == "too small" else 0.15)


def test_fischer_lives_on_its_increment() -> None:
    control = TimeControl.fischer(60, 5)
    for game in games(control, (150,)):
        assert sum(game.searches) >= 150 * control.increment
        assert game.clock.left <= 30 + control.increment


def test_canadian_searches_are_even() -> None:
    for game in games(TimeControl.canadian(0, 300, 25), (150,)):
        assert game.searches == pytest.approx([12 - LAG] * 150, rel=0.2)
