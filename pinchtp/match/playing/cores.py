"""CPU cores for games."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from pinchtp.base.process import usable_processors
from pinchtp.base.text import count
from pinchtp.match.plan import EngineConfig

Cores = frozenset[int] | None  # CPUs; None: any

_TOPOLOGY = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"


def core_sets(jobs: int, threads: int) -> list[Cores]:
    """Returns a set of CPUs for each concurrent game, all disjoint; None for each if there are too
    few.
    """
    cores = available_cores()
    if jobs * threads > len(cores):
        return [None] * jobs
    return [frozenset(cores[at * threads : (at + 1) * threads]) for at in range(jobs)]


def idle_cores_note(jobs: int, threads: int, games: int) -> str:
    """Returns a note on idle cores that further concurrent games could use; empty without them.

    threads: cores per game. games: of the match.
    """
    cores = len(available_cores())
    idle = cores - jobs * threads
    most = min(cores // threads, games)
    if most <= jobs:
        return ""
    return f"{idle} of {cores} cores stay idle: --jobs {most} plays {most} games at a time"


def missing_cores_note(engines: Iterable[EngineConfig], threads: int) -> str:
    """Returns a note on an engine with more threads than the cores of a game; empty without one.

    threads: cores per game.
    """
    for engine in engines:
        asked = re.search(r"--threads[ =]([0-9]+)\b", engine.command)
        if asked and int(asked[1]) > threads:
            return (
                f"engine {engine.name} starts {asked[1]} threads on "
                f"{count(threads, 'reserved CPU core')}: give it threads = {asked[1]} "
                f"(--engine {engine.name}.threads={asked[1]})"
            )
    return ""


def available_cores() -> list[int]:
    """Returns the CPUs that this process may use: first one per physical core, then siblings."""
    return sorted(usable_processors(), key=lambda core: (_place_in_core(core), core))


def _place_in_core(core: int) -> int:
    """Returns the place of a CPU among the hyperthreads of its physical core, from 0."""
    try:
        text = Path(_TOPOLOGY.format(core)).read_text()
    except OSError:
        return 0
    siblings: list[int] = []
    for part in text.strip().split(","):
        first, _, last = part.partition("-")
        siblings += range(int(first), int(last or first) + 1)
    return siblings.index(core) if core in siblings else 0
