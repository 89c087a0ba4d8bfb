"""Standard streams in trouble: closed, full, non-blocking, or without a reader."""

import fcntl
import os
import resource
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from unittest import mock

import pytest
from clients import FOLDER, PATIENCE, PROGRAM, bounded, split_answers

from pinchtp.base import streams
from pinchtp.gtp.input import MAX_WAITING, InputReader, write_text


def run(
    options: list[str], sent: bytes | None = b"", **details: Any
) -> subprocess.CompletedProcess[bytes]:
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | details
    return subprocess.run(
        [*PROGRAM, *options], input=sent, check=False, timeout=PATIENCE, cwd=FOLDER, **streams
    )


@contextmanager
def full_pipe() -> Iterator[int]:
    """The writing end of a pipe that takes nothing more, and whose reader reads nothing."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        while True:
            os.write(writing, b"x" * 4096)
    except BlockingIOError:
        os.set_blocking(writing, True)
    try:
        yield writing
    finally:
        os.close(reading)
        os.close(writing)


@contextmanager
def broken_pipe() -> Iterator[int]:
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


@contextmanager
def full_disk() -> Iterator[int]:
    with open("/dev/full", "wb") as full:
        yield full.fileno()


@contextmanager
def nothing() -> Iterator[None]:
    yield None


# --- standard error


STANDARD_ERRORS = [full_pipe, broken_pipe, full_disk, nothing]


@pytest.mark.parametrize("trouble", STANDARD_ERRORS)
def test_broken_stderr_is_ignored(tmp_path: Path, trouble: Callable[[], Any]) -> None:
    """Live graphics, notes about refused commands and about a file that cannot be written."""
    options = ["--size", "5", "--visits", "300", "--live-graphics", "--strict"]
    options += ["--record", str(tmp_path / "game.sgf")]
    lines = b"1 genmove b\n2 frobnicate\n3 loadsgf \xff\n4 genmove w\n5 quit\n"

    def begin() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        if descriptor is None:
            os.close(2)

    with trouble() as descriptor:
        details = {} if descriptor is None else {"stderr": descriptor}
        began = monotonic()
        done = run(options, lines, preexec_fn=begin, **details)
        assert monotonic() - began < PATIENCE / 2
    answers = split_answers(done.stdout.decode())
    assert [answer[:2] for answer in answers] == ["=1", "?2", "?3", "=4", "=5"]
    assert b"gogui" not in done.stdout
    assert done.returncode == 1  # a command was refused


def test_unread_notes_are_dropped() -> None:
    with full_pipe() as descriptor, open(descriptor, "w", closefd=False) as error:
        began = monotonic()
        with mock.patch("sys.stderr", error):
            streams.warn("lost", timeout=0.05)
            streams.warn("lost", timeout=0)
        assert monotonic() - began < 5


# --- non-blocking streams


def test_non_blocking_streams_are_waited_for() -> None:
    """A parent may have set the flag; the program waits for input, and for room for its answers."""
    inner, answers = os.pipe(), os.pipe()
    for descriptor in (inner[0], answers[1]):
        os.set_blocking(descriptor, False)
    with subprocess.Popen(
        [*PROGRAM, "--size", "5"], stdin=inner[0], stdout=answers[1], cwd=FOLDER
    ) as program:
        os.close(inner[0])
        os.close(answers[1])
        sleep(0.5)  # it finds nothing to read
        os.write(inner[1], b"1 name\n" + b"list_commands\n" * 200)  # more than a pipe holds
        sleep(0.5)
        os.write(inner[1], b"2 quit\n")
        os.close(inner[1])
        with open(answers[0], "rb") as reader, bounded(program):
            received = split_answers(reader.read().decode())
        assert program.wait(PATIENCE) == 0
    assert (received[0], received[-1], len(received)) == ("=1 pinchtp", "=2 ", 202)
    assert len(set(received[1:-1])) == 1


@pytest.mark.parametrize(
    ("command", "sent"),
    [
        (["analysis"], b'{"id": "1", "boardXSize": 5, "boardYSize": 5, "maxVisits": 1}\n'),
        (["convert", "--game", "pinch", "--size", "5", "-"], b"c3 d4\n"),
        (["check", "--list"], b""),
    ],
)
@pytest.mark.parametrize("variables", [{}, {"PYTHONUNBUFFERED": "1"}])
def test_commands_wait_for_non_blocking_streams(
    command: list[str], sent: bytes, variables: dict[str, str]
) -> None:
    inner, answers = os.pipe(), os.pipe()
    fcntl.fcntl(answers[1], fcntl.F_SETPIPE_SZ, 4096)
    with subprocess.Popen(
        [*PROGRAM, *command],
        stdin=inner[0],
        stdout=answers[1],
        cwd=FOLDER,
        env=os.environ | variables,
    ) as program:
        for descriptor in (inner[0], answers[1]):
            os.set_blocking(descriptor, False)
            os.close(descriptor)
        sleep(0.5)  # it finds nothing to read, and no room
        os.write(inner[1], sent)
        os.close(inner[1])
        with open(answers[0], "rb") as reader, bounded(program):
            received = reader.read().decode()
        assert program.wait(PATIENCE) == 0
    assert received == run(command, sent).stdout.decode()


def test_non_blocking_pipe_gets_the_whole_response() -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    text = "play b d4\n" * 100_000
    parts: list[bytes] = []

    def read() -> None:
        with open(reading, "rb") as reader:
            while part := reader.read(10_000):
                parts.append(part)

    reader = threading.Thread(target=read)
    reader.start()
    write_text(writing, text)
    os.close(writing)
    reader.join(PATIENCE)
    assert b"".join(parts) == text.encode()


# --- no reader


@pytest.mark.parametrize("command", ["genmove b", "reg_genmove b", "pinchtp-perft 40"])
def test_search_ends_when_its_pipes_close(command: str) -> None:
    with subprocess.Popen(
        [*PROGRAM, "--visits", "1000000000", "--memory", "16"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=FOLDER,
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write(f"name\n{command}\n".encode())
        program.stdin.flush()
        with bounded(program):
            assert program.stdout.readline() == b"= pinchtp\n"
        sleep(0.3)
        program.stdin.close()
        program.stdout.close()
        try:
            assert program.wait(PATIENCE) == 0
        finally:
            program.kill()


@pytest.mark.parametrize("closed", [(0,), (1,), (0, 1), (0, 1, 2), (2,)])
def test_streams_that_are_closed_from_the_start(closed: tuple[int, ...], tmp_path: Path) -> None:
    """No file that is opened later may be taken for one of them."""
    script = tmp_path / "script.gtp"
    script.write_text(f"name\nprintsgf {tmp_path}/game.sgf\n")

    def close() -> None:
        for descriptor in closed:
            os.close(descriptor)

    done = run(["-e", "version", str(script), "-"], b"protocol_version\n", preexec_fn=close)
    if 1 in closed:
        reason = b"" if 2 in closed else b"pinchtp: standard output: Bad file descriptor\n"
        assert (done.returncode, done.stdout, done.stderr) == (1, b"", reason)
        return
    answers = split_answers(done.stdout.decode())
    assert answers[1:3] == ["= pinchtp", "= "]
    assert len(answers) == (3 if 0 in closed else 4)
    assert done.returncode == 0
    assert done.stderr == b""


# --- lines that pile up


@pytest.mark.parametrize("closed", ["<&- >/dev/null", ">&- </dev/null"])
@pytest.mark.parametrize(
    "words",
    [
        "play --size 4",
        "analysis",
        "convert -",
        "review game.sgf --visits 1",
        "report --list",
        "doctor",
    ],
)
def test_programs_run_without_standard_streams(words: str, closed: str, tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_text("(;GM[1]SZ[4]RU[pinch];B[aa])")
    command = ["sh", "-c", f'exec "$@" {closed}', "sh", *PROGRAM, *words.split()]
    done = subprocess.run(command, check=False, capture_output=True, timeout=PATIENCE, cwd=tmp_path)
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr
    if closed.startswith(">") and words not in ("analysis", "convert -"):  # those have no answers
        assert done.stderr.endswith(b"pinchtp: standard output: Bad file descriptor\n")
        assert done.returncode == 1


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("match openings 5 --size 2 --plies 1 --visits 10 --window 0", 1),
        ("match no.toml", 2),
        ("match show no.db", 2),
        ("match repair no.db", 2),
    ],
)
def test_messages_are_dropped_without_standard_error(words: str, status: int) -> None:
    done = run(words.split(), preexec_fn=lambda: os.close(2))
    assert (done.returncode, done.stdout) == (status, b"")


def test_queued_input_is_bounded() -> None:
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 1 << 20)
    lines = InputReader(reading)
    sent = 0
    os.set_blocking(writing, False)
    for _ in range(2000):
        try:
            sent += os.write(writing, b"x\n" * 10_000)
        except BlockingIOError:
            break
        assert not lines.is_interrupted()
    assert sent < 5 * MAX_WAITING
    assert lines.is_waiting()
    os.close(writing)
    assert len(list(lines)) == sent / 2  # and none is lost
    os.close(reading)


def test_file_as_standard_input_is_a_script(tmp_path: Path) -> None:
    """No client waits, so the next line does not cancel a search."""
    script = tmp_path / "commands.gtp"
    script.write_text("kata-search_cancellable b\nquit\n")
    with script.open("rb") as lines:
        done = run(["--size", "5", "--visits", "50"], sent=None, stdin=lines)
    search, _ = split_answers(done.stdout.decode())
    assert "play cancelled" not in search
