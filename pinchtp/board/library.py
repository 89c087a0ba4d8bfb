"""A visitor's library: one file per game, with the summary for its list."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import structs

from pinchtp.base.files import read_file, replace_file
from pinchtp.board import messages as m
from pinchtp.board.tree import RequestError

MOST_BYTES = 16 << 20  # per visitor, some thousand games; the oldest are deleted first

_ID = re.compile(r"[0-9a-f]{16}")
_KEPT, _DELETED = ".json", ".deleted"


class StoredGame(msgspec.Struct):
    """A stored game. table: see SavedTable."""

    summary: m.GameSummary
    table: msgspec.Raw


class Library:
    """A directory of games. Methods raise RequestError for unknown games, and OSError."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def games(self) -> list[m.GameSummary]:
        """Returns the games, the last stored one first; damaged files are left out."""
        found = []
        for file in self._folder.glob(f"*{_KEPT}"):
            with suppress(OSError, msgspec.MsgspecError):
                found.append(_read(file).summary)
        return sorted(found, key=lambda each: -each.stored)

    def save(self, summary: m.GameSummary, table: bytes) -> None:
        """Stores a game, or its new state."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        self._write(StoredGame(summary, msgspec.Raw(table)))
        files = list(self._folder.iterdir())
        files.sort(key=lambda file: (file.suffix == _DELETED, -file.stat().st_mtime))
        size = 0
        for file in files:
            size += file.stat().st_size
            if size > MOST_BYTES:
                file.unlink(missing_ok=True)

    def load(self, game: str) -> StoredGame:
        """Returns a stored game."""
        return self._checked(game, _KEPT)

    def rename(self, game: str, title: str) -> None:
        """Gives a game a title, which may be empty."""
        stored = self._checked(game, _KEPT)
        stored.summary = structs.replace(stored.summary, title=title)
        self._write(stored)

    def delete(self, game: str) -> None:
        """Removes a game from the list; `restore` brings it back."""
        self._checked(game, _KEPT)
        self._file(game, _KEPT).replace(self._file(game, _DELETED))

    def restore(self, game: str) -> None:
        """Brings a deleted game back."""
        self._checked(game, _DELETED)
        self._file(game, _DELETED).replace(self._file(game, _KEPT))

    def _checked(self, game: str, suffix: str) -> StoredGame:
        try:
            return _read(self._file(game, suffix))
        except (OSError, msgspec.MsgspecError):
            raise RequestError("this game is not in the library") from None

    def _write(self, stored: StoredGame) -> None:
        replace_file(self._file(stored.summary.id, _KEPT), msgspec.json.encode(stored))

    def _file(self, game: str, suffix: str) -> Path:
        if not _ID.fullmatch(game):
            raise RequestError("this game is not in the library")
        return self._folder / f"{game}{suffix}"


def _read(file: Path) -> StoredGame:
    return msgspec.json.decode(read_file(file), type=StoredGame)
