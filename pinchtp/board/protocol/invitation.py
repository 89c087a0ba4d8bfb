"""The links of an invitation."""

from __future__ import annotations

from pinchtp.board.protocol.base import Message, Part


class InvitationLink(Part, frozen=True):
    """A link of an invitation.

    address: a URL that other machines can open; a path if they cannot open the board. code: a QR
    code of the URL, as the data URI of an image; empty for a path.
    """

    address: str
    code: str


class Invitation(Message, frozen=True):
    """The links of an invitation, one to play and one to watch; see State.seat."""

    request: int
    friend: InvitationLink
    watcher: InvitationLink
