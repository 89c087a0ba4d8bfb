"""Tests the source archive on other interpreters, compilers and dependency versions.

    python tests/long/supply.py                              every case that this machine supports
    python tests/long/supply.py --list                       lists the cases
    python tests/long/supply.py lowest -- -m 'not nightly'   one case, with arguments for pytest

The archive (sdist) is made once and unpacked outside of git. Each case compiles and installs it in
its own virtual environment, with all dependencies in pyproject.toml, and runs the archive's tests.
The cases: every interpreter from 3.11 up with the newest versions of all dependencies; the oldest
interpreter with the lowest versions that pyproject.toml allows, and with clang.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

SOURCE = Path(__file__).resolve().parents[2]
OLDEST = 11  # the lowest minor version of Python 3 in pyproject.toml
EXTRAS = "test,learn"
QUICK = ["-m", "not slow and not nightly"]
TIMEOUT = 3600


@dataclass(frozen=True)
class Case:
    """An interpreter, the versions of the dependencies, and a compiler."""

    name: str
    python: Path
    lowest: bool = False
    compiler: str = "g++"


def cases() -> list[Case]:
    """Returns the cases that this machine supports."""
    found = interpreters()
    if not found:
        return []
    oldest = found[min(found)]
    made = [Case(f"3.{minor}", python) for minor, python in found.items()]
    made.append(Case("lowest", oldest, lowest=True))
    if shutil.which("clang++"):
        made.append(Case("clang", oldest, compiler="clang++"))
    return made


def interpreters() -> dict[int, Path]:
    """Returns interpreters by minor version, from PATH first, then from pyenv."""
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = dict[int, Path]()
    for minor in range(OLDEST, OLDEST + 20):
        paths = sorted(kept.glob(f"3.{minor}.*/bin/python3"))
        if first := shutil.which(f"python3.{minor}"):
            paths.insert(0, Path(first))
        for path in paths:
            if works(path, minor):
                found[minor] = path
                break
    return found


def works(python: Path, minor: int) -> bool:
    """Whether the interpreter has that version and can make virtual environments."""
    ask = f"import ensurepip, sys, venv; sys.exit(sys.version_info[:2] != (3, {minor}))"
    return subprocess.run([python, "-c", ask], capture_output=True, check=False).returncode == 0


def lowest_versions(source: Path = SOURCE) -> list[str]:
    """Returns pip constraints: the lowest allowed version of each dependency."""
    given = tomllib.loads((source / "pyproject.toml").read_text("utf-8"))
    project = given["project"]
    wanted = sum(project["optional-dependencies"].values(), project["dependencies"])
    wanted += given["build-system"]["requires"]
    return [each.replace(">=", "==") for each in wanted if not each.startswith(project["name"])]


def make_archive(folder: Path, python: str = sys.executable) -> Path:
    """Makes the source archive in this folder; `python` needs the package `build`."""
    run([python, "-m", "build", "-q", "--sdist", "--outdir", folder, SOURCE])
    (archive,) = folder.glob("*.tar.gz")
    return archive


def unpacked(archive: Path, folder: Path) -> Path:
    """Unpacks the archive into this folder and returns the folder of the sources."""
    with tarfile.open(archive) as packed:
        packed.extraction_filter = getattr(tarfile, "data_filter", None)  # from Python 3.11.4 on
        packed.extractall(folder)
    (sources,) = folder.iterdir()
    return sources


def install(case: Case, archive: Path, folder: Path, extras: str = EXTRAS) -> Path:
    """Compiles and installs the archive in a new virtual environment; returns its interpreter."""
    environment = os.environ | {"CXX": case.compiler}
    if case.lowest:
        constraints = folder.with_suffix(".txt")
        constraints.write_text("\n".join(lowest_versions()))
        # Old and new versions of pip read different variables for build constraints.
        environment |= {
            "PIP_CONSTRAINT": str(constraints),
            "PIP_BUILD_CONSTRAINT": str(constraints),
        }
    run([case.python, "-m", "venv", folder])
    python = folder / "bin" / "python"
    run([python, "-m", "pip", "install", "-q", f"{archive}[{extras}]"], env=environment)
    return python


def tested(case: Case, archive: Path, arguments: list[str]) -> bool:
    """Runs the archive's tests; returns whether they pass."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # some tests run the program as another user
        sources = unpacked(archive, Path(folder, "sources"))
        python = install(case, archive, Path(folder, "environment"))
        print(f"--- {case.name}: {case.python}, {case.compiler}", flush=True)
        versions = run([python, "-m", "pip", "list", "--format=freeze"])
        print(" ".join(versions.split()), flush=True)
        pytest = python.with_name("pytest")  # not -m pytest: that would import the sources
        done = subprocess.run([pytest, *arguments], cwd=sources, timeout=TIMEOUT, check=False)
    return done.returncode == 0


def run(command: Sequence[str | Path], env: dict[str, str] | None = None) -> str:
    """Returns the output of a program; raises an error with the output if it fails."""
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=TIMEOUT, env=env, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{command}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("cases", nargs="*", help="names of cases, instead of all")
    parser.add_argument("--list", action="store_true", help="list the cases and exit")
    own, for_pytest = split(sys.argv[1:])
    options = parser.parse_args(own)
    known = cases()
    if options.list:
        for case in known:
            print(f"{case.name}: {case.python}, {case.compiler}")
        return 0
    if unknown := set(options.cases) - {case.name for case in known}:
        parser.error(f"no such case: {', '.join(sorted(unknown))}")
    chosen = [case for case in known if not options.cases or case.name in options.cases]
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        archive = make_archive(Path(folder))
        for case in chosen:
            start = monotonic()
            passed = tested(case, archive, for_pytest or QUICK)
            lines.append((passed, f"{case.name}: {monotonic() - start:.0f} s"))
    for passed, line in lines:
        print("passed" if passed else "FAILED", line)
    return int(not all(passed for passed, _ in lines))


def split(words: list[str]) -> tuple[list[str], list[str]]:
    """Splits arguments at --."""
    at = words.index("--") if "--" in words else len(words)
    return words[:at], words[at + 1 :]


if __name__ == "__main__":
    sys.exit(main())
