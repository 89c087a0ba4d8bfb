"""Connections to the file of a store, for those who only read it and for the one who writes."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from pinchtp.match.results.errors import DAMAGE

BUSY_TIMEOUT = 10.0  # seconds to wait for others who use the file


def connect_to_write(path: Path, resources: ExitStack) -> sqlite3.Connection:
    """A connection to a file that may be new. resources: close it. Raises sqlite3.Error."""
    return _connect(str(path), resources)


def connect_to_read(path: Path, resources: ExitStack) -> sqlite3.Connection:
    """A connection through which no game is changed, and which needs no right to write.

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
    """A connection to a copy, so that the file and what is beside it stay as they are.

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
    """Bytes of a store, with those that are still beside it."""
    return _bytes(path) + _bytes(_beside(path))


def _connect(where: str, resources: ExitStack, *, uri: bool = False) -> sqlite3.Connection:
    connection = sqlite3.connect(where, uri=uri, timeout=BUSY_TIMEOUT)
    resources.callback(connection.close)
    return connection


def _beside(path: Path) -> Path:
    """SQLite's write-ahead log of a file."""
    real = path.resolve()
    return real.with_name(f"{real.name}-wal")


def _bytes(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
