"""Logs of all commands and responses, one file per engine."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

from pinchtp.base.files import make_directory
from pinchtp.base.streams import warn
from pinchtp.base.text import ENCODING
from pinchtp.client import Transcript


@dataclass(frozen=True)
class EngineLog:
    """A directory of logs, one file per engine."""

    folder: Path

    def path(self, engine: str) -> Path:
        """Returns the file of an engine, whose name may contain any characters."""
        return self.folder / f"{quote(engine, safe=' ()+,=@')}.log"

    def begin(self, engines: Iterable[str]) -> None:
        """Creates the directory and the files, so that errors come early. Raises OSError."""
        make_directory(self.folder)
        for engine in engines:
            self.path(engine).open("ab").close()

    def transcript(self, engine: str) -> LoggingTranscript:
        """Returns a transcript that also writes to the engine's file. Raises OSError."""
        make_directory(self.folder)
        return LoggingTranscript(self.path(engine))


LONGEST = 1 << 13  # bytes after which an incomplete line is written

RECEIVED = "<"


class LoggingTranscript(Transcript):
    """A transcript that also writes its lines to a file, each with its time and our process id.

    Several processes may write to one file, since each line is a single write. Lines that cannot be
    written are omitted, with one warning; the match continues.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._incomplete = b""  # the start of a received line
        self._is_failing = False

    def add(self, kind: str, data: bytes) -> None:
        super().add(kind, data)
        for line in self._split_lines(data) if kind == RECEIVED else data.split(b"\n"):
            if line:
                self._write(kind, line)

    def _split_lines(self, data: bytes) -> list[bytes]:
        """Returns the received lines that these data complete.

        A carriage return ends a line too, such as that of a progress counter, and so does the
        length LONGEST.
        """
        *lines, rest = re.split(rb"[\r\n]", self._incomplete + data)
        if len(rest) > LONGEST:
            lines = [*lines, rest]
            rest = b""
        self._incomplete = rest
        return lines

    def _write(self, kind: str, line: bytes) -> None:
        now = datetime.fromtimestamp(time.time()).isoformat(" ", "milliseconds")
        text = line.decode("utf-8", "backslashreplace").rstrip("\r")
        row = f"{now} {os.getpid()} {kind} {text}\n".encode(*ENCODING)
        try:
            with open(self._path, "ab", buffering=0) as file:
                file.write(row)
        except OSError as error:
            if not self._is_failing:
                warn(f"pinchtp match: {self._path}: {error.strerror}; the log is incomplete")
            self._is_failing = True
        else:
            self._is_failing = False
