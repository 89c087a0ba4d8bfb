"""Files of visitors: their tables, saved after every change, and their libraries."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from shutil import rmtree

import msgspec
from msgspec import structs

from pinchtp.base.files import append_to_file, free_name, make_directory, read_file, replace_file
from pinchtp.board.protocol.library import GameSummary
from pinchtp.board.rating import Ratings
from pinchtp.board.storage.saved_table import decode, save_table
from pinchtp.board.table import Table
from pinchtp.board.tree import RequestError, Tree

# --- a library: one file per game, with the summary for its list

MOST_BYTES = 16 << 20  # per visitor, some thousand games; the oldest are deleted first
_SHARE_LEFT = 7 / 8  # of these bytes, so that the next games need no look at the files

_ID = re.compile(r"[0-9a-f]{16}")
_KEPT = ".json"
_DELETED = ".deleted"
_LINES = ".jsonl"  # of a visitor
_DAMAGED = ".damaged"  # set aside for the owner of the server, and not read again


class StoredGame(msgspec.Struct):
    """A stored game. table: see SavedTable."""

    summary: GameSummary
    table: msgspec.Raw


class Library:
    """A directory of games. Methods raise RequestError for unknown games, and OSError."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._bytes: int | None = None  # of all files, at most; None before the first look

    def games(self) -> tuple[list[GameSummary], list[Path]]:
        """Returns the games without boards, the last played one first, and the damaged files that
        it set aside. Takes up to a second.
        """
        games = []
        damaged = []
        for file in self._folder.glob(f"*{_KEPT}"):
            try:
                games.append(structs.replace(_read(file).summary, board=None))
            except ValueError:
                with suppress(OSError):
                    damaged.append(_set_aside(file))
            except OSError:
                continue  # deleted meanwhile, or the disk fails
        return sorted(games, key=lambda game: -(game.played or game.stored)), damaged

    def save(self, summary: GameSummary, table: bytes) -> None:
        """Stores a game, or its new state."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        written = self._write(StoredGame(summary, msgspec.Raw(table)))
        if self._bytes is not None:
            self._bytes += written
        if self._bytes is None or self._bytes > MOST_BYTES:
            self._bytes = self._delete_oldest()

    def _delete_oldest(self) -> int:
        """Makes room, deleted games first, if the files are too large; returns the bytes left."""
        files = [(file, file.stat()) for file in self._folder.iterdir()]
        files.sort(key=lambda each: (each[0].suffix != _KEPT, -each[1].st_mtime))
        total = sum(stat.st_size for _, stat in files)
        if total <= MOST_BYTES:
            return total
        left = 0
        for file, stat in files:
            if left + stat.st_size <= MOST_BYTES * _SHARE_LEFT:
                left += stat.st_size
            else:
                file.unlink(missing_ok=True)
        return left

    def load(self, game: str) -> StoredGame:
        """Returns a stored game."""
        return self._read_listed(game, _KEPT)

    def rename(self, game: str, title: str) -> None:
        """Gives a game a title, which may be empty."""
        stored = self._read_listed(game, _KEPT)
        stored.summary = structs.replace(stored.summary, title=title)
        self._write(stored)

    def delete(self, game: str) -> None:
        """Removes a game from the list; `restore` brings it back."""
        self._read_listed(game, _KEPT)
        self._file(game, _KEPT).replace(self._file(game, _DELETED))

    def restore(self, game: str) -> None:
        """Brings a deleted game back, unless it was stored again."""
        self._read_listed(game, _DELETED)
        if self._file(game, _KEPT).exists():
            return
        self._file(game, _DELETED).replace(self._file(game, _KEPT))

    def _read_listed(self, game: str, suffix: str) -> StoredGame:
        try:
            return _read(self._file(game, suffix))
        except (FileNotFoundError, ValueError):
            raise RequestError("this game is not in the library") from None

    def _write(self, stored: StoredGame) -> int:
        """Writes a game; returns its bytes."""
        data = msgspec.json.encode(stored)
        replace_file(self._file(stored.summary.id, _KEPT), data)
        return len(data)

    def _file(self, game: str, suffix: str) -> Path:
        if not _ID.fullmatch(game):
            raise RequestError("this game is not in the library")
        return self._folder / f"{game}{suffix}"


def _read(file: Path) -> StoredGame:
    """Raises OSError, and ValueError for a damaged file."""
    return decode(read_file(file), StoredGame)


def _set_aside(file: Path) -> Path:
    """Gives a damaged file another name; returns it. Raises OSError."""
    return file.replace(free_name(file.with_suffix(_DAMAGED)))


# --- a file per visitor

MOST_VISITORS = 200  # stored; of those not loaded, the least recently seen is deleted first
MOST_FILE_BYTES = 1 << 26  # of a visitor; a table with 10,000 moves and their comments has less


class VisitorStore:
    """A directory with one file per visitor, which is named by a hash of the cookie.

    A file has a line for each time that the table was saved: the first with all of it, others with
    the changes. loaded: the ids of visitors whose files are not deleted.
    """

    def __init__(self, folder: Path, most: int = MOST_VISITORS) -> None:
        """Creates the directory if missing. Raises OSError. most: maximum number of visitors."""
        make_directory(folder, 0o700)
        self.loaded: Collection[str] = ()
        self._folder = folder
        self._most = most

    def save(self, visitor: str, line: bytes) -> None:
        """Replaces a visitor's file by one with this line. Raises OSError."""
        file = self._file(visitor)
        if not file.exists():
            self._forget_oldest()
        replace_file(file, line + b"\n")

    def append(self, visitor: str, line: bytes) -> None:
        """Adds a line to a visitor's file. Raises OSError; then a part of it may be there."""
        append_to_file(self._file(visitor), line + b"\n")

    def load(self, visitor: str) -> bytes:
        """Returns a visitor's file; empty if missing. Raises OSError."""
        with suppress(FileNotFoundError):
            return read_file(self._file(visitor), MOST_FILE_BYTES)
        return b""

    def set_aside(self, visitor: str) -> Path:
        """Renames a visitor's damaged file, which `save` would replace; returns its new name.

        Raises OSError.
        """
        return _set_aside(self._file(visitor))

    def _file(self, visitor: str) -> Path:
        return self._folder / f"{visitor}{_LINES}"

    def library(self, visitor: str) -> Library:
        """Returns a visitor's stored games."""
        return Library(self._folder / f"{visitor}.games")

    def _forget_oldest(self) -> None:
        files = sorted(self._folder.glob(f"*{_LINES}"), key=lambda file: file.stat().st_mtime)
        free = [file for file in files if file.stem not in self.loaded]
        for file in free[: max(0, len(files) - self._most + 1)]:
            with suppress(OSError):
                file.unlink()
                for damaged in self._folder.glob(f"{file.stem}*{_DAMAGED}"):
                    damaged.unlink()
                rmtree(file.with_suffix(".games"), ignore_errors=True)


