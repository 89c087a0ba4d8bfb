"""The Go Text Protocol, version 2, with pinchtp's extensions (protocol.md)."""

from __future__ import annotations

# The error response of a command that runs out of memory.
OUT_OF_MEMORY = "out of memory"


class GtpError(Exception):
    """A rejected command, which has changed nothing.

    text: the response after `? `; controllers compare the texts of the standard literally.
    detail: the reason in words, for a terminal and --strict; it is not in the response.
    at: the place of the error in the arguments, or None.
    """

    def __init__(self, text: str, detail: str = "", at: int | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.detail = detail
        self.at = at


class Quit(Exception):
    """The program ends after the response to the command."""
