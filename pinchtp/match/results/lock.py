"""A lock that lets one runner at a time play a match."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


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
    """The descriptor of a file that is locked."""
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
