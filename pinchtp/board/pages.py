"""The pages of a visitor: their queues of unsent messages, and whether anybody looks at them."""

from __future__ import annotations

import asyncio
import re
from itertools import count
from time import monotonic

from pinchtp.board.keys import Role

MOST_WAITING = 8 << 20  # characters of unsent messages per page
# Messages that replace unsent ones of their type.
REPLACED = re.compile(r'\{"type":"(analysis|state|tree|review|hello)"')


class Page:
    """A connected page with its queue of unsent messages.

    is_host: whether it runs on the server's machine. role: see invitations.py. origin: of the
    board's address in the page's network, empty by loopback. is_slow: whether it left too much
    unread.
    """

    def __init__(self, *, is_host: bool = True, role: Role = "owner", origin: str = "") -> None:
        self.is_host, self.role, self.origin = is_host, role, origin
        self.is_slow = False
        self._is_dismissed = False
        self._waiting: dict[str | int, str] = {}  # by type if replaced, else by number
        self._size = 0  # characters in it
        self._numbers = count()
        self._ready = asyncio.Event()

    def send(self, text: str) -> None:
        """Queues a message; it takes the place of an unsent one that it makes obsolete."""
        if self.is_slow or self._is_dismissed:
            return
        replaced = REPLACED.match(text)
        key = replaced[1] if replaced else next(self._numbers)
        self._size += len(text) - len(self._waiting.get(key, ""))
        self._waiting[key] = text
        self.is_slow = self._size > MOST_WAITING and len(self._waiting) > 1
        self._ready.set()

    def dismiss(self, text: str) -> None:
        """Sends a last message in place of all unsent ones; then the page is disconnected."""
        self._waiting.clear()
        self._size = 0
        self.send(text)
        self._is_dismissed = True

    @property
    def is_done(self) -> bool:
        """Whether nothing more is to be sent."""
        return self.is_slow or (self._is_dismissed and not self._waiting)

    async def next(self) -> str:
        """Returns the next message of the queue, when there is one."""
        while not self._waiting:
            self._ready.clear()
            await self._ready.wait()
        text = self._waiting.pop(next(iter(self._waiting)))
        self._size -= len(text)
        return text


class Presence:
    """The open pages of a visitor, their visibility and the time of the last input."""

    def __init__(self, idle_after: float) -> None:
        """idle_after: seconds without input until the visitor counts as idle."""
        self._idle_after, self._touched = idle_after, monotonic()
        self._can_be_seen: dict[Page, bool] = {}

    def show(self, page: Page, *, is_seen: bool = True) -> None:
        """Records that a page was opened, shown or hidden."""
        self._can_be_seen[page] = is_seen
        if is_seen:
            self.touch()

    def leave(self, page: Page) -> None:
        """Records that a page was closed."""
        self._can_be_seen.pop(page, None)

    def touch(self) -> None:
        """Records input of the visitor."""
        self._touched = monotonic()

    @property
    def until_idle(self) -> float:
        """Seconds until the visitor is idle without further input."""
        return self._touched + self._idle_after - monotonic()

    @property
    def is_visited(self) -> bool:
        """Whether a page is open."""
        return bool(self._can_be_seen)

    @property
    def is_idle(self) -> bool:
        """Whether no page is visible, or the last input was long ago."""
        return self.until_idle <= 0 or not any(self._can_be_seen.values())
