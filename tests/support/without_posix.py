"""Shows Windows to pinchtp on this machine.

After `hide_posix()`, modules of pinchtp see a `sys.platform` of win32, and `os`, `signal`,
`select`, `time` and `subprocess` without names that only POSIX has. Modules of Windows are
stand-ins; the libraries below see the machine as it is. So tests show that nothing of POSIX is
used, not that Windows does what its documentation says.
"""

import array
import builtins
import ctypes.wintypes
import fcntl
import importlib
import os
import select
import signal
import subprocess
import termios
from contextlib import suppress
from multiprocessing import connection
from types import ModuleType
from typing import Any

# Modules that Windows does not have.
ABSENT = {"fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "termios", "tty"}

# Names that modules do not have there, by the documentation of Python 3.11.
MISSING = {
    "os": "O_CLOEXEC O_DIRECTORY O_NOCTTY O_NOFOLLOW O_NONBLOCK O_SYNC chown fchmod fchown "
    "fdatasync fork forkpty get_blocking getegid geteuid getgid getloadavg getpgid getpgrp "
    "getpriority getsid getuid killpg lchown mkfifo nice openpty pathconf pipe2 posix_fallocate "
    "posix_spawn pread preadv pwrite readv register_at_fork sched_getaffinity sched_setaffinity "
    "sched_yield sendfile set_blocking setpgid setpriority setsid statvfs sync sysconf tcgetpgrp "
    "ttyname uname wait wait3 wait4 waitid writev",
    "select": "EPOLLIN PIPE_BUF POLLERR POLLHUP POLLIN POLLNVAL POLLOUT epoll poll",
    "signal": "SIGALRM SIGBUS SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP "
    "SIGUSR1 SIGUSR2 SIGWINCH alarm pause pthread_kill pthread_sigmask setitimer sigtimedwait "
    "sigwait",
    "socket": "AF_UNIX SO_REUSEPORT TCP_USER_TIMEOUT",
    "sys": "",
    "subprocess": "",
    "time": "CLOCK_BOOTTIME CLOCK_MONOTONIC CLOCK_REALTIME clock_getres clock_gettime",
}


class Popen(subprocess.Popen[bytes]):
    """A process started with the options of Windows only."""

    def __init__(self, *command: Any, **options: Any) -> None:
        for name in ("pass_fds", "preexec_fn", "start_new_session", "process_group", "umask"):
            if name in options:
                raise ValueError(f"{name} is not supported on Windows")
        options.pop("creationflags", None)
        info = options.pop("startupinfo", None)
        handles = tuple(info["lpAttributeList"]["handle_list"]) if info else ()
        super().__init__(*command, **options, pass_fds=handles)


def _available(descriptor: int, size: int = 0) -> tuple[int, int]:
    """Returns the bytes in a pipe, as PeekNamedPipe does; raises OSError for other files."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    count = array.array("i", [0])
    fcntl.ioctl(descriptor, termios.FIONREAD, count)
    if not count[0] and any(found & select.POLLHUP for _, found in poll.poll(0)):
        raise BrokenPipeError
    return count[0], 0


class _Library:
    """kernel32, with job objects that end their processes; the rest succeeds and does nothing."""

    def __init__(self, name: str, use_last_error: bool = False) -> None:
        self._jobs: list[list[int]] = [[]]  # pids; handles, which are indexes, begin with 1

    def __getattr__(self, name: str) -> Any:
        def function(*arguments: Any) -> int:
            known = {
                "CreateJobObjectW": self._create,
                "OpenProcess": lambda access, inherit, pid: pid,
                "AssignProcessToJobObject": lambda job, pid: self._jobs[job].append(pid),
                "TerminateJobObject": self._terminate,
            }
            result: int | None = known.get(name, lambda *_: 1)(*arguments)
            return 1 if result is None else result

        setattr(self, name, function)
        return function

    def _create(self, *_: object) -> int:
        self._jobs.append([])
        return len(self._jobs) - 1

    def _terminate(self, job: int, status: int) -> None:
        for pid in self._jobs[job]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _stand_ins() -> dict[str, ModuleType]:
    """Returns modules that pinchtp sees instead of those of this machine, by name."""
    seen: dict[str, ModuleType] = {}
    for name, missing in MISSING.items():
        seen[name] = ModuleType(name)
        vars(seen[name]).update(vars(importlib.import_module(name)))
        for each in missing.split():
            vars(seen[name]).pop(each, None)
    vars(seen["sys"])["platform"] = "win32"
    vars(seen["os"]).update(
        name="nt", O_BINARY=0, set_handle_inheritable=lambda handle, inheritable: None
    )
    vars(seen["signal"])["SIGBREAK"] = 21 - 6  # SIGTERM here, which has no other use
    vars(seen["subprocess"]).update(
        Popen=Popen, STARTUPINFO=dict, CREATE_NEW_PROCESS_GROUP=0x200, CREATE_NO_WINDOW=0x8000000
    )
    seen["ctypes"] = ModuleType("ctypes")
    vars(seen["ctypes"]).update(vars(ctypes), WinDLL=_Library)
    seen["_winapi"], seen["msvcrt"] = ModuleType("_winapi"), ModuleType("msvcrt")
    vars(seen["_winapi"])["PeekNamedPipe"] = _available
    vars(seen["msvcrt"]).update(get_osfhandle=int, LK_NBLCK=2, locking=_lock)
    return seen


def _lock(descriptor: int, mode: int, size: int) -> None:
    """Locks a file as msvcrt.locking does."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise PermissionError(*error.args) from None


def hide_posix() -> None:
    """Lets modules of pinchtp that are imported from now on see no POSIX."""
    usual = builtins.__import__
    seen = _stand_ins()
    vars(connection)["PipeConnection"] = connection.Connection

    def import_module(
        name: str,
        globals: Any = None,
        locals: Any = None,
        fromlist: Any = (),
        level: int = 0,
    ) -> Any:
        importer = (globals or {}).get("__package__") or ""
        if level == 0 and importer.partition(".")[0] == "pinchtp":
            if name in ABSENT:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)
            if name in seen:
                return seen[name]
        return usual(name, globals, locals, fromlist, level)

    builtins.__import__ = import_module
