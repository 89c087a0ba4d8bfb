"""The program at a pseudo-terminal, driven as a person would."""

import os
import re
import select
import subprocess
from contextlib import suppress
from time import monotonic

from clients import FOLDER, PATIENCE, PROGRAM

from pinchtp.base.process import Resource

CONTROLS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\x1b\][^\x07]*\x07|\r|\x07")
CTRL_C, TAB, UP = "\x03", "\t", "\x1b[A"


class Terminal(Resource):
    """The program with a pseudo-terminal for its three standard streams.

    No method waits longer than PATIENCE: a hung program fails its test.
    """

    def __init__(self, *options: str, **environment: str) -> None:
        self._master, slave = os.openpty()
        kept = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        self._process = subprocess.Popen(
            # A session leader that opens a terminal controls it: Ctrl-C becomes a signal.
            ["sh", "-c", 'exec "$@" <"$0" >"$0" 2>&1', os.ttyname(slave), *PROGRAM, *options],
            env=kept | {"TERM": "xterm-256color", "COLUMNS": "100"} | environment,
            cwd=FOLDER,
            start_new_session=True,
        )
        self._slave = slave  # open until the program has it
        self._received = ""
        self.output = ""  # all of it, with escape sequences

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._slave)
        os.close(self._master)

    def type(self, text: str) -> None:
        """Presses keys; `\\r` is Enter."""
        os.write(self._master, text.encode())

    def enter(self, line: str) -> None:
        """Types a line."""
        self.type(f"{line}\r")

    def expect(self, text: str) -> str:
        """Waits for a text, and returns the output up to its end without escape sequences."""
        deadline = monotonic() + PATIENCE
        while text not in (plain := CONTROLS.sub("", self._received)):
            assert self._receive(deadline), f"no {text!r} in {plain!r}"
        end = plain.index(text) + len(text)
        self._received = plain[end:]
        return plain[:end]

    def interrupt_until_end(self) -> int:
        """Presses Ctrl-C until the program ends; returns its exit status.

        Python loses one that arrives between the prompt and its wait for input, and one that comes
        while it ends kills it: the next waits long.
        """
        deadline = monotonic() + PATIENCE
        while monotonic() < deadline:
            self.type(CTRL_C)
            with suppress(subprocess.TimeoutExpired):
                return self._process.wait(3)
        raise AssertionError("the program does not end")

    def status(self) -> int:
        """Waits for the end of the program; returns its exit status."""
        return self._process.wait(PATIENCE)

    def _receive(self, deadline: float) -> bool:
        """Reads some output; False at its end."""
        assert select.select([self._master], [], [], max(deadline - monotonic(), 0))[0], (
            f"timeout; received {self._received!r}"
        )
        data = b""
        with suppress(OSError):  # EIO: the program has ended
            data = os.read(self._master, 1 << 16)
        self._received += data.decode(errors="replace")
        self.output += data.decode(errors="replace")
        return bool(data)
