"""The match around the games: schedule, replays, and the assignment of workers."""

from __future__ import annotations

import os
import re
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep
from unittest.mock import Mock, patch

import pytest
from clients import PATIENCE
from duels import FILLER, TWIN, game_plan, player
from match_records import record
from msgspec import structs
from processes import descendants, is_running, wait_for

from pinchtp.base.clock import TimeControl
from pinchtp.games import Color
from pinchtp.match.plan import EngineConfig, MatchPlan
from pinchtp.match.playing import worker as workers
from pinchtp.match.playing.engine import Preflight
from pinchtp.match.playing.worker import GameOutcome, LostGame, Worker, WorkerPool, core_sets
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
            return result(task, None, cause=Termination.DISAGREED, detail="they disagree")
        return result(task)

    runner, pool, said = finish(PLAN, play)
    assert Counter(task.number for task in pool.started)[3] == 3
    found = runner.result(with_records=True)
    assert [r.game.attempt for r in found.records if r.game.number == 3] == [0, 1, 2]
    assert found.is_complete
    assert (found.report.games, found.report.void) == (10, 2)
    assert said == "game 4: they disagree\n" * 2 + "" or said.count("they disagree") == 2


def test_void_game_is_given_up_until_resumed() -> None:
    def play(task: ScheduledGame) -> GameOutcome:
        return result(task, None if task.number == 3 else Color.WHITE, cause=Termination.DISAGREED)

    with MatchStore.begin(IN_MEMORY, PLAN) as store:
        runner, pool, said = finish(PLAN, play, store)
        assert f"game 4 is given up after {TRIES} attempts" in said
        assert (runner.result().unplayed, runner.result().is_complete) == (1, False)
        runner, pool, _ = finish(PLAN, play, store)
        assert [task.attempt for task in pool.started] == list(range(TRIES, 2 * TRIES))


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


def failing(name: str, cause: Termination = Termination.DIED, winner: bool = True) -> Play:
    """Returns a player of games that one engine fails in."""

    def play(task: ScheduledGame) -> GameOutcome:
        failed = next((color for color in Color if task.player(color) == name), None)
        if failed is None:
            return result(task)
        other = failed.opponent
        detail = f"{name} ({failed}) broke"
        return result(task, other if winner else None, cause=cause, failed=failed, detail=detail)

    return play


@pytest.mark.parametrize("winner", [True, False], ids=["lost", "void"])
def test_repeatedly_failing_engine_is_disabled(winner: bool) -> None:
    plan = MatchPlan((*ENGINES, EngineConfig("bad", "./bad")), games=20, withdraw=4)
    runner, pool, said = finish(plan, failing("bad", winner=winner))
    found = runner.result()
    assert list(found.withdrawn) == ["bad"]
    assert runner.failures_in_a_row["bad"] >= 4
    assert (runner.failures_in_a_row["one"], runner.failures_in_a_row["two"]) == (0, 0)
    assert found.withdrawn["bad"].startswith("failed 4 times in a row, the last time: bad (")
    assert "bad is withdrawn: it failed 4 times in a row" in said
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
    assert [(each.engine, each.cause, each.games) for each in failures] == [
        ("two", Termination.SCORE, 5)
    ]


def test_time_losses_do_not_disable_an_engine() -> None:
    runner, _, _ = finish(replace(PLAN, withdraw=2), failing("one", Termination.TIME))
    assert runner.withdrawn == {}
    assert not runner.failures_in_a_row.total()
    assert runner.result().is_complete


def test_occasional_failures_do_not_disable_an_engine() -> None:
    bad = failing("one")
    runner, _, said = finish(
        replace(PLAN, withdraw=2), lambda task: bad(task) if task.number % 4 == 0 else result(task)
    )
    assert runner.withdrawn == {}
    assert said.count("one (black) broke") == 3


