"""Requests of the page itself: invitations, its visibility, the rules."""

from __future__ import annotations

import segno
from msgspec import structs

from pinchtp.base.text import visible
from pinchtp.board.pages import Page
from pinchtp.board.protocol.base import ColorName, Message, Name
from pinchtp.board.protocol.invitation import Invitation, InvitationLink
from pinchtp.board.requests.registry import request
from pinchtp.board.roles import find_seat
from pinchtp.board.tree import RequestError
from pinchtp.board.view import COLOR_NAMES
from pinchtp.board.visitor import Visitor
from pinchtp.games import Color


@request
def invite(visitor: Visitor, page: Page, id: int, color: ColorName) -> Invitation:
    """Invites a friend to play a color of the current game, and others to watch.

    Raises RequestError in a puzzle.
    """
    if visitor.table.puzzle:
        raise RequestError("go back to your game first: this is a puzzle")
    number = visitor.invite(Color.read(color))
    address = page.address or visitor.address
    friend, watcher = (visitor.invitation_path(role, number) for role in ("friend", "watcher"))
    return Invitation(id, _make_link(address, friend), _make_link(address, watcher))


def _make_link(address: str, path: str) -> InvitationLink:
    """Returns the link to a path. address: of the board for other machines, or empty."""
    url = address + path
    code = segno.make_qr(url).svg_data_uri(light="#fff", omitsize=True) if address else ""
    return InvitationLink(url, code)


@request
def end_invitation(visitor: Visitor) -> None:
    """Ends the invitation."""
    visitor.end_invitation()


@request
def set_name(visitor: Visitor, page: Page, name: Name) -> None:
    """Names the player of this page's color, in a game with a friend."""
    table = visitor.table
    own = find_seat(table, page)
    if own is None:
        raise RequestError("only players can choose a name")
    player = structs.replace(table.player(own), name=visible(name))
    table.players = structs.replace(table.players, **{COLOR_NAMES[own]: player})


@request
def set_visible(visitor: Visitor, page: Page, visible: bool) -> None:
    """Reports whether the page is visible.

    Live analysis pauses while no page of the visitor is visible, and after some minutes without
    input at any of them.
    """
    visitor.presence.show(page, is_seen=visible)


@request
def ping() -> None:
    """Requests a response, to check the connection."""


@request
def ask_rules(id: int, game: Name) -> Message:
    """Requests the illustrated rules of a game."""
    from pinchtp.board.lessons import describe_rules  # noqa: PLC0415  (rarely used)

    return describe_rules(game, id)
