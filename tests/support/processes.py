"""Processes of this machine."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from time import monotonic, sleep

import psutil
import pytest
from clients import PATIENCE


def python(code: str) -> list[str]:
    """Returns the command line of a program that starts quickly."""
    return [sys.executable, "-S", "-E", "-c", code]


def running(token: str, file: str = "cmdline") -> list[int]:
    """Returns the processes except this one whose command line contains a token.

    file: `environ` to look in their environments instead.
    """
    found = []
    for pid in psutil.pids():
        try:
            text = Path("/proc", str(pid), file).read_bytes()
        except OSError:
            continue
        if token.encode() in text and pid != os.getpid() and is_running(pid):
            found.append(pid)
    return found


def is_running(pid: int) -> bool:
    """Whether a process exists and is not a zombie."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def descendants(pid: int) -> set[int]:
    """Returns all descendants of a process."""
    try:
        return {child.pid for child in psutil.Process(pid).children(recursive=True)}
    except psutil.NoSuchProcess:
        return set()


@contextmanager
def no_reader_of_output() -> Iterator[None]:
    """Makes standard output a pipe whose reader has ended, such as `head`; expects its error."""
    reading, writing = os.pipe()
    os.close(reading)
    stream = open(writing, "w", encoding="utf-8")  # noqa: SIM115  (its close fails too)
    with pytest.raises(BrokenPipeError), redirect_stdout(stream):
        yield
    with suppress(BrokenPipeError):
        stream.close()


def wait_for(condition: Callable[[], object]) -> None:
    """Waits until a condition holds; fails after PATIENCE."""
    until = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < until
        sleep(0.01)


def wait_until_gone(token: str) -> None:
    """Waits until no process has the token in its command line; fails after PATIENCE."""
    wait_for(lambda: not running(token))
