"""Precision of limits of searches: prompt stops, and memory."""

import os
import subprocess
import sys
from time import monotonic

import pytest

from pinchtp import _core

STATM = "/proc/self/statm"
MB = 2**20

# Runs before the lines given. resident(): bytes of memory beyond those of the libraries.
MEASURED = f"""
import os
from pinchtp import _core
from pinchtp._core import Search

def pages():
    with open("{STATM}") as file:
        return int(file.read().split()[1])

start = _core.new_position("pinch", 13, 13, pie=True)
Search(start, memory_mb=1).run(1, 1000, 1, 1)
before = pages()

def resident():
    return (pages() - before) * os.sysconf("SC_PAGE_SIZE")
"""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("size", [13, 19])
def test_stop_acts_within_two_milliseconds(size: int, threads: int) -> None:
    """Requested just after the search's check, the worst moment; load may spoil a try."""
    search = _core.Search(_core.new_position("pinch", size, size, pie=True), memory_mb=64)

    def seconds_to_stop() -> float:
        looks: list[float] = []

        def should_stop() -> bool:
            looks.append(monotonic())
            return len(looks) == 2

        search.run(10, 2**31, threads, 1, should_stop)
        return monotonic() - looks[0]

    tries = (seconds_to_stop() for _ in range(200))
    assert any(seconds < 0.002 for seconds in tries)


def measured(lines: str) -> list[int]:
    """Returns the numbers printed by a new process."""
    if not os.path.exists(STATM):
        pytest.skip("this system does not report the memory of a process")
    command = [sys.executable, "-P", "-c", MEASURED + lines]
    printed = subprocess.run(
        command, capture_output=True, text=True, timeout=300, check=True
    ).stdout
    return [int(word) for word in printed.split()]


def test_million_nodes_take_less_than_100_mb() -> None:
    nodes, resident = measured(
        """
search = Search(start, expand_visits=2)
while search.report().nodes < 1_000_000:
    search.run(60, search.report().visits + 1000, 1, 1)
print(search.report().nodes, resident())
"""
    )
    assert nodes >= 1_000_000
    assert 32 * nodes <= resident < 100e6


def test_full_tree_uses_its_memory_limit() -> None:
    """Within 5 %, also after moves of the game, when discarded memory is reused."""
    sizes = measured(
        """
search = Search(start, memory_mb=32, expand_visits=2)
for ply in range(6):
    search.run(60, search.report().visits + 30_000, 1, ply)
    print(resident())
    search.advance(search.report().choices[0].move)
"""
    )
    assert 0.95 * 32 * MB <= max(sizes) <= 1.05 * 32 * MB
