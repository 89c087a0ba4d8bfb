"""Plays matches on dask clusters that fail, for the table in pinchtp/match/README.md.

    python tests/field/dask_table.py

writes the table.
"""

import json
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "field"), str(TESTS / "support")]

import distributed  # noqa: E402  (after the path is set)
from clients import PATIENCE, PROGRAM  # noqa: E402
from cluster_hosts import Hosts  # noqa: E402
from duels import player  # noqa: E402
from guide import GuidePart  # noqa: E402

from pinchtp.base.process import Resource  # noqa: E402

PART = GuidePart("match/README.md", "dask", "dask_table.py")
OURS = "pinchtp match: "
GAMES = 12  # of some two seconds
OLD = "import pinchtp; pinchtp.__version__ = '0.0.1'; "
BARE = "sys.modules['pinchtp'] = None; "
MARKED = "os.environ['MARK'] = {!r}; "  # a file that engines make


class Match(Resource):
    """A match on a cluster, as a process."""

    def __init__(self, address: str) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._database = str(Path(self._folder.name, "match.db"))
        engine = f"sh -c 'touch ${{MARK:-/dev/null}}; exec {player('Late').command}'"
        words = [f"--engine={name}={engine}" for name in "ab"]
        words += ["--size=5", "--time=none", f"--games={GAMES}", f"--db={self._database}"]
        self._process = subprocess.Popen(
            [*PROGRAM, "match", *words, f"--cluster={address}", "--quiet"],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )

    def wait_for_game(self) -> None:
        """Waits until a game is finished."""
        deadline = monotonic() + 5 * PATIENCE
        while self._count() == 0:
            assert monotonic() < deadline
            sleep(0.5)

    def result(self, mark: Path | None = None) -> str:
        """Waits for the end; returns the exit status, how many games were finished, and our line on
        standard error. mark: of a worker; then also whether it played.
        """
        _, said = self._process.communicate(timeout=5 * PATIENCE)
        ours = (line for line in said.splitlines() if line.startswith(OURS))
        error = next(ours, "").removeprefix(OURS)
        error = re.sub(r"(127\.0\.0\.[0-9]):[0-9]+", r"\1:PORT", error)
        error = re.sub(r" \([A-Za-z]+Error\)", "", error)  # dask's, by chance one of two
        games = {0: "none", GAMES: "all"}.get(self._count(), "some")
        if mark is not None:
            error += "it plays" if mark.exists() else "it does not play"
        return f"| {self._process.returncode} | {games} | {error} |"

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._folder.cleanup()

    def _count(self) -> int:
        """Returns the number of finished games."""
        done = subprocess.run(
            [*PROGRAM, "match", "show", self._database, "--json"],
            capture_output=True,
            text=True,
            check=False,
        )
        return int(json.loads(done.stdout)["games"]) if done.returncode == 0 else 0


def refuse() -> str:
    with Match("tcp://127.0.0.1:1") as match:
        return match.result()


def keep_silent() -> str:
    """Nobody reads what the port receives."""
    server = socket.create_server(("127.0.0.1", 0))
    with server, Match(f"tcp://127.0.0.1:{server.getsockname()[1]}") as match:
        return match.result()


def begin_without_workers() -> str:
    with Hosts(distributed) as hosts, Match(hosts.address) as match:
        return match.result()


def begin_with(code: str) -> str:
    """Begins with a worker that runs `code` first."""
    with Hosts(distributed) as hosts:
        hosts.add(code)
        with Match(hosts.address) as match:
            return match.result()


def join_later(code: str = "") -> str:
    """A second worker joins, which runs `code` first; says whether it plays."""
    with Hosts(distributed) as hosts, tempfile.TemporaryDirectory() as folder:
        mark = Path(folder, "mark")
        hosts.add()
        with Match(hosts.address) as match:
            match.wait_for_game()
            hosts.add(MARKED.format(str(mark)) + code, host="127.0.0.2")
            return match.result(mark)


def kill_worker() -> str:
    """One of two workers is killed."""
    with Hosts(distributed) as hosts:
        hosts.add()
        hosts.add()
        with Match(hosts.address) as match:
            match.wait_for_game()
            hosts.kill()
            return match.result()


def end_scheduler() -> str:
    with Hosts(distributed) as hosts:
        hosts.add()
        with Match(hosts.address) as match:
            match.wait_for_game()
            hosts.close()
            return match.result()


EVENTS: dict[str, Callable[[], str]] = {
    "nothing listens at the address": refuse,
    "the address accepts connections and never answers": keep_silent,
    "the scheduler has no workers": begin_without_workers,
    "a worker has another version": lambda: begin_with(OLD),
    "a worker lacks pinchtp": lambda: begin_with(BARE),
    "a worker joins later": join_later,
    "a worker of another version joins later": lambda: join_later(OLD),
    "one of two workers is killed": kill_worker,
    "the scheduler ends": end_scheduler,
}


def table() -> str:
    """Returns the table as Markdown."""
    heads = ["| event | exit status | games finished | message |", "|---|--:|---|---|"]
    return "\n".join([*heads, *(f"| {name} {play()}" for name, play in EVENTS.items()), ""])


if __name__ == "__main__":
    PART.write(table())
