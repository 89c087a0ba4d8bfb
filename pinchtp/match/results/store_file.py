"""The file of a store: connections, the lock of its runner, and error messages."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from errno import EACCES
from pathlib import Path
from tempfile import TemporaryDirectory

from pinchtp.base.files import lock
from pinchtp.base.sqlite import StoreError

BUSY_TIMEOUT = 10.0  # seconds to wait for other users of the file


def connect_to_write(path: Path, resources: ExitStack) -> sqlite3.Connection:
    """Returns a connection to a new or existing file. resources: close it. Raises sqlite3.Error."""
    return _connect(str(path), resources)


def connect_to_read(path: Path, resources: ExitStack) -> sqlite3.Connection:
    """Returns a read-only connection, which works without permission to write.

    It removes SQLite's auxiliary files (-wal, -shm) if permitted. If it cannot create them, no
    runner can be playing the match, so no lock is needed; games in a -wal file are then read from a
    copy. resources: close the connection. Raises OSError and sqlite3.Error.
    """
    address = path.resolve().as_uri()
    with ExitStack() as opened:
        connection = _connect(f"{address}?mode=rw", opened, uri=True)
        try:
            connection.execute("PRAGMA query_only = ON")
            connection.execute("SELECT count(*) FROM sqlite_master")
        except sqlite3.OperationalError:
            opened.close()
            if _bytes(_wal(path)):
                return connect_to_copy(path, resources)
            return _connect(f"{address}?immutable=1", resources, uri=True)
        except DAMAGE:
            pass  # the first read of the file reports it
        resources.push(opened.pop_all())
        return connection


def connect_to_copy(
    path: Path, resources: ExitStack, first_page: bytes = b""
) -> sqlite3.Connection:
    """Returns a connection to a copy, which leaves the file and its -wal unchanged.

    resources: close and remove the copy. first_page: replaces the first page of the copy. Raises
    OSError and sqlite3.Error.
    """
    copy = Path(resources.enter_context(TemporaryDirectory(prefix="pinchtp-"))) / "copy.db"
    shutil.copyfile(path, copy)
    with copy.open("r+b") as file:
        file.write(first_page)
    if _bytes(_wal(path)):
        shutil.copyfile(_wal(path), _wal(copy))
    return _connect(str(copy), resources)


def move(path: Path, target: Path) -> None:
    """Renames a store that no process has open, with its write-ahead log. Raises OSError."""
    log = _wal(path)
    path.replace(target)
    if log.exists():
        log.replace(_wal(target))


def remove(path: Path) -> None:
    """Removes a store that no process has open, with its write-ahead log. Raises OSError."""
    path.unlink(missing_ok=True)
    _wal(path).unlink(missing_ok=True)


def size_of(path: Path) -> int:
    """Returns the bytes of a store, including its write-ahead log."""
    return _bytes(path) + _bytes(_wal(path))


def _connect(where: str, resources: ExitStack, *, uri: bool = False) -> sqlite3.Connection:
    connection = sqlite3.connect(where, uri=uri, timeout=BUSY_TIMEOUT)
    resources.callback(connection.close)
    return connection


def _wal(path: Path) -> Path:
    """Returns the name of SQLite's write-ahead log of a file."""
    real = path.resolve()
    return real.with_name(f"{real.name}-wal")


def _bytes(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


@contextmanager
def lock_store(store: Path) -> Iterator[None]:
    """Prevents other runners from playing the match of a store. The lock ends with the process.

    The lock is on a separate file: closing any descriptor of the store would drop SQLite's own
    locks. Raises BlockingIOError if another runner holds the lock, and other OSErrors.
    """
    file = f"{store.resolve()}-lock"  # the same for all links to the store
    descriptor = _acquire(file)
    try:
        yield
    finally:
        with suppress(OSError):
            os.unlink(file)
        os.close(descriptor)


def _acquire(file: str) -> int:
    """Locks a file and returns its descriptor."""
    while True:
        descriptor = os.open(file, os.O_CREAT | os.O_RDWR, 0o644)
        try:
            lock(descriptor)
            if os.path.samestat(os.fstat(descriptor), os.stat(file)):
                return descriptor
        except FileNotFoundError:
            pass
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)  # another runner ended in between and removed the file


# The errors of reading a damaged file: by SQLite, and by our conversion of invalid values.
DAMAGE = (sqlite3.DatabaseError, ValueError, TypeError, KeyError, IndexError, AttributeError)

# Errors of SQLite that do not mean a damaged file.
_OBSTACLES = {
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN),
    *(sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL),
    *(sqlite3.SQLITE_AUTH, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_PROTOCOL),
}
_MOST_REASON = 100  # characters of a message, which may contain damaged data


@contextmanager
def opening(path: Path) -> Iterator[ExitStack]:
    """Yields a stack of resources, and closes them after the block. Turns its errors into a
    StoreError.
    """
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
    """Turns errors of writing a plan into a StoreError."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{path} cannot be written: {error}") from None


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turns errors of reading a file into a StoreError."""
    try:
        yield
    except DAMAGE as error:
        # The low byte of a code is its primary code; errors of the module sqlite3 have no code.
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF in _OBSTACLES:
            raise StoreError(f"{path} cannot be read: {error}") from None
        raise damage_error(path, str(error)) from None


def damage_error(path: Path, why: str) -> StoreError:
    """Returns the error for a damaged file, with its remedy."""
    why = why if len(why) <= _MOST_REASON else f"{why[:_MOST_REASON]}..."
    return StoreError(
        f"{path} is damaged: {why}. `pinchtp match repair {path}` saves all games that can be read"
    )
