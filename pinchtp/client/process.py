"""A program as a subprocess that leaves nothing behind, however it or this process ends.

Three things work together. The program leads a process group, which is killed as a whole. It gets a
variable of its own in its environment, which everything that it starts inherits: so those who left
the group (GNU `timeout`, shells with job control, daemons) are found as well. And a small shell
waits for the end of this process, in case that is killed before it can clean up.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import signal
import subprocess
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from threading import Event, Thread
from typing import Any

import psutil

_KILLS = 20  # rounds of killing, as what is killed may just have started something
_DYING = 5.0  # seconds: a killed process is gone long before, unless the kernel holds it

# $1: the mark. The first line names the process group; the input ends when the process that holds
# the pipe does. Several rounds, as that may die while it starts the program, which then has no
# group that we know of, nor a mark yet, and on a busy machine not soon. Where there is no /proc
# (macOS), ps tells the environments.
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

_STARTS = 3  # tries, where the kernel is to blame

_POLL_INTERVAL = 0.25  # seconds between readings of an engine's memory
_POLLS = 8  # readings until processes are searched that were started meanwhile, which costs more


class Process:
    """A running program with pipes to its standard streams.

    stdin, stdout, stderr: our ends, descriptors; the first two never block. `kill` closes the first
    two, the last is left to whoever reads it.
    """

    def __init__(
        self,
        command: Sequence[str],
        cwd: str | Path | None,
        env: Mapping[str, str] | None,
        cores: Collection[int] | None = None,
    ) -> None:
        """Starts the program, with `env` on top of our environment, on these processors only.

        Raises OSError if it cannot be started.
        """
        self._mark = f"PINCHTP_{secrets.token_hex(16)}"
        self._guard = self._start_guard()
        try:
            with _confined(cores):
                self._popen = _started(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    cwd=cwd,
                    env={**os.environ, **(env or {}), self._mark: "1"},
                    start_new_session=True,
                )
        except BaseException:
            self._end_guard()
            raise
        assert self._guard.stdin
        self._guard.stdin.write(b"%d\n" % self.pid)
        assert self._popen.stdin
        assert self._popen.stdout
        assert self._popen.stderr
        self.stdin, self.stdout = self._popen.stdin.fileno(), self._popen.stdout.fileno()
        os.set_blocking(self.stdin, False)
        os.set_blocking(self.stdout, False)
        self.stderr = os.dup(self._popen.stderr.fileno())
        self._popen.stderr.close()

    @property
    def pid(self) -> int:
        """The program's process id, which is its group's as well."""
        return self._popen.pid

    @property
    def status(self) -> int | None:
        """The exit status, negative for a signal; None while the program runs."""
        return self._popen.poll()

    def wait(self, timeout: float) -> int | None:
        """Waits at most `seconds` for the program's end; its exit status, or None."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._popen.wait(timeout)
        return None

    def close_stdin(self) -> None:
        assert self._popen.stdin
        self._popen.stdin.close()

    def members(self) -> set[int]:
        """Those of the program and all that it started, at any remove, that still run."""
        return {pid for pid in psutil.pids() if _has_mark(pid, self._mark)}

    def cpu_seconds(self) -> float:
        """Processor time that the members have used so far."""
        return sum(map(_cpu_seconds, self.members()))

    def kill(self) -> None:
        """Kills the program and all that it started. May be called again."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self.wait(_DYING)
        for _ in range(_KILLS):
            members = self.members()
            if not members:
                break
            for pid in members:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.001)
        self._end_guard()  # last, so that the guard can still kill them if we die
        for pipe in (self._popen.stdin, self._popen.stdout):
            assert pipe
            pipe.close()

    def _start_guard(self) -> subprocess.Popen[bytes]:
        return _started(
            ["/bin/sh", "-c", _GUARD, "guard", self._mark],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,  # Ctrl-C at a terminal is not meant for it
        )

    def _end_guard(self) -> None:
        self._guard.kill()
        self._guard.wait()
        assert self._guard.stdin
        self._guard.stdin.close()


def _started(command: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
    """Starts a program with unbuffered pipes. Raises OSError as Popen does, but retries EFAULT.

    On a busy virtual machine about one start in some thousand failed with "Bad address" for valid
    arguments.
    """
    for _ in range(_STARTS - 1):
        try:
            return subprocess.Popen(command, bufsize=0, **options)
        except OSError as error:
            if error.errno != errno.EFAULT:
                raise
    return subprocess.Popen(command, bufsize=0, **options)


def exit_text(status: int) -> str:
    """Returns the description of an exit status."""
    return f"signal {-status}" if status < 0 else f"exit status {status}"


class MemoryGuard:
    """A thread that polls a program's memory and kills the program above a limit.

    excess: the reason of the kill, a sentence without a subject; empty before. Needs its own
    thread, since an engine may grow while no call reads from it.
    """

    def __init__(self, process: Process, most_mb: int) -> None:
        """most_mb: resident memory of the program and all that it started, in MB (2**20 bytes)."""
        self.excess = ""
        self._process, self._most = process, most_mb
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
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, signal.SIGKILL)
                return


@contextlib.contextmanager
def _confined(cores: Collection[int] | None) -> Iterator[None]:
    """Pins child processes started within to these cores (Linux only; ignored elsewhere).

    Pins the calling thread for that time, since running Python between fork and exec is unsafe
    with other threads.
    """
    if cores is None or not hasattr(os, "sched_setaffinity"):
        yield
        return
    usual = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, usual)


def _has_mark(pid: int, mark: str) -> bool:
    """Whether a process has the mark in its environment, which zombies do not show, nor the
    processes of other users.
    """
    try:
        return mark in psutil.Process(pid).environ()
    except (psutil.Error, OSError):
        return False


def _resident_mb(pid: int) -> float:
    """Resident memory of a process, 0 if it is gone."""
    try:
        return float(psutil.Process(pid).memory_info().rss) / (1 << 20)
    except psutil.Error:
        return 0.0


def _cpu_seconds(pid: int) -> float:
    """User and system time of a process, 0 if it is gone."""
    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)
