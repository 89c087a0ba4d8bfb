"""The files of Python that a build for Windows needs, made from the Python that builds."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from importlib import import_module
from pathlib import Path


def python_files(folder: Path, zig: list[str]) -> dict[str, str]:
    """Writes headers and import libraries there; returns CMake's options for them. zig:
    a command.
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
    """Makes the import library of a DLL of Python, with all that nanobind may use of it. abi3audit
    checks that the core uses nothing outside of the stable ABI.
    """
    nanobind = import_module("nanobind")  # in the environment of a build
    listed = Path(nanobind.cmake_dir(), "darwin-ld-cpython.sym").read_text().split()
    symbols = [symbol.removeprefix("_") for symbol in listed if symbol != "-U"]
    definition, library = folder / f"{name}.def", folder / f"{name}.lib"
    definition.write_text("\n".join([f"LIBRARY {name}.dll", "EXPORTS", *symbols, ""]))
    words = ["-m", "i386:x86-64", "-D", f"{name}.dll", "-d", str(definition), "-l", str(library)]
    subprocess.run([*zig, "dlltool", *words], check=True)
    return library
