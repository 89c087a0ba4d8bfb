"""The pages of a visitor: unsent messages, presence, and the permissions of each role."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from itertools import count
from time import monotonic

import segno
from msgspec import json, structs

from pinchtp.board.keys import Role
from pinchtp.board.protocol.base import Message
from pinchtp.board.protocol.invitation import InvitationLink
from pinchtp.board.protocol.state import State
from pinchtp.board.protocol.tree import TreeView
from pinchtp.board.table import Table
from pinchtp.board.tree import RequestError
from pinchtp.board.view import COLOR_NAMES, no_legal_moves
from pinchtp.games import Color

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


ENDED = "this invitation has ended"
FOR_HOST = "only the host of this game can do that"  # the reason of a refusal
OF_ALL = frozenset(("export", "ask-rules", "ping", "set-visible"))
OF_THE_MOVER = frozenset(("play", "play-turn", "swap", "pass", "cancel"))
OF_PLAYERS = (
    OF_ALL
    | OF_THE_MOVER
    | {"undo", "answer-undo", "withdraw-undo", "resign", "rematch", "set-name"}
)


def seat(table: Table, page: Page) -> Color | None:
    """Returns the color that a page plays; None for both colors, and for a watcher."""
    friend = table.friend_here
    if friend is None or page.role == "watcher":
        return None
    return friend if page.role == "friend" else friend.opponent


def away(table: Table, pages: Iterable[Page]) -> tuple[Color, ...]:
    """Returns the colors without a page in a game with an invited friend."""
    if table.friend_here is None:
        return ()
    present = {seat(table, page) for page in pages}
    return tuple(color for color in Color if color not in present)


def check_role(type: str, table: Table, page: Page) -> None:
    """Raises RequestError for a request that a page is not allowed to make now."""
    if page.is_dismissed:
        raise RequestError(ENDED)
    if page.role != "owner" and type not in _list_allowed(table, page):
        raise RequestError(FOR_HOST)
    if type in OF_THE_MOVER and seat(table, page) not in (None, table.to_move):
        raise RequestError("it is the other player's turn")


def adapt_state(state: State, table: Table, page: Page) -> State:
    """Returns the state for a page, with the moves and requests that its role allows."""
    own = seat(table, page)
    if own is None and page.role == "owner":
        return state
    may_move = own == table.to_move
    can = [
        name
        for name in state.can
        if (page.role == "owner" or name in _list_allowed(table, page))
        and (may_move or name not in OF_THE_MOVER)
        and (name != "undo" or table.can_undo(own))
    ]
    return structs.replace(
        state,
        can=can,
        tasks=state.tasks if page.role == "owner" else [],
        rests=state.rests and page.role == "owner",
        legal=state.legal if may_move else no_legal_moves(),
        seat="watch" if own is None else COLOR_NAMES[own],
        guest=page.role != "owner",
    )


def adapt_tree(tree: TreeView, table: Table, page: Page) -> TreeView:
    """Returns the tree for a page. Guests do not get evaluations before the end of the game."""
    if page.role == "owner" or table.has_ended:
        return tree
    nodes = [structs.replace(node, black=None, loss=None, mark="") for node in tree.nodes]
    return structs.replace(tree, nodes=nodes)


def link(address: str, path: str) -> InvitationLink:
    """Returns the link to a path. address: of the board for other machines, or empty."""
    url = address + path
    code = segno.make_qr(url).svg_data_uri(light="#fff", omitsize=True) if address else ""
    return InvitationLink(url, code)


def _list_allowed(table: Table, page: Page) -> frozenset[str]:
    """Returns the requests that a guest may make: in a puzzle, those of a watcher."""
    return OF_PLAYERS if page.role == "friend" and not table.puzzle else OF_ALL
