"""The processes of an engine as one group that ends with this process, for POSIX and for Windows.

`ProcessGroup` has the same methods in both forms.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

_STARTS = 3  # tries, where the kernel is to blame


def start(command: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
    """Starts a program with unbuffered pipes, deaf to Ctrl-C at our terminal. Raises OSError as
    Popen does, but retries EFAULT.

    On a busy virtual machine about one start in some thousand failed with "Bad address" for valid
    arguments.
    """
    for _ in range(_STARTS - 1):
        try:
            return subprocess.Popen(command, bufsize=0, **DETACHED, **options)
        except OSError as error:
            if error.errno != errno.EFAULT:
                raise
    return subprocess.Popen(command, bufsize=0, **DETACHED, **options)


if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    # Options of subprocess.Popen. Without a console window of its own.
    DETACHED: dict[str, Any] = {
        "creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
    }

    # What is not guaranteed here.
    CAVEAT = (
        "on Windows, programs that an engine starts within its first milliseconds may outlive a "
        "runner that is killed, and pauses of the machine are measured less exactly"
    )

    class _Basic(ctypes.Structure):
        """JOBOBJECT_BASIC_LIMIT_INFORMATION of winnt.h."""

        _fields_ = (
            ("PerProcessUserTimeLimit", wintypes.LARGE_INTEGER),
            ("PerJobUserTimeLimit", wintypes.LARGE_INTEGER),
            ("LimitFlags", wintypes.DWORD),
            ("MinimumWorkingSetSize", ctypes.c_size_t),
            ("MaximumWorkingSetSize", ctypes.c_size_t),
            ("ActiveProcessLimit", wintypes.DWORD),
            ("Affinity", ctypes.c_size_t),
            ("PriorityClass", wintypes.DWORD),
            ("SchedulingClass", wintypes.DWORD),
        )

    class _Extended(ctypes.Structure):
        """JOBOBJECT_EXTENDED_LIMIT_INFORMATION of winnt.h."""

        _fields_ = (
            ("BasicLimitInformation", _Basic),
            ("IoInfo", ctypes.c_ulonglong * 6),
            ("ProcessMemoryLimit", ctypes.c_size_t),
            ("JobMemoryLimit", ctypes.c_size_t),
            ("PeakProcessMemoryUsed", ctypes.c_size_t),
            ("PeakJobMemoryUsed", ctypes.c_size_t),
        )

    _EXTENDED_LIMITS = 9  # JobObjectExtendedLimitInformation
    _KILL_ON_JOB_CLOSE = 0x2000
    _MAY_ASSIGN = 0x0101  # PROCESS_SET_QUOTA | PROCESS_TERMINATE

    _kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    _kernel.CreateJobObjectW.restype = wintypes.HANDLE
    _kernel.CreateJobObjectW.argtypes = (wintypes.LPVOID, wintypes.LPCWSTR)
    _kernel.SetInformationJobObject.argtypes = (
        *(wintypes.HANDLE, ctypes.c_int),
        *(wintypes.LPVOID, wintypes.DWORD),
    )
    _kernel.OpenProcess.restype = wintypes.HANDLE
    _kernel.OpenProcess.argtypes = (wintypes.DWORD, wintypes.BOOL, wintypes.DWORD)
    _kernel.AssignProcessToJobObject.argtypes = (wintypes.HANDLE, wintypes.HANDLE)
    _kernel.TerminateJobObject.argtypes = (wintypes.HANDLE, wintypes.UINT)
    _kernel.CloseHandle.argtypes = (wintypes.HANDLE,)

    class ProcessGroup:
        """A job object, which the system ends when our handle of it is closed, at our end too."""

        def __init__(self, mark: str) -> None:
            self._job = _kernel.CreateJobObjectW(None, None)
            limits = _Extended()
            limits.BasicLimitInformation.LimitFlags = _KILL_ON_JOB_CLOSE
            size = ctypes.sizeof(limits)
            _kernel.SetInformationJobObject(self._job, _EXTENDED_LIMITS, ctypes.byref(limits), size)

        def attach(self, pid: int) -> None:
            """Adds a program that has just started, with all that it starts from now on."""
            process = _kernel.OpenProcess(_MAY_ASSIGN, False, pid)
            _kernel.AssignProcessToJobObject(self._job, process)
            _kernel.CloseHandle(process)

        def kill(self) -> None:
            """Kills the program and what it started, as far as that is in the group."""
            if self._job:
                _kernel.TerminateJobObject(self._job, 1)

        def close(self) -> None:
            """Ends the group. May be called again."""
            job, self._job = self._job, None
            if job:
                _kernel.CloseHandle(job)
else:
    DETACHED: dict[str, Any] = {"start_new_session": True}
    CAVEAT = ""

    # $1: the mark. The first line names the process group; the input ends when the process that
    # holds the pipe does. Several rounds, as that may die while it starts the program, which then
    # has no group that we know of, nor a mark yet, and on a busy machine not soon. Where there is
    # no /proc (macOS), ps shows the environments.
    _GUARD = """read -r group; read -r _; kill -KILL -- "-$group"
for pause in 1 4 0; do
  if [ -r /proc/self/environ ]; then
    for file in $(grep -lsF "$1" /proc/[0-9]*/environ); do
      file=${file%/environ}; kill -KILL "${file#/proc/}"
    done
  else
    ps -A -E -ww -o pid= -o command= | while read -r pid line; do
      case $line in *"$1=1"*) kill -KILL "$pid";; esac
    done
  fi
  sleep $pause
done"""

    class ProcessGroup:
        """A process group, and a small shell that waits for our end to kill it."""

        def __init__(self, mark: str) -> None:
            """mark: a variable in the environment of everything that belongs to the group."""
            self._leader = 0
            self._guard = start(
                ["/bin/sh", "-c", _GUARD, "guard", mark],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
            )

        def attach(self, pid: int) -> None:
            """Takes a program that has just started, which leads the group."""
            self._leader = pid
            assert self._guard.stdin
            self._guard.stdin.write(b"%d\n" % pid)

        def kill(self) -> None:
            """Kills the program and what it started, as far as that is in the group."""
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._leader, signal.SIGKILL)

        def close(self) -> None:
            """Ends the shell. May be called again."""
            self._guard.kill()
            self._guard.wait()
            assert self._guard.stdin
            self._guard.stdin.close()
