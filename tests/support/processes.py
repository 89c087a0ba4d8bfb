"""Processes of this machine, as /proc shows them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

from clients import PATIENCE


def running(token: str, file: str = "cmdline") -> list[int]:
    """Returns the processes except this one whose command line contains a token.

    file: `environ` to look in their environments instead.
    """
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            text = Path("/proc", entry, file).read_bytes()
        except OSError:
            continue
        if token.encode() in text and int(entry) != os.getpid() and is_running(int(entry)):
            found.append(int(entry))
    return found


def is_running(pid: int) -> bool:
    """Whether a process exists and is not a zombie."""
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def descendants(pid: int) -> set[int]:
    """Returns all descendants of a process."""
    parents: dict[int, int] = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            parents[int(entry)] = int(
                Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()[1]
            )
        except OSError:
            continue
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {pid}


def wait_for(condition: Callable[[], object]) -> None:
    """Waits until a condition holds; fails after PATIENCE."""
    until = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < until
        sleep(0.01)


def wait_until_gone(token: str) -> None:
    """Waits until no process has the token in its command line; fails after PATIENCE."""
    wait_for(lambda: not running(token))
