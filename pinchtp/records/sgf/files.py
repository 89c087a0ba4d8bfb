"""SGF files: a game's record kept up to date, and all variations of a game."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from time import strftime

from pinchtp.base.files import replace_file
from pinchtp.base.streams import warn
from pinchtp.games import GameType, Position
from pinchtp.games.game import RuleValue
from pinchtp.games.session import Session
from pinchtp.records.sgf.read import SgfGame, from_nodes
from pinchtp.records.sgf.syntax import GameTree, SgfError, lines
from pinchtp.records.sgf.write import to_sgf


def write_file(path: str, text: str) -> None:
    """Replaces a file by a text and a line feed, as replace_file() does. Raises SgfError."""
    try:
        replace_file(path, text.encode() + b"\n")
    except OSError as error:
        raise SgfError(error.strerror) from None


def today() -> str:
    """The date as SGF writes it."""
    return strftime("%Y-%m-%d")


class SgfAutosave:
    """Keeps a file up to date with a running game."""

    def __init__(self, path: Path) -> None:
        """Raises SgfError if the file cannot exist."""
        target = os.path.realpath(path)
        if not os.path.isdir(os.path.dirname(target)):
            raise SgfError(f"{path}: there is no such folder")
        if os.path.lexists(target) and not os.path.isfile(target):
            raise SgfError(f"{path}: it is not a regular file")
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
        self._start, self._written = session.start, state
        try:
            write_file(self._path, to_sgf(session, today()))
            self._has_failed = False
        except (SgfError, MemoryError) as error:
            if not self._has_failed:
                warn(f"pinchtp: {self._path}: {str(error) or 'out of memory'}")
            self._has_failed = True


def _is_bare(session: Session) -> bool:
    """Whether nothing has happened on an empty board."""
    return not session.history and not any(session.start.cells())


MAX_STEPS = 40_000  # nodes read to check all lines; each line is checked from its start


def variations_of(tree: GameTree, game: GameType, **options: RuleValue) -> Iterator[SgfGame]:
    """Reads the lines of a game one by one, the main line first; see from_sgf.

    A variation that breaks the rules is left out, and so are those that would take too long. Raises
    SgfError for the main line.
    """
    each_line = lines(tree)
    yield from_nodes(next(each_line), game, **options)
    steps = 0
    for line in each_line:
        steps += len(line)
        if steps > MAX_STEPS:
            return
        try:
            record = from_nodes(line, game, **options)
        except SgfError:
            continue
        yield record
