"""`pinchtp match repair DB`: what can be read of a damaged store."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pinchtp.base.options import Parser
from pinchtp.base.process import ExitStatus
from pinchtp.base.sqlite import StoreError
from pinchtp.match import repair as repairing
from pinchtp.match.output import say
from pinchtp.match.plan import PlanError
from pinchtp.match.plan_file import PlanBuilder
from pinchtp.match.repair import Repair

REPAIR = "repair"

DESCRIPTION = """\
Saves every game that can be read from a damaged store to a new one, with which the match can go on.
The damaged file is left as it is."""

EPILOG = """\
examples:
  pinchtp match repair match.db                  writes match-repaired.db
  pinchtp match repair match.db --to other.db
  pinchtp match repair match.db match.toml       if the store does not tell any more what is played

exit status:
  0  every game was saved
  1  some were lost; they are played again when the match goes on
  2  the command line was wrong, or nothing could be saved
"""


def repair(arguments: list[str]) -> int:
    """Runs it; returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        saved, target = _repair(options)
    except (StoreError, PlanError, OSError) as error:
        say(f"pinchtp match repair: {error}", sys.stderr)
        return ExitStatus.WRONG_USE
    say(f"{_games(saved.games)} saved in {target}")
    if saved.lost:
        say(f"{_games(saved.lost)} lost; `sqlite3 .recover` may find more")
    return ExitStatus.FAILURE if saved.lost else ExitStatus.SUCCESS


def _repair(options: argparse.Namespace) -> tuple[Repair, Path]:
    """What was saved, and where. Raises StoreError, PlanError and OSError."""
    db: Path = options.db
    if not db.is_file():
        raise StoreError(f"{db}: there is no such file")
    target = options.to or db.with_stem(f"{db.stem}-repaired")
    plan = None
    if options.file:
        draft = PlanBuilder()
        draft.load(options.file)
        plan = draft.plan()
    return repairing.repair(db, target, plan), target


def _games(number: int) -> str:
    return "1 game" if number == 1 else f"{number} games"


def _parser() -> Parser:
    parser = Parser(
        prog="pinchtp match repair",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    parser.add_argument("db", type=Path, metavar="DB", help="the damaged store")
    parser.add_argument(
        "file",
        nargs="?",
        type=Path,
        metavar="FILE",
        help="the match file, if the store does not tell any more what is played",
    )
    parser.add_argument("--to", type=Path, metavar="FILE", help="the new store")
    return parser
