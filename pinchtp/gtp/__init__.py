"""The Go Text Protocol, version 2, with pinchtp's extensions (protocol.md)."""

from __future__ import annotations

# The failure of any command that runs out of memory.
OUT_OF_MEMORY = "out of memory"


class GtpError(Exception):
    """A refused command. Nothing has changed.

    text: the response after `? `; controllers compare the standard's texts literally.
    detail: the reason in words, for a terminal and --strict; never in the response.
    at: the place in the arguments, or None.
    """

    def __init__(self, text: str, detail: str = "", at: int | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.detail = detail
        self.at = at


class Quit(Exception):
    """The program ends once the command is answered."""
