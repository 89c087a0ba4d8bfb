"""A short form of tests/long/fuzz/memory.py: the program survives memory limits."""

import subprocess
import sys
from contextlib import suppress
from functools import partial

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


@pytest.mark.parametrize("limit", [16, 18, 20])  # 23 MB are enough for a start
def test_start_without_memory_is_reported_in_one_line(limit: int) -> None:
    done = start_under(limit)
    assert (done.returncode, done.stdout) == (1, "")
    assert CANNOT_START.fullmatch(done.stderr)


def start_under(limit: int) -> subprocess.CompletedProcess[str]:
    """Starts the program under a limit in MB; once or twice more, with a little more memory each,
    if it does not end.

    Very few never do: CPython 3.11's `exception_unwind` needs memory, and for lack of it begins
    again, at the same limit each time. Three in a row would be a fault of ours.
    """
    for memory in (limit * MB, limit * MB + MB // 3, limit * MB + 2 * MB // 3):
        with suppress(subprocess.TimeoutExpired):
            return subprocess.run(
                [*PROGRAM, "-e", "name"],
                capture_output=True,
                text=True,
                timeout=20,
                check=False,
                preexec_fn=partial(resource.setrlimit, resource.RLIMIT_AS, (memory, memory)),
            )
    pytest.fail("three starts did not end within 20 s")


@pytest.mark.parametrize(
    ("module", "error", "told"),
    [
        ("pinchtp.cli", "OSError(errno.ENOMEM, 'a folder')", "out of memory"),
        ("pinchtp.cli", "SystemError('no error')", "out of memory, or a fault of Python: no error"),
        ("ctypes", "OSError(errno.ENOMEM, 'a folder')", "out of memory"),
    ],
)
def test_other_errors_of_loading_are_reported(module: str, error: str, told: str) -> None:
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
