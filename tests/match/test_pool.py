"""The pool of worker processes: lost games, CPU cores and memory."""

import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from clients import PATIENCE
from duels import FILLER, TWIN, match_of, scheduled_game
from processes import descendants

from pinchtp.match.playing import cores
from pinchtp.match.playing import pool as pools
from pinchtp.match.playing.cores import (
    available_cores,
    core_sets,
    idle_cores_note,
    missing_cores_note,
)
from pinchtp.match.playing.pool import WorkerPool
from pinchtp.match.playing.worker import GameOutcome, LostGame
from pinchtp.match.record import GameRecord


def test_dead_worker_loses_only_its_game() -> None:
    pool = WorkerPool(match_of(FILLER, TWIN, jobs=2))
    first, second, third = (scheduled_game(FILLER, TWIN, number=n) for n in range(3))
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


def test_games_share_no_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "available_cores", lambda: [0, 2, 4, 1, 3, 5])
    assert core_sets(3, 2) == [{0, 2}, {4, 1}, {3, 5}]
    assert core_sets(2, 1) == [{0}, {2}]
    assert core_sets(4, 2) == [None] * 4


def test_both_engines_of_a_game_get_the_same_processors() -> None:
    pool = WorkerPool(match_of(FILLER, TWIN, jobs=1))
    pool.start(scheduled_game(FILLER, TWIN))
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
    assert WorkerPool(match_of(FILLER, TWIN, jobs=len(available_cores()))).warning == ""
    assert WorkerPool(match_of(FILLER, TWIN, jobs=4000, pin=False)).warning == ""
    assert WorkerPool(match_of(FILLER, TWIN, jobs=4000)).warning.startswith(
        "4000 concurrent games need 4000 "
    )


def test_threads_without_cores_are_reported() -> None:
    two = replace(FILLER, command=f"{FILLER.command} --threads 2")
    assert WorkerPool(match_of(two, TWIN)).warning == (
        f"engine {two.name} starts 2 threads on 1 reserved CPU core: give it threads = 2 "
        f"(--engine {two.name}.threads=2)"
    )
    for plan in (match_of(replace(two, threads=2), TWIN), match_of(two, replace(TWIN, threads=2))):
        assert missing_cores_note(plan.engines, 2) == ""
    assert missing_cores_note([replace(two, command="x --threads=3")], 2).endswith("threads=3)")


def test_idle_cores_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "available_cores", lambda: list(range(8)))
    notes = {jobs: idle_cores_note(jobs, 1, 100) for jobs in (1, 7, 8, 9)}
    assert notes[1] == "7 of 8 cores stay idle: --jobs 8 plays 8 games at a time"
    assert notes[7].startswith("1 of 8 cores stay idle")
    assert notes[8] == notes[9] == ""
    assert idle_cores_note(1, 3, 100).startswith("5 of 8 cores stay idle: --jobs 2 ")
    assert idle_cores_note(2, 3, 100) == ""
    assert idle_cores_note(1, 1, 2).endswith("--jobs 2 plays 2 games at a time")
    assert idle_cores_note(2, 1, 2) == ""


def test_scarce_memory_delays_games(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = WorkerPool(match_of(FILLER, TWIN, jobs=2))
    monkeypatch.setattr(pools, "free_memory", lambda: 0.01)
    assert pool.free() == 2  # one game is always tried
    pool.start(scheduled_game(FILLER, TWIN))
    assert pool.free() == 0
    assert pool.note == "no new games while only 1% of memory is free"
    pool.wait(PATIENCE)
    assert pool.free() == 2
    pool.close()


def test_available_memory_is_read() -> None:
    assert 0 < pools.free_memory() < 1
