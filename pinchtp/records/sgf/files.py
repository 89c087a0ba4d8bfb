"""SGF files: a game's record kept up to date."""

from __future__ import annotations

import os
from pathlib import Path
from time import strftime

from pinchtp.base.files import replace_file
from pinchtp.base.streams import warn
from pinchtp.games import Position
from pinchtp.games.session import Session
from pinchtp.records.errors import RecordError
from pinchtp.records.sgf.write import to_sgf


def write_file(path: str, text: str) -> None:
    """Replaces a file by a text and a line feed, as replace_file() does. Raises RecordError."""
    try:
        replace_file(path, text.encode() + b"\n")
    except OSError as error:
        raise RecordError(error.strerror) from None


def today() -> str:
    """Returns the date as SGF writes it."""
    return strftime("%Y-%m-%d")


class SgfAutosave:
    """Keeps a file up to date with a running game."""

    def __init__(self, path: Path) -> None:
        """Raises RecordError if the file cannot exist."""
        target = os.path.realpath(path)
        if not os.path.isdir(os.path.dirname(target)):
            raise RecordError(f"{path}: the directory does not exist")
        if os.path.lexists(target) and not os.path.isfile(target):
            raise RecordError(f"{path}: not a regular file")
        self._path = str(path)
        self._start: Position | None = None
        self._written: tuple[object, ...] = ()
        self._has_failed = False

    def update(self, session: Session) -> None:
        """Writes the game if it has changed; call it after every possible change.

        A game stays on disk until a move of the next one is made, even if that game is loaded
        from a file. A file that cannot be written is named on stderr, once; the game continues.
        """
        if session.info.extras is not None and not session.is_played_on:
            return
        state = (session.start, tuple(session.history), session.info, session.control)
        is_new = session.start is not self._start
        if state == self._written or (is_new and _is_bare(session)):
            return
        self._start = session.start
        self._written = state
        try:
            write_file(self._path, to_sgf(session, today()))
            self._has_failed = False
        except (RecordError, MemoryError) as error:
            if not self._has_failed:
                warn(f"pinchtp: {self._path}: {str(error) or 'out of memory'}")
            self._has_failed = True


def _is_bare(session: Session) -> bool:
    """Returns whether nothing has happened on an empty board."""
    return not session.history and not any(session.start.cells())
