"""Checks of wheels: names, contents, symbols of the core."""

from __future__ import annotations

import os
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .run import ProgramError, run
from .targets import TARGETS, Target

NAME = re.compile(r"(pinchtp-[\d.]+)-(cp\d+)-(cp\d+|abi3)-(\w+)\.whl")
SOURCES = (".cpp", ".hpp", ".d.ts", ".in")
# Typical build directories, none of which may appear in the core.
MACHINE = re.compile(rb"/(?:build|home|mnt|opt|private|root|tmp|Users|work)/[\w./+-]+")
LIBRARIES = {  # that may be linked: present on every such system
    "Linux": r"lib(c|m|dl|pthread|rt)\.so(\.\d+)?|libc\.musl-\w+\.so\.1|ld-linux-.*",
    "Darwin": r"/usr/lib/libSystem\.B\.dylib",
    "Windows": r"python3(\d\d)?\.dll|KERNEL32\.dll|ntdll\.dll|api-ms-win-crt-.*\.dll",
}


def problems(wheel: Path) -> Iterator[str]:
    """Yields the problems of a wheel."""
    named = NAME.fullmatch(wheel.name)
    target = named and next((each for each in TARGETS.values() if each.tag == named[4]), None)
    if not named or not target:
        yield "unknown target in its name"
        return
    name, interpreter, abi, _ = named.groups()
    if (interpreter, abi) not in {("cp311", "cp311"), ("cp312", "abi3")}:
        yield f"it is for {interpreter}-{abi}; expected cp311-cp311 or cp312-abi3"
    module = target.module(interpreter, abi)
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        yield from content_problems(names, name, module)
        cores = [packed.read(each) for each in names if is_core(each)]
    for core in cores:
        yield from core_problems(core, module, target)
    yield from tool_problems(["twine", "check", "--strict"], wheel)
    if target.system == "Linux":
        # Without libraries of this machine, which may have another C library.
        yield from tool_problems(["auditwheel", "show", "--ldpaths", os.devnull], wheel, target.tag)
    if abi == "abi3":
        yield from tool_problems(["abi3audit", "--strict"], wheel)


def content_problems(names: list[str], name: str, module: str) -> Iterator[str]:
    """Yields the problems in the names of a wheel's files."""
    for each in names:
        if not each.startswith(("pinchtp/", f"{name}.dist-info/")):
            yield f"{each} does not belong to the package"
        if each.endswith(SOURCES) or each.startswith("pinchtp/core/"):
            yield f"{each} is a source file"
    for each in ("__init__.py", "_core.pyi", "build.json"):
        if f"pinchtp/{each}" not in names:
            yield f"pinchtp/{each} is missing"
    cores = [each for each in names if is_core(each)]
    if cores != [f"pinchtp/{module}"]:
        yield f"its compiled modules are {cores}; expected {module}"


def is_core(name: str) -> bool:
    return name.endswith((".so", ".pyd", ".dylib", ".dll"))


def core_problems(core: bytes, name: str, target: Target) -> Iterator[str]:
    """Yields the problems of the compiled core. name: of its file."""
    import lief  # noqa: PLC0415  (needed only here, like the tools below)

    lief.logging.disable()  # it warns of zig's indirect symbols for macOS, which dyld does not use
    yield from path_problems(core)
    binary: Any = lief.parse(core)  # of any format
    if binary is None:
        yield "the core is not a library"
        return
    if "PyInit__core" not in {
        function.name.removeprefix("_") for function in binary.exported_functions
    }:
        yield "the core does not export PyInit__core"
    for library in sorted({getattr(each, "name", each) for each in binary.libraries}):
        is_itself = library == name  # on macOS
        if not is_itself and not re.fullmatch(LIBRARIES[target.system], library, re.IGNORECASE):
            yield f"the core needs {library}"


def path_problems(core: bytes) -> Iterator[str]:
    for path in sorted({found[0].decode() for found in MACHINE.finditer(core)}):
        yield f"the core contains a path of the build machine: {path}"


def tool_problems(words: list[str], wheel: Path, expected: str = "") -> Iterator[str]:
    """Yields the output of a tool that fails or does not print the expected text."""
    try:
        output = run([sys.executable, "-m", *words, wheel])
    except ProgramError as error:
        yield str(error)
        return
    if expected not in output:
        yield f"{words[0]} does not find {expected}:\n{output}"
