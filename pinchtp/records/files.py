"""Records on disk."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from time import strftime

from pinchtp.games import Position
from pinchtp.records.sgf import RecordError
from pinchtp.records.writing import to_sgf
from pinchtp.session import Session

MAX_BYTES = 1 << 20  # a long game with a comment on every move takes a tenth of that


def read_file(path: str) -> bytes:
    """All of a file. Raises RecordError, too for what is no plain file and could block."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise RecordError("not a regular file")
            data = os.read(descriptor, MAX_BYTES + 1)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise RecordError(error.strerror) from None
    if len(data) > MAX_BYTES:
        raise RecordError(f"longer than {MAX_BYTES >> 10} KiB")
    return data


def write_file(path: str, text: str) -> None:
    """Replaces a file by a text and a line feed, at once: a reader never sees half of it.

    The file keeps its permissions. One that has several names (hard links) keeps them all; it is
    written in place, once the text is safe in another file beside it. Raises RecordError.
    """
    target = os.path.realpath(path)  # what a link points to, not the link
    # Short: the name of the file may be as long as names can be.
    temporary = os.path.join(os.path.dirname(target), f".{os.urandom(4).hex()}.tmp")
    data = text.encode() + b"\n"
    try:
        old = _status(target)
        with open(temporary, "xb") as file:
            if old is not None:
                os.fchmod(file.fileno(), stat.S_IMODE(old.st_mode))
            file.write(data)
        if old is None or old.st_nlink == 1:
            os.replace(temporary, target)
        else:
            _overwrite(target, data, temporary)
    except OSError as error:
        with suppress(OSError):
            os.unlink(temporary)
        raise RecordError(error.strerror) from None


def _overwrite(path: str, data: bytes, kept: str) -> None:
    """Writes a file in place. Raises RecordError; then the data are still in the file `kept`."""
    try:
        with open(path, "wb") as file:
            file.write(data)
    except OSError as error:
        raise RecordError(f"{error.strerror}; the record is in {kept}") from None
    os.unlink(kept)


def _status(path: str) -> os.stat_result | None:
    """The status of a file; None if there is none. Raises RecordError if it is no plain file."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found.st_mode):
        raise RecordError("not a regular file")
    return found


def today() -> str:
    """The date as records tell it."""
    return strftime("%Y-%m-%d")


class Recorder:
    """Keeps a file up to date with a running game."""

    def __init__(self, path: Path) -> None:
        """Raises RecordError if there is no folder for the file."""
        if not path.resolve().parent.is_dir():
            raise RecordError(f"{path}: there is no such folder")
        self._path = str(path)
        self._start: Position | None = None
        self._written: tuple[object, ...] = ()
        self._has_failed = False

    def update(self, session: Session) -> None:
        """Writes the game if it has changed; call it after whatever may have changed it.

        A game stays on disk until a move of the next one is made. A file that cannot be written is
        named on stderr, once; the game goes on.
        """
        state = (session.start, tuple(session.history), session.info, session.control)
        is_new = session.start is not self._start
        if state == self._written or (is_new and _is_bare(session)):
            return
        self._start, self._written = session.start, state
        try:
            write_file(self._path, to_sgf(session, today()))
            self._has_failed = False
        except RecordError as error:
            if not self._has_failed:
                print(f"pinchtp: {self._path}: {error}", file=sys.stderr)
            self._has_failed = True


def _is_bare(session: Session) -> bool:
    """Whether nothing has happened on an empty board."""
    return not session.history and not any(session.start.cells())
