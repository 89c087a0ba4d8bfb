"""`pinchtp match --make-openings N`: writes a list of balanced openings."""

from __future__ import annotations

import sys
from typing import Any

from pinchtp.base.options import Whole
from pinchtp.base.options.command_line import Parser, given, value_of
from pinchtp.base.process import ExitStatus
from pinchtp.base.streams import write_result
from pinchtp.match.plan.balanced_openings import OPTIONS, OpeningSearch, balanced_openings

MAKE_OPENINGS = "--make-openings"

DESCRIPTION = """\
Prints balanced openings: random moves after which our search gives both sides about the same
chance. No opening is a rotation or reflection of another. The same seed gives the same list."""

EPILOG = """\
examples:
  pinchtp match --make-openings 100 --size 9 > openings.txt
  pinchtp match --make-openings 20 --plies 6 --visits 20000 --window 0.03 --seed 1

exit status:
  0  there are as many as asked for
  1  there are fewer, or they could not be written
  2  the command line was wrong
"""


def make_openings(arguments: list[str]) -> int:
    """Runs it; returns the exit status."""
    parser = _parser()
    asks_for_help = {"-h", "--help"} & set(arguments)  # perhaps where N should stand
    options = parser.parse_args(["--help"] if asks_for_help else arguments)
    fields: dict[str, Any] = {}
    for name, value in given(options, OPTIONS.values()).items():
        OPTIONS[name].put(fields, value)
    search, count = OpeningSearch(**fields), options.make_openings
    found = 0
    try:
        for moves, winrate in balanced_openings(search, count):
            write_result(f"{moves}  # {winrate:.3f}")
            found += 1
    except ValueError as error:
        parser.error(str(error))
    if found < count:
        print(
            f"pinchtp match: only {found} balanced openings found: other --plies or a wider "
            "--window give more",
            file=sys.stderr,
        )
    return ExitStatus.SUCCESS if found == count else ExitStatus.FAILURE


def _parser() -> Parser:
    parser = Parser(
        prog="pinchtp match",
        usage="%(prog)s --make-openings N [options]",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    count = value_of(Whole(1, 10**6))
    parser.add_argument(MAKE_OPENINGS, type=count, metavar="N", required=True, help="how many")
    parser.add_options(OPTIONS.values())
    return parser
