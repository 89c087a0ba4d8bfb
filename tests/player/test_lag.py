"""The move overhead, which is estimated from earlier responses."""

import random
from collections.abc import Callable

import pytest
from player.test_clock_games import SEEDS, delay

from pinchtp.base.clock import LAG_BUFFER, Clock, TimeControl
from pinchtp.games import Color
from pinchtp.gtp.engine import GtpEngine
from pinchtp.gtp.server import Server
from pinchtp.player.settings import Settings
from pinchtp.player.time_manager import MAX_DELAYS, MIN_LAG, LagEstimator, cap_lag, even_share

SHORT = Clock.start(TimeControl.absolute(1))
LONG = Clock.start(TimeControl.byoyomi(0, 30, 1))

Delay = Callable[[random.Random], float]


def after(*seconds: float) -> LagEstimator:
    lag_estimator = LagEstimator()
    for each in seconds:
        lag_estimator.record_delay(each)
    return lag_estimator


def test_initial_margin_fits_busy_machine() -> None:
    assert LagEstimator().lag(SHORT) == LAG_BUFFER
    assert LagEstimator().margin(10) == 0.02
    assert LagEstimator().margin(0.1) == pytest.approx(0.005)


def test_punctual_responses_shrink_margin() -> None:
    lags = [after(*[0.001] * count).lag(SHORT) for count in (1, 10, 100, 200)]
    assert lags == sorted(lags, reverse=True)
    assert lags[0] > 0.08
    assert lags[-1] == MIN_LAG
    assert after(*[0.001] * 200).margin(0.1) == pytest.approx(0.001)


def test_late_responses_raise_margin_immediately() -> None:
    assert after(*[0.001] * 200, 0.5).lag(SHORT) == pytest.approx(0.1)
    assert after(*[0.001] * 90, *[0.2] * 10).lag(SHORT) == pytest.approx(0.2)
    assert after(*[0.05] * 200).margin(0.2) == pytest.approx(0.05)
    assert after(*[0.05] * 200).margin(0.04) == pytest.approx(0.02)


def test_stall_does_not_raise_margin() -> None:
    """No margin would have helped a move of 1 s that was 2 s late."""
    move = Clock.start(TimeControl.canadian(0, 1, 1))
    assert after(*[0.001] * 400, 2.0).lag(move) == after(*[0.001] * 401).lag(move)
    assert after(*[0.001] * 400, 0.2).lag(move) == pytest.approx(0.04)


def test_suspend_does_not_raise_margin() -> None:
    """A suspend of 4 s does not count as lag of later moves."""
    clock = Clock.start(TimeControl.absolute(60))
    assert after(*[0.001] * 40, 4.0).lag(clock) == after(*[0.001] * 41).lag(clock)
    assert after(*[0.001] * 40, 0.5).lag(clock) == pytest.approx(0.1)
    long = Clock.start(TimeControl.absolute(1800))
    assert after(*[0.001] * 40, 4.0).lag(long) == pytest.approx(0.8)


def test_old_delays_are_forgotten() -> None:
    assert after(2.0, *[0.001] * MAX_DELAYS).lag(SHORT) == MIN_LAG


def test_long_moves_allow_large_margin() -> None:
    assert after(*[0.001] * 200).lag(LONG) == LAG_BUFFER


def test_output_delay_counts() -> None:
    lag_estimator = after(*[0.001] * 200)
    for _ in range(50):
        lag_estimator.record_transfer(0.03)
    assert lag_estimator.lag(SHORT) == pytest.approx(0.031)
    assert lag_estimator.margin(0.1) == pytest.approx(0.001)
    lag_estimator.record_transfer(60)
    lag_estimator.record_transfer(-1)
    assert lag_estimator.lag(SHORT) == pytest.approx(0.031)


# --- complete games


def quiet(rng: random.Random) -> float:
    return rng.uniform(0.0002, 0.002)


