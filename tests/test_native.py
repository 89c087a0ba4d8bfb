"""The core without Python, with assertions and under the sanitizers of the compiler."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from clients import FOLDER

CORE = FOLDER.parent / "pinchtp" / "core"

# What is on reports and ends the program at the first finding, the leaks of address included.
# Threads share the same memory on every instruction set, so one of these is enough for them.
SANITIZERS = {
    "address and undefined": ("address,undefined", "OFF"),
    "thread": ("thread", "ON"),
}
FLAGS = "-O1 -g1 -fno-omit-frame-pointer -fno-sanitize-recover=all -fsanitize={}"
TIMEOUT = 1200
GRAPHS = "20000"  # some seconds; in the first 40,000 each wrong line that was tried showed


def tool(name: str) -> str:
    """A build tool, of the system or of this virtual environment."""
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = shutil.which(name, path=places)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("sanitizer", "plain"), SANITIZERS.values(), ids=SANITIZERS)
def test_the_core_is_clean(sanitizer: str, plain: str, tmp_path: Path) -> None:
    if not CORE.is_dir():
        pytest.skip("the sources of the core are not here")
    cmake = tool("cmake")
    configure = [
        cmake,
        *("-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={tool('ninja')}"),
        *("-S", str(CORE), "-B", str(tmp_path)),
        f"-DPINCHTP_NATIVE_TESTS={FOLDER / 'native'}",
        f"-DPINCHTP_PLAIN={plain}",
        "-DCMAKE_BUILD_TYPE=Debug",
        f"-DCMAKE_CXX_FLAGS_DEBUG={FLAGS.format(sanitizer)}",
    ]
    run(configure)
    run([cmake, "--build", str(tmp_path), "--parallel", str(os.cpu_count() or 1)])
    assert run([str(tmp_path / "native_tests")]).endswith("passed\n")
    run([str(tmp_path / "solver_graphs"), GRAPHS])
    run([str(tmp_path / "search_with_priors")])


def run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout
