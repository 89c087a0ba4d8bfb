"""How programs tell the shell how they ended."""

from __future__ import annotations

from enum import IntEnum


class ExitStatus(IntEnum):
    """The exit statuses of all our programs; what they mean for one, its --help says.

    SUCCESS: it did what it was asked for.
    FAILURE: it ran, but the result is not the one asked for, or could not be written.
    WRONG_USE: it could not begin, as the command line or a file that it names is wrong.
    INTERRUPTED: Ctrl-C ended it; a shell says the same of other programs.
    """

    SUCCESS = 0
    FAILURE = 1
    WRONG_USE = 2
    INTERRUPTED = 130
