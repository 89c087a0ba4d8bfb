"""Sessions with the program through pipes: framing, order and time of responses."""

import os
import select
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from time import monotonic
from typing import NoReturn

from clients import FRAMED, PROGRAM
from fuzz.commands import Commands, tally
from fuzz.sessions import Fault
from fuzz.source import Source

from pinchtp.base.options import kebab_case
from pinchtp.gtp import GtpError
from pinchtp.gtp.arguments import clean, parse_line

DEADLINE = 10.0  # seconds for a response, including the interrupt
INTERRUPT_AFTER = 0.05  # seconds until a running command is interrupted
DELAYS = [0.0, 0.0, 0.002, 0.02]  # seconds until queued lines are sent
BURST = 40  # lines sent before their responses are read, at most


class Talk:
    """A child process with its pipes and the lines sent to it."""

    def __init__(self, *options: str, program: Sequence[str] = PROGRAM) -> None:
        self.options = options
        self.lines: list[str] = []
        self._folder = tempfile.TemporaryDirectory()  # for files named in commands
        self._notes = tempfile.TemporaryFile()  # noqa: SIM115  (closed by close())
        self._child = subprocess.Popen(
            [*program, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._notes,
            bufsize=0,
            cwd=self._folder.name,
        )
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._to = self._child.stdin.fileno()
        self._from = self._child.stdout.fileno()
        self._received = b""

    def close(self) -> None:
        self._child.kill()
        self._child.wait(DEADLINE)
        for stream in (self._child.stdin, self._child.stdout, self._notes):
            stream.close()  # type: ignore[union-attr]
        self._folder.cleanup()

    def __enter__(self) -> "Talk":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def send(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._to, data) :]

    def ask(self, line: str) -> str:
        """Returns the response to a query, without a short timeout."""
        self.write(line)
        return self.answer(line, DEADLINE)

    def say(self, line: str, queued: tuple[str, ...] = (), delay: float = 0) -> str:
        """Sends a line, and after a delay those queued it; the answer to the first."""
        self.write(line)
        if queued:
            self.wait(delay)
            for each in queued:
                self.write(each)
        answer = self.answer(line)
        for each in queued:
            self.answer(each)
        return answer

    def write(self, line: str) -> None:
        self.lines.append(line)
        self.send((line + "\n").encode("utf-8", "surrogateescape"))

    def answer(self, line: str, timeout: float = INTERRUPT_AFTER) -> str:
        """Returns the response to a line, without its id; empty for an ignored line.

        After `timeout` seconds the command is interrupted, and has to end then.
        """
        if not clean(line.replace("\n", "")):
            return ""
        tally["commands"] += 1
        text = self._next(line, timeout).decode("utf-8", "surrogateescape")
        found = FRAMED.fullmatch(text)
        if not found:
            self.fail("badly framed", text)
        try:
            number = parse_line(clean(line)).id
        except GtpError:
            number = None
        if found["id"] != ("" if number is None else str(number)):
            self.fail("another id", f"{line!r}: {text}")
        if "internal error" in text:
            self.fail("internal error", text + self._noted())
        return f"{found['status']} {found['text']}"

    def finish(self) -> str:
        """Closes stdin, checks the exit, and returns the remaining output."""
        self._child.stdin.close()  # type: ignore[union-attr]
        deadline = monotonic() + DEADLINE
        while self.wait(deadline - monotonic()):
            if monotonic() > deadline:
                self.fail("it does not end", "")
        status = self._child.wait(DEADLINE)
        notes = [line for line in self._noted().splitlines() if not line.startswith("gogui-gfx:")]
        if status or notes:
            self.fail(f"it ended with status {status}", "\n".join(notes))
        return self._received.decode("utf-8", "surrogateescape")

    def fail(self, what: str, why: str) -> NoReturn:
        lines = "\n".join(f"  {line!r}" for line in self.lines)
        raise Fault(what, why, f"with {' '.join(self.options)}, after\n{lines}")

    def _next(self, line: str, timeout: float) -> bytes:
        """Reads the next response, which belongs to that line."""
        begin = monotonic()
        asked = False
        while b"\n\n" not in self._received:
            waited = monotonic() - begin
            if waited > DEADLINE:
                self.fail("no end", line)
            if not asked and waited > timeout:
                asked = True
                self.write("# interrupt")
            if not self.wait(DEADLINE - waited if asked else timeout - waited):
                self.fail("it ended", self._noted())
        answer, end, self._received = self._received.partition(b"\n\n")
        return answer + end

    def wait(self, seconds: float) -> bool:
        """Reads output for `seconds`; returns False at its end."""
        if not select.select([self._from], [], [], max(0.0, seconds))[0]:
            return True
        more = os.read(self._from, 1 << 16)
        self._received += more
        return bool(more)

    def _noted(self) -> str:
        self._notes.seek(0)
        return self._notes.read().decode(errors="replace")


