"""A worker's process and its connection to the parent, for POSIX and for Windows."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from multiprocessing import Pipe
from multiprocessing.connection import Connection

if sys.platform == "win32":
    import os
    from _thread import interrupt_main
    from multiprocessing.connection import PipeConnection

    AnyConnection = PipeConnection

    def start(command: Sequence[str]) -> tuple[subprocess.Popen[bytes], PipeConnection]:
        """Starts a process that ignores Ctrl-C at our terminal; its last argument is for `connect`.

        Returns it with our end of the connection.
        """
        ours, theirs = Pipe()
        with theirs:
            handle = theirs.fileno()
            os.set_handle_inheritable(handle, True)
            process = subprocess.Popen(
                [*command, str(handle)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                startupinfo=subprocess.STARTUPINFO(lpAttributeList={"handle_list": [handle]}),
                creationflags=subprocess.CREATE_NEW_PROCESS_GROUP,
            )
        return process, ours

    def connect(number: int) -> PipeConnection:
        """Returns the worker's end of the connection."""
        return PipeConnection(number)

    def interrupt(thread: int) -> None:
        """Raises KeyboardInterrupt in the main thread, after any system call in progress."""
        interrupt_main()

    def uptime() -> float:
        """Returns the seconds of a clock that continues while the machine is suspended."""
        return time.monotonic()
else:
    AnyConnection = Connection

    def start(command: Sequence[str]) -> tuple[subprocess.Popen[bytes], Connection]:
        """Starts a process that ignores Ctrl-C at our terminal; its last argument is for `connect`.

        Returns it with our end of the connection.
        """
        ours, theirs = Pipe()
        with theirs:
            process = subprocess.Popen(
                [*command, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        return process, ours

    def connect(number: int) -> Connection:
        """Returns the worker's end of the connection."""
        return Connection(number)

    def interrupt(thread: int) -> None:
        """Raises KeyboardInterrupt in the main thread, even during a system call."""
        signal.pthread_kill(thread, signal.SIGINT)

    # Linux has a clock that continues while the machine is suspended.
    _CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)

    def uptime() -> float:
        """Returns the seconds of a clock that continues while the machine is suspended."""
        return time.clock_gettime(_CLOCK)
