"""A short form of tests/long/fuzz/memory.py: the program survives memory limits."""

from __future__ import annotations

import subprocess
import sys

import pytest
from clients import PROGRAM
from fuzz.memory import CANNOT_START, MB, attempt, resource, spread

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("limit", [*spread(40, 320, 12)])
def test_session_under_limit_is_answered(limit: int) -> None:
    """Two threads need memory for their exceptions."""
    outcome = attempt(limit, "--threads", "2", "--ponder")
    assert (outcome.started, outcome.fault) == (True, "")


def test_session_without_limit_is_never_refused() -> None:
    assert attempt(4000, "--memory", "64").refused == 0


@pytest.mark.parametrize("limit", [16, 20, 24])
def test_start_without_memory_is_told_in_one_line(limit: int) -> None:
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (limit * MB, limit * MB))

    done = subprocess.run(
        [*PROGRAM, "-e", "name"], capture_output=True, text=True, check=False, preexec_fn=limited
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert CANNOT_START.fullmatch(done.stderr)


@pytest.mark.parametrize(
    ("module", "error", "told"),
    [
        ("pinchtp.cli", "OSError(errno.ENOMEM, 'a folder')", "out of memory"),
        ("pinchtp.cli", "SystemError('no error')", "out of memory, or a fault of Python: no error"),
        ("ctypes", "OSError(errno.ENOMEM, 'a folder')", "out of memory"),
    ],
)
def test_other_errors_of_loading_without_memory_are_told(
    module: str, error: str, told: str
) -> None:
    """As the import system and CPython raise them."""
    script = f"""
import errno, sys
from pinchtp.__main__ import main

class Finder:
    def find_spec(self, name, *_):
        if name == "{module}":
            raise {error}

sys.meta_path.insert(0, Finder())
sys.exit(main())
"""
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"pinchtp: {told}\n")
