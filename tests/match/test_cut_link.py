"""A match on two hosts; the link to one is cut during games."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from time import sleep

import pytest
from client.test_client import gone
from clients import PATIENCE, PROGRAM
from duels import player
from linked_hosts import SCHEDULER, Host, linked_hosts
from match.test_runner import wait_for

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
        wait_for(lambda: len(numbers(db)) >= 4)
        far.ip("link", "set", far.link, "down")
        if seconds is not None:
            sleep(seconds)
            far.ip("link", "set", far.link, "up")
        assert running[-1].wait(4 * PATIENCE) == 0
    finally:
        for each in reversed(running):
            each.kill()
            each.wait()
    assert numbers(db) == list(range(GAMES))
    assert gone(str(TOKEN))


def numbers(db: Path) -> list[int]:
    """Returns the numbers of the games in a store, in order."""
    if not db.exists():
        return []
    connection = sqlite3.connect(db)
    try:
        return sorted(number for (number,) in connection.execute("SELECT number FROM game"))
    except sqlite3.OperationalError:  # it is being made
        return []
    finally:
        connection.close()
