"""`pinchtp match --make-openings N`: writes a list of balanced openings."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from pinchtp.games import GAMES
from pinchtp.match.plan.balanced_openings import OpeningSearch, balanced_openings
from pinchtp.options import Kind, Real, Whole
from pinchtp.options.command_line import add_option, given, value_of
from pinchtp.settings import RULES, SIZE

MAKE_OPENINGS = "--make-openings"

DESCRIPTION = """\
Prints openings after which both sides have about the same chance by our own search: random moves,
judged one by one. None is another one turned or mirrored. The same seed gives the same list."""

EPILOG = """\
examples:
  pinchtp match --make-openings 100 --size 9 > openings.txt
  pinchtp match --make-openings 20 --plies 6 --visits 20000 --window 0.03 --seed 1

exit status:
  0  there are as many as asked for
  1  there are fewer
  2  the command line was wrong
"""


def make_openings(arguments: list[str]) -> int:
    """Runs it; returns the exit status."""
    parser = _parser()
    asks_for_help = {"-h", "--help"} & set(arguments)  # perhaps where N should stand
    options = parser.parse_args(["--help"] if asks_for_help else arguments)
    agreed = given(options, RULES.values())
    count, plies, game = options.make_openings, options.plies, options.game
    search = OpeningSearch(
        game, options.size, agreed, plies, options.visits, options.window, options.seed
    )
    found = 0
    try:
        for moves, winrate in balanced_openings(search, count):
            print(f"{moves}  # {winrate:.3f}", flush=True)
            found += 1
    except ValueError as error:
        parser.error(str(error))
    if found < count:
        print(
            f"pinchtp match: only {found} balanced openings found: other --plies or a wider "
            "--window give more",
            file=sys.stderr,
        )
    return 0 if found == count else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pinchtp match",
        usage="%(prog)s --make-openings N [options]",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    kinds: list[tuple[str, Kind[Any], object, str, str]] = [
        (MAKE_OPENINGS, Whole(1, 10**6), None, "N", "how many"),
        ("--size", SIZE, None, "N|WxH", "columns and rows; as usual for the game unless given"),
        ("--plies", Whole(1, 1000), OpeningSearch.plies, "P", "moves of each"),
        ("--visits", Whole(1, 2**31), OpeningSearch.visits, "N", "simulations that judge each"),
        (
            "--window",
            Real(0, 0.5),
            OpeningSearch.window,
            "W",
            "how far from 1/2 the win rate may be",
        ),
        ("--seed", Whole(0, 2**63 - 1), OpeningSearch.seed, "N", "of moves and search"),
    ]
    for name, kind, default, metavar, help_ in kinds:
        shown = "" if default is None else f" (default: {default})"
        parser.add_argument(
            name, type=value_of(kind), default=default, metavar=metavar, help=help_ + shown
        )
    names = list(GAMES)
    parser.add_argument("--game", choices=names, default=names[0], help="which game")
    for option in RULES.values():
        add_option(parser, option)
    return parser
