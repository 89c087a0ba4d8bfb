"""The engine's time per move: limits, charges and the estimated lag."""

import math
import random
from collections.abc import Callable

import pytest
from player.test_clock_games import SEEDS
from player.test_timed_search import with_captures

from pinchtp._core import Report
from pinchtp.base.clock import Clock, TimeControl
from pinchtp.games import GAMES, Color
from pinchtp.games.session import Session
from pinchtp.player.player import Limits, Player
from pinchtp.player.settings import Settings
from pinchtp.player.time_manager import (
    MIN_MARGIN,
    LagEstimator,
    SearchTime,
    TimeManager,
    search_time,
)
from pinchtp.player.timed_search import TimedSearch

Wait = Callable[[float], None]


@pytest.fixture
def wait(monkeypatch: pytest.MonkeyPatch) -> Wait:
    """Returns a function that advances the clock, which is otherwise stopped."""
    now = [100.0]
    monkeypatch.setattr("pinchtp.player.time_manager.monotonic", lambda: now[0])

    def wait(seconds: float) -> None:
        now[0] += seconds

    return wait


def started(control: TimeControl | None = None, **settings: object) -> tuple[TimeManager, Session]:
    made = Settings()
    for name, value in settings.items():
        made.set(name, value)
    session = Session(GAMES["pinch"], 5, 5)
    if control is not None:
        session.set_time(control)
    time = TimeManager(made)
    time.begin(session, Color.BLACK)
    return time, session


def in_time(time: TimeManager, steps: int = 100) -> TimeManager:
    for _ in range(steps):
        time.record_step(0.02, 0.0005)
    return time


def test_opponents_time_left_keeps_own(wait: Wait) -> None:
    time, session = started(TimeControl.absolute(100))
    wait(1.0)
    session.play(Color.BLACK, *session.parse("c3"))
    time.stop_clock(session, Color.BLACK, parts=1)
    left = session.clock(Color.BLACK).left
    known = time.lag_estimator.lag(session.clock(Color.BLACK))
    time.set_left(session, Color.WHITE, 99.5, 0)
    time.set_left(session, Color.BLACK, left - 3.25, 0)
    assert time.lag_estimator.lag(session.clock(Color.BLACK)) > known + 1


def test_turn_begun_elsewhere_has_full_time(wait: Wait) -> None:
    time = in_time(TimeManager(Settings(time=2.0)))
    session, [capture, *_] = with_captures()
    color = session.to_move
    time.begin(session, color)
    full = time.search_time().maximum
    wait(1.9)
    session.play(color, capture)
    while session.position.mid_turn:
        session.play(color, session.position.legal_moves()[0])
    time.stop_clock(session, color, parts=2)
    session, [capture, *_] = with_captures()
    session.play(color, capture)
    time.begin(session, color)
    assert time.search_time().maximum == pytest.approx(full, abs=0.01)


# --- limits of a move


def test_time_per_move_without_clock(wait: Wait) -> None:
    assert started()[0].search_time() == SearchTime.fixed(0.98)
    assert in_time(started(time=3)[0]).search_time() == SearchTime.fixed(3 - MIN_MARGIN)
    assert started(visits=100)[0].search_time() == SearchTime()


def test_clock_limits_time(wait: Wait) -> None:
    control = TimeControl.fischer(60, 0.5)
    time, session = started(control, time=3)
    assert time.search_time() == search_time(Clock.start(control), session.moves_left(), 0.1)


def test_punctual_steps_raise_time(wait: Wait) -> None:
    """The first move of a program starts with a cautious lag, which shrinks soon."""
    time, _ = started(TimeControl.canadian(0, 1, 1))
    assert time.search_time().maximum == pytest.approx(0.5)
    grown = [in_time(time, 10).search_time().maximum for _ in range(5)]
    assert grown == sorted(grown)
    assert grown[-1] >= 0.95


def test_late_steps_reduce_time(wait: Wait) -> None:
    time = in_time(started(TimeControl.canadian(0, 1, 1))[0])
    before = time.search_time().maximum
    time.record_step(0.5, 0.1)
    assert time.search_time().maximum < before - 0.05


@pytest.mark.parametrize("period", [0.1, 0.2, 1, 2, 5, 10, 30])
def test_punctual_responses_use_fixed_time(period: float) -> None:
    lag_estimator = LagEstimator()
    for _ in range(100):
        lag_estimator.record_delay(0.0009)
    clock = Clock.start(TimeControl.canadian(0, period, 1))
    assert search_time(clock, 20, lag_estimator.lag(clock)).optimum >= 0.95 * period
    assert period - lag_estimator.margin(period) >= 0.95 * period


# --- charges


def test_used_time_is_charged_with_lag(wait: Wait) -> None:
    time, session = started(TimeControl.absolute(60), lag=0.25)
    wait(3)
    assert time.elapsed == 3
    session.play(Color.BLACK, *session.parse("c3"))
    time.stop_clock(session, Color.BLACK, parts=1)
    assert session.clock(Color.BLACK).left == pytest.approx(60 - 3.25)
    assert session.clock(Color.WHITE).left == 60


def test_remaining_time_of_move(wait: Wait) -> None:
    time, _ = started(time=3)
    in_time(time)
    wait(1)
    assert time.left == pytest.approx(2 - MIN_MARGIN)
    wait(5)
    assert time.left < 0


