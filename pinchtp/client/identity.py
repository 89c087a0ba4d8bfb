"""The identity of an engine: its name and version, and a hash of its program."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pinchtp.client.client import split_command


@dataclass(frozen=True)
class EngineIdentity:
    """The program that really played: its name and version, and a hash of its files."""

    name: str
    version: str
    command: str
    binary: str = ""


def binary_hash(
    command: str | Sequence[str], folder: str | None = None, env: Mapping[str, str] | None = None
) -> str:
    """Returns a hash over the files that a command line names: the program, scripts, nets.

    folder, env: those of the engine. Raises EngineStartError if the command line cannot be split.
    """
    program, *arguments = split_command(command)
    path = {**os.environ, **(env or {})}.get("PATH")
    found = shutil.which(program, path=path) or program
    total = hashlib.sha256()
    for name in (found, *arguments):
        file = str(Path(folder or ".") / name)
        if os.path.isfile(file):  # unlike pathlib's, False for whatever cannot be a name
            with suppress(OSError):
                status = os.stat(file)
                total.update(_file_hash(file, status.st_size, status.st_mtime_ns))
    return total.hexdigest()[:16]


@lru_cache(maxsize=256)
def _file_hash(path: str, size: int, changed: int) -> bytes:
    """Returns the hash of a file with this size and time of change. Raises OSError."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").digest()
