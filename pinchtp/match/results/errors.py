"""What goes wrong with the file of a store, as a StoreError with words for people."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from errno import EACCES
from pathlib import Path

from pinchtp.base.sqlite import StoreError

# What reading a damaged file may raise: SQLite's own errors, and ours for values that are none.
DAMAGE = (sqlite3.DatabaseError, ValueError, TypeError, KeyError, IndexError, AttributeError)

# Errors of SQLite that say nothing about the file.
_HINDRANCES = {
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN),
    *(sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL),
    *(sqlite3.SQLITE_AUTH, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_PROTOCOL),
}
_MOST_SAID = 100  # characters of what is wrong, which may hold the data that are


@contextmanager
def opening(path: Path) -> Iterator[ExitStack]:
    """Collects what is closed if the block fails. Turns what goes wrong into a StoreError."""
    try:
        with ExitStack() as resources:
            yield resources
    except BlockingIOError:
        raise StoreError(f"{path} is being played by another runner") from None
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}") from None
    except sqlite3.OperationalError as error:
        unreadable = path.exists() and not os.access(path, os.R_OK)
        raise StoreError(f"{path}: {os.strerror(EACCES) if unreadable else error}") from None


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turns what goes wrong while a plan is written into a StoreError."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{path} cannot be written: {error}") from None


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turns what goes wrong while a file is read into a StoreError."""
    try:
        yield
    except DAMAGE as error:
        # The first byte of a code is its kind; errors of the module sqlite3 itself have none.
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF in _HINDRANCES:
            raise StoreError(f"{path} cannot be read: {error}") from None
        raise damaged(path, str(error)) from None


def damaged(path: Path, why: str) -> StoreError:
    """What is said of a file that is damaged, and what to do about it."""
    why = why if len(why) <= _MOST_SAID else f"{why[:_MOST_SAID]}..."
    return StoreError(
        f"{path} is damaged: {why}. `pinchtp match repair {path}` saves all games that can be read"
    )
