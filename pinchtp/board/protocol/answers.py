"""Responses to requests, notices and the GTP log."""

from __future__ import annotations

from typing import Literal

from pinchtp.board.protocol.base import Message, Part

Severity = Literal["info", "warning", "error"]


class Notice(Message, frozen=True):
    """A sentence for the visitor. serial: of the game that it is about; 0 for none."""

    level: Severity
    text: str
    serial: int = 0


class Accepted(Message, frozen=True):
    """The acknowledgement of a request, after the messages about its immediate effects.

    request: its id. Its work may still be running.
    """

    request: int


class RequestRefused(Message, frozen=True, tag="refused"):
    """The rejection of a request. request: its id; 0 if it is unreadable. text: the reason."""

    request: int
    text: str


class ConsoleLine(Part, frozen=True):
    """A line of GTP. kind: `>` sent, `<` received, `?` received as an error."""

    engine: int
    kind: str
    text: str


class Console(Message, frozen=True):
    """Lines of the GTP log while it is watched, or the response to a console command.

    request: the id of the console command; 0 for the log.
    """

    lines: list[ConsoleLine]
    request: int = 0
