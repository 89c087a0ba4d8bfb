"""SQLite files that tests look into and change."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path


@contextmanager
def opened(path: Path | str) -> Iterator[sqlite3.Connection]:
    """A connection that is closed at the end, with what was changed; sqlite3's own stays open."""
    with closing(sqlite3.connect(path)) as connection, connection:
        yield connection
