"""GTP logs of engines in bounded memory."""

from __future__ import annotations

import contextlib
import os
from collections import deque
from collections.abc import Iterator, Mapping
from itertools import chain, groupby
from threading import Thread
from time import monotonic
from typing import NamedTuple

MAX_TRANSCRIPT = 1 << 18  # bytes
MAX_MERGED = 1 << 17  # characters
_EVENT = 160  # approximate overhead of an event in bytes
_CHUNK = 1 << 16  # maximum bytes per read
_SHOWN = 1 << 12  # bytes of an event in a merged transcript


class TranscriptEvent(NamedTuple):
    """Data sent to the engine (kind `>`) or received (`<`), or a note about the log (`!`)."""

    time: float  # seconds of the monotonic clock
    kind: str
    data: bytes


class Transcript:
    """A log of the latest input and output of an engine, in bounded memory.

    A flood in one direction takes at most half of the memory, so that its cause stays in the log.
    """

    def __init__(self, most: int = MAX_TRANSCRIPT) -> None:
        """most: maximum size in bytes."""
        self._most = most
        self._past: deque[TranscriptEvent] = deque()
        self._run: deque[TranscriptEvent] = deque()  # the latest events, of one kind
        self._past_size = 0
        self._run_size = 0
        self._is_cut = False  # whether earlier events of the run were dropped

    def add(self, kind: str, data: bytes) -> None:
        event = TranscriptEvent(monotonic(), kind, data)
        if self._run and self._run[0].kind != kind:
            self._past += self._run
            self._past_size += self._run_size
            self._run.clear()
            self._run_size = 0
            self._is_cut = False
        self._run.append(event)
        self._run_size += _size(event)
        if self._past_size + self._run_size > self._most:
            self._trim()

    def clear(self) -> None:
        self._past.clear()
        self._run.clear()
        self._past_size = self._run_size = 0
        self._is_cut = False

    def __iter__(self) -> Iterator[TranscriptEvent]:
        return chain(self._past, self._run)

    def _trim(self) -> None:
        while self._run_size > self._most // 2 and len(self._run) > 1:
            cut = self._run.popleft()
            self._run_size -= _size(cut)
            if not self._is_cut:
                self._is_cut = True
                self._past.append(TranscriptEvent(cut.time, "!", b"left out: the events before"))
                self._past_size += _size(self._past[-1])
        while self._past and self._past_size + self._run_size > self._most:
            self._past_size -= _size(self._past.popleft())

    def lines(self) -> list[str]:
        """Returns the log by lines, each with the kind of its event and its text."""
        lines = []
        for kind, events in groupby(self, key=lambda event: event.kind):
            data = b"".join(event.data for event in events)  # an event may end within a line
            text = data.decode("utf-8", "surrogateescape").removesuffix("\n")
            lines += [f"{kind} {line}" for line in text.split("\n")]
        return lines


def merge_transcripts(transcripts: Mapping[str, Transcript]) -> str:
    """Returns the lines of several transcripts in the order of time.

    Each line has the seconds since the first event, the transcript's name, and the kind and text of
    the event. The earliest lines are dropped if there are more than MAX_MERGED characters.
    """
    events = sorted(
        ((event, name) for name, each in transcripts.items() for event in each),
        key=lambda pair: pair[0].time,
    )
    lines = []
    for event, name in events:
        head = f"{event.time - events[0][0].time:9.3f} {name} {event.kind} "
        data = event.data if len(event.data) <= _SHOWN else event.data[:_SHOWN] + b" ..."
        text = data.decode("utf-8", "backslashreplace").rstrip("\n")
        lines += [head + line for line in text.split("\n")]
    whole = "\n".join(lines)
    return whole if len(whole) <= MAX_MERGED else whole[-MAX_MERGED:].partition("\n")[2]


def _size(event: TranscriptEvent) -> int:
    return len(event.data) + _EVENT


class StderrTail:
    """A thread that reads a descriptor to its end and stores the last bytes.

    total: the number of bytes read. data: the last bytes.
    """

    def __init__(self, descriptor: int, most: int) -> None:
        """descriptor: closed at its end. most: maximum number of stored bytes."""
        self.total = 0
        self.data = b""
        self._descriptor = descriptor
        self._most = most
        self._thread = Thread(target=self._run, name="stderr", daemon=True)
        self._thread.start()

    def join(self, timeout: float) -> None:
        self._thread.join(timeout)

    def _run(self) -> None:
        with contextlib.suppress(OSError):
            while chunk := os.read(self._descriptor, _CHUNK):
                self.total += len(chunk)
                self.data = (self.data + chunk)[-self._most :]
        os.close(self._descriptor)
