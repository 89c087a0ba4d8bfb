"""What is kept of what was said to and by an engine: the latest, in bounded memory."""

from __future__ import annotations

import contextlib
import os
from collections import deque
from collections.abc import Iterator
from itertools import groupby
from threading import Thread
from time import monotonic
from typing import NamedTuple

MAX_TRANSCRIPT = 1 << 18  # bytes
_EVENT = 160  # bytes that an event takes besides its data, about
_CHUNK = 1 << 16


class Event(NamedTuple):
    """Something sent to the engine (kind `>`), received (`<`), or done to it (`!`)."""

    time: float  # of the monotonic clock
    kind: str
    data: bytes


class Transcript:
    """The latest of what went to and from an engine, in bounded memory."""

    def __init__(self, most: int = MAX_TRANSCRIPT) -> None:
        self._events: deque[Event] = deque()
        self._most = most
        self._size = 0

    def add(self, kind: str, data: bytes) -> None:
        self._events.append(Event(monotonic(), kind, data))
        self._size += len(data) + _EVENT
        while self._size > self._most and len(self._events) > 1:
            self._size -= len(self._events.popleft().data) + _EVENT

    def clear(self) -> None:
        self._events.clear()
        self._size = 0

    def __iter__(self) -> Iterator[Event]:
        return iter(self._events)

    def lines(self) -> list[str]:
        """One string per line: the kind of its event, and its text."""
        lines = []
        for kind, events in groupby(self._events, key=lambda event: event.kind):
            data = b"".join(event.data for event in events)  # a pipe cuts where it likes
            text = data.decode("utf-8", "surrogateescape").removesuffix("\n")
            lines += [f"{kind} {line}" for line in text.split("\n")]
        return lines


class Tail:
    """Reads a descriptor to its end in a thread of its own, and keeps the last bytes."""

    def __init__(self, descriptor: int, most: int) -> None:
        self.total = 0
        self.data = b""
        self._descriptor, self._most = descriptor, most
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
