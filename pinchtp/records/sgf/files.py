"""SGF files: writing one, and the autosave of a running game."""

from __future__ import annotations

import os
from pathlib import Path
from time import strftime
from weakref import finalize

from pinchtp.base.files import check_output, claim, replace_file
from pinchtp.base.streams import warn
from pinchtp.games.session import Session
from pinchtp.records.errors import RecordError
from pinchtp.records.sgf.write import to_sgf


def write_file(path: str, text: str) -> None:
    """Replaces a file by a text and a newline; see replace_file().

    Raises RecordError if the file cannot be written.
    """
    try:
        replace_file(path, text.encode() + b"\n")
    except OSError as error:
        raise RecordError(error.strerror) from None


def today() -> str:
    """Returns the current date in the format of SGF."""
    return strftime("%Y-%m-%d")


class SgfAutosave:
    """A file that is kept up to date with a running game."""

    def __init__(self, path: Path) -> None:
        """Raises RecordError if the file cannot be written, and BlockingIOError if another process
        keeps a game in it.
        """
        try:
            check_output(path)
        except OSError as error:
            raise RecordError(f"{path}: {error.strerror}") from None
        if (descriptor := claim(os.path.realpath(path))) is not None:
            finalize(self, os.close, descriptor)
        self._path = str(path)
        self._written: tuple[object, ...] = ()
        self._has_failed = False

    def update(self, session: Session) -> None:
        """Writes the game if it has changed. Call it after every possible change.

        A game stays on disk until a move of the next game is played, even if the next game is
        loaded from a file or set up. If the file cannot be written, a warning is printed once, and
        each further call tries again.
        """
        if not session.is_changed:
            return
        state = (session.start, tuple(session.history), session.info, session.control)
        if state == self._written:
            return
        try:
            write_file(self._path, to_sgf(session, today()))
            self._written = state
            self._has_failed = False
        except (RecordError, MemoryError) as error:
            if not self._has_failed:
                warn(f"pinchtp: {self._path}: {str(error) or 'out of memory'}")
            self._has_failed = True
