"""The build backend: scikit-build-core, with a compiler from the Python package index if needed.

pip queries the build requirements first; the query fails without Python's headers. If no
installed compiler builds three lines of C++20, the requirements include `ziglang`, whose Clang then
builds the core for any CPU of this architecture.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scikit_build_core import build as scikit
from scikit_build_core.build import (
    build_sdist,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)
from wheels.targets import TARGETS, Target
from wheels.windows import python_files

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

ZIG = "ziglang>=0.13,<1"
RETAG = "wheel>=0.40"
COMPILERS = ("c++", "g++", "clang++", "cl")
PROGRAM = """\
#include <bit>
#include <concepts>
int bits(std::unsigned_integral auto number) { return std::popcount(number); }
int main() { return bits(1u) - 1; }
"""
NO_HEADERS = (
    f"Python.h is missing: install the headers of {sys.executable} first (Debian and Ubuntu: "
    "python3-dev, Fedora: python3-devel)"
)
TOOLS = {  # CMake's variables, and zig's command for each
    "CMAKE_C_COMPILER": "cc",
    "CMAKE_CXX_COMPILER": "c++",
    "CMAKE_AR": "ar",
    "CMAKE_RANLIB": "ranlib",
}
# zig cannot build bundles for macOS or read symbol lists; Python also loads libraries.
SCRIPT = """\
#!/bin/sh
for word do
  case "$word" in
    -bundle) word=-dynamiclib ;;
    -Wl,@*) word=-Wl,-undefined,dynamic_lookup ;;
  esac
  shift
  set -- "$@" "$word"
done
exec {zig} {command} "$@"
"""
# $PINCHTP_ZIG: a zig at a fixed path, which caches its C++ library for the next build.
COMMAND = os.environ.get("PINCHTP_ZIG") or f'"{sys.executable}" -m ziglang'
ROOT = Path(__file__).resolve().parents[1]


def get_requires_for_build_wheel(settings: Any = None) -> list[str]:
    return [*scikit.get_requires_for_build_wheel(settings), *_compiler_needed()]


def get_requires_for_build_editable(settings: Any = None) -> list[str]:
    return [*scikit.get_requires_for_build_editable(settings), *_compiler_needed()]


def build_wheel(folder: str, settings: Any = None, metadata: str | None = None) -> str:
    with _compiler():
        name = str(scikit.build_wheel(folder, settings, metadata))
    if target := _target():
        retag = ["wheel", "tags", "--remove", "--platform-tag", target.tag, str(Path(folder, name))]
        done = subprocess.run([sys.executable, "-m", *retag], stdout=subprocess.PIPE, check=True)
        name = done.stdout.decode().strip()
    return name


def build_editable(folder: str, settings: Any = None, metadata: str | None = None) -> str:
    with _compiler():
        return str(scikit.build_editable(folder, settings, metadata))


def _target() -> Target | None:
    """Returns the platform to build for, or None for this one."""
    name = os.environ.get("PINCHTP_TARGET")
    if name and name not in TARGETS:
        raise ValueError(f"PINCHTP_TARGET: no platform {name!r}; expected one of {list(TARGETS)}")
    return TARGETS[name] if name else None


def _compiler_needed() -> list[str]:
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        raise SystemExit(NO_HEADERS)
    zig = [] if "PINCHTP_ZIG" in os.environ else [ZIG]
    if _target():
        return [*zig, RETAG]
    if has_compiler():
        return []
    print(f"no working C++20 compiler found: building with {ZIG}, which takes some minutes")
    return zig


def has_compiler() -> bool:
    """Returns whether a compiler of this machine builds C++20."""
    chosen = os.environ.get("CXX")
    commands = [shlex.split(chosen)] if chosen else [[name] for name in COMPILERS]
    return any(shutil.which(command[0]) and _works(command) for command in commands)


def _works(command: list[str]) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "program.cpp")
        source.write_text(PROGRAM)
        is_microsoft = Path(command[0]).stem == "cl"
        options = ["/std:c++20"] if is_microsoft else ["-std=c++20", "-o", "program"]
        try:
            done = subprocess.run(
                [*command, *options, source.name],
                cwd=folder,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=120,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
        return done.returncode == 0


@contextmanager
def _compiler() -> Iterator[None]:
    """Makes CMake use zig's compiler for another platform, or if no other compiler works."""
    target = _target()
    if target is None and has_compiler():
        yield
        return
    original = dict(os.environ)
    with tempfile.TemporaryDirectory(prefix="pinchtp-zig-") as folder:
        options = ["-mcpu=baseline"]  # any CPU of this architecture
        # Checks that link programs would make zig build another C++ library.
        given = {
            "CMAKE_CXX_COMPILER_ID_TEST_FLAGS_FIRST": "-c",
            "CMAKE_TRY_COMPILE_TARGET_TYPE": "STATIC_LIBRARY",
        }
        if target:
            options += ["-target", target.zig, f"-ffile-prefix-map={ROOT}=."]
            given |= target.cmake_options("{}{}".format(*sys.version_info))
            if target.system == "Windows":
                given |= python_files(Path(folder), shlex.split(COMMAND))
            os.environ["SKBUILD_INSTALL_STRIP"] = "false"  # the linker strips
        for name, command in TOOLS.items():
            words = [command, *options] if name.endswith("COMPILER") else [command]
            given[name] = str(_tool(Path(folder), " ".join(words)))
        defined = [shlex.quote(f"-D{name}={value}") for name, value in given.items()]
        os.environ["CMAKE_ARGS"] = " ".join([original.get("CMAKE_ARGS", ""), *defined]).strip()
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(original)


def _tool(folder: Path, command: str) -> Path:
    """Writes a script that runs a command of zig; returns its path."""
    name = f"zig-{command.split(maxsplit=1)[0].replace('+', 'x')}"
    if sys.platform == "win32":
        path = folder / f"{name}.cmd"
        path.write_text(f"@{COMMAND} {command} %*\n")
    else:
        path = folder / name
        path.write_text(SCRIPT.format(zig=COMMAND, command=command))
        path.chmod(0o755)
    return path