def busy_later(moves: int) -> Delay:
    """Returns delays of a machine that gets busy after some moves."""
    made = iter(range(10**9))

    def late(rng: random.Random) -> float:
        return quiet(rng) if next(made) < moves else delay(rng)

    return late


def play(control: TimeControl, moves: int, late: Delay, seed: int) -> tuple[Clock, list[float]]:
    """Plays without time_left; returns the controller's clock and the searches' seconds."""
    rng = random.Random(seed)
    lag_estimator = LagEstimator()
    clock = own = Clock.start(control)
    searches = []
    for left in range(moves, 0, -1):
        lag = lag_estimator.lag(own)
        search = even_share(own, left, lag)
        assert search is not None
        delayed = late(rng)
        lag_estimator.record_delay(delayed)
        searches.append(search)
        clock = clock.after(search + delayed)
        own = own.after(search + delayed + cap_lag(control, lag))
        if clock.expired:
            break
    return clock, searches


CONTROLS = [
    TimeControl.absolute(10),
    TimeControl.absolute(60),
    TimeControl.canadian(0, 30, 25),
    TimeControl.canadian(5, 10, 1),
    TimeControl.byoyomi(10, 1, 5),
    TimeControl.fischer(5, 0.3),
]


@pytest.mark.parametrize("late", [quiet, delay], ids=["quiet", "busy"])
@pytest.mark.parametrize("control", CONTROLS, ids=str)
def test_games_are_not_lost_on_time(control: TimeControl, late: Delay) -> None:
    for moves in (10, 60):
        for seed in range(4 * SEEDS):
            assert not play(control, moves, late, seed)[0].expired


@pytest.mark.parametrize("control", CONTROLS, ids=str)
def test_games_survive_busy_machine(control: TimeControl) -> None:
    for seed in range(4 * SEEDS):
        assert not play(control, 60, busy_later(30), seed)[0].expired


def test_little_time_is_unused_on_quiet_machine() -> None:
    _, searches = play(TimeControl.canadian(0, 0.2, 1), 300, quiet, 1)
    assert searches[0] < 0.1
    assert min(searches[150:]) > 0.17


# --- in the engine


def server(**settings: object) -> Server:
    made = Settings(visits=50)
    for name, value in settings.items():
        made.set(name, value)
    return Server(GtpEngine(made))


def server_after_a_move(time_settings: str, **settings: object) -> Server:
    """Returns a server whose next move is White's first."""
    made = server(**settings)
    for line in ["boardsize 5", f"time_settings {time_settings}", "play b c3"]:
        assert made.answer(line).ok
    return made


def timed(server: Server, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Makes White's next move take `seconds`."""
    now = [100.0]
    search = server.engine.player.search_reports

    def late(*arguments: object) -> object:
        yield from search(*arguments)  # type: ignore[arg-type]
        now[0] += seconds

    monkeypatch.setattr("pinchtp.player.time_manager.monotonic", lambda: now[0])
    monkeypatch.setattr(server.engine.player, "search_reports", late)


def test_engine_learns_from_its_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    made = server_after_a_move("0 1 1")
    timed(made, monkeypatch, 1.5)
    assert made.answer("genmove w").ok
    assert made.engine.time.lag_estimator.lag(SHORT) > 0.5


def test_engine_learns_from_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    for left, learned in (("8.25", True), ("8", False)):
        made = server_after_a_move("10 0 0")
        timed(made, monkeypatch, 1.0)
        assert made.answer("genmove w").ok
        assert made.answer(f"time_left w {left} 0").ok
        assert (made.engine.time.lag_estimator.lag(SHORT) > 0.5) == learned
        assert made.engine.session.clock(Color.WHITE).left == float(left)


def test_fixed_lag_does_not_change(monkeypatch: pytest.MonkeyPatch) -> None:
    made = server_after_a_move("10 0 0", lag=0.25)
    timed(made, monkeypatch, 3.0)
    assert made.answer("genmove w").ok
    assert made.engine.session.clock(Color.WHITE).left == pytest.approx(10 - 3 - 0.25)
