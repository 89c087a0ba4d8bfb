"""The programs where POSIX is not, simulated: see tests/support/without_posix.py."""

import os
import re
import subprocess
import sys
from pathlib import Path

import clients
import pytest
from board.visits import Board, engine
from clients import FOLDER, PATIENCE, bounded

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
    done = clients.run(*arguments, sent=input.encode(), env=environment)
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
    assert re.fullmatch(r"= \n\n(= ([A-J][1-9]|pass)\n\n){2}= \n\n", done.stdout)
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
        with bounded(engine):
            assert next(lines) == b"= pinchtp\n"
            assert any(line.startswith(b"info") for line in lines)
            engine.stdin.write(b"quit\n")
            engine.stdin.close()
            assert list(lines)[-2:] == [b"= \n", b"\n"]
        assert engine.wait(PATIENCE) == 0


def test_play_reads_a_pipe(environment: dict[str, str]) -> None:
    done = run(environment, "play", "--size", "5", "--visits", "50", input="c3\nquit\n")
    assert "C3" in done.stdout + done.stderr


def test_solve_proves_a_board(environment: dict[str, str]) -> None:
    done = run(environment, "solve", "--size", "2")
    assert done.stdout.startswith("loss A1 swap B1 A2")


def test_report_measures(environment: dict[str, str], tmp_path: Path) -> None:
    out = tmp_path / "report"
    run(
        environment,
        "report",
        "--size",
        "5",
        "--sections",
        "length",
        "--units",
        "random=1,games=1",
        "--jobs",
        "1",
        "--out",
        str(out),
        "--quiet",
    )
    assert (out / "report.json").is_file()


def test_match_plays_and_names_its_limits(environment: dict[str, str], tmp_path: Path) -> None:
    engine = f"'{sys.executable}' -m pinchtp --visits 10 --seed"
    engines = [f"--engine={name}={engine} {seed}" for seed, name in enumerate("ab")]
    limits = ["--size", "5", "--games", "2", "--time", "none", "--db", str(tmp_path / "m.db")]
    done = run(environment, "match", *engines, *limits)
    assert "Games: 2" in done.stdout
    assert "may outlive a runner that is killed" in done.stderr


def test_engine_ends_at_once(environment: dict[str, str]) -> None:
    program = (
        "import sys, time; from pinchtp.client import GtpClient\n"
        "client = GtpClient([sys.executable, '-m', 'pinchtp']); client.ask('name', 60)\n"
        "began = time.monotonic(); client.close(); print(time.monotonic() - began)"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert float(done.stdout) < 4, done.stderr  # the job was ended: otherwise it waits for 5 s


def test_check_passes(environment: dict[str, str]) -> None:
    done = run(environment, "check", "--only", "F,S1,P", "--", sys.executable, "-m", "pinchtp")
    assert re.search(r"\b0 failed, 0 skipped", done.stdout)


def test_board_engine_replies(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with Board(tmp_path) as board, board.visit() as visit:
        visit.new_game("pinch", 5, players={"white": engine()}, options={"pie": False})
        visit.ask("play", "state", at=20)
        assert visit.until(lambda state: state["number"] == 2)["live"]
        assert visit.ask("ask-hint", "hint")["move"]["text"]
