"""The core without Python, with assertions and sanitizers."""

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
    """A build of the core with sanitizers, and the programs to run.

    Sanitizers report and end the program at the first finding, including leaks.
    """

    sanitizers: str
    options: tuple[str, ...]
    programs: tuple[tuple[str, ...], ...]
    level: str = "-O1"  # of optimization


GRAPHS = "20000"  # a few seconds; the first 40,000 detected each wrong line that was tried


# Threads share memory in the same way on every instruction set, so the simplest suffices.
SIMPLEST = ("-DPINCHTP_INSTRUCTION_SETS=",)
THREADS = Build(
    "thread",
    SIMPLEST,
    (
        ("native_tests", "threads", "sampled"),
        # One game with multi-step moves and a swap.
        ("refused_memory", "threads", "sampled", "pinch-relocate"),
        ("search_with_priors", "threads"),
    ),
)
ALL_THREADS = Build(
    "thread", SIMPLEST, (("native_tests", "threads"), ("refused_memory", "threads"))
)
# Trees and the solver: headers, compiled in seconds. The games take minutes.
OF_HEADERS = (
    ("tree_memory",),
    ("solver_graphs", GRAPHS),
    ("solver_keys", "20"),
    ("pinch_moves", "1000"),
    ("zones", "2000"),
)
MEMORY = Build("address,undefined", (), OF_HEADERS, "-Og")  # takes longer to compile than to run
MEMORY_OF_GAMES = Build(
    "address,undefined",
    (f"-DPINCHTP_INSTRUCTION_SETS={';'.join(_core.instruction_sets()[1:])}",),
    (
        ("native_tests",),
        ("refused_memory",),
        ("search_with_priors",),
        ("core_sessions", "60", "1"),  # seconds of random sessions
    ),
)
FLAGS = "{} -g1 -fno-omit-frame-pointer -fno-sanitize-recover=all -fsanitize={}"
TIMEOUT = 1200


def tool(name: str) -> str:
    """Returns a build tool of the system or of this virtual environment."""
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
        pytest.param(ALL_THREADS, id="threads, every allocation", marks=NIGHTLY),
        pytest.param(MEMORY, id="memory of trees and the solver"),
        pytest.param(MEMORY_OF_GAMES, id="memory of games", marks=NIGHTLY),
    ],
)
def test_core_has_no_findings(
    build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not CORE.is_dir():
        pytest.skip("the sources of the core are missing")
    cmake = tool("cmake")
    # ccache needs relative paths to find what another folder has compiled.
    monkeypatch.setenv("CCACHE_BASEDIR", str(tmp_path))
    monkeypatch.setenv("CCACHE_NOHASHDIR", "1")
    core, native, build_folder = (tmp_path / name for name in ("core", "native", "build"))
    core.symlink_to(CORE)
    native.symlink_to(FOLDER / "native")
    configure = [
        cmake,
        *("-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={tool('ninja')}"),
        *("-S", str(core), "-B", str(build_folder)),
        f"-DPINCHTP_NATIVE_TESTS={native}",
        "-DCMAKE_BUILD_TYPE=Debug",
        f"-DCMAKE_CXX_FLAGS_DEBUG={FLAGS.format(build.level, build.sanitizers)}",
        *build.options,
    ]
    run(configure)
    targets = ["--target", *(program for program, *_ in build.programs)]
    run([cmake, "--build", str(build_folder), "--parallel", str(os.cpu_count() or 1), *targets])
    for program, *arguments in build.programs:
        run([str(build_folder / program), *arguments], tmp_path)


def run(command: list[str], folder: Path | None = None) -> str:
    """Returns the output of a program, which must succeed; folder: its working directory."""
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=TIMEOUT, check=False, cwd=folder
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout
