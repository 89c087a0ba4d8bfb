"""Files of the solver's table, from which a proof continues after a crash.

A header of HEADER_BYTES, JSON padded with line feeds, says what the entries are about. The table
of the solver follows, mapped into memory: the system writes it to disk as it changes. Every entry
has a check, so partly written and damaged ones are ignored.
"""

from __future__ import annotations

import json
import mmap
import os
import sys
from collections.abc import Mapping
from io import FileIO
from pathlib import Path

from pinchtp import __version__
from pinchtp.base.files import lock
from pinchtp.games import GameType, Position

HEADER_BYTES = 4096
TABLE_VERSION = 2  # changes with the content of entries (verdict_table.hpp)
CHUNK_BYTES = 1 << 20  # per write

NOT_A_STORE = "not a store of pinchtp solve, or its header is damaged"


class SolverStoreError(Exception):
    """The file cannot be used as a store, for the reason in the text."""


def open_store(path: Path, game: GameType, position: Position, megabytes: int) -> memoryview:
    """Returns the memory of a store, for Solver.attach().

    megabytes: the size of a new one; an old one keeps its size. The file is locked while the memory
    is used. Raises SolverStoreError and OSError.
    """
    with open(open_alone(path), "r+b", buffering=0) as file:
        header = file.read(HEADER_BYTES)
        if not header.strip(b"\0"):  # new, or killed while it was made
            _reserve(file, HEADER_BYTES + (megabytes << 20))
            header = _header(game, position, megabytes)
            file.seek(0)
            file.write(header)
        length = HEADER_BYTES + (_check(header, game, position) << 20)
        found = os.fstat(file.fileno()).st_size
        if found != length:
            raise SolverStoreError(f"the file has {found} bytes, expected {length}")
        return memoryview(mmap.mmap(file.fileno(), length))[HEADER_BYTES:]


def open_alone(path: Path) -> int:
    """Opens or creates a file that no other process uses, and locks it; returns its descriptor.

    Raises SolverStoreError and OSError.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
    try:
        lock(descriptor)
    except OSError as error:
        os.close(descriptor)
        if isinstance(error, BlockingIOError):
            raise SolverStoreError("in use by another process") from None
        raise
    return descriptor


def describe_subject(game: GameType, position: Position, **versions: int) -> dict[str, object]:
    """Returns what proofs depend on. versions: of the contents of a file."""
    return {
        "pinchtp solve": __version__,
        **versions,
        "game": game.name,
        "size": [position.width, position.height],
        "rules": game.rules_of(position),
        "start": hex(game.start_of(position).hash128[0]),
    }


def check_subject(found: Mapping[str, object], expected: Mapping[str, object]) -> None:
    """Raises SolverStoreError if a file is about another subject."""
    for name, value in expected.items():
        if found.get(name) != value:
            raise SolverStoreError(f"{name} is {found.get(name)}, expected {value}")


def _subject(game: GameType, position: Position) -> dict[str, object]:
    return describe_subject(game, position, table=TABLE_VERSION)


def _header(game: GameType, position: Position, megabytes: int) -> bytes:
    text = json.dumps({**_subject(game, position), "megabytes": megabytes})
    return text.encode().ljust(HEADER_BYTES, b"\n")


def _check(header: bytes, game: GameType, position: Position) -> int:
    """Returns the megabytes that a header names. Raises SolverStoreError for another subject."""
    try:
        found = json.loads(header)
        megabytes = found["megabytes"]
        is_whole = header == json.dumps(found).encode().ljust(HEADER_BYTES, b"\n")
    except (ValueError, KeyError, TypeError, RecursionError):
        is_whole = False
    if header.partition(b"\n")[0].find(b'"jobs":') > 0:
        raise SolverStoreError("it was made with --cluster")
    if not is_whole or type(megabytes) is not int or megabytes < 1:
        raise SolverStoreError(NOT_A_STORE)
    check_subject(found, _subject(game, position))
    return megabytes


def _reserve(file: FileIO, length: int) -> None:
    """Makes a file of zeros that has its place on the disk: later a full disk would kill us."""
    if sys.platform == "linux":
        os.posix_fallocate(file.fileno(), 0, length)
        return
    file.seek(0)
    for at in range(0, length, CHUNK_BYTES):
        file.write(bytes(min(CHUNK_BYTES, length - at)))
