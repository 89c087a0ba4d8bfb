"""The match around the games: schedule, replays, and the assignment of workers."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from time import monotonic
from unittest.mock import patch

import pytest
from match_records import record
from msgspec import structs

from pinchtp.games import Color
from pinchtp.match.plan import EngineConfig, MatchPlan
from pinchtp.match.playing.preflight import Preflight
from pinchtp.match.playing.worker import GameOutcome, LostGame
from pinchtp.match.progress import progress
from pinchtp.match.record import (
    DRAW,
    EngineIdentity,
    GameRecord,
    ScheduledGame,
    Termination,
    Violation,
    Winner,
)
from pinchtp.match.results.sprt import Sprt, SprtVerdict
from pinchtp.match.results.stats import MatchStats
from pinchtp.match.results.store import IN_MEMORY, MatchStore
from pinchtp.match.runner import TRIES, Runner, Schedule, stored_result

ENGINES = (EngineConfig("one", "./one"), EngineConfig("two", "./two"))
PLAN = MatchPlan(ENGINES, games=10)

Play = Callable[[ScheduledGame], GameOutcome]


class MadeUp:
    """A pool that makes results up, three games at a time."""

    note = warning = ""
    is_waiting = False

    def __init__(self, play: Play) -> None:
        self.play = play
        self.started: list[ScheduledGame] = []
        self.waiting: list[ScheduledGame] = []

    def check_engines(self) -> Mapping[str, Preflight]:
        return {}

    def free(self) -> int:
        return 3 - len(self.waiting)

    def start(self, task: ScheduledGame) -> None:
        self.started.append(task)
        self.waiting.append(task)

    def wait(self, timeout: float) -> list[GameOutcome]:
        return [self.play(self.waiting.pop())]  # the game started last ends first

    def close(self) -> None: ...


def result(
    task: ScheduledGame, winner: Winner | None = Color.BLACK, **details: object
) -> GameRecord:
    return structs.replace(record(0, task.black, task.white, winner, **details), game=task)


STORES = ExitStack()  # of the matches of a test


@pytest.fixture(autouse=True)
def closed_stores() -> Iterator[None]:
    with STORES:
        yield


def finish(
    plan: MatchPlan, play: Play, store: MatchStore | None = None
) -> tuple[Runner, MadeUp, str]:
    """Plays a match; returns its output too."""
    said: list[str] = []
    pool = MadeUp(play)
    store = store or STORES.enter_context(MatchStore.begin(IN_MEMORY, plan))
    runner = Runner(plan, store, said.append)
    runner.run(pool)
    return runner, pool, "\n".join(said)


def test_time_without_workers_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MadeUp, "is_waiting", True)
    runner, pool, _ = finish(PLAN, result)
    passed = monotonic() - runner.began
    assert 0 < runner.waited < passed
    runner.total = 20
    runner.began -= 1000
    runner.waited = 990.0
    assert re.search("about 0:1[0-9] left", progress(runner, pool))


def test_every_game_is_played_once() -> None:
    runner, pool, said = finish(PLAN, result)
    assert sorted(task.number for task in pool.started) == list(range(10))
    assert [game.key for game in pool.started[:3]] == [game.key for game in Schedule(PLAN)][:3]
    assert [game.display_number for game in pool.started] == list(range(1, 11))
    found = runner.result(with_records=True)
    assert (found.is_complete, found.unplayed, found.report.games) == (True, 0, 10)
    assert len(found.records) == 10
    assert (runner.running, said) == (0, "")


def test_match_resumes_where_it_stopped() -> None:
    with MatchStore.begin(IN_MEMORY, PLAN) as store:
        first = Runner(PLAN, store, print)
        pool = MadeUp(result)
        first.run(pool, should_stop=lambda: first.played == 4)
        assert (first.summary.games, first.running) == (4, 2)
        second, pool, _ = finish(PLAN, result, store)
        assert len(pool.started) == 6
        assert {t.number for t in pool.started} == set(range(10)) - {
            r.game.number for r in list(store.records())[:4]
        }
        assert second.summary.games == 10
        again, pool, _ = finish(PLAN, result, store)
        assert pool.started == []
        assert again.result() == second.result() == stored_result(store)


def test_void_game_is_replayed_and_stored() -> None:
    def play(task: ScheduledGame) -> GameOutcome:
        if task.number == 3 and task.attempt < 2:
            return result(task, None, termination=Termination.DISAGREED, detail="they disagree")
        return result(task)

    runner, pool, said = finish(PLAN, play)
    assert Counter(task.number for task in pool.started)[3] == 3
    found = runner.result(with_records=True)
    assert [r.game.attempt for r in found.records if r.game.number == 3] == [0, 1, 2]
    assert found.is_complete
    assert (found.report.games, found.report.void) == (10, 2)
    assert said.count("they disagree") == 2


def test_void_game_is_given_up_until_resumed() -> None:
    def play(task: ScheduledGame) -> GameOutcome:
        return result(
            task, None if task.number == 3 else Color.WHITE, termination=Termination.DISAGREED
        )

    with MatchStore.begin(IN_MEMORY, PLAN) as store:
        runner, pool, said = finish(PLAN, play, store)
        assert f"game 4 is skipped after {TRIES} attempts" in said
        assert (runner.result().unplayed, runner.result().is_complete) == (1, False)
        runner, pool, _ = finish(PLAN, play, store)
        assert [task.attempt for task in pool.started] == list(range(TRIES, 2 * TRIES))


def test_match_resumes_without_one_of_its_void_attempts() -> None:
    """A repair did not save the first attempt."""
    game = next(iter(Schedule(PLAN)))
    with MatchStore.begin(IN_MEMORY, PLAN) as store:
        for attempt in (1, 2):
            again = structs.replace(game, attempt=attempt, display_number=1)
            store.add(result(again, None, termination=Termination.DIED))
        _, pool, _ = finish(PLAN, result, store)
        assert pool.started[0].attempt == 3


def test_game_of_a_lost_worker_is_replayed() -> None:
    losses = Counter[int]()

    def play(task: ScheduledGame) -> GameOutcome:
        losses[task.number] += 1
        lost = task.number in (0, 1) and losses[task.number] == 1
        return LostGame(task, "its worker ended") if lost else result(task)

    runner, pool, said = finish(PLAN, play)
    assert len(pool.started) == 12
    assert all(task.attempt == 0 for task in pool.started)
    assert runner.result().is_complete
    assert said.count("its worker ended") == 2


def failing(name: str, termination: Termination = Termination.DIED, winner: bool = True) -> Play:
    """Returns a player of games that one engine fails in."""

    def play(task: ScheduledGame) -> GameOutcome:
        failed = next((color for color in Color if task.player(color) == name), None)
        if failed is None:
            return result(task)
        other = failed.opponent
        detail = f"{name} ({failed}) broke"
        return result(
            task, other if winner else None, termination=termination, failed=failed, detail=detail
        )

    return play


@pytest.mark.parametrize("winner", [True, False], ids=["lost", "void"])
def test_repeatedly_failing_engine_is_disabled(winner: bool) -> None:
    plan = MatchPlan((*ENGINES, EngineConfig("bad", "./bad")), games=20, withdraw=4)
    runner, pool, said = finish(plan, failing("bad", winner=winner))
    found = runner.result()
    assert list(found.disabled) == ["bad"]
    assert runner.failures_in_a_row["bad"] >= 4
    assert (runner.failures_in_a_row["one"], runner.failures_in_a_row["two"]) == (0, 0)
    assert found.disabled["bad"].startswith("failed 4 times in a row, last: bad (")
    assert "bad disabled: failed 4 times in a row" in said
    bad = [task for task in pool.started if "bad" in (task.black, task.white)]
    assert 4 <= len(bad) <= 6  # two others may have been running
    assert found.report.pairings[0].games == 20  # the others play all theirs
    assert not found.is_complete


@pytest.mark.parametrize("warned", [True, False])
def test_wrong_scores_are_reported_once(warned: bool) -> None:
    def play(task: ScheduledGame) -> GameRecord:
        faults = (Violation(Color.WHITE, Termination.SCORE),) if task.white == "two" else ()
        return result(task, faults=faults, detail="two (white) says W+R" if faults else "")

    said: list[str] = []
    with MatchStore.begin(IN_MEMORY, PLAN) as store:
        runner = Runner(PLAN, store, said.append)
        identity = EngineIdentity("Two", "1", "./two")
        runner.report_engines(
            {"two": Preflight(identity, "two scores by other rules" if warned else "", "no clock")}
        )
        runner.run(MadeUp(play))
        failures = runner.result().report.failures
    assert said.pop(0) == "no clock"
    assert len(said) == 1
    assert said[0].endswith("scores by other rules" if warned else ": two (white) says W+R")
    assert [(each.engine, each.termination, each.games) for each in failures] == [
        ("two", Termination.SCORE, 5)
    ]


def test_time_losses_do_not_disable_an_engine() -> None:
    runner, _, _ = finish(replace(PLAN, withdraw=2), failing("one", Termination.TIME))
    assert runner.disabled == {}
    assert not runner.failures_in_a_row.total()
    assert runner.result().is_complete


def test_win_on_time_ends_failures_in_a_row() -> None:
    died = failing("one")
    late = failing("two", Termination.TIME)
    runner, _, _ = finish(
        replace(PLAN, withdraw=2), lambda task: (late if task.number % 2 else died)(task)
    )
    assert runner.disabled == {}


def test_occasional_failures_do_not_disable_an_engine() -> None:
    bad = failing("one")
    runner, _, said = finish(
        replace(PLAN, withdraw=2), lambda task: bad(task) if task.number % 4 == 0 else result(task)
    )
    assert runner.disabled == {}
    assert said.count("one (black) broke") == 3


def test_shortened_match_plays_nothing() -> None:
    with MatchStore.begin(IN_MEMORY, PLAN) as store:
        finish(PLAN, result, store)
        runner, pool, _ = finish(replace(PLAN, games=4), result, store)
        assert pool.started == []
        found = runner.result()
        assert (found.total, found.unplayed, found.is_complete) == (10, 0, True)


@pytest.mark.parametrize("fails", [True, False])
def test_surplus_games_of_a_pairing_do_not_replace_other_games(fails: bool, tmp_path: Path) -> None:
    db = tmp_path / "match.db"
    with MatchStore.begin(db, PLAN) as store:
        finish(PLAN, result, store)
    plan = MatchPlan((*ENGINES, EngineConfig("three", "./three")), games=4, withdraw=1)
    with MatchStore.begin(db, plan) as store:
        store.save_plan()
        play = failing("three", winner=False) if fails else result
        for found in (finish(plan, play, store)[0].result(), stored_result(store)):
            assert (found.total, found.unplayed) == (18, 8 if fails else 0)


def test_sprt_stops_the_match() -> None:
    def play(task: ScheduledGame) -> GameOutcome:
        return result(task, Color.BLACK if task.black == "one" else Color.WHITE)

    plan = MatchPlan(ENGINES, games=1000, sprt=Sprt(0, 50))
    with MatchStore.begin(IN_MEMORY, plan) as store:
        runner, pool, _ = finish(plan, play, store)
        found = runner.result()
        assert found.verdict is SprtVerdict.H1
        assert found.is_complete
        assert 4 < found.report.games < 200
        assert found.llr >= Sprt(0, 50).bounds[1]
        again, pool, _ = finish(plan, play, store)
        assert pool.started == []
        assert again.result() == found


def test_sprt_computes_one_ratio_per_pair() -> None:
    with patch.object(Sprt, "llrs", autospec=True, side_effect=Sprt.llrs) as ratios:
        runner, _, _ = finish(MatchPlan(ENGINES, games=60, sprt=Sprt(0, 1)), result)
    assert runner.summary.games == 60
    assert ratios.call_count == 30


def test_statistics_are_those_of_the_store() -> None:
    def play(task: ScheduledGame) -> GameOutcome:
        return result(task, (Color.BLACK, Color.WHITE, DRAW)[task.number % 3], moves="D4 E5")

    plan = MatchPlan((*ENGINES, EngineConfig("three", "x")), games=7)
    with MatchStore.begin(IN_MEMORY, plan) as store:
        runner, _, _ = finish(plan, play, store)
        summary = MatchStats(["one", "two", "three"])
        for each in store.records():
            summary.add(each)
        assert runner.result().report == summary.report() == stored_result(store).report