class Conversation:
    """A session with a child: lines in bursts and one by one, with checks in between."""

    def __init__(self, talk: Talk, source: Source) -> None:
        self._talk = talk
        self._source = source
        self._commands = Commands(source, self._move, lambda: self._to_move)
        self._moves: list[str] = []
        self._to_move = "b"

    def run(self) -> None:
        """Runs until the source is empty."""
        source = self._source
        while not source.is_empty:
            self._update_moves()
            kind = source.below(8)
            if kind < 5:
                self._burst(1 + source.below(BURST))
            elif kind < 7:
                self._send_line()
            else:
                self._check_reload()

    def _update_moves(self) -> None:
        """Updates the legal moves and the side to move; starts a new game if there are none."""
        self._moves = self._succeed("pinchtp-legal").split()
        if not self._moves and self._source.below(4):
            self._talk.ask("clear_board")
            self._moves = self._succeed("pinchtp-legal").split()
        side = self._succeed("gogui-rules_side_to_move")
        self._to_move = "w" if side.startswith("w") else "b"

    def _move(self) -> str:
        return self._source.choice(self._moves) if self._moves else "pass"

    def _burst(self, count: int) -> None:
        """Sends a burst of lines before it reads the first response."""
        lines: list[str] = []
        for _ in range(count):
            text, queued = self._commands.line()
            lines += [text, *queued]
            if text.startswith("play"):
                self._to_move = "w" if self._to_move == "b" else "b"
        lines = [line.replace("\n", "") for line in lines]
        for line in lines:
            self._talk.write(line)
        for line in lines:
            self._talk.answer(line)

    def _send_line(self) -> None:
        """Sends a line, perhaps with queued ones; a failure must not change the state."""
        before = self._state()
        text, queued = self._commands.line()
        answer = self._talk.say(text.replace("\n", ""), queued, self._source.choice(DELAYS))
        if answer.startswith("?") and self._state() != before:
            self._talk.fail("a refusal has changed something", answer)

    def _state(self) -> tuple[str, ...]:
        return tuple(map(self._succeed, ("showboard", "pinchtp-history", "pinchtp-param")))

    def _check_reload(self) -> None:
        shown, legal = self._succeed("pinchtp-printboard"), self._succeed("pinchtp-legal")
        answer = self._talk.ask(f"pinchtp-loadboard {shown}")
        if answer.startswith("?"):
            if not shown.endswith(("-won", "drawn")):  # results that the board does not show
                self._talk.fail("what it prints is refused", f"{shown}: {answer}")
            return
        now = self._succeed("pinchtp-printboard"), self._succeed("pinchtp-legal")
        if now != (shown, legal):
            self._talk.fail("what it prints is another position", f"{shown}, not {now}")

    def _succeed(self, line: str) -> str:
        answer = self._talk.ask(line)
        if not answer.startswith("= "):
            self._talk.fail("refused", f"{line!r}: {answer}")
        return answer.removeprefix("= ")


def command_line(values: Mapping[str, object]) -> Iterator[str]:
    """Yields settings as program arguments."""
    for name, value in values.items():
        flag = kebab_case(name)
        if isinstance(value, bool):
            yield f"--{flag}" if value else f"--no-{flag}"
        elif isinstance(value, tuple):
            yield from (f"--{flag}", "x".join(map(str, value)))
        elif value is not None:
            yield from (f"--{flag}", str(value.value if isinstance(value, Enum) else value))
