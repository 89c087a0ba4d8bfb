"""The files of a run: atomic writes, and errors that name a damaged file and the remedy."""

from __future__ import annotations

import os
import weakref
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pinchtp.base.files import lock, replace_file

DAMAGE = (ValueError, KeyError, IndexError, TypeError, EOFError, zipfile.BadZipFile, zlib.error)
RESUMES = "start the run again: it resumes"


class RunError(Exception):
    """A run cannot continue; the text states the reason and the remedy."""


def store(path: Path, data: bytes) -> None:
    """Writes a file. Raises RunError."""
    with writing(path):
        replace_file(path, data)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Raises RunError if the block cannot write the file."""
    try:
        yield
    except OSError as error:
        raise RunError(f"{path} cannot be written: {error.strerror}; then {RESUMES}") from None


@contextmanager
def reading(path: Path, remedy: str) -> Iterator[None]:
    """Raises RunError if the block cannot read the file. remedy: for the user."""
    try:
        yield
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror or error}; {remedy}") from None
    except DAMAGE as error:
        raise RunError(f"{path} is damaged: {error or type(error).__name__}; {remedy}") from None


def hold_alone(owner: object, folder: Path) -> None:
    """Locks a directory until `owner` is deleted. Raises RunError if another process has it."""
    path = folder / "lock"
    with writing(path):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    weakref.finalize(owner, os.close, descriptor)
    try:
        lock(descriptor)
    except BlockingIOError:
        raise RunError(
            f"{folder} is in use by another process: wait for it, or choose another directory"
        ) from None
