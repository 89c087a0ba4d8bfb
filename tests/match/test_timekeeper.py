"""Clocks of a match: when a flag falls, and the time sent to engines."""

import math

import pytest
from clients import PATIENCE
from duels import FILLER, PROGRAM, TWIN, game_plan, player, scheduled_game, seated
from hypothesis import given
from hypothesis import strategies as st

from pinchtp.base.clock import Clock, TimeControl
from pinchtp.client.time_settings import time_commands
from pinchtp.games import GAMES, Color
from pinchtp.match.plan import EngineConfig
from pinchtp.match.playing.engine import MatchEngine
from pinchtp.match.playing.game import play_game
from pinchtp.match.playing.referee import Timekeeper
from pinchtp.match.record import Termination

CAPPED = TimeControl.fischer_capped(60, 5, 90, 30)


# --- the flag


def spend(keeper: Timekeeper, seconds: float) -> bool:
    """Spends a complete turn; returns whether the flag has fallen."""
    has_fallen = keeper.spend_part(seconds)
    if not has_fallen:
        keeper.end_turn()
    return has_fallen


def flags(control: TimeControl, moves: list[float], lag: float = 0.0) -> list[bool]:
    keeper = Timekeeper(control, lag)
    return [spend(keeper, seconds) for seconds in moves]


@pytest.mark.parametrize(
    ("control", "moves"),
    [
        (TimeControl.absolute(10), [9.0, 0.9, 0.2]),
        (TimeControl.fischer(10, 1), [10.5]),
        (TimeControl.fischer(10, 1), [9.5, 1.4, 1.2]),
        (TimeControl.canadian(0, 10, 2), [9.0, 0.9, 9.9, 0.2]),
        (TimeControl.canadian(5, 10, 1), [4.9, 10.0, 10.1]),
        (TimeControl.byoyomi(0, 1, 3), [0.9] * 20 + [2.9, 0.9, 1.1]),
        (TimeControl.byoyomi(5, 1, 2), [7.1]),
        (CAPPED, [30.1]),
    ],
)
def test_flag_falls_when_time_is_over(control: TimeControl, moves: list[float]) -> None:
    assert flags(control, moves) == [False] * (len(moves) - 1) + [True]
    assert not any(flags(control, moves, lag=0.5))
    assert flags(control, [*moves[:-1], moves[-1] + 0.6], lag=0.5)[-1]


def test_main_time_margin_is_used_once() -> None:
    assert flags(TimeControl.absolute(1), [1.3, 0.3, 0.3, 0.3], lag=1.0) == [False] * 3 + [True]


def test_overtime_margin_renews_each_period() -> None:
    control = TimeControl.canadian(0, 1, 1)
    assert flags(control, [1.4] * 50, lag=0.5) == [False] * 50
    keeper = Timekeeper(TimeControl.canadian(0, 1, 2), 0.5)
    assert [spend(keeper, each) for each in (1.1, 0.4)] == [False, False]
    assert flags(TimeControl.canadian(0, 1, 9), [0.3] * 6, lag=0.5) == [False] * 5 + [True]
    assert flags(TimeControl.canadian(0.5, 1, 9), [0.9] * 3, lag=0.5)[-1]


def test_without_a_limit_no_flag_falls() -> None:
    keeper = Timekeeper(TimeControl.none(), 0.0)
    assert keeper.seconds == math.inf
    assert not spend(keeper, 1e6)


CONTROLS = st.one_of(
    st.builds(TimeControl.absolute, st.floats(0.01, 100)),
    st.builds(TimeControl.fischer, st.floats(0.01, 100), st.floats(0, 10)),
    st.builds(TimeControl.canadian, st.floats(0, 100), st.floats(0.01, 10), st.integers(1, 5)),
    st.builds(TimeControl.byoyomi, st.floats(0, 100), st.floats(0.01, 10), st.integers(1, 5)),
)


@given(CONTROLS, st.lists(st.floats(0, 20), max_size=20), st.floats(0, 2))
def test_seconds_left_end_at_the_flag(control: TimeControl, moves: list[float], lag: float) -> None:
    keeper = Timekeeper(control, lag)
    for seconds in moves:
        limit = keeper.seconds
        fallen = spend(keeper, seconds)
        if abs(seconds - limit) > 1e-6:
            assert fallen == (seconds > limit)
        if fallen:
            return


@given(CONTROLS, st.lists(st.floats(0, 5), max_size=30), st.floats(0, 2))
def test_overrun_never_exceeds_lag(control: TimeControl, moves: list[float], lag: float) -> None:
    """Without overtime the time spent is bounded by the control and one lag."""
    if control.period:
        return
    keeper = Timekeeper(control, lag)
    spent = 0.0
    for made, seconds in enumerate(moves):
        if spend(keeper, seconds):
            return
        spent += seconds
        assert spent <= (control.main or 0) + made * control.increment + lag + 1e-6


@given(
    CONTROLS | st.just(CAPPED),
    st.lists(st.lists(st.floats(0, 8), min_size=1, max_size=4), max_size=10),
    st.floats(0, 2),
)
def test_turn_in_steps_is_charged_as_one(
    control: TimeControl, turns: list[list[float]], lag: float
) -> None:
    whole, parted = Timekeeper(control, lag), Timekeeper(control, lag)
    for turn in turns:
        if abs(sum(turn) - whole.seconds) < 1e-6:
            return
        fallen = spend(whole, sum(turn))
        for part in turn:
            limit = parted.seconds
            assert parted.clock.left > 0
            if parted.spend_part(part):
                assert fallen
                return
            assert parted.seconds == pytest.approx(limit - part, abs=1e-9)
        assert not fallen
        parted.end_turn()
        assert parted.seconds == pytest.approx(whole.seconds, abs=1e-6)
        assert parted.clock.left == pytest.approx(whole.clock.left, abs=1e-6)


