"""A match on two hosts; the link to one is cut during games."""

import os
from collections.abc import Iterator
from pathlib import Path
from time import sleep

import pytest
from clients import PATIENCE, PROGRAM
from duels import player
from linked_hosts import SCHEDULER, Host, linked_hosts
from match_records import finished_games
from processes import wait_for, wait_until_gone

pytest.importorskip("distributed")

GAMES = 16
TOKEN = 8_000_000 + os.getpid()  # marks the engines' command lines
ENGINES = {"a": player("Late", TOKEN).command, "b": player("Late", TOKEN + 1).command}


@pytest.fixture
def hosts() -> Iterator[list[Host]]:
    with linked_hosts() as hosts:
        yield hosts


@pytest.mark.nightly
@pytest.mark.parametrize("seconds", [20, None], ids=["restored", "cut"])
def test_cut_off_host_loses_no_game(
    hosts: list[Host], tmp_path: Path, seconds: float | None
) -> None:
    near, far = hosts
    db = tmp_path / "match.db"
    options = [f"--engine={name}={command}" for name, command in ENGINES.items()]
    options += ["--size=5", "--time=none", f"--games={GAMES}", f"--db={db}"]
    running = [near.start_scheduler()]
    try:
        running += [each.start_worker() for each in hosts]
        sleep(5)  # both workers are there
        running.append(
            near.start(*PROGRAM, "match", *options, f"--cluster=tcp://{SCHEDULER}", "--quiet")
        )
        wait_for(lambda: len(finished_games(db)) >= 4)
        far.ip("link", "set", far.link, "down")
        if seconds is not None:
            sleep(seconds)
            far.ip("link", "set", far.link, "up")
        assert running[-1].wait(4 * PATIENCE) == 0
    finally:
        for each in reversed(running):
            each.kill()
            each.wait()
    assert finished_games(db) == list(range(GAMES))
    wait_until_gone(str(TOKEN))
