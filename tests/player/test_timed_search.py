"""Timed searches: each stopping rule, then searches that end by the rules."""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from time import monotonic, sleep

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinchtp._core import PASS, Proof, Report
from pinchtp.games import GAMES
from pinchtp.games.session import Session
from pinchtp.player.player import PART_VISITS, Limits, Player
from pinchtp.player.settings import Settings
from pinchtp.player.time_manager import SearchTime
from pinchtp.player.timed_search import (
    SearchSnapshot,
    TimedSearch,
    is_forced,
    should_continue,
    time_limit,
)

CLOCK = SearchTime(1.0, 2.5, reusable=True)
PERIOD = SearchTime.fixed(1.0)

EVEN = SearchSnapshot(
    seconds=0.5,
    simulations=1000,
    rivals=5,
    leader=7,
    visits=400,
    winrate=0.5,
    lead=100,
    contested=False,
)


def snapshot(seconds: float = 0.5, **changes: object) -> SearchSnapshot:
    return replace(EVEN, seconds=seconds, simulations=int(2000 * seconds), **changes)  # type: ignore[arg-type]


# --- the rules


@pytest.mark.parametrize("allowed", [CLOCK, PERIOD, SearchTime()])
def test_open_choice_continues(allowed: SearchTime) -> None:
    assert should_continue(allowed, [snapshot()])


@pytest.mark.parametrize("allowed", [CLOCK, PERIOD, SearchTime()])
def test_single_move_stops(allowed: SearchTime) -> None:
    assert not should_continue(allowed, [snapshot(0.02, rivals=0)])


@pytest.mark.parametrize("allowed", [CLOCK, PERIOD])
def test_time_limit_stops(allowed: SearchTime) -> None:
    assert should_continue(allowed, [snapshot(0.99, lead=0)])
    assert not should_continue(allowed, [snapshot(1.0, lead=0)])


def test_safe_leader_stops() -> None:
    """1000 visits remain, and the next rival rarely gets 600 of them."""
    assert should_continue(CLOCK, [snapshot(lead=599)])
    assert not should_continue(CLOCK, [snapshot(lead=601)])


def test_contested_leader_needs_full_lead() -> None:
    """4000 visits remain until 2.5 s."""
    assert should_continue(CLOCK, [snapshot(lead=3999, contested=True)])
    assert not should_continue(CLOCK, [snapshot(lead=4001, contested=True)])


def test_unsavable_time_is_used_in_open_games() -> None:
    assert should_continue(PERIOD, [snapshot(lead=5000, winrate=0.9)])
    assert should_continue(PERIOD, [snapshot(lead=999, winrate=0.98)])
    assert not should_continue(PERIOD, [snapshot(lead=1001, winrate=0.98)])
    assert not should_continue(PERIOD, [snapshot(lead=1001, winrate=0.02)])


def test_earlier_visits_count() -> None:
    """Pondering has found a leader that this search cannot overtake."""
    assert not should_continue(CLOCK, [snapshot(0.02, visits=50_000, lead=40_000)])


def test_search_without_visits_continues() -> None:
    assert should_continue(CLOCK, [replace(EVEN, simulations=0, lead=10**6)])
    assert should_continue(CLOCK, [replace(EVEN, seconds=0.0, simulations=0, lead=10**6)])


UNCLEAR = {
    "contested": [snapshot(contested=True)],
    "a new leader": [snapshot(0.4, leader=8), snapshot(0.5)],
    "back and forth": [snapshot(0.3), snapshot(0.4, leader=8), snapshot(0.5)],
    "a fall": [snapshot(0.1, winrate=0.56), snapshot(0.5, winrate=0.5)],
    "a fall below an earlier winrate": [snapshot(0.0, winrate=0.56), snapshot(0.5, winrate=0.5)],
}
CLEAR = {
    "one snapshot": [snapshot()],
    "an old leader": [snapshot(0.2, leader=8), snapshot(0.5)],
    "a small fall": [snapshot(0.1, winrate=0.52), snapshot(0.5, winrate=0.5)],
    "a rise": [snapshot(0.1, winrate=0.4), snapshot(0.5, winrate=0.5)],
    "an early guess": [snapshot(0.1, winrate=0.9, visits=10), snapshot(0.5, winrate=0.5)],
}


@pytest.mark.parametrize("history", UNCLEAR.values(), ids=UNCLEAR)
def test_unclear_choice_takes_longer(history: list[SearchSnapshot]) -> None:
    assert time_limit(CLOCK, history) == 2.5
    assert time_limit(PERIOD, history) == 1.0
    late = [replace(each, seconds=4 * each.seconds) for each in history]
    assert should_continue(CLOCK, late)
    assert not should_continue(CLOCK, [replace(each, seconds=5 * each.seconds) for each in history])


@pytest.mark.parametrize("history", CLEAR.values(), ids=CLEAR)
def test_clear_choice_stops(history: list[SearchSnapshot]) -> None:
    assert time_limit(CLOCK, history) == 1.0
    assert not should_continue(CLOCK, [replace(each, seconds=4 * each.seconds) for each in history])