@pytest.mark.parametrize(
    ("control", "left"),
    [
        (TimeControl.canadian(0, 10, 1), (7.0, 1)),
        (TimeControl.canadian(0, 10, 3), (7.0, 3)),
        (TimeControl.byoyomi(2, 5, 3), (4.0, 3)),
        (TimeControl.fischer(10, 5), (7.0, 0)),
        (TimeControl.absolute(10), (7.0, 0)),
        (TimeControl.fischer_capped(60, 5, 90, 10), (7.0, 0)),
    ],
    ids=str,
)
def test_clock_within_turn_is_remaining_time(control: TimeControl, left: tuple[float, int]) -> None:
    keeper = Timekeeper(control, 0.0)
    assert not keeper.spend_part(3.0)
    assert (keeper.clock.left, keeper.clock.overtime_count) == left


def test_steps_share_the_time_of_their_turn() -> None:
    """Bushka moves have steps; each engine is sent the time left for its turn."""
    command = f"{PROGRAM} --game bushka --move-parts --visits 20"
    spec = EngineConfig("parts", command, time=TimeControl.canadian(0, 5, 1))
    given = game_plan(10, game="bushka", move_cap=80)
    with seated(spec, spec) as (black, white):
        record = play_game(scheduled_game(spec, spec), given, black, white)
        left = {
            color: [float(line.split()[2]) for line in sent(engine, "time_left")]
            for color, engine in zip(Color, (black, white), strict=True)
        }
    notation = GAMES["bushka"].notation
    position = GAMES["bushka"].start(10, 10)
    steps = []
    for move in record.moves:
        moves = notation.parse(move.text, position)
        steps.append(len(moves))
        told = [left[move.color].pop(0) for _ in moves]
        assert told[0] == 5
        assert sorted(told, reverse=True) == told
        assert 5 - told[-1] < move.seconds + 0.002
        for step in moves:
            position = position.play(step)
    assert max(steps) > 1


# --- time commands


@given(CONTROLS.filter(lambda control: control.main is not None), st.floats(0, 20))
def test_time_commands_never_exceed_clock(control: TimeControl, spent: float) -> None:
    keeper = Timekeeper(control, 0.0)
    if spend(keeper, spent):
        return
    for way in time_commands(control):
        seconds, stones = way.left(keeper.clock)
        sent_clock = Clock.start(_meant(way.command)).set_left(seconds, stones)
        assert Timekeeper(control, 0.0).seconds >= 0
        limit = Timekeeper(sent_clock.control, 0.0)
        limit.clock = limit._before = sent_clock
        assert limit.seconds <= keeper.seconds + 1e-6


def _meant(words: tuple[str | float, ...]) -> TimeControl:
    name, *rest = words
    if name == "time_settings":
        main, period, stones = map(float, rest)
        return TimeControl.gtp(main, period, int(stones))
    system, *numbers = rest
    if system == "byoyomi":
        return TimeControl.byoyomi(float(numbers[0]), float(numbers[1]), int(numbers[2]))
    return TimeControl.fischer(float(numbers[0]), float(numbers[1]))


def sent(controller: MatchEngine, *names: str) -> list[str]:
    """The commands of these names that an engine was sent in its latest game."""
    lines = [line[2:] for line in controller.transcript.lines() if line.startswith("> ")]
    return [line for line in lines if line.split()[0] in names]


def test_engines_get_time_commands_they_support() -> None:
    plain, whole = player("FixedOrder", 3), player("WholeSeconds", 5)
    control = TimeControl.byoyomi(20, 7.5, 3)
    with seated(plain, whole) as (black, white):
        for _ in range(2):
            record = play_game(scheduled_game(plain, whole), game_plan(time=control), black, white)
            assert record.termination is Termination.RULES
        settings = ("time_settings", "kgs-time_settings", "kata-time_settings")
        assert sent(black, *settings) == ["time_settings 20 7.5 1"]
        assert sent(white, *settings) == ["time_settings 20 7 1"]  # the fraction was refused before
        left = sent(black, "time_left")
        assert left[0] == "time_left b 20 0"
        assert len(left) == len([move for move in record.moves if move.color == Color.BLACK])
        assert all(10 < float(line.split()[2]) < 20 for line in left[1:])
        first, *others = sent(white, "time_left")
        assert first == "time_left w 20 0"
        assert set(others) <= {f"time_left w {seconds} 0" for seconds in range(10, 20)}


def test_fractional_time_is_not_rounded_to_zero() -> None:
    whole = player("WholeSeconds", 5)
    with seated(FILLER, whole) as (black, white):
        control = TimeControl.canadian(0, 0.5, 1)
        play_game(
            scheduled_game(FILLER, whole), game_plan(time=control, lag=PATIENCE), black, white
        )
        assert sent(white, "time_settings", "time_left") == ["time_settings 0 0.5 1"]


def test_engines_that_take_no_clock_play_without() -> None:
    deaf = player("RefusesTime")
    with seated(deaf, TWIN) as (black, white):
        control = TimeControl.absolute(20)
        record = play_game(scheduled_game(deaf, TWIN), game_plan(time=control), black, white)
        assert record.termination is Termination.RULES
        assert sent(black, "time_settings") == ["time_settings 20 0 0"]
        assert sent(black, "time_left") == []
        assert sent(white, "time_left")


def test_engines_without_a_clock_get_no_time_commands() -> None:
    with seated(FILLER, TWIN) as (black, white):
        play_game(scheduled_game(FILLER, TWIN), game_plan(), black, white)
        for engine in (black, white):
            assert sent(engine, "time_settings", "time_left") == []
