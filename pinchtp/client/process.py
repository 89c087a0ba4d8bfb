"""A program as a subprocess that leaves no processes running, however it or this process ends.

The program and its child processes are a `ProcessGroup`, which is killed as a whole. The group also
ends when this process is killed before it can clean up. The program gets a unique environment
variable, the mark, which its child processes inherit. The mark finds processes that left the group
(GNU `timeout`, shells with job control, daemons).
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from threading import Event, Thread
from typing import Any

import psutil

from pinchtp.client.pipes import Pipes

_KILLS = 20  # rounds of killing, because a killed process may just have started another one
_DYING = 5.0  # maximum seconds to wait for a killed process, which usually ends at once

_POLL_INTERVAL = 0.25  # seconds between measurements of an engine's memory
_POLLS = 8  # measurements between searches for new processes, which take longer


class Process:
    """A running program with pipes to its standard streams.

    pipes: the pipes of its standard input and output; `kill` closes them. stderr: the descriptor of
    its standard error, which the caller closes.
    """

    def __init__(
        self,
        command: Sequence[str],
        cwd: str | Path | None,
        env: Mapping[str, str] | None,
        cores: Collection[int] | None = None,
    ) -> None:
        """Starts the program. Raises OSError if that fails.

        env: environment variables to add to ours. cores: the CPU cores that it may use, on Linux
        and Windows; None: all.
        """
        self._mark = f"PINCHTP_{secrets.token_hex(16).upper()}"
        self._group = ProcessGroup(self._mark)
        try:
            with _confine_children(cores):
                self._popen = start(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    cwd=cwd,
                    env={**os.environ, **(env or {}), self._mark: "1"},
                )
        except BaseException:
            self._group.close()
            raise
        self._group.attach(self.pid)
        if cores is not None and sys.platform == "win32":
            psutil.Process(self.pid).cpu_affinity(list(cores))
        self.pipes = Pipes(self._popen)
        assert self._popen.stderr
        self.stderr = os.dup(self._popen.stderr.fileno())
        self._popen.stderr.close()

    @property
    def pid(self) -> int:
        """The process id of the program."""
        return self._popen.pid

    @property
    def status(self) -> int | None:
        """The exit status, negative for a signal; None while the program runs."""
        return self._popen.poll()

    def wait(self, timeout: float) -> int | None:
        """Waits for the end of the program, and returns its exit status; None after `timeout`
        seconds.
        """
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._popen.wait(timeout)
        return None

    def members(self) -> set[int]:
        """Returns the ids of the program and its child processes that are still running."""
        return {pid for pid in psutil.pids() if _has_mark(pid, self._mark)}

    def cpu_seconds(self) -> float:
        """Returns the CPU seconds that the running members have used."""
        return sum(map(_cpu_seconds, self.members()))

    def kill_group(self) -> None:
        """Kills the processes of the program's group, without waiting for their end."""
        self._group.kill()

    def kill(self) -> None:
        """Kills the program and all its child processes. May be called again."""
        self.kill_group()
        self.wait(_DYING)
        for _ in range(_KILLS):
            members = self.members()
            if not members:
                break
            for pid in members:
                with contextlib.suppress(psutil.Error):
                    psutil.Process(pid).kill()
            time.sleep(0.001)
        self._group.close()  # last: until then the group ends with this process
        self.pipes.close()


def exit_text(status: int) -> str:
    """Returns the description of an exit status."""
    return f"signal {-status}" if status < 0 else f"exit status {status}"


