"""The file of a store: connections, the lock of its runner, and errors with words for people."""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from errno import EACCES
from pathlib import Path
from tempfile import TemporaryDirectory

from pinchtp.base.sqlite import StoreError

BUSY_TIMEOUT = 10.0  # seconds to wait for others who use the file


def connect_to_write(path: Path, resources: ExitStack) -> sqlite3.Connection:
    """Returns a connection to a file that may be new. resources: close it. Raises sqlite3.Error."""
    return _connect(str(path), resources)


def connect_to_read(path: Path, resources: ExitStack) -> sqlite3.Connection:
    """Returns a connection through which no game is changed, and which needs no right to write.

    Where it might, it leaves none of the files beside the store with which SQLite shares it. Where
    they cannot be made, the match cannot be played either, so there is nothing to lock; games that
    are still in the file beside it (-wal) are read from a copy. resources: close it. Raises OSError
    and sqlite3.Error.
    """
    address = path.resolve().as_uri()
    with ExitStack() as opened:
        connection = _connect(f"{address}?mode=rw", opened, uri=True)
        try:
            connection.execute("PRAGMA query_only = ON")
            connection.execute("SELECT count(*) FROM sqlite_master")
        except sqlite3.OperationalError:
            opened.close()
            if _bytes(_beside(path)):
                return connect_to_copy(path, resources)
            return _connect(f"{address}?immutable=1", resources, uri=True)
        except DAMAGE:
            pass  # whoever reads the file reports it
        resources.push(opened.pop_all())
        return connection


def connect_to_copy(
    path: Path, resources: ExitStack, first_page: bytes = b""
) -> sqlite3.Connection:
    """Returns a connection to a copy, so that the file and what is beside it stay as they are.

    resources: close and remove it. first_page: replaces that of the copy. Raises OSError and
    sqlite3.Error.
    """
    copy = Path(resources.enter_context(TemporaryDirectory(prefix="pinchtp-"))) / "copy.db"
    shutil.copyfile(path, copy)
    with copy.open("r+b") as file:
        file.write(first_page)
    if _bytes(_beside(path)):
        shutil.copyfile(_beside(path), _beside(copy))
    return _connect(str(copy), resources)


def size_of(path: Path) -> int:
    """Returns the bytes of a store, with those that are still beside it."""
    return _bytes(path) + _bytes(_beside(path))


def _connect(where: str, resources: ExitStack, *, uri: bool = False) -> sqlite3.Connection:
    connection = sqlite3.connect(where, uri=uri, timeout=BUSY_TIMEOUT)
    resources.callback(connection.close)
    return connection


def _beside(path: Path) -> Path:
    """Returns SQLite's write-ahead log of a file."""
    real = path.resolve()
    return real.with_name(f"{real.name}-wal")


def _bytes(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


@contextmanager
def locked(store: Path) -> Iterator[None]:
    """In the block no other runner plays the match of a store; the lock goes with the process.

    It is not on the store itself: closing any descriptor of that would drop SQLite's own locks.
    Raises BlockingIOError if some other runner holds it, and other OSErrors.
    """
    file = f"{store.resolve()}-lock"  # one for all the links that lead to the store
    descriptor = _taken(file)
    try:
        yield
    finally:
        with suppress(OSError):
            os.unlink(file)
        os.close(descriptor)


def _taken(file: str) -> int:
    """Returns the descriptor of a file that is locked."""
    while True:
        descriptor = os.open(file, os.O_CREAT | os.O_RDWR, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(descriptor), os.stat(file)):
                return descriptor
        except FileNotFoundError:
            pass
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)  # another runner ended in between and took the file along


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
    """Returns the error for a file that is damaged, which says what to do about it."""
    why = why if len(why) <= _MOST_SAID else f"{why[:_MOST_SAID]}..."
    return StoreError(
        f"{path} is damaged: {why}. `pinchtp match repair {path}` saves all games that can be read"
    )