def test_shortened_match_plays_nothing() -> None:
    def play(task: ScheduledGame) -> GameOutcome:
        return result(task, Color.BLACK)

    with MatchStore.begin(IN_MEMORY, PLAN) as store:
        finish(PLAN, play, store)
        runner, pool, _ = finish(replace(PLAN, games=4), play, store)
        assert pool.started == []
        found = runner.result()
        assert (found.total, found.unplayed, found.is_complete) == (10, 0, True)


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


# --- worker processes


def match_of(*engines: EngineConfig, **options: object) -> MatchPlan:
    return replace(game_plan(**options), engines=engines)


def tasks(one: EngineConfig, other: EngineConfig, games: int) -> list[ScheduledGame]:
    return list(Schedule(MatchPlan((one, other), games=games)))


def test_worker_keeps_its_engines() -> None:
    worker = Worker(match_of(FILLER, TWIN))
    engines = []
    for task in tasks(FILLER, TWIN, 2):
        worker.start(task)
        outcome = worker.result()
        assert isinstance(outcome, GameRecord)
        assert (outcome.game, outcome.cause) == (task, Termination.RULES)
        engines.append(descendants(worker.pid))
    assert engines[0] == engines[1]
    assert len(engines[0]) == 4  # two engines and their guards
    worker.close()
    wait_for(lambda: not any(map(is_running, engines[0] | {worker.pid})))


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["Hangs", "Late"])
def test_game_during_suspension_is_replayed(engine: str) -> None:
    """Simulates a suspended machine: no engine is unresponsive, none lost on time."""
    other = player(engine)
    control = TimeControl.none() if engine == "Hangs" else TimeControl.canadian(0, 1, 1)
    worker = Worker(match_of(FILLER, other, move_deadline=2.0, time=control))
    game = tasks(FILLER, other, 1)[0]
    worker.start(game)
    wait_for(lambda: len(descendants(worker.pid)) >= 4)
    sleep(1.0)
    stopped = [worker.pid, *descendants(worker.pid)]
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    sleep(3.0)
    for pid in reversed(stopped):
        os.kill(pid, signal.SIGCONT)
    outcome = worker.result()
    assert isinstance(outcome, LostGame), outcome
    assert outcome.game == game
    assert "the machine was suspended for " in outcome.reason
    worker.close()


def test_suspended_engine_counts_as_hung() -> None:
    hangs = player("Hangs")
    worker = Worker(match_of(FILLER, hangs, move_deadline=1.0))
    worker.start(tasks(FILLER, hangs, 1)[0])
    outcome = worker.result()
    assert isinstance(outcome, GameRecord)
    assert outcome.cause is Termination.HUNG
    worker.close()


def test_standstills_are_summed_up(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, 0.1, 0.25, 3.3, 3.4, 5.0, 5.05])
    monkeypatch.setattr(workers, "Thread", lambda **options: Mock())
    monkeypatch.setattr(workers, "uptime", lambda: next(times))
    stood = workers.SuspendDetector()
    seconds = [stood.update() for _ in range(6)]
    assert seconds == pytest.approx([0, 0, 2.95, 2.95, 4.45, 4.45])


@pytest.mark.parametrize("how", ["close", "kill"])
def test_worker_closed_during_a_game_ends(how: str) -> None:
    hangs = player("Hangs")
    worker = Worker(match_of(FILLER, hangs, move_deadline=PATIENCE))
    worker.start(tasks(FILLER, hangs, 1)[0])
    wait_for(lambda: len(descendants(worker.pid)) >= 4)
    sleep(0.2)  # the third move hangs
    below = descendants(worker.pid)
    began = monotonic()
    getattr(worker, how)()
    assert monotonic() - began < PATIENCE / 2
    wait_for(lambda: not any(map(is_running, below | {worker.pid})))


def test_engines_that_are_not_in_the_game_do_not_pile_up() -> None:
    many = [player("FixedOrder", number, name=f"e{number}") for number in range(6)]
    plan = MatchPlan(tuple(many), games=1)
    worker = Worker(match_of(*many))
    for task in list(Schedule(plan))[:8]:
        worker.start(task)
        assert isinstance(worker.result(), GameRecord)
    assert len(descendants(worker.pid)) == 2 * 4
    worker.close()


