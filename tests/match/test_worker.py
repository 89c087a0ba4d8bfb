"""Worker processes, and suspends of the machine during their games."""

import os
import signal
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep
from unittest.mock import Mock

import pytest
from clients import PATIENCE
from duels import FILLER, TWIN, match_of, player, scheduled_game
from processes import descendants, is_running, wait_for

from pinchtp.base.clock import TimeControl
from pinchtp.match.plan import MatchPlan
from pinchtp.match.playing import suspend, worker
from pinchtp.match.playing.worker import LostGame, Worker, WorkerEngines
from pinchtp.match.record import GameRecord, Termination
from pinchtp.match.runner import Schedule


def test_worker_keeps_its_engines() -> None:
    worker = Worker(match_of(FILLER, TWIN))
    engines = []
    for task in (scheduled_game(FILLER, TWIN), scheduled_game(TWIN, FILLER, number=1)):
        worker.start(task)
        outcome = worker.result()
        assert isinstance(outcome, GameRecord)
        assert (outcome.game, outcome.termination) == (task, Termination.RULES)
        engines.append(descendants(worker.pid))
    assert engines[0] == engines[1]
    assert len(engines[0]) == 4  # two engines and their guards
    worker.close()
    wait_for(lambda: not any(map(is_running, engines[0] | {worker.pid})))


@pytest.mark.parametrize(("ponder", "ended"), [(True, [FILLER.name]), (False, []), (None, [])])
def test_engine_that_ponders_does_not_run_in_games_of_others(
    ponder: bool | None, ended: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[str] = []
    monkeypatch.setattr(worker, "play_game", Mock())
    monkeypatch.setattr(
        worker,
        "MatchEngine",
        lambda config, *_: Mock(close=lambda: closed.append(config.name)),
    )
    third = replace(TWIN, name="Third")
    engines = WorkerEngines(match_of(FILLER, TWIN, third, ponder=ponder), None)
    engines.play(scheduled_game(FILLER, TWIN))
    engines.play(scheduled_game(TWIN, third))
    assert closed == ended


@pytest.mark.slow
@pytest.mark.parametrize(
    "control", [TimeControl.none(), TimeControl.canadian(0, 3, 1)], ids=["no clock", "clock"]
)
def test_game_during_suspension_is_replayed(control: TimeControl, tmp_path: Path) -> None:
    """Simulates a suspended machine: no engine is unresponsive, none lost on time."""
    flag = tmp_path / "flag"
    other = player("Hangs", 1, flag)
    worker = Worker(match_of(FILLER, other, move_deadline=3.0, time=control))
    game = scheduled_game(FILLER, other)
    worker.start(game)
    wait_for(lambda: len(descendants(worker.pid)) >= 4)
    stopped = [worker.pid, *descendants(worker.pid)]
    wait_for(flag.exists)
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    sleep(2.2)
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
    worker.start(scheduled_game(FILLER, hangs))
    outcome = worker.result()
    assert isinstance(outcome, GameRecord)
    assert outcome.termination is Termination.HUNG
    worker.close()


def test_suspends_are_summed_up(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, 0.1, 0.25, 3.3, 3.4, 5.0, 5.05])
    monkeypatch.setattr(suspend, "Thread", lambda **options: Mock())
    monkeypatch.setattr(suspend, "uptime", lambda: next(times))
    stood = suspend.SuspendDetector()
    seconds = [stood.update() for _ in range(6)]
    assert seconds == pytest.approx([0, 0, 2.95, 2.95, 4.45, 4.45])


@pytest.mark.parametrize("how", ["close", "kill"])
def test_worker_closed_during_a_game_ends(how: str, tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    hangs = player("Hangs", 1, flag)
    worker = Worker(match_of(FILLER, hangs, move_deadline=PATIENCE))
    worker.start(scheduled_game(FILLER, hangs))
    wait_for(flag.exists)
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


def test_internal_error_costs_only_its_game(
    capfd: pytest.CaptureFixture[str],
) -> None:
    worker = Worker(match_of(FILLER, player("Hangs")))
    worker.start(scheduled_game(FILLER, TWIN))
    outcome = worker.result()
    assert isinstance(outcome, LostGame)
    assert "internal error: KeyError" in outcome.reason
    worker.close()
    assert "Traceback" in capfd.readouterr().err
