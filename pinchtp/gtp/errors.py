"""What a command handler raises to refuse a command or to end the program."""

from __future__ import annotations

# Why any command may be refused that the system gives no memory for.
OUT_OF_MEMORY = "out of memory"


class GtpError(Exception):
    """A refused command. Nothing has changed.

    text: the answer after `? `; the texts of the standard are compared literally by controllers.
    detail: why, for people; shown where it is asked for, never in the answer.
    """

    def __init__(self, text: str, detail: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.detail = detail


class Quit(Exception):
    """The program ends once the command is answered."""
