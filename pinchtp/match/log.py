"""Logs of all commands and answers, a file for each engine."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from urllib.parse import quote

from pinchtp.base.streams import ENCODING, note
from pinchtp.client import Transcript


class LogLevel(StrEnum):
    """What is logged: what goes wrong; all commands and answers; standard error as well."""

    ERRORS = "errors"
    COMMANDS = "commands"
    ALL = "all"


@dataclass(frozen=True)
class Log:
    """Where the traffic of all engines is written, and how much of it."""

    folder: str
    level: LogLevel = LogLevel.COMMANDS

    def path(self, engine: str) -> Path:
        """The file of an engine, whose name may hold anything."""
        return Path(self.folder) / f"{quote(engine, safe=' ()+,=@')}.log"

    def begin(self, engines: Iterable[str]) -> None:
        """Makes the folder and the files, so that what fails fails early. Raises OSError."""
        Path(self.folder).mkdir(parents=True, exist_ok=True)
        for engine in engines:
            self.path(engine).open("ab").close()

    def transcript(self, engine: str) -> LoggedTranscript:
        """A transcript that writes to the engine's file as well. Raises OSError."""
        self.path(engine).parent.mkdir(parents=True, exist_ok=True)
        return LoggedTranscript(self.path(engine), self.level)


LONGEST = 1 << 13  # bytes of a line that wait for its end

SENT, RECEIVED, DONE, STDERR = ">", "<", "!", "e"


class LoggedTranscript(Transcript):
    """A transcript whose lines go into a file too, each with its time and our process.

    Several processes may write to one file: each line is written at once. What cannot be written
    is left out, which is said once; the match goes on.
    """

    def __init__(self, path: Path, level: LogLevel) -> None:
        super().__init__()
        self._path, self._level = path, level
        self._begun = {RECEIVED: b"", STDERR: b""}  # lines that have no end yet
        self._command = b""
        self._is_failing = False

    def add(self, kind: str, data: bytes) -> None:
        super().add(kind, data)
        self._log(kind, data)

    def add_stderr(self, data: bytes) -> None:
        """What the engine wrote to standard error; it belongs to no game."""
        if self._level is LogLevel.ALL:
            self._log(STDERR, data)

    def _log(self, kind: str, data: bytes) -> None:
        lines = self._ended(kind, data) if kind in self._begun else data.split(b"\n")
        if kind == SENT:
            self._command = data.rstrip(b"\n")
        for line in lines:
            self._log_line(kind, line)

    def _ended(self, kind: str, data: bytes) -> list[bytes]:
        """The lines that end with these data. A carriage return ends one too, as of a counter that
        goes up in place, and so does its length.
        """
        *lines, rest = re.split(rb"[\r\n]", self._begun[kind] + data)
        if len(rest) > LONGEST:
            lines, rest = [*lines, rest], b""
        self._begun[kind] = rest
        return lines

    def _log_line(self, kind: str, line: bytes) -> None:
        if self._level is LogLevel.ERRORS:
            refused = kind == RECEIVED and line.startswith(b"?")
            if refused:
                self._write(SENT, self._command)
            elif kind != DONE:
                return
        if line:
            self._write(kind, line)

    def _write(self, kind: str, line: bytes) -> None:
        now = datetime.fromtimestamp(time.time()).isoformat(" ", "milliseconds")
        text = line.decode("utf-8", "backslashreplace").rstrip("\r")
        row = f"{now} {os.getpid()} {kind} {text}\n".encode(*ENCODING)
        try:
            with open(self._path, "ab", buffering=0) as file:
                file.write(row)
        except OSError as error:
            if not self._is_failing:
                note(f"pinchtp match: {self._path}: {error.strerror}; the log is incomplete")
            self._is_failing = True
        else:
            self._is_failing = False
