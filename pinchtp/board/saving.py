"""Visitors and their tables on disk: a file each, replaced at once after every change.

A cookie is known here by its hash only: who reads the files cannot sit down at a table.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from contextlib import suppress
from pathlib import Path

from pinchtp.base.files import read_file, replace_file

MOST_VISITORS = 200  # that are remembered; the longest unseen is forgotten first

_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


class Store:
    """A folder with a file for each visitor."""

    def __init__(self, folder: Path) -> None:
        """Makes the folder if need be. Raises OSError."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder = folder

    def new(self) -> str:
        """The cookie of a new visitor."""
        self._forget_oldest()
        token = secrets.token_urlsafe(32)
        self.save(_id(token), b"")
        return token

    def find(self, token: str) -> str | None:
        """The id of the visitor with a cookie; None if there is none."""
        if not _TOKEN.fullmatch(token):
            return None
        visitor = _id(token)
        return visitor if self._file(visitor).is_file() else None

    def save(self, visitor: str, data: bytes) -> None:
        """Keeps what is to be known of a visitor. Raises OSError."""
        replace_file(self._file(visitor), data)

    def load(self, visitor: str) -> bytes:
        """What was kept last; empty if nothing was, or if it cannot be read."""
        with suppress(OSError):
            return read_file(self._file(visitor))
        return b""

    def _file(self, visitor: str) -> Path:
        return self._folder / f"{visitor}.json"

    def _forget_oldest(self) -> None:
        files = sorted(self._folder.glob("*.json"), key=lambda file: file.stat().st_mtime)
        for file in files[: max(0, len(files) - MOST_VISITORS + 1)]:
            with suppress(OSError):
                file.unlink()


def _id(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()[:32]


def usual_folder() -> Path:
    """Where tables are kept unless somebody says otherwise."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "pinchtp" / "board"