class MemoryGuard:
    """A thread that polls a program's memory and kills the program above a limit.

    It is a thread because an engine may grow while no call reads from it.

    excess: the reason for the kill, a sentence without its subject; empty before.
    """

    def __init__(self, process: Process, most_mb: int) -> None:
        """most_mb: maximum resident memory of the program and its child processes, in MB (2**20
        bytes).
        """
        self.excess = ""
        self._process = process
        self._most = most_mb
        self._stopped = Event()
        self._thread = Thread(target=self._run, name="memory", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        pids: set[int] = set()
        for reading in count():
            if self._stopped.wait(_POLL_INTERVAL):
                return
            if reading % _POLLS == 0:
                pids = self._process.members()
            used = sum(map(_resident_mb, pids))
            if used > self._most:
                self.excess = f"exceeded its memory limit: {used:.0f} of {self._most} MB"
                self._process.kill_group()
                return


@contextlib.contextmanager
def _confine_children(cores: Collection[int] | None) -> Iterator[None]:
    """Pins child processes started within the block to CPU cores, on Linux.

    It pins the calling thread during the block, because running Python between fork and exec is
    unsafe in a process with several threads.
    """
    if cores is None or sys.platform != "linux":
        yield
        return
    usual = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, usual)


def _has_mark(pid: int, mark: str) -> bool:
    """Returns whether a process has the mark in its environment.

    The environments of zombies and of other users' processes cannot be read.
    """
    try:
        return mark in psutil.Process(pid).environ()
    except (psutil.Error, OSError):
        return False


def _resident_mb(pid: int) -> float:
    """Returns the resident memory of a process in MB; 0 after its end."""
    try:
        return float(psutil.Process(pid).memory_info().rss) / (1 << 20)
    except psutil.Error:
        return 0.0


def _cpu_seconds(pid: int) -> float:
    """Returns the user and system time of a process in seconds; 0 after its end."""
    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)


# --- the group: start(), and ProcessGroup, the class for this system

_STARTS = 3  # attempts to start a program, in case of EFAULT


def start(command: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
    """Starts a program with unbuffered pipes, unaffected by Ctrl-C at our terminal.

    Raises the OSErrors of Popen, but retries after EFAULT: on a busy virtual machine, about one
    start in some thousands failed with "Bad address" for valid arguments.
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

    # Options of subprocess.Popen, for a program without a console window.
    DETACHED: dict[str, Any] = {
        "creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
    }

    # The limits of our guarantees on this system.
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

    class WindowsJob:
        """A job object. The system ends it when our handle is closed, also if this process ends."""

        def __init__(self, mark: str) -> None:
            self._job = _kernel.CreateJobObjectW(None, None)
            limits = _Extended()
            limits.BasicLimitInformation.LimitFlags = _KILL_ON_JOB_CLOSE
            size = ctypes.sizeof(limits)
            _kernel.SetInformationJobObject(self._job, _EXTENDED_LIMITS, ctypes.byref(limits), size)

        def attach(self, pid: int) -> None:
            """Adds a program that has just started, and the processes that it will start."""
            process = _kernel.OpenProcess(_MAY_ASSIGN, False, pid)
            _kernel.AssignProcessToJobObject(self._job, process)
            _kernel.CloseHandle(process)

        def kill(self) -> None:
            """Kills the program and what it started, as far as that is in the group."""
            if self._job:
                _kernel.TerminateJobObject(self._job, 1)

        def close(self) -> None:
            """Ends the group. May be called again."""
            job = self._job
            self._job = None
            if job:
                _kernel.CloseHandle(job)

    ProcessGroup = WindowsJob
else:
    DETACHED: dict[str, Any] = {"start_new_session": True}
    CAVEAT = ""

    # $1: the mark. The first line of input is the id of the process group. The input ends when this
    # process does. It may end while it starts the program. The group is then unknown, and on a busy
    # machine it takes a while until the program has the mark: hence several rounds. On systems
    # without /proc (macOS), ps shows the environments.
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

    class PosixGroup:
        """A process group, and a shell that kills it when this process ends."""

        def __init__(self, mark: str) -> None:
            """mark: the environment variable of all processes of the group."""
            self._leader = 0
            self._guard = start(
                ["/bin/sh", "-c", _GUARD, "guard", mark],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
            )

        def attach(self, pid: int) -> None:
            """Adds a program that has just started and leads the group."""
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

    ProcessGroup = PosixGroup
