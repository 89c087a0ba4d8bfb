"""Search times in complete games: no loss on time, and little unused time."""

import math
import os
import random
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from pinchtp.base.clock import LAG_BUFFER, Clock, TimeControl
from pinchtp.player.time_manager import even_share, search_time

SEEDS = int(os.environ.get("CLOCK_SEEDS", "5"))
LENGTHS = (10, 40, 150, 300)
Estimate = Callable[[int, random.Random], float]
ESTIMATES: dict[str, Estimate] = {
    "right": lambda left, _: left,
    "too large": lambda left, _: 3 * left,
    "too small": lambda left, _: left / 3,
    "noisy": lambda left, rng: left * 3 ** rng.uniform(-1, 1),
}
REPORTED = {"always": 1.0, "at times": 0.3, "never": 0.0}


@dataclass
class Game:
    """The controller's clock at the end, and the search time of each move."""

    clock: Clock
    searches: list[float]


def delay(rng: random.Random) -> float:
    """Returns a delay, usually within the lag, one time in 32 up to four times as long."""
    return (
        rng.uniform(0, LAG_BUFFER) if rng.randrange(32) else rng.uniform(LAG_BUFFER, 4 * LAG_BUFFER)
    )


def play(control: TimeControl, moves: int, estimate: Estimate, reported: float, seed: int) -> Game:
    """Plays one side of a game against a controller that counts its own delays, too."""
    rng = random.Random(seed)
    game = Game(Clock.start(control), [])
    own = game.clock
    for left in range(moves, 0, -1):
        if rng.random() < reported:
            own = game.clock.set_left(math.floor(game.clock.left), game.clock.overtime_count)
        search = even_share(own, max(1, estimate(left, rng)))
        assert search is not None
        overhead = rng.uniform(0, LAG_BUFFER / 10)
        game.searches.append(search)
        game.clock = game.clock.after(search + overhead + delay(rng))
        own = own.after(search + overhead + LAG_BUFFER)
        if game.clock.expired:
            break
    return game


def games(control: TimeControl, lengths: tuple[int, ...] = LENGTHS) -> list[Game]:
    return [
        play(control, moves, estimate, reported, seed)
        for moves in lengths
        for estimate in ESTIMATES.values()
        for reported in REPORTED.values()
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
def test_games_and_periods_are_not_lost(system: str, numbers: tuple[float, ...]) -> None:
    control = getattr(TimeControl, system)(*numbers)
    for game in games(control):
        assert not game.clock.expired
        assert not control.periods or game.clock.overtime_count in (0, control.periods)


@pytest.mark.parametrize(("main", "moves"), [(300, 60), (600, 60), (600, 150), (1800, 300)])
def test_used_share_of_sudden_death(main: float, moves: int) -> None:
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


def test_fischer_uses_its_increment() -> None:
    control = TimeControl.fischer(60, 5)
    for game in games(control, (150,)):
        assert sum(game.searches) >= 150 * control.increment
        assert game.clock.left <= 30 + control.increment


def test_canadian_times_are_even() -> None:
    for game in games(TimeControl.canadian(0, 300, 25), (150,)):
        assert game.searches == pytest.approx([12 - LAG_BUFFER] * 150, rel=0.2)


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


@pytest.mark.parametrize("reported", [True, False], ids=["time_left", "alone"])
@pytest.mark.parametrize("control", SYSTEMS, ids=str)
def test_unclear_games_are_not_lost(control: TimeControl, reported: bool) -> None:
    """Every move takes its maximum or optimum time, and some are late."""
    for moves in (10, 40, 150):
        for seed in range(4 * SEEDS):
            rng = random.Random(seed)
            clock = own = Clock.start(control)
            for left in range(moves, 0, -1):
                allowed = search_time(own, left * 3 ** rng.uniform(-1, 1))
                search = allowed.maximum if rng.random() < 0.8 else allowed.optimum
                clock = clock.after(search + delay(rng))
                own = clock if reported else own.after(search + LAG_BUFFER)
                assert not clock.expired
