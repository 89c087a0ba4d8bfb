"""`pinchtp doctor`: the facts about an installation that a report of a problem needs."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version

from pinchtp import _core
from pinchtp.base.command_line import Parser
from pinchtp.base.process import ExitStatus
from pinchtp.base.streams import print_lines
from pinchtp.build import build_info, version_text
from pinchtp.player.network import NetworkError, all_packaged, name_of, read

EXTRAS = ("board", "cluster", "env", "learn", "test")
NAME = re.compile(r"[\w.-]+")  # of a distribution
WIDTH = 14  # of the first column

DESCRIPTION = """\
Shows what is installed and whether it works, to paste into a bug report: interpreter, core,
instruction sets, networks and optional parts."""

EPILOG = """\
exit status:
  0  everything that is installed works
  1  something is damaged
  2  invalid command line
"""


def main(arguments: list[str]) -> int:
    """Runs the command; returns the exit status."""
    make_parser().parse_args(arguments)
    networks, are_whole = _networks()
    rows = [
        ("pinchtp", version_text()),
        *_machine(),
        *_core_rows(),
        ("networks", networks),
        *_extras(),
    ]
    print_lines("\n".join(f"{name:{WIDTH}}{text}" for name, text in rows))
    return ExitStatus.SUCCESS if are_whole else ExitStatus.FAILURE


def make_parser() -> Parser:
    return Parser(prog="pinchtp doctor", description=DESCRIPTION, epilog=EPILOG)


def _machine() -> Iterator[tuple[str, str]]:
    implementation = platform.python_implementation()
    yield "python", f"{implementation} {platform.python_version()}, {sys.executable}"
    libc = " ".join(platform.libc_ver())
    system = " ".join(filter(None, (platform.system(), platform.machine(), libc)))
    yield "system", f"{system}, {os.cpu_count()} CPUs"


def _core_rows() -> Iterator[tuple[str, str]]:
    compiler = build_info()["compiler"]
    yield "core", f"{_core.__file__}{f', by {compiler}' if compiler else ''}"
    yield "games use", _last_used(_core.instruction_sets())
    yield "networks use", _last_used(_core.inference_instruction_sets())


def _last_used(sets: list[str]) -> str:
    return f"{sets[-1]} (of {', '.join(sets)})"


def _networks() -> tuple[str, bool]:
    """Returns the names of the packaged networks, and whether all are whole."""
    texts = []
    are_whole = True
    for path in all_packaged():
        try:
            texts.append(name_of(path, read(path).digest))
        except NetworkError as error:
            texts.append(f"{path.stem} damaged: {error}")
            are_whole = False
    return ", ".join(texts), are_whole


def _extras() -> Iterator[tuple[str, str]]:
    """Yields the optional parts, and how to get those that are missing."""
    for extra in EXTRAS:
        names = _list_requirements(extra)
        missing = [name for name in names if _version(name) is None]
        found = ", ".join(f"{name} {_version(name)}" for name in names if name not in missing)
        if missing:
            need = f"needs {', '.join(missing)}: pip install 'pinchtp[{extra}]'"
            yield extra, f"{found}; {need}" if found else need
        else:
            yield extra, found


def _list_requirements(extra: str) -> list[str]:
    """Returns the distributions that an extra requires itself."""
    try:
        lines = requires("pinchtp") or []
    except PackageNotFoundError:
        return []
    marked = [line for line in lines if f"extra == '{extra}'" in line.replace('"', "'")]
    names = [found[0] for line in marked if (found := NAME.match(line))]
    return [name for name in names if name != "pinchtp"]


def _version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None
