"""The core without Python, with assertions and under the sanitizers of the compiler."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from clients import FOLDER

from pinchtp import _core

CORE = FOLDER.parent / "pinchtp" / "core"
NIGHTLY = pytest.mark.nightly


@dataclass(frozen=True)
class Build:
    """The core under some sanitizers of the compiler, and what is run of it.

    What is on reports and ends the program at the first finding, the leaks of address included.
    """

    sanitizers: str
    options: tuple[str, ...]
    programs: tuple[tuple[str, ...], ...]


GRAPHS = "20000"  # some seconds; in the first 40,000 each wrong line that was tried showed


# One with turns of several parts and a swap; the others nightly.
GAMES_REFUSED_MEMORY = ("pinch-relocate",)


def memory_of(*instruction_sets: str, seconds: int, games: tuple[str, ...] = ()) -> Build:
    """seconds: how long sessions are played that random bytes tell. games: in which memory is
    refused, all if empty.
    """
    sessions = ("core_sessions", str(seconds), "1")
    return Build(
        "address,undefined",
        (f"-DPINCHTP_INSTRUCTION_SETS={';'.join(instruction_sets)}",),
        (
            ("native_tests",),
            ("refused_memory", *games),
            ("tree_memory",),
            ("solver_graphs", GRAPHS),
            ("search_with_priors",),
            sessions,
        ),
    )


# Threads share the same memory on every instruction set, so the plainest is enough for them.
THREADS = Build(
    "thread",
    ("-DPINCHTP_INSTRUCTION_SETS=baseline",),
    (
        ("native_tests", "threads"),
        ("refused_memory", "threads", *GAMES_REFUSED_MEMORY),
        ("search_with_priors",),
    ),
)
MEMORY = memory_of(_core.instruction_sets()[-1], seconds=15, games=GAMES_REFUSED_MEMORY)
ALL_INSTRUCTION_SETS = memory_of(*_core.instruction_sets(), seconds=60)
FLAGS = "-O1 -g1 -fno-omit-frame-pointer -fno-sanitize-recover=all -fsanitize={}"
TIMEOUT = 1200


def tool(name: str) -> str:
    """A build tool, of the system or of this virtual environment."""
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = shutil.which(name, path=places)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "build",
    [
        pytest.param(THREADS, id="threads"),
        pytest.param(MEMORY, id="memory"),
        pytest.param(ALL_INSTRUCTION_SETS, id="memory, every instruction set", marks=NIGHTLY),
    ],
)
def test_the_core_is_clean(build: Build, tmp_path: Path) -> None:
    if not CORE.is_dir():
        pytest.skip("the sources of the core are not here")
    cmake = tool("cmake")
    configure = [
        cmake,
        *("-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={tool('ninja')}"),
        *("-S", str(CORE), "-B", str(tmp_path)),
        f"-DPINCHTP_NATIVE_TESTS={FOLDER / 'native'}",
        "-DCMAKE_BUILD_TYPE=Debug",
        f"-DCMAKE_CXX_FLAGS_DEBUG={FLAGS.format(build.sanitizers)}",
        *build.options,
    ]
    run(configure)
    targets = ["--target", *(program for program, *_ in build.programs)]
    run([cmake, "--build", str(tmp_path), "--parallel", str(os.cpu_count() or 1), *targets])
    for program, *arguments in build.programs:
        run([str(tmp_path / program), *arguments], tmp_path)


def run(command: list[str], folder: Path | None = None) -> str:
    """What a program says that ends well; folder: where it runs."""
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=TIMEOUT, check=False, cwd=folder
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout
