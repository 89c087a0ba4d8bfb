"""Clients of pinchtp: for a server in this process, and for the program through pipes."""

import os
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from pinchtp.base.process import Resource
from pinchtp.games import RULE_OPTIONS
from pinchtp.gtp.engine import GtpEngine
from pinchtp.gtp.input import ScriptInput
from pinchtp.gtp.server import Server
from pinchtp.player.settings import Settings

# -P: otherwise `python -m` would prefer the current directory to the installed package, and the
# sources only have a compiled core after an editable install.
PROGRAM = [sys.executable, "-P", "-m", "pinchtp"]
FOLDER = Path(__file__).parents[1]  # directory of all tests
PACKAGE = FOLDER.parent / "pinchtp"
GNUGO = shutil.which("gnugo", path=f"{os.environ['PATH']}:/usr/games") or ""
needs_gnugo = pytest.mark.skipif(not GNUGO, reason="GNU Go is not installed")

PATIENCE = 60.0  # timeout in seconds; not reached in a passing test

FRAMED = re.compile(r"(?P<status>[=?])(?P<id>[0-9]*) (?P<text>[^\n]*(\n[^\n]+)*)\n\n")


@contextmanager
def filled_pipe(data: bytes) -> Iterator[int]:
    """Yields the reading end of a pipe that holds the data and is closed at the other end."""
    reading, writing = os.pipe()
    try:
        os.write(writing, data)
        os.close(writing)
        yield reading
    finally:
        os.close(reading)


class InterruptedScript(ScriptInput):
    """A script that is interrupted immediately."""

    def is_interrupted(self) -> bool:
        return True


def engine_settings(**values: Any) -> Settings:
    """Returns settings with these values, including rule options of games."""
    rules = {name: values.pop(name) for name in RULE_OPTIONS if name in values}
    return Settings(rules=rules, **values)


def server(width: int = 5, height: int | None = None, **settings: Any) -> Server:
    """Returns a server in this process whose engine moves immediately and uses no files.

    settings: values other than the defaults, named as in `Settings`.
    """
    usual: dict[str, Any] = {"visits": 30, "seed": 1, "memory": 16, "files": False}
    return Server(GtpEngine(engine_settings(size=(width, height or width), **(usual | settings))))


def ask(server: Server, line: str) -> str:
    """Returns the response to a line as sent, without the closing blank line."""
    answer = server.answer(line)
    assert answer is not None, f"no response to {line!r}"
    return str(answer).removesuffix("\n\n")


def ask_all(server: Server, *lines: str) -> list[str]:
    return [ask(server, line) for line in lines]


def say(server: Server, line: str) -> str:
    """Returns the text of a response, which must be a success."""
    answer = ask(server, line)
    assert answer.startswith("= "), (line, answer)
    return answer.removeprefix("= ")


def board(server: Server) -> str:
    """Returns the position string."""
    return say(server, "pinchtp-printboard")


# Games on 5x5, each of which allows something else next.
GAMES_BEFORE = {
    "start": "",
    "one stone": "b c3",
    "swapped": "b c3 w swap",
    "middle": "b c3 w b2 b d2",
    "resigned": "b c3 w resign",
    "won": "b b1 w d1 b b2 w d2 b b3 w d3 b b4 w d4 b b5",
}


def after(moves: str, width: int = 5, height: int = 5) -> Server:
    """Returns a server with clocks, after some moves: `b c3 w swap`."""
    engine = server(width, height)
    say(engine, "time_settings 300 10 5")
    say(engine, f"gogui-play_sequence {moves}")
    return engine


def split_answers(text: str) -> list[str]:
    """Splits responses, without their closing blank lines. Asserts correct framing."""
    answers = []
    at = 0
    while at < len(text):
        found = FRAMED.match(text, at)
        assert found, f"badly framed: {text[at : at + 200]!r}"
        answers.append(found[0].removesuffix("\n\n"))
        at = found.end()
    return answers


