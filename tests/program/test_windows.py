"""The programs where POSIX is not, simulated: see tests/support/without_posix.py."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from clients import FOLDER

TIMEOUT = 60

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Returns the environment of processes, and theirs, in which pinchtp sees Windows."""
    folder = tmp_path_factory.mktemp("site")
    customize = "from without_posix import hide_posix\nhide_posix()\n"
    (folder / "sitecustomize.py").write_text(customize)
    path = os.pathsep.join([str(folder), str(FOLDER / "support")])
    return {
        **os.environ,
        "PYTHONPATH": path,
        "PYTHONSAFEPATH": "1",  # the sources in the working folder have no core
        "XDG_DATA_HOME": str(folder),
    }


def run(
    environment: dict[str, str], *arguments: str, input: str = "", status: int = 0
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "pinchtp", *arguments],
        input=input,
        env=environment,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done


@pytest.mark.parametrize(
    "code", ["import os; os.killpg", "import fcntl", "import signal; signal.SIGKILL"]
)
def test_posix_names_are_hidden(environment: dict[str, str], code: str) -> None:
    program = f"exec({code!r}, {{'__package__': 'pinchtp'}})"
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, check=False
    )
    assert re.search(rb"(AttributeError|ModuleNotFoundError): ", done.stderr)


def test_every_module_imports(environment: dict[str, str]) -> None:
    program = (
        "import pinchtp, pkgutil, importlib\n"
        "for each in pkgutil.walk_packages(pinchtp.__path__, 'pinchtp.'):\n"
        "    if not each.name.endswith('__main__'): importlib.import_module(each.name)\n"
        "print(pinchtp.Engine, pinchtp.base.process.sys.platform)"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.endswith("win32\n"), done.stderr


def test_gtp_server_generates_moves(environment: dict[str, str]) -> None:
    commands = "boardsize 9\ngenmove b\ngenmove w\nquit\n"
    done = run(environment, "--visits", "200", input=commands)
    assert re.fullmatch(r"= \n\n(= [A-J][1-9]\n\n|= swap\n\n){2}= \n\n", done.stdout)
    assert done.stderr == ""


def test_gtp_server_searches_until_input(environment: dict[str, str]) -> None:
    """A line that arrives during a command ends it: the input is looked at without waiting."""
    command = [sys.executable, "-m", "pinchtp", "--size", "9"]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as engine:
        assert engine.stdin
        assert engine.stdout
        engine.stdin.write(b"name\nlz-analyze b 10\n")
        engine.stdin.flush()
        lines = iter(engine.stdout)
        assert next(lines) == b"= pinchtp\n"
        assert any(line.startswith(b"info") for line in lines)
        engine.stdin.write(b"quit\n")
        engine.stdin.close()
        assert list(lines)[-2:] == [b"= \n", b"\n"]
        assert engine.wait(TIMEOUT) == 0


def test_play_reads_a_pipe(environment: dict[str, str]) -> None:
    done = run(environment, "play", "--size", "5", "--visits", "50", input="c3\nquit\n")
    assert "C3" in done.stdout + done.stderr


def test_solve_proves_a_board(environment: dict[str, str]) -> None:
    done = run(environment, "solve", "--size", "2")
    assert done.stdout.startswith("loss A1 swap B1 A2")


def test_report_measures(environment: dict[str, str], tmp_path: Path) -> None:
    out = tmp_path / "report"
    run(environment, "report", "--size", "5", "--sections", "length", "--units", "random=1,games=1",
        "--jobs", "1", "--out", str(out), "--quiet")  # fmt: skip
    assert (out / "report.json").is_file()


def test_match_plays_and_names_its_limits(environment: dict[str, str], tmp_path: Path) -> None:
    engine = f"'{sys.executable}' -m pinchtp --visits 10 --seed"
    engines = [f"--engine={name}={engine} {seed}" for seed, name in enumerate("ab")]
    limits = ["--size", "5", "--games", "2", "--time", "none", "--db", str(tmp_path / "m.db")]
    done = run(environment, "match", *engines, *limits)
    assert "Games: 2" in done.stdout
    assert "may outlive a runner that is killed" in done.stderr


@pytest.fixture
def board(environment: dict[str, str]) -> Iterator[str]:
    command = [sys.executable, "-m", "pinchtp", "board", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr
            found = re.search(r"http://\S+", server.stderr.readline())
            assert found
            yield found[0]
        finally:
            server.kill()


def test_board_answers(board: str) -> None:
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    with opener.open(board, timeout=TIMEOUT) as page:
        assert b"<title>" in page.read()