snapshots = st.builds(
    SearchSnapshot,
    seconds=st.floats(0.001, 10),
    simulations=st.integers(0, 10**6),
    rivals=st.integers(0, 300),
    leader=st.integers(0, 3),
    visits=st.integers(0, 10**6),
    winrate=st.floats(0, 1),
    lead=st.integers(-(10**6), 10**6),
    contested=st.booleans(),
)
search_times = st.builds(
    lambda optimum, more, reusable: SearchTime(optimum, optimum + more, reusable),
    st.floats(0, 5),
    st.floats(0, 5),
    st.booleans(),
)


@given(search_times, st.lists(snapshots, min_size=1))
def test_search_never_exceeds_maximum(allowed: SearchTime, history: list[SearchSnapshot]) -> None:
    history.sort(key=lambda each: each.seconds)
    assert time_limit(allowed, history) in (allowed.optimum, allowed.maximum)
    if history[-1].seconds >= allowed.maximum:
        assert not should_continue(allowed, history)


# --- searches


@dataclass
class Watch:
    """A constant timing. dues: planned end of each step. late: delay of each."""

    allowed: SearchTime
    elapsed: float = 0.0
    dues: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)

    def search_time(self) -> SearchTime:
        return self.allowed

    def record_step(self, due: float, late: float) -> None:
        assert due <= self.allowed.maximum + 1e-6
        self.dues.append(due)
        self.late.append(late)


def session(*moves: str, size: int = 5, game: str = "pinch") -> Session:
    made = Session(GAMES[game], size, size, **({"pie": False} if game == "pinch" else {}))
    for move in moves:
        made.play(made.to_move, *made.parse(move))
    return made


def player(**settings: object) -> Player:
    made = Settings(network="none", seed=1)
    for name, value in settings.items():
        made.set(name, value)
    return Player(made)


def reports(player: Player, session: Session, watch: Watch, **limits: object) -> Iterator[Report]:
    made = Limits(**limits)  # type: ignore[arg-type]
    return player.search_reports(session, made, 1e9, watch)


def seconds_of(player: Player, session: Session, watch: Watch, **limits: object) -> float:
    began = monotonic()
    assert len([*reports(player, session, watch, **limits)]) == 1
    return monotonic() - began


def test_open_position_uses_its_time() -> None:
    watch = Watch(SearchTime.fixed(0.5))
    assert seconds_of(player(), session(size=9), watch) >= 0.475
    assert len(watch.late) > 5


def test_single_move_is_immediate() -> None:
    made = session(size=9)
    only = made.position.legal_moves()[:1]
    watch = Watch(SearchTime.fixed(30))
    assert seconds_of(player(), made, watch, allowed=only) < 5


@pytest.mark.parametrize(("level", "visits"), [(20, 10**6), (19, None)])
def test_forced_turn_gets_few_visits(level: int, visits: int | None) -> None:
    made = session(size=9)
    only = made.position.legal_moves()[:1]
    watch = Watch(SearchTime.fixed(60))
    *_, report = reports(player(level=level), made, watch, visits=visits, allowed=only)
    assert report.visits == PART_VISITS
    analysis = player().search(made, Limits(visits=2 * PART_VISITS, allowed=only))
    assert analysis.visits == 2 * PART_VISITS


def test_known_leader_shortens_search() -> None:
    """After pondering, a step shows that no other move can lead. On a busy machine, the first
    steps may end without a simulation.
    """
    made = session(size=9)
    thinker = player(network="default")
    found = thinker.search(made, Limits(visits=20_000))
    watch = Watch(SearchTime(0.1, 0.1, reusable=True))
    *_, report = reports(thinker, made, watch)
    assert watch.dues[-1] < 0.1
    assert report.visits > found.visits
    assert report.choices[0].move == found.choices[0].move


def test_visits_are_exact_and_deterministic() -> None:
    """Steps and rules do not affect them."""
    found = []
    for _ in range(2):
        watch = Watch(SearchTime(60.0, 60.0))
        *_, report = reports(player(), session(size=9), watch, visits=3000)
        assert watch.late == []
        found.append([(each.move, each.visits) for each in report.choices])
        assert report.visits == 3000
    assert found[0] == found[1]
    plain = player().search(session(size=9), Limits(visits=3000))
    assert found[0] == [(each.move, each.visits) for each in plain.choices]


def test_steps_draw_different_random_numbers() -> None:
    made = session(size=9)
    first, second = (player().search(made, Limits(visits=500), step).choices for step in (0, 1))
    assert [each.visits for each in first] != [each.visits for each in second]