def observed(server: Server) -> tuple[object, ...]:
    """Returns the state that a failed command must not change."""
    session = server.engine.session
    return (
        ask(server, "showboard"),
        ask(server, "all_legal"),
        ask(server, "winner"),
        list(session.history),
        session.start,
        session.to_move,
        session.control,
        [session.clock(color) for color in (session.to_move, session.to_move.opponent)],
    )


def refuse(server: Server, line: str, reason: str) -> None:
    """Asserts that a command fails for that reason and changes nothing."""
    before = observed(server)
    assert ask(server, line) == f"? {reason}"
    assert observed(server) == before


def run(
    *options: str, sent: bytes = b"", env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs the program to its end, with `sent` on its standard input. env: None for ours."""
    done = subprocess.run(
        [*PROGRAM, *options],
        check=False,
        input=sent,
        capture_output=True,
        timeout=PATIENCE,
        cwd=FOLDER,
        env=env,
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


def put_on_path(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Makes `pinchtp` in this process and its children a command for PROGRAM, in a folder."""
    program = folder / "pinchtp"
    program.write_text(f'#!/bin/sh\nexec {shlex.join(PROGRAM)} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


@contextmanager
def bounded(process: subprocess.Popen[Any], seconds: float = PATIENCE) -> Iterator[None]:
    """Kills a process that still runs after some seconds.

    A test that waits for its output then sees the end, and fails.
    """
    late = threading.Timer(seconds, process.kill)
    late.daemon = True
    late.start()
    try:
        yield
    finally:
        late.cancel()


class Program(Resource):
    """The program as a subprocess, with pipes for its input and output.

    Use it in a `with` statement, which kills the process at its end. No method waits longer than
    PATIENCE: a hung program fails its test.
    """

    def __init__(self, *options: str) -> None:
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115  (closed by close())
        self._process = subprocess.Popen(
            [*PROGRAM, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            bufsize=0,
            cwd=FOLDER,
        )
        self._received = b""

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self.close_input()
        self.close_output()
        self._stderr.close()

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, data: bytes) -> None:
        assert self._process.stdin is not None
        while data:
            data = data[os.write(self._process.stdin.fileno(), data) :]

    def ask(self, line: str, end: str = "\n") -> str:
        """Sends a line and returns its response without the closing blank line."""
        self.send((line + end).encode())
        return self.answer()

    def answer(self) -> str:
        """Waits for the next response."""
        deadline = monotonic() + PATIENCE
        while b"\n\n" not in self._received:
            assert self._receive(deadline), f"the answers ended with {self._received!r}"
        answer, _, self._received = self._received.partition(b"\n\n")
        return answer.decode()

    def rest(self) -> str:
        """Returns the remaining output, up to its end."""
        deadline = monotonic() + PATIENCE
        while self._receive(deadline):
            pass
        rest = self._received
        self._received = b""
        return rest.decode()

    def close_input(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()

    def close_output(self) -> None:
        """Stops reading: the program's next response meets a broken pipe."""
        assert self._process.stdout is not None
        self._process.stdout.close()

    def interrupt(self) -> None:
        self._process.send_signal(signal.SIGINT)

    def is_running_after(self, seconds: float) -> bool:
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return True
        return False

    def ended(self) -> tuple[int, str]:
        """Waits for the end; returns the exit status and all of standard error."""
        status = self._process.wait(PATIENCE)
        self._stderr.seek(0)
        return status, self._stderr.read().decode()

    def _receive(self, deadline: float) -> bool:
        """Waits for more output; returns False at its end."""
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        ready, _, _ = select.select([descriptor], [], [], max(0.0, deadline - monotonic()))
        assert ready, f"no answer within {PATIENCE:g} s; so far {self._received!r}"
        more = os.read(descriptor, 1 << 16)
        self._received += more
        return bool(more)