def test_dead_worker_loses_only_its_game() -> None:
    pool = WorkerPool(match_of(FILLER, TWIN, jobs=2))
    first, second, third = tasks(FILLER, TWIN, 3)
    pool.start(first)
    (_, worker) = pool._busy[0]
    os.kill(worker.pid, signal.SIGKILL)
    pool.start(second)
    outcomes: dict[int, GameOutcome] = {}
    while len(outcomes) < 2:
        outcomes |= {each.game.number: each for each in pool.wait(PATIENCE)}
    lost = outcomes[0]
    assert isinstance(lost, LostGame)
    assert "its worker process ended with signal 9" in lost.reason
    assert isinstance(outcomes[1], GameRecord)
    assert pool.free() == 2
    pool.start(third)
    (outcome,) = pool.wait(PATIENCE)
    assert isinstance(outcome, GameRecord)
    pool.close()


def test_internal_error_costs_only_its_game(
    capfd: pytest.CaptureFixture[str],
) -> None:
    worker = Worker(match_of(FILLER, player("Hangs")))
    worker.start(tasks(FILLER, TWIN, 1)[0])
    outcome = worker.result()
    assert isinstance(outcome, LostGame)
    assert "internal error: KeyError" in outcome.reason
    worker.close()
    assert "Traceback" in capfd.readouterr().err


# --- processors and memory


def test_games_share_no_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "available_cores", lambda: [0, 2, 4, 1, 3, 5])
    assert core_sets(3, 2) == [{0, 2}, {4, 1}, {3, 5}]
    assert core_sets(2, 1) == [{0}, {2}]
    assert core_sets(4, 2) == [None] * 4


def test_both_engines_of_a_game_get_the_same_processors() -> None:
    pool = WorkerPool(match_of(FILLER, TWIN, jobs=1))
    pool.start(tasks(FILLER, TWIN, 1)[0])
    pool.wait(PATIENCE)
    (_, worker) = pool._idle[0]
    engines = [
        pid
        for pid in descendants(worker.pid)
        if b"engines" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]
    assert len(engines) == 2
    assert {frozenset(os.sched_getaffinity(pid)) for pid in engines} == {core_sets(1, 1)[0]}
    pool.close()


def test_too_many_concurrent_games_are_reported() -> None:
    assert WorkerPool(match_of(FILLER, TWIN, jobs=len(workers.available_cores()))).warning == ""
    assert WorkerPool(match_of(FILLER, TWIN, jobs=4000, pin=False)).warning == ""
    assert WorkerPool(match_of(FILLER, TWIN, jobs=4000)).warning.startswith(
        "4000 concurrent games need 4000 "
    )


def test_idle_cores_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "available_cores", lambda: list(range(8)))
    notes = {jobs: workers._idle_cores(jobs, 1) for jobs in (1, 7, 8, 9)}
    assert notes[1] == "7 of 8 cores stay idle: --jobs 8 plays 8 games at a time"
    assert notes[7].startswith("1 of 8 cores stay idle")
    assert notes[8] == notes[9] == ""
    assert workers._idle_cores(1, 3).startswith("5 of 8 cores stay idle: --jobs 2 ")
    assert workers._idle_cores(2, 3) == ""


def test_scarce_memory_delays_games(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = WorkerPool(match_of(FILLER, TWIN, jobs=2))
    monkeypatch.setattr(workers, "_available_memory", lambda: 0.01)
    assert pool.free() == 2  # one game is always tried
    pool.start(tasks(FILLER, TWIN, 1)[0])
    assert pool.free() == 0
    assert pool.note == "no new games while only 1% of memory is free"
    pool.wait(PATIENCE)
    assert pool.free() == 2
    pool.close()


def test_available_memory_is_read() -> None:
    assert 0 < workers._available_memory() < 1
