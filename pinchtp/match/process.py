"""A program as a subprocess that leaves nothing behind, however it or this process ends.

Three things work together. The program leads a process group, which is killed as a whole. It gets a
variable of its own in its environment, which everything that it starts inherits: so those who left
the group (GNU `timeout`, shells with job control, daemons) are found as well, where there is a
/proc. And a small shell waits for the end of this process, in case that is killed before it can
clean up.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

_PROC = Path("/proc")
_KILLS = 20  # rounds of killing, as what is killed may just have started something
_DYING = 5.0  # seconds: a killed process is gone long before, unless the kernel holds it

# $1: the process group, $2: the mark. The input ends when the process that holds the pipe does.
_GUARD = """read -r _; kill -KILL -- "-$1"
for file in $(grep -lsF "$2" /proc/[0-9]*/environ); do
  file=${file%/environ}; kill -KILL "${file#/proc/}"
done"""


class Process:
    """A running program with pipes to its standard streams.

    stdin, stdout, stderr: our ends, descriptors; the first two never block. `kill` closes the first
    two, the last is left to whoever reads it.
    """

    def __init__(
        self, command: Sequence[str], cwd: str | Path | None, env: Mapping[str, str] | None
    ) -> None:
        """Starts the program, with `env` on top of our environment.

        Raises OSError if it cannot be started.
        """
        self._mark = f"PINCHTP_{secrets.token_hex(16)}"
        self._popen = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=cwd,
            env={**os.environ, **(env or {}), self._mark: "1"},
            start_new_session=True,
        )
        self._guard = self._start_guard()
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
        """Waits so many seconds at most for the program's end; its exit status, or None."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._popen.wait(timeout)
        return None

    def close_stdin(self) -> None:
        assert self._popen.stdin
        self._popen.stdin.close()

    def members(self) -> set[int]:
        """Those of the program and all that it started, at any remove, that still run.

        Needs /proc; without it only the program itself is known.
        """
        if not _PROC.is_dir():
            return set() if self.status is not None else {self.pid}
        mark = f"{self._mark}=1".encode()
        return {int(entry) for entry in os.listdir(_PROC) if _bears(entry, mark)}

    def cpu_seconds(self) -> float | None:
        """Processor time that the members have used so far; None where there is no /proc."""
        if not _PROC.is_dir():
            return None
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
        self._guard.kill()  # at the end, so that there is always someone who would do it
        self._guard.wait()
        for pipe in (self._popen.stdin, self._popen.stdout, self._guard.stdin):
            assert pipe
            pipe.close()

    def _start_guard(self) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(
                ["/bin/sh", "-c", _GUARD, "guard", str(self.pid), self._mark],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                start_new_session=True,  # Ctrl-C at a terminal is not meant for it
            )
        except BaseException:
            os.killpg(self.pid, signal.SIGKILL)
            self._popen.wait()
            raise


def _bears(entry: str, mark: bytes) -> bool:
    """Is this entry of /proc a process with the mark in its environment?

    Zombies do not show theirs, nor do other people's processes.
    """
    if not entry.isdigit():
        return False
    try:
        return mark in (_PROC / entry / "environ").read_bytes().split(b"\0")
    except OSError:
        return False


def _cpu_seconds(pid: int) -> float:
    """User and system time of a process (proc(5), fields 14 and 15 of stat)."""
    try:
        stat = (_PROC / str(pid) / "stat").read_text()
    except OSError:
        return 0.0
    user, system = stat.rpartition(")")[2].split()[11:13]  # a name may hold spaces
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
