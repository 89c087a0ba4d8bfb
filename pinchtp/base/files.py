"""Bounded reads, atomic writes and locks of files, for POSIX and for Windows."""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import nullcontext, suppress
from itertools import chain, count
from pathlib import Path
from typing import BinaryIO

from pinchtp.base.streams import STDERR, STDOUT

MOST_FILE_BYTES = 1 << 24  # of an input file; a list of 400,000 openings
_CHUNK = 1 << 20
STDIN_NAME = "-"

# A FIFO does not block, and no terminal becomes ours; on Windows, line ends stay as they are.
_TO_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_TO_READ |= getattr(os, "O_BINARY", 0)


def read_file(path: str | Path, most: int = MOST_FILE_BYTES) -> bytes:
    """Reads a regular file; others could block or have no end.

    most: the largest size accepted, in bytes. Raises OSError.
    """
    descriptor = os.open(_file_name(path), _TO_READ)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        data = bytearray()
        while piece := os.read(descriptor, _CHUNK):
            data += piece
            if len(data) > most:
                raise too_long(most, path)
    finally:
        os.close(descriptor)
    return bytes(data)


def read_input(name: str, most: int = MOST_FILE_BYTES) -> bytes:
    """Reads a file or pipe that the user names, or standard input (`-`). Raises OSError."""
    with (
        nullcontext(sys.stdin.buffer)
        if name == STDIN_NAME
        else open(_file_name(name), "rb") as file
    ):
        data = file.read(most + 1)
    if len(data) > most:
        raise too_long(most, name)
    return data


def input_name(name: str) -> str:
    """Returns the name of an input of read_input() for messages."""
    return "standard input" if name == STDIN_NAME else name


def _file_name(path: str | Path) -> str:
    """Returns the name of a file. Raises OSError for a text that names none on this system."""
    try:
        name = os.fsdecode(os.fsencode(path))
    except UnicodeEncodeError:
        raise OSError(errno.EINVAL, "not the name of a file", str(path)) from None
    if "\0" in name:
        raise OSError(errno.EINVAL, "the name of a file cannot contain NUL", name)
    return name


def make_directory(path: Path, mode: int = 0o777) -> None:
    """Creates a directory and those above it, unless it exists. mode: its permissions.

    Raises OSError; NotADirectoryError if a file has its name, which Path.mkdir() calls existing.
    """
    try:
        path.mkdir(mode, parents=True, exist_ok=True)
    except FileExistsError:
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path)) from None


def free_name(path: Path) -> Path:
    """Returns a path that does not exist: this one, or with the least number, as in `name-1.db`."""
    numbered = (path.with_stem(f"{path.stem}-{number}") for number in count(1))
    return next(each for each in chain([path], numbered) if not each.exists())


def too_long(most: int, path: str | Path) -> OSError:
    """Returns the error of a file that has more than `most` bytes."""
    return OSError(errno.EFBIG, f"longer than {most >> 10} KiB", str(path))


def replace_file(path: str | Path, data: bytes, *, durable: bool = True) -> None:
    """Replaces a file, or a link's target, atomically: a reader gets the old file or the new one.

    durable: force it to disk, so that the new file survives a power cut once this returns. It
    costs 1 ms on a quiet virtual disk and 2 to 8 ms on a busy one.

    The file keeps its permissions; a read-only file is left alone. A file with several names (hard
    links) is written in place, after the data is safe in a temporary file in the same directory.
    Raises OSError, whose `strerror` names that file if the data is only there.
    """
    target = os.path.realpath(_file_name(path))
    # Short: the name of the file may be as long as names can be.
    temporary = os.path.join(os.path.dirname(target), f".{os.urandom(4).hex()}.tmp")
    old = _status(target)
    try:
        with open(temporary, "xb") as file:
            if old is not None:
                os.chmod(temporary, stat.S_IMODE(old.st_mode))
            _write(file, data, durable=durable)
        if old is None or old.st_nlink == 1:
            os.replace(temporary, target)
            if durable:
                _force_folder(os.path.dirname(target))
            return
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    if durable:
        _force_folder(os.path.dirname(target))
    _overwrite(target, data, temporary, durable=durable)


def check_output(path: str | Path) -> None:
    """Checks that replace_file() can write a file, before the work that makes its content.

    Raises OSError.
    """
    name = _file_name(path)
    _status(name)  # of what a link leads to, such as the pipe of /dev/stdout
    target = os.path.realpath(name)
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise FileNotFoundError(errno.ENOENT, "the directory does not exist", target)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), target)


def is_same_file(one: Path, other: Path) -> bool:
    """Returns whether two paths name one file, which need not exist."""
    return one.resolve() == other.resolve() or (
        one.exists() and other.exists() and one.samefile(other)
    )


def append_to_file(path: str | Path, data: bytes) -> None:
    """Adds data to the end of a file that exists, and forces it to disk.

    Raises OSError; then a part of the data may be there.
    """
    with open(_file_name(path), "r+b") as file:
        file.seek(0, os.SEEK_END)
        _write(file, data, durable=True)


def _write(file: BinaryIO, data: bytes, *, durable: bool) -> None:
    file.write(data)
    if durable:
        file.flush()
        os.fsync(file.fileno())


def _force_folder(path: str) -> None:
    """Forces the names in a directory to disk, if its file system supports that."""
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _overwrite(path: str, data: bytes, kept: str, *, durable: bool) -> None:
    """Writes a file in place. Raises OSError; the data is still in the file `kept` then."""
    try:
        with open(path, "wb") as file:
            _write(file, data, durable=durable)
    except OSError as error:
        reason = f"{error.strerror}; the text is in {kept}"
        raise OSError(error.errno, reason, path) from None
    os.unlink(kept)


def _status(path: str) -> os.stat_result | None:
    """Returns the status of a file, or None. Raises OSError if it cannot be replaced."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", path)
    if not os.access(path, os.W_OK):  # its directory may be writable
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    if _is_output(found):
        raise OSError(errno.EINVAL, "standard output or error goes to this file", path)
    return found


def _is_output(found: os.stat_result) -> bool:
    """Returns whether standard output or error goes to a file."""
    for descriptor in (STDOUT, STDERR):
        with suppress(OSError):  # it is closed
            if os.path.samestat(found, os.fstat(descriptor)):
                return True
    return False


if sys.platform == "win32":
    import msvcrt

    def lock(descriptor: int) -> None:
        """Locks an open file, which others may still open. Raises BlockingIOError if it is locked,
        and other OSErrors.
        """
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError(error.errno, error.strerror) from None
else:
    import fcntl

    def lock(descriptor: int) -> None:
        """Locks an open file, which others may still open. Raises BlockingIOError if it is locked,
        and other OSErrors.
        """
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def claim(path: str) -> int | None:
    """Claims the name of a file that will be replaced, until the returned descriptor is closed.

    The claim is a lock on an empty file that stays in the directory of temporary files. Raises
    BlockingIOError if another process has claimed the name. Returns None where nothing can be
    locked.
    """
    from hashlib import sha256  # noqa: PLC0415  (start-up time)
    from tempfile import gettempdir  # noqa: PLC0415

    # A lock on the file itself would end with its replacement.
    name = sha256(os.fsencode(path)).hexdigest()[:32]
    flags = os.O_CREAT | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0)  # others may write there too
    try:
        descriptor = os.open(f"{gettempdir()}/pinchtp-{name}.lock", flags, 0o600)
    except OSError:
        return None
    try:
        lock(descriptor)
    except OSError as error:
        os.close(descriptor)
        if isinstance(error, BlockingIOError):
            raise
        return None
    return descriptor
