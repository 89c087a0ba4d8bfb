"""A program as a subprocess that leaves nothing behind, however it or this process ends.

The program and all that it starts are a `ProcessGroup`, which is killed as a whole, and also ends
when this process is killed before it can clean up. The program gets a variable of its own in its
environment, which everything that it starts inherits: so those that left the group (GNU `timeout`,
shells with job control, daemons) are found as well.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from threading import Event, Thread

import psutil

from pinchtp.client.group import ProcessGroup, start
from pinchtp.client.pipes import Pipes

_KILLS = 20  # rounds of killing, as what is killed may just have started something
_DYING = 5.0  # seconds: a killed process is gone long before, unless the kernel holds it

_POLL_INTERVAL = 0.25  # seconds between readings of an engine's memory
_POLLS = 8  # readings between searches for new processes, which cost more


class Process:
    """A running program with pipes to its standard streams.

    pipes: of its standard input and output; `kill` closes them. stderr: a descriptor, which the
    caller closes.
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
        self._mark = f"PINCHTP_{secrets.token_hex(16).upper()}"
        self._group = ProcessGroup(self._mark)
        try:
            with _confined(cores):
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
        """The program's process id."""
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

    def members(self) -> set[int]:
        """Those of the program and all that it started, at any remove, that still run."""
        return {pid for pid in psutil.pids() if _has_mark(pid, self._mark)}

    def cpu_seconds(self) -> float:
        """Processor time that the members have used so far."""
        return sum(map(_cpu_seconds, self.members()))

    def kill_group(self) -> None:
        """Kills the program, but not those that left its group, without waiting."""
        self._group.kill()

    def kill(self) -> None:
        """Kills the program and all that it started. May be called again."""
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
        self._group.close()  # last, so that they are still killed if we die
        self.pipes.close()


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
                self._process.kill_group()
                return


@contextlib.contextmanager
def _confined(cores: Collection[int] | None) -> Iterator[None]:
    """Pins child processes started within to these cores (on Linux; ignored elsewhere).

    Pins the calling thread for that time, since running Python between fork and exec is unsafe
    with other threads.
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