def test_interrupt_stops() -> None:
    made = session(size=9)
    began = monotonic()
    watch = Watch(SearchTime())
    assert seconds_of(player(), made, watch, should_stop=lambda: monotonic() > began + 0.2) < 5


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("visits", "seconds"), [(300, 60.0), (300, 0.3), (None, 0.3)])
def test_slowly_read_reports_end(game: str, visits: int | None, seconds: float) -> None:
    """Reading a report takes longer than the interval."""
    made = Session(GAMES[game], *GAMES[game].size)
    watch = Watch(SearchTime.fixed(seconds))
    searched = player(game=game).search_reports(made, Limits(visits=visits), 0.002, watch)
    for number, report in enumerate(searched):
        sleep(0.004)
        assert report.choices
        assert number < 1000


def test_reports_keep_interval() -> None:
    watch = Watch(SearchTime.fixed(2.0))
    shown = [*player().search_reports(session(size=9), Limits(), 0.1, watch)]
    assert 5 <= len(shown) <= 21
    visits = [report.visits for report in shown]
    assert visits == sorted(visits)


# --- multi-step moves


@pytest.mark.parametrize(("seconds", "first"), [(1.0, 0.98), (0.5, 0.48), (0.05, 0.0425)])
def test_first_step_leaves_time_for_others(
    seconds: float, first: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, captures = with_captures()
    known = player().search(made, Limits(visits=1000, allowed=captures))
    assert dues(monkeypatch, made, known, seconds)[-1] == pytest.approx(first)


def test_other_turns_use_all_time(monkeypatch: pytest.MonkeyPatch) -> None:
    made = session(size=9)
    known = player().search(made, Limits(visits=1000))
    assert dues(monkeypatch, made, known, 0.01) == [0.01]
    assert dues(monkeypatch, made, known, 0.5)[-1] == pytest.approx(0.5)
    steps = dues(monkeypatch, made, known, 2.0)
    assert steps[:3] == pytest.approx([0.04, 0.08, 0.12])
    assert steps[-1] == pytest.approx(2.0)
    assert dues(monkeypatch, made, known, 60)[0] == pytest.approx(0.1)


def test_time_before_the_search_is_deducted(monkeypatch: pytest.MonkeyPatch) -> None:
    made = session(size=9)
    known = player().search(made, Limits(visits=1000))
    assert dues(monkeypatch, made, known, 0.5, 0.4) == pytest.approx([0.42, 0.44, 0.46, 0.48, 0.5])
    watch = Watch(SearchTime.fixed(60), elapsed=60)
    assert seconds_of(player(), made, watch, visits=10**9) < 5


def dues(
    monkeypatch: pytest.MonkeyPatch,
    made: Session,
    known: Report,
    seconds: float,
    elapsed: float = 0.0,
) -> list[float]:
    """Returns the ends of the steps of a search without news or delays."""
    now = [0.0]
    monkeypatch.setattr("pinchtp.player.timed_search.monotonic", lambda: now[0])

    def think(seconds: float, number: int) -> tuple[Report, bool]:
        now[0] += seconds + 1e-9
        return known, False

    watch = Watch(SearchTime.fixed(seconds), elapsed)
    assert [*TimedSearch(think, watch, made.position, known).reports(math.inf)] == [known]
    return watch.dues


def test_visits_without_leader_do_not_stop() -> None:
    made = Session(GAMES["pinch"], 5, 5)
    report = player().search(made, Limits(visits=2000))
    leader = SearchSnapshot.of(report, 0.5, 0)
    assert leader.lead > 0
    assert SearchSnapshot.of(report, 0.5, 0, by_visits=False) == replace(leader, lead=0)


def test_forced_step_is_not_forced_turn() -> None:
    """One piece must capture, in one of several ways."""
    rng = random.Random(5001)
    game = GAMES["bushka"]
    position = game.start(*game.size)
    for _ in range(rng.randrange(4, 60)):
        position = position.play(rng.choice(position.legal_moves()))
    (origin,) = position.legal_moves()
    assert len(position.play(origin).legal_moves()) > 1
    thinker = Player(Settings(game="bushka", seed=1))
    began = monotonic()
    watch = Watch(SearchTime.fixed(0.2))
    *_, report = thinker.search_reports(Session.at(game, position), Limits(), math.inf, watch)
    assert report.choices[0].proof is Proof.UNKNOWN
    assert monotonic() - began > 0.15
    assert not is_forced(position)


def test_later_steps_use_remaining_time() -> None:
    made, captures = with_captures()
    first = player().search(made, Limits(visits=50_000, allowed=captures))
    for seconds in (0.0, -1.0, 0.02):
        thinker = player()
        before = monotonic()
        turn = thinker.complete_turn(made, first.choices[0], first.visits, seconds)
        assert monotonic() - before < 5
        made.play(made.to_move, *turn)
        made.undo()


def with_captures() -> tuple[Session, list[int]]:
    """Returns a position of Pinch with relocation, and moves that lift stones."""
    made = Session(GAMES["pinch-relocate"], 6, 6)
    for seed in range(1000):
        moves = [move for move in made.position.legal_moves() if move < PASS]
        captures = [move for move in moves if made.position.play(move).mid_turn]
        if len(captures) > 1:
            return made, captures
        made.play(made.to_move, moves[(7 * seed + 3) % len(moves)])
        if made.is_over:
            made.restart()
    raise AssertionError
