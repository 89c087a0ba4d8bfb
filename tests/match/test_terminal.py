"""The terminal of a match: signals, closed terminals, and output of engines."""

import fcntl
import os
import pty
import re
import signal
import sqlite3
import subprocess
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from clients import PATIENCE
from duels import MATCH, player
from match_records import Tracked, finished_games, record
from processes import running, wait_for, wait_until_gone

from pinchtp.base.process import ExitStatus
from pinchtp.match.command import main
from pinchtp.match.plan import EngineConfig, MatchPlan
from pinchtp.match.record import DRAW, GameRecord
from pinchtp.match.results import store
from pinchtp.match.results.store import MatchStore, record_of
from pinchtp.match.show import SHOW

TOKEN = 7_000_000 + os.getpid()  # marks the engines' command lines, to find them
TWO = [
    f"--engine=a={player('FixedOrder', TOKEN).command}",
    f"--engine=b={player('Twin', TOKEN).command}",
    "--size=5",
]
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def await_games(folder: Path, games: int = 1) -> None:
    db = folder / "match.db"
    before = len(finished_games(db))
    wait_for(lambda: len(finished_games(db)) >= before + games)


@contextmanager
def started(folder: Path, *arguments: str, **options: object) -> Iterator[subprocess.Popen[str]]:
    """A match of many games; it is killed if it is not over at the end."""
    process = subprocess.Popen(
        [*MATCH, *TWO, "--games=4000", *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        text=True,
        **options,  # type: ignore[call-overload]
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


# --- signals


def test_ignored_signal_stays_ignored(tmp_path: Path) -> None:
    """SIGINT (Ctrl-C) of a shell's background job."""

    def ignore() -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    with started(tmp_path, preexec_fn=ignore, stderr=subprocess.PIPE) as process:
        await_games(tmp_path)
        process.send_signal(signal.SIGINT)
        await_games(tmp_path, 3)
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
        assert process.returncode == ExitStatus.INTERRUPTED


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_before_the_first_game_signals_end_it_as_well(tmp_path: Path, number: int) -> None:
    slow = player("HangsAtStart", TOKEN).command
    with started(tmp_path, f"--engine=c={slow}", stderr=subprocess.PIPE) as process:
        wait_for(lambda: len(running(str(TOKEN))) > 1)  # the match itself is one
        process.send_signal(number)
        _, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, said) == (ExitStatus.INTERRUPTED, "")
    wait_until_gone(str(TOKEN))


@pytest.mark.parametrize("deaf", [False, True], ids=["hangup", "hangup ignored"])
def test_closed_terminal_ends_the_match_unless_hangups_are_ignored(
    tmp_path: Path, deaf: bool
) -> None:
    """The status is that of an interrupt."""
    ours, theirs = pty.openpty()

    def take_terminal() -> None:
        os.setsid()
        fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)
        if deaf:
            signal.signal(signal.SIGHUP, signal.SIG_IGN)

    terminal = {"preexec_fn": take_terminal, "stdout": theirs, "stderr": theirs}
    with started(tmp_path, **terminal) as process:
        os.close(theirs)
        with suppress(OSError):
            os.read(ours, 1)
        await_games(tmp_path)
        os.close(ours)
        if deaf:
            await_games(tmp_path, 3)
            assert process.poll() is None
            process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == ExitStatus.INTERRUPTED
    wait_until_gone(str(TOKEN))


def test_closed_output_does_not_end_the_match(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    options = {"stdout": writing, "stderr": writing, "cwd": tmp_path, "timeout": 3 * PATIENCE}
    done = subprocess.run([*MATCH, *TWO, "--games=2"], check=False, **options)
    os.close(writing)
    assert done.returncode == 0
    assert len(finished_games(tmp_path / "match.db")) == 2


# --- foreign words


ENGINES = (EngineConfig("one", "x"), EngineConfig("two", "y"))


def test_engines_do_not_reach_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    bad = player("SaysEscapes").command
    main([*TWO[:1], f"--engine=bad={bad}", "--size=5", "--games=2", "--withdraw=1"])
    live = capsys.readouterr()
    assert r"\x1b[2J\udc9b2J\x9b2J" in live.err
    assert "bad disabled: " in live.out
    main([SHOW, "match.db", "--game", "1"])
    shown = capsys.readouterr()
    assert r"\x1b[2J" in shown.out
    main([SHOW, "match.db", "--games"])
    listed = capsys.readouterr()
    assert not CONTROL.search("".join((*live, *shown, *listed)))


def test_single_game_is_read_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.db"
    read: list[object] = []
    with MatchStore.begin(path, MatchPlan(ENGINES)) as db:
        for number in range(30):
            db.add(record(number))

    def counted(row: sqlite3.Row, names: set[str]) -> GameRecord:
        read.append(row)
        return record_of(row, names)

    monkeypatch.setattr(store, "record_of", counted)
    assert main([SHOW, str(path), "--game", "20"]) == 0
    assert capsys.readouterr().out.startswith("game 20: ")
    assert len(read) == 1
    with sqlite3.connect(path) as connection:
        plan = "EXPLAIN QUERY PLAN SELECT * FROM game WHERE display_number = 20"
        assert "USING INDEX shown" in str(connection.execute(plan).fetchall())
    connection.close()


def test_listed_games_leave_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.db"
    with MatchStore.begin(path, MatchPlan(ENGINES)) as db:
        for number in range(5):
            db.add(record(number, winner=DRAW))
    records = MatchStore.records
    monkeypatch.setattr(MatchStore, "records", lambda db: map(Tracked.of, records(db)))
    assert main([SHOW, str(path), "--games"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].index("winner") == shown[1].index("draw")  # after names shorter than "black"
    lines = [line.split() for line in shown]
    headings = ["game", "black", "white", "winner", "termination", "moves", "time", "opening"]
    assert [lines[0], lines[2]] == [headings, ["2", "one", "two", "draw", "rules", "0", "0:00"]]
    assert Tracked.most_alive <= 2  # the last one, and the next


def test_control_characters_of_a_store_are_escaped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = MatchPlan((EngineConfig("\x1b[31mred", "x"), EngineConfig("b", "y")))
    with MatchStore.begin(tmp_path / "x.db", plan) as store:
        store.add(record(0, "\x1b[31mred", "b"))
    for options in ([], ["--games"], ["--game", "1"]):
        assert main([SHOW, str(tmp_path / "x.db"), *options]) == 0
        said = capsys.readouterr()
        assert r"\x1b[31mred" in said.out
        assert not CONTROL.search(said.out + said.err)
