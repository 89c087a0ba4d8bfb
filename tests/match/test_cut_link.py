"""A match on two hosts; the link to one is cut during games."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import sleep

import pytest
from client.test_client import gone
from clients import PATIENCE, PROGRAM
from duels import player
from match.test_runner import wait_for

pytest.importorskip("distributed")

GAMES = 16
TOKEN = 8_000_000 + os.getpid()  # marks the engines' command lines
ENGINES = {"a": player("Late", TOKEN).command, "b": player("Late", TOKEN + 1).command}
SCHEDULER = "10.77.0.1:8786"
DASK = "import sys; from distributed.cli.dask_{0} import main; main(sys.argv[1:])"


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


class Host:
    """A network namespace with one end of a link."""

    def __init__(self, number: int) -> None:
        self.address = f"10.77.0.{number}"
        self.name, self.link = f"pinchtp{os.getpid()}-{number}", f"pinchtp{number}"
        ip("netns", "add", self.name)

    def connect(self) -> None:
        self.ip("addr", "add", f"{self.address}/24", "dev", self.link)
        for each in ("lo", self.link):
            self.ip("link", "set", each, "up")

    def ip(self, *words: str) -> None:
        ip("-n", self.name, *words)

    def start(self, *command: str) -> subprocess.Popen[bytes]:
        words = ["ip", "netns", "exec", self.name, *command]
        return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def start_dask(self, role: str, *arguments: str) -> subprocess.Popen[bytes]:
        code, host = DASK.format(role), ("--host", self.address)
        return self.start(sys.executable, "-P", "-c", code, *arguments, *host, "--no-dashboard")


@pytest.fixture
def hosts() -> Iterator[list[Host]]:
    """Yields two linked hosts; skips where these cannot be made."""
    hosts = list[Host]()
    try:
        if os.name != "posix" or not shutil.which("ip") or os.geteuid() != 0:
            pytest.skip("network namespaces need root and iproute2")
        hosts += [Host(1), Host(2)]
        one, two = hosts
        one.ip("link", "add", one.link, "type", "veth", "peer", two.link, "netns", two.name)
        for each in hosts:
            each.connect()
        yield hosts
    finally:
        for each in hosts:
            ip("netns", "del", each.name)


@pytest.mark.nightly
@pytest.mark.parametrize("seconds", [20, None], ids=["restored", "cut"])
def test_cut_off_host_loses_no_game(
    hosts: list[Host], tmp_path: Path, seconds: float | None
) -> None:
    near, far = hosts
    db = tmp_path / "match.db"
    worker = ("worker", f"tcp://{SCHEDULER}", "--nthreads", "1", "--no-nanny")
    options = [f"--engine={name}={command}" for name, command in ENGINES.items()]
    options += ["--size=5", "--time=none", f"--games={GAMES}", f"--db={db}"]
    running = [near.start_dask("scheduler", "--port", SCHEDULER.rpartition(":")[2])]
    try:
        running += [each.start_dask(*worker) for each in hosts]
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
