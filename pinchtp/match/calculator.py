"""`pinchtp match sprt`: Elo and the sequential test for given results."""

from __future__ import annotations

from pinchtp.base.command_line import Parser, arg_type
from pinchtp.base.option_types import Int, ListOf
from pinchtp.base.process import ExitStatus
from pinchtp.base.streams import print_lines
from pinchtp.match.option_types import SPRT
from pinchtp.match.results.sprt import Sprt
from pinchtp.match.results.tables import rating_lines, sprt_lines

CALCULATOR = "sprt"

HELP = "rates given results as a match does"

DESCRIPTION = """\
Prints Elo, normalized Elo, the likelihood of superiority and the state of a sequential test for
given results, as a match prints them."""

EPILOG = """\
examples:
  pinchtp match sprt --ptnml 34,54,63,64,75
  pinchtp match sprt --wdl 136,111,96 --sprt 0,5,logistic

exit status:
  0  the results were printed
  1  the results could not be written
  2  invalid command line
"""

_COUNTS = ListOf(Int(0, 10**9), "numbers from 0 to 1000000000")


def main(arguments: list[str]) -> int:
    """Runs the command; returns the exit status."""
    parser = make_parser()
    options, rest = parser.parse_known_args(arguments)
    if rest:
        parser.error(f"unexpected {' '.join(rest)}; separate the numbers by commas: 34,54,63")
    counts = options.ptnml or options.wdl[::-1]
    if len(counts) != (5 if options.ptnml else 3):
        parser.error(f"{'--ptnml takes five' if options.ptnml else '--wdl takes three'} numbers")
    if not any(counts):
        parser.error("no games: at least one number must be above 0")
    games = sum(counts) * (2 if options.ptnml else 1)
    points = sum(index * count for index, count in enumerate(counts)) / 2
    total = f"Games: {games}, Points: {points:.1f} ({100 * points / games:.2f} %)"
    print_lines("\n".join([*rating_lines(counts), total, *sprt_lines(options.sprt, counts)]))
    return ExitStatus.SUCCESS


def make_parser() -> Parser:
    parser = Parser(prog="pinchtp match sprt", description=DESCRIPTION, epilog=EPILOG)
    results = parser.add_mutually_exclusive_group(required=True)
    results.add_argument(
        "--ptnml",
        type=arg_type(_COUNTS),
        metavar="A,B,C,D,E",
        help="numbers of game pairs with 0, 1/2, 1, 3/2 and 2 points",
    )
    results.add_argument(
        "--wdl",
        type=arg_type(_COUNTS),
        metavar="W,D,L",
        help="numbers of games won, drawn and lost",
    )
    parser.add_argument(
        "--sprt",
        type=arg_type(SPRT),
        default=Sprt(0, 5),
        metavar="E0,E1",
        help=f"ELO0,ELO1[,ALPHA,BETA][,MODEL] (default: {SPRT.format(Sprt(0, 5))})",
    )
    return parser
