"""Trials of wheels in a separate directory, without a compiler in PATH."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pip

from .build import SOURCE
from .run import ProgramError, run

STORED = SOURCE / "tests" / "data" / "signature.txt"
RATES = "bench --network --game pinch --size 9 --seconds 1 --json"
TEST_TOOLS = ["pytest", "pytest-xdist", "hypothesis"]
QUICK = ["-m", "not slow and not nightly", "-p", "no:cacheprovider"]


def try_wheel(wheel: Path, python: str, tests: list[str]) -> Iterator[str]:
    """Installs and runs a wheel, or the matching one of a directory; yields facts about it.

    python: an interpreter, or a command that runs one. Raises ProgramError if anything fails.
    """
    command = shlex.split(python, posix=os.name == "posix")
    command[0] = shutil.which(command[0]) or command[0]
    with tempfile.TemporaryDirectory(prefix="pinchtp-try-") as name:
        folder, empty = Path(name, "installed"), Path(name, "empty")
        empty.mkdir()
        environment = os.environ | {"PATH": str(empty), "PYTHONPATH": str(folder)}
        installer = [*command, str(Path(pip.__file__).parent)]
        if wheel.is_dir():
            where = ["--no-index", "--find-links", str(wheel), "--dest", name]
            run([*installer, "download", "-q", "--no-deps", *where, "pinchtp"])
            (wheel,) = Path(name).glob("*.whl")
        needed = [str(wheel), *(TEST_TOOLS if tests else [])]
        run([*installer, "install", "-q", "--only-binary=:all:", "--target", str(folder), *needed])

        def program(arguments: str) -> str:
            words = [*command, "-P", "-m", "pinchtp", *shlex.split(arguments)]
            return run(words, environment, empty)

        yield program("doctor").rstrip()
        yield "genmove b " + program("-e 'genmove b'").strip()
        signature = program("bench --signature")
        if signature != STORED.read_text():
            raise ProgramError(f"its signature is {signature.strip()}")
        yield f"the stored signature, {signature.strip()}"
        for row in json.loads(program(RATES)):
            yield f"{row['evaluations_per_s']:,.0f} evaluations/s with {row['instruction_set']}"
        if tests:
            tested = environment | {"PATH": os.environ["PATH"]}  # some run other programs
            output = run([*command, "-P", "-m", "pytest", *QUICK, *tests], tested, SOURCE)
            yield output.rstrip().splitlines()[-1]
