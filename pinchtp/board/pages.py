"""The pages of a visitor: unsent messages and presence."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from itertools import count
from time import monotonic

from msgspec import json

from pinchtp.board.protocol.base import Message
from pinchtp.board.web.keys import Role

MOST_WAITING = 8 << 20  # characters of unsent messages per page
_encoder = json.Encoder()
# Messages that replace unsent ones of their type, and those that are about the state before them.
REPLACED = re.compile(r'\{"type":"(analysis|state|review|hello)"')
OF_A_STATE = ("analysis", "review")


def to_json(message: Message) -> str:
    """Returns a message as JSON."""
    return _encoder.encode(message).decode()


class Page:
    """A connected page with its queue of unsent messages.

    is_host: whether it runs on the server's machine. role: of the person at the page. address: of
    the board in the page's network; empty over loopback. is_slow: whether the queue exceeded
    MOST_WAITING. watches_engines: whether it gets the GTP log. is_dismissed: whether its invitation
    has ended; it gets one more message.
    """

    def __init__(self, *, is_host: bool = True, role: Role = "owner", address: str = "") -> None:
        self.is_host = is_host
        self.role = role
        self.address = address
        self.is_slow = False
        self.watches_engines = False
        self.is_dismissed = False
        self._waiting: dict[str | int, str] = {}  # by type if replaced, else by number
        self._size = 0  # characters in it
        self._numbers = count()
        self._ready = asyncio.Event()

    def send(self, text: str) -> None:
        """Queues a message; it replaces an unsent message that it makes obsolete."""
        if self.is_slow or self.is_dismissed:
            return
        replaced = REPLACED.match(text)
        key = replaced[1] if replaced else next(self._numbers)
        self._size += len(text) - len(self._waiting.get(key, ""))
        if key in OF_A_STATE:  # goes to the end of the queue
            self._waiting.pop(key, None)
        self._waiting[key] = text
        self.is_slow = self._size > MOST_WAITING and len(self._waiting) > 1
        self._ready.set()

    def dismiss(self, text: str) -> None:
        """Replaces all unsent messages by a last one, after which the page is disconnected."""
        self._waiting.clear()
        self._size = 0
        self.send(text)
        self.is_dismissed = True

    @property
    def is_done(self) -> bool:
        """Whether no more messages will be sent."""
        return self.is_slow or (self.is_dismissed and not self._waiting)

    async def next(self) -> str:
        """Waits for a message in the queue and returns it."""
        while not self._waiting:
            self._ready.clear()
            await self._ready.wait()
        text = self._waiting.pop(next(iter(self._waiting)))
        self._size -= len(text)
        return text


class Presence:
    """The open pages of a visitor, their visibility and the time of the owner's last input."""

    def __init__(self, idle_after: float) -> None:
        """idle_after: seconds without input until the visitor counts as idle."""
        self._idle_after = idle_after
        self._touched = monotonic()
        self._can_be_seen: dict[Page, bool] = {}

    def show(self, page: Page, *, is_seen: bool = True) -> None:
        """Records that a page was opened, shown or hidden."""
        self._can_be_seen[page] = is_seen
        if is_seen:
            self.touch(page)

    def leave(self, page: Page) -> None:
        """Records that a page was closed."""
        self._can_be_seen.pop(page, None)

    def touch(self, page: Page) -> None:
        """Records input at a page. That of guests, who do not see the analysis, does not count."""
        if page.role == "owner":
            self._touched = monotonic()

    @property
    def until_idle(self) -> float:
        """The seconds until the visitor is idle, without further input."""
        return self._touched + self._idle_after - monotonic()

    @property
    def pages(self) -> Iterable[Page]:
        """The open pages."""
        return self._can_be_seen.keys()

    @property
    def is_visited(self) -> bool:
        """Whether a page is open."""
        return bool(self._can_be_seen)

    @property
    def is_idle(self) -> bool:
        """Whether no page of the owner is visible, or the owner's last input was long ago."""
        return self.until_idle <= 0 or not any(
            is_seen and page.role == "owner" for page, is_seen in self._can_be_seen.items()
        )
