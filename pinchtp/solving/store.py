"""Files of the solver's table, from which a proof continues after a crash.

A header of HEADER_BYTES, JSON padded with newlines, describes the subject: the game, its size and
rules, and versions. The table of the solver follows, mapped into memory, so that the system writes
it to disk as it changes. Every entry has a checksum; damaged and incomplete entries are ignored.
"""

from __future__ import annotations

import json
import mmap
import os
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import Any

from pinchtp import __version__
from pinchtp.base.files import lock
from pinchtp.games import GameType, Position

HEADER_BYTES = 4096
TABLE_VERSION = 3  # changes with the content of entries (verdict_table.hpp)
CHUNK_BYTES = 1 << 20  # per write

VERSION = "pinchtp solve"  # the key of the version in a header
OPTIONS = {"game", "size", "rules"}  # the keys of options of the command line

NOT_A_STORE = "not a store of pinchtp solve, or its header is damaged: give another file"


class SolverStoreError(Exception):
    """The file cannot be used as a store, or not be written; the message has the reason."""


def open_store(path: Path, game: GameType, position: Position, megabytes: int) -> memoryview:
    """Opens or creates a store; returns its memory, for Solver.attach().

    megabytes: the size of a new store, in MB (2**20 bytes); an existing store keeps its size. The
    file is locked while the memory is used. Raises SolverStoreError and OSError.
    """
    with remove_if_new(path), open(open_alone(path), "r+b", buffering=0) as file:
        header = file.read(HEADER_BYTES)
        if _is_blank(file):  # a new file, or its creation was interrupted
            header = _header(game, position, megabytes)
            _create(file, header, HEADER_BYTES + (megabytes << 20))
        length = HEADER_BYTES + (_check(header, game, position) << 20)
        size = os.fstat(file.fileno()).st_size
        if size != length:
            raise SolverStoreError(f"the file has {size} bytes, expected {length}")
        return memoryview(mmap.mmap(file.fileno(), length))[HEADER_BYTES:]


def open_alone(path: Path) -> int:
    """Opens or creates a file that no other process uses, and locks it; returns its descriptor.

    Raises SolverStoreError and OSError.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):  # its end may be never
            raise SolverStoreError("not a regular file")
        lock(descriptor)
    except BlockingIOError:
        os.close(descriptor)
        raise SolverStoreError("in use by another process") from None
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


@contextmanager
def remove_if_new(path: Path) -> Iterator[None]:
    """Removes a file that did not exist before if the block raises an OSError."""
    target = path.resolve()
    existed = target.exists()
    try:
        yield
    except OSError:
        if not existed:
            with suppress(OSError):
                target.unlink()
        raise


def describe_subject(game: GameType, position: Position, **versions: int) -> dict[str, object]:
    """Returns the subject of proofs: the game, its size and rules, and versions.

    versions: of the contents of a file.
    """
    return {
        VERSION: __version__,
        **versions,
        "game": game.name,
        "size": [position.width, position.height],
        "rules": game.rules_of(position),
        "start": hex(game.start_of(position).hash128[0]),
    }


def check_subject(stored: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    """Raises SolverStoreError if the subject in a file is not the expected one."""
    try:
        options = _options(stored)
        others = {name: stored[name] for name in expected.keys() - OPTIONS}
    except (LookupError, TypeError, ValueError, AttributeError):
        raise SolverStoreError(NOT_A_STORE) from None
    if any(stored[name] != expected[name] for name in OPTIONS):
        raise SolverStoreError(f"it is a store of {options}: give these options, or another file")
    if others != {name: expected[name] for name in others}:
        raise SolverStoreError(
            f"it was made by another build of pinchtp ({stored[VERSION]}, this is {__version__}): "
            "give another file"
        )


def _options(subject: Mapping[str, Any]) -> str:
    """Returns the game, size and rules of a subject as options of the command line."""
    width, height = subject["size"]
    rules = [f"--{'' if value else 'no-'}{name}" for name, value in subject["rules"].items()]
    return " ".join([f"--game {subject['game']} --size {width}x{height}", *rules])


def _subject(game: GameType, position: Position) -> dict[str, object]:
    return describe_subject(game, position, table=TABLE_VERSION)


def _header(game: GameType, position: Position, megabytes: int) -> bytes:
    text = json.dumps({**_subject(game, position), "megabytes": megabytes})
    return text.encode().ljust(HEADER_BYTES, b"\n")


def _check(header: bytes, game: GameType, position: Position) -> int:
    """Returns the size in a header, in MB. Raises SolverStoreError for an invalid header."""
    try:
        stored = json.loads(header)
        megabytes = stored["megabytes"]
        is_whole = header == json.dumps(stored).encode().ljust(HEADER_BYTES, b"\n")
    except (ValueError, KeyError, TypeError, RecursionError):
        is_whole = False
    if header.partition(b"\n")[0].find(b'"jobs":') > 0:
        raise SolverStoreError("it was made with --cluster: give that too, or another file")
    if not is_whole or type(megabytes) is not int or megabytes < 1:
        raise SolverStoreError(NOT_A_STORE)
    check_subject(stored, _subject(game, position))
    return megabytes


def _is_blank(file: FileIO) -> bool:
    """Returns whether a file has only zeros."""
    file.seek(0)
    return not any(piece.strip(b"\0") for piece in iter(lambda: file.read(CHUNK_BYTES), b""))


def _create(file: FileIO, header: bytes, length: int) -> None:
    """Gives a blank file its length and its header. Raises OSError, and leaves it empty then."""
    file.truncate(0)  # an interrupted creation may have left more
    try:
        _reserve(file, length)
        file.seek(0)
        file.write(header)
    except OSError:
        file.truncate(0)
        raise


def _reserve(file: FileIO, length: int) -> None:
    """Fills an empty file with zeros and reserves its disk space.

    Otherwise a full disk would kill the process when it writes to the mapped memory.
    """
    if sys.platform == "linux":
        os.posix_fallocate(file.fileno(), 0, length)
        return
    file.seek(0)
    for at in range(0, length, CHUNK_BYTES):
        file.write(bytes(min(CHUNK_BYTES, length - at)))
