"""Python's headers and import libraries for Windows, generated from the running Python."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from importlib import import_module
from pathlib import Path


def python_files(folder: Path, zig: list[str]) -> dict[str, str]:
    """Writes headers and import libraries; returns CMake's options for them.

    zig: the command.
    """
    include = folder / "include"
    shutil.copytree(sysconfig.get_path("include"), include)
    shutil.copy(Path(__file__).with_name("pyconfig_windows.h"), include / "pyconfig.h")
    version = "{}{}".format(*sys.version_info)
    return {
        "Python_INCLUDE_DIR": str(include),
        "Python_LIBRARY": str(_import_library(folder, f"python{version}", zig)),
        "Python_SABI_LIBRARY": str(_import_library(folder, "python3", zig)),
    }


def _import_library(folder: Path, name: str, zig: list[str]) -> Path:
    """Builds the import library of a Python DLL, with all symbols that nanobind may use.

    abi3audit checks that the core uses only the stable ABI.
    """
    nanobind = import_module("nanobind")  # in the environment of a build
    listed = Path(nanobind.cmake_dir(), "darwin-ld-cpython.sym").read_text().split()
    symbols = [symbol.removeprefix("_") for symbol in listed if symbol != "-U"]
    definition, library = folder / f"{name}.def", folder / f"{name}.lib"
    definition.write_text("\n".join([f"LIBRARY {name}.dll", "EXPORTS", *symbols, ""]))
    words = ["-m", "i386:x86-64", "-D", f"{name}.dll", "-d", str(definition), "-l", str(library)]
    subprocess.run([*zig, "dlltool", *words], check=True)
    return library
