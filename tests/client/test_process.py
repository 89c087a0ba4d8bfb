"""Resource limits of engines, and their removal."""

import errno
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from clients import PATIENCE, bounded
from processes import python, wait_until_gone

from pinchtp.client import EngineStartError, GtpClient, MemoryExceeded

HUNGRY = """
import os, time
food = b"x" * (300 << 20)
time.sleep(1000)
"""
TELLS_CORES = """
import os
input()
print("=", *sorted(os.sched_getaffinity(0)), end="\\n\\n", flush=True)
"""

# Starts engines and ends them, until it is killed.
OWNER = """
import sys
from pinchtp.client import GtpClient
command = [sys.executable, "-S", "-E", "-c", "import time; time.sleep(1000)", sys.argv[1]]
print("ready", flush=True)
while True:
    engines = [GtpClient(command) for _ in range(3)]
    for engine in engines:
        engine.close()
"""

linux = pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs Linux")


@pytest.mark.parametrize(
    ("number", "failures", "starts"),
    [(errno.EFAULT, 2, True), (errno.EFAULT, 3, False), (errno.EACCES, 1, False)],
)
def test_start_is_retried_after_a_kernel_error(
    monkeypatch: pytest.MonkeyPatch, number: int, failures: int, starts: bool
) -> None:
    real = subprocess.Popen
    left = failures

    def failing(*arguments: Any, **options: Any) -> Any:
        nonlocal left
        if arguments[0][0] == sys.executable and left > 0:
            left -= 1
            raise OSError(number, os.strerror(number))
        return real(*arguments, **options)

    monkeypatch.setattr(subprocess, "Popen", failing)
    if starts:
        with GtpClient(python(TELLS_CORES)) as engine:
            assert engine.ask("x", PATIENCE)
    else:
        with pytest.raises(EngineStartError):
            GtpClient(python(TELLS_CORES))
    assert left == 0


@linux
def test_engines_run_on_the_cores_they_are_given() -> None:
    usual = os.sched_getaffinity(0)
    core = max(usual)
    with GtpClient(python(TELLS_CORES), cores={core}) as engine:
        assert engine.ask("x", PATIENCE) == f"{core}"
    assert os.sched_getaffinity(0) == usual
    with GtpClient(python(TELLS_CORES)) as engine:
        assert engine.ask("x", PATIENCE).split() == [str(each) for each in sorted(usual)]


@linux
def test_missing_cores_are_reported() -> None:
    before = os.sched_getaffinity(0)
    with pytest.raises(EngineStartError):
        GtpClient(python(TELLS_CORES), cores={1023})
    assert os.sched_getaffinity(0) == before


def test_memory_limit_ends_a_read() -> None:
    began = monotonic()
    with GtpClient(python(HUNGRY), memory_mb=100) as engine:
        with pytest.raises(MemoryExceeded, match=r"^exceeded its memory limit: [0-9]+ of 100 MB"):
            engine.read(PATIENCE)
        assert engine.wait(PATIENCE) == -signal.SIGKILL
    assert monotonic() - began < PATIENCE / 2


def test_memory_limit_applies_between_commands() -> None:
    with GtpClient(python(HUNGRY), memory_mb=100) as engine:
        assert engine.wait(PATIENCE) == -signal.SIGKILL
        with pytest.raises(MemoryExceeded):
            engine.send("name", PATIENCE)


@pytest.mark.slow
@pytest.mark.parametrize("owners", [4, pytest.param(20, marks=pytest.mark.nightly)])
def test_killed_owner_leaves_no_engine(owners: int, tmp_path: Path) -> None:
    """Also while they start or end an engine."""
    source = random.Random(1)
    token = f"{tmp_path}"
    for _ in range(owners):
        with subprocess.Popen(
            [sys.executable, "-P", "-c", OWNER, token], stdout=subprocess.PIPE
        ) as owner:
            assert owner.stdout
            with bounded(owner):
                assert owner.stdout.readline()
            sleep(source.uniform(0.0, 0.05))
            owner.kill()
    wait_until_gone(token)