def test_finished_search_is_not_late(wait: Wait) -> None:
    time, session = started(TimeControl.absolute(60))
    in_time(time, 500)
    time.begin(session, Color.BLACK)
    wait(0.5)
    time.stop_clock(session, Color.BLACK, parts=1)
    assert time.lag_estimator.lag(session.clock(Color.BLACK)) < 0.1


def test_response_after_deadline_is_late(wait: Wait) -> None:
    time, session = started(TimeControl.absolute(60))
    in_time(time, 500)
    time.begin(session, Color.BLACK)
    time.record_step(1.0, 0.0)
    wait(1.5)
    time.stop_clock(session, Color.BLACK, parts=1)
    assert time.lag_estimator.lag(session.clock(Color.BLACK)) == pytest.approx(0.1)


@pytest.mark.parametrize("control", [None, TimeControl.canadian(0, 2, 1)], ids=["fixed", "clock"])
def test_steps_of_turn_share_time(control: TimeControl | None, wait: Wait) -> None:
    made, [capture, *_] = with_captures()
    if control is not None:
        made.set_time(control)
    time = in_time(TimeManager(Settings(time=2.0, lag=0.001)))
    color = made.to_move
    time.begin(made, color)
    full = time.search_time().maximum
    assert full > 1.9
    wait(1.5)
    made.play(color, capture)
    time.stop_clock(made, color, parts=1)
    assert made.position.mid_turn
    time.begin(made, color)
    assert time.search_time().maximum == pytest.approx(full - 1.5, abs=0.01)
    wait(0.5)
    while made.position.mid_turn:
        made.play(color, made.position.legal_moves()[0])
    time.stop_clock(made, color, parts=1)
    time.begin(made, made.to_move)
    assert time.search_time().maximum == full


# --- complete games with late steps and responses


def quiet(rng: random.Random) -> float:
    return rng.uniform(0.0001, 0.002)


def busy(rng: random.Random) -> float:
    """Returns the delay on a machine with several busy programs per core."""
    return rng.expovariate(1 / 0.006) if rng.randrange(200) else rng.uniform(0.03, 0.1)


def overslept(rng: random.Random) -> float:
    """Returns the delay on a quiet machine with occasional stalls."""
    return quiet(rng) if rng.randrange(300) else rng.uniform(0.05, 0.3)


SYSTEMS = [
    TimeControl.absolute(10),
    TimeControl.absolute(60),
    TimeControl.fischer(6, 0.05),
    TimeControl.canadian(0, 30, 25),
    TimeControl.canadian(0, 10, 1),
    TimeControl.byoyomi(5, 1, 5),
]


@pytest.mark.parametrize("reported", [True, False], ids=["time_left", "alone"])
@pytest.mark.parametrize("late", [quiet, busy, overslept])
@pytest.mark.parametrize("control", SYSTEMS, ids=str)
def test_clocks_do_not_expire(
    control: TimeControl,
    late: Callable[[random.Random], float],
    reported: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for seed in range(math.ceil(SEEDS / 5)):
        game = Game(control, monkeypatch, late, random.Random(seed))
        for _ in range(25):
            game.move(reported=reported)
            assert not game.clock.expired


@pytest.mark.parametrize("seconds", [0.2, 1, 5])
def test_used_share_of_fixed_time(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """After some moves, on a quiet machine, the search takes 95 %."""
    game = Game(TimeControl.canadian(0, seconds, 1), monkeypatch, quiet, random.Random(1))
    took = [game.move(reported=True) for _ in range(40)]
    assert max(took) < seconds
    assert min(took[20:]) >= 0.93 * seconds
    assert sum(took[20:]) >= 0.95 * 20 * seconds


class Game:
    """The moves of one player in a constant open position, on a controller's clock.

    late: delays of search steps and responses in seconds.
    """

    def __init__(
        self,
        control: TimeControl,
        monkeypatch: pytest.MonkeyPatch,
        late: Callable[[random.Random], float],
        rng: random.Random,
    ) -> None:
        self.clock = Clock.start(control)
        self._late = late
        self._rng = rng
        self._now = 0.0
        for module in ("player.time_manager", "player.timed_search"):
            monkeypatch.setattr(f"pinchtp.{module}.monotonic", lambda: self._now)
        self._time, self._session = started(control)
        thinker = Player(Settings(network="none", seed=1))
        self._report = thinker.search(self._session, Limits(visits=1000))

    def move(self, *, reported: bool) -> float:
        """Plays a move; returns its seconds on the controller's clock."""
        began = self._now
        if reported:
            left = self.clock.left
            stones = self.clock.overtime_count
            self._time.set_left(self._session, Color.BLACK, left, stones)
        self._time.begin(self._session, Color.BLACK)
        search = TimedSearch(self._think, self._time, self._session.position, self._report)
        assert [*search.reports(math.inf)]
        self._time.stop_clock(self._session, Color.BLACK, parts=1)
        self._now += quiet(self._rng)
        took = self._now - began
        self.clock = self.clock.after(took)
        return took

    def _think(self, seconds: float, number: int) -> tuple[Report, bool]:
        self._now += seconds + self._late(self._rng)
        return self._report, False
