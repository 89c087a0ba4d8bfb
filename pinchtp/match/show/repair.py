"""`pinchtp match repair DB`: what can be read of a damaged store."""

from __future__ import annotations

import sys
from pathlib import Path

from pinchtp.base.options.command_line import Parser
from pinchtp.match.results import repair as repairing
from pinchtp.match.results.store import StoreError
from pinchtp.match.show.terminal import say

REPAIR = "repair"

DESCRIPTION = """\
Saves every game that can be read from a damaged store to a new one, with which the match can go on.
The damaged file is left as it is."""

EPILOG = """\
examples:
  pinchtp match repair match.db                  writes match-repaired.db
  pinchtp match repair match.db --to other.db

exit status:
  0  every game was saved
  1  some were lost; they are played again when the match goes on
  2  the command line was wrong, or nothing could be saved
"""


def repair(arguments: list[str]) -> int:
    """Runs it; returns the exit status."""
    options = _parser().parse_args(arguments)
    target = options.to or options.db.with_stem(f"{options.db.stem}-repaired")
    try:
        saved = repairing.repair(options.db, target)
    except (StoreError, OSError) as error:
        say(f"pinchtp match repair: {error}", sys.stderr)
        return 2
    say(f"{saved.games} games are saved in {target}")
    if saved.lost:
        say(f"{len(saved.lost)} cannot be read: numbers {', '.join(map(str, saved.lost))} in order")
    return 1 if saved.lost else 0


def _parser() -> Parser:
    parser = Parser(
        prog="pinchtp match repair",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    parser.add_argument("db", type=Path, metavar="DB", help="the damaged store")
    parser.add_argument("--to", type=Path, metavar="FILE", help="the new store")
    return parser
