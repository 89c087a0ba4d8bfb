"""Builds, checks and tries wheels for all platforms.

    python -m tools.wheels build --out wheels             every target, for 3.11 and for 3.12+
    python -m tools.wheels build --out wheels --target linux-x86_64 --python python3.12
    python -m tools.wheels check wheels                   names, contents, symbols
    python -m tools.wheels try wheels/WHEEL --python python3.13 --tests tests/core tests/gtp

`build` needs ziglang, which cross-compiles; `check` needs abi3audit, auditwheel, lief and twine.
From a directory, `try` selects the wheel that pip would; its interpreter may be a command, such as
an emulator's.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import monotonic

from .build import build, clone
from .check import problems
from .run import ProgramError
from .targets import TARGETS
from .trial import try_wheel


def main() -> int:
    options = make_parser().parse_args()
    try:
        return options.function(options)  # type: ignore[no-any-return]
    except ProgramError as error:
        print(error, file=sys.stderr)
        return 1


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.wheels",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("build", help="build wheels")
    one.set_defaults(function=build_all)
    one.add_argument("--out", type=Path, required=True, metavar="DIRECTORY", help="for the wheels")
    one.add_argument("--python", nargs="+", default=["python3.11", "python3.12"])
    one.add_argument("--target", nargs="+", default=list(TARGETS), choices=list(TARGETS))
    one = commands.add_parser("check", help="check the wheels in directories")
    one.set_defaults(function=check_all)
    one.add_argument("folders", nargs="+", type=Path, metavar="DIRECTORY")
    one = commands.add_parser("try", help="install and run a wheel without a compiler")
    one.set_defaults(function=try_one)
    one.add_argument("wheel", type=Path, help="a wheel, or a directory of wheels")
    one.add_argument("--python", default=sys.executable, help="interpreter or command")
    one.add_argument("--tests", nargs="+", default=[], metavar="PATH")
    return parser


def build_all(options: argparse.Namespace) -> int:
    with clone() as source:
        for target in options.target:
            for python in options.python:
                start = monotonic()
                wheel = build(source, target, python, options.out)
                megabytes = wheel.stat().st_size / 1e6
                print(f"{wheel.name}: {megabytes:.2f} MB, {monotonic() - start:.0f} s", flush=True)
    return 0


def check_all(options: argparse.Namespace) -> int:
    wheels = [wheel for folder in options.folders for wheel in sorted(folder.glob("*.whl"))]
    failed = not wheels
    for wheel in wheels:
        found = list(problems(wheel))
        failed |= bool(found)
        print(f"{wheel.name}: {'; '.join(found) or 'no problems'}", flush=True)
    return int(failed)


def try_one(options: argparse.Namespace) -> int:
    for fact in try_wheel(options.wheel, options.python, options.tests):
        print(fact, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
