"""Locks of files that end with the process, for POSIX and for Windows."""

from __future__ import annotations

import sys

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