MOST_CHANGES = 1 << 16  # bytes of changes in a file, and as many more as the whole table has


class TableFile:
    """The file of a visitor's table: has all of it, or after single changes a line with these."""

    def __init__(self, store: VisitorStore, visitor: str) -> None:
        self._store = store
        self._visitor = visitor
        self._tree: Tree | None = None  # that the file has, at a revision
        self._revision = 0
        self._room = 0  # bytes of changes until the file is rewritten

    def save(self, table: Table, ratings: Ratings) -> None:
        """Saves what has changed. Raises OSError."""
        tree = table.tree
        has_most = self._tree is tree and self._revision >= tree.reshaped
        self._tree = None  # until it is saved
        changed = tree.nodes_changed_since(self._revision) if has_most else []
        if not (has_most and self._append(save_table(table, ratings, changed))):
            line = save_table(table, ratings)
            self._store.save(self._visitor, line)
            self._room = min(len(line) + MOST_CHANGES, MOST_FILE_BYTES - len(line) - 1)
        self._tree = tree
        self._revision = tree.revision

    def _append(self, line: bytes) -> bool:
        """Returns whether there was room, and still a file."""
        if len(line) >= self._room:
            return False
        try:
            self._store.append(self._visitor, line)
        except FileNotFoundError:  # it was the oldest of too many
            return False
        self._room -= len(line) + 1  # with its line end
        return True


def find_usual_folder() -> Path:
    """Returns the default directory of saved games."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "pinchtp" / "board"
