"""The command line of `pinchtp check`."""

from __future__ import annotations

import argparse
import shlex
import shutil
from itertools import count

from pinchtp.base.command_line import Parser, arg_type
from pinchtp.base.option_types import Float, OneOf
from pinchtp.base.process import ExitStatus
from pinchtp.base.streams import print_lines, warn
from pinchtp.base.terminal import StatusLine
from pinchtp.base.text import printable
from pinchtp.check import results
from pinchtp.check.check import CHECKS, Check, in_order
from pinchtp.check.game import WrongGame
from pinchtp.check.results import CheckResult, Status
from pinchtp.check.runner import Checker, NotAnEngine
from pinchtp.client import EngineStartError, split_command
from pinchtp.games import GAMES

SECONDS = Float(0.001, 1e6, "a number of seconds above 0")
TIMEOUT = 10.0
MIN_WIDTH = 60
MAX_WIDTH = 110

DESCRIPTION = """\
Checks how well an engine of any game conforms to GTP. The engine is started several times, plays on
small boards, and is sent valid and invalid input. Nothing outside the engine is changed."""

EPILOG = """\
examples:
  pinchtp check pinchtp --game pinch           everything
  pinchtp check --only F,E4 gnugo --mode gtp   one group and one check
  pinchtp check --game bushka ./my-bushka      checks moves and boards against our rules
  pinchtp check --json 'java -jar my.jar' > result.json
  pinchtp check --list                         the checks and their reasons

exit status:
  0  no check failed
  1  a check failed, or the result could not be written
  2  invalid command line, or the engine could not be started, did not respond, or plays another
     game than --game
"""


def main(arguments: list[str]) -> int:
    """Runs the subcommand; returns the exit status."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    checks = _select_checks(parser, options)
    width = min(max(shutil.get_terminal_size().columns, MIN_WIDTH), MAX_WIDTH)
    if options.list:
        print_lines(
            results.checks_as_json(checks) if options.json else results.table(checks, width)
        )
        return ExitStatus.SUCCESS
    try:
        command = split_command(_command(parser, options.command))
        with Checker(command, options.timeout, GAMES.get(options.game)) as runner:
            outcomes = _run(runner, checks, options, width)
    except EngineStartError as error:
        warn(f"{parser.prog}: the engine cannot be started: {printable(str(error))}")
        return ExitStatus.WRONG_USE
    except NotAnEngine as error:
        program = printable(shlex.join(command))
        warn(f"{parser.prog}: {program}: {error}; give the command of a GTP engine")
        return ExitStatus.WRONG_USE
    except WrongGame as error:
        warn(f"{parser.prog}: {error}: set the game on its command line, or drop --game")
        return ExitStatus.WRONG_USE
    has_failed = any(outcome.status is Status.FAILED for outcome in outcomes)
    return ExitStatus.FAILURE if has_failed else ExitStatus.SUCCESS


def _run(
    runner: Checker, checks: list[Check], options: argparse.Namespace, width: int
) -> list[CheckResult]:
    """Runs the checks; prints failures immediately, the other results at the end."""
    if not options.json:
        print_lines(results.heading(runner.facts) + "\n")
    done = count(1)
    with StatusLine() as status:

        def note(outcome: CheckResult) -> None:
            if outcome.status is Status.FAILED and not options.json:
                status.close()
                print_lines(results.row(outcome, width, verbose=options.verbose))
            status.show(f"{next(done)} of {len(checks)} checks")

        outcomes = runner.run(checks, note)
    if options.json:
        print_lines(results.as_json(runner.facts, outcomes))
    else:
        others = results.others(outcomes, width, verbose=options.verbose)
        print_lines("\n".join([*others, "", results.summary(outcomes)]))
    return outcomes


def make_parser() -> Parser:
    parser = Parser(
        prog="pinchtp check",
        usage="%(prog)s [options] COMMAND [ARGUMENT ...]",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    parser.add_argument(
        "command",
        nargs=argparse.REMAINDER,
        metavar="COMMAND",
        help="command line of the engine, as several words or one",
    )
    parser.add_argument(
        "--game",
        type=arg_type(OneOf(tuple(GAMES))),
        metavar="NAME",
        help=f"game of the engine, if it does not report one: {', '.join(GAMES)}",
    )
    parser.add_argument("--only", metavar="IDS", help="run these checks or groups: F,E4")
    parser.add_argument("--skip", metavar="IDS", help="skip these checks or groups")
    parser.add_argument(
        "--timeout",
        type=arg_type(SECONDS),
        default=TIMEOUT,
        metavar="S",
        help=f"seconds to wait for a response (default: {TIMEOUT:g})",
    )
    parser.add_argument(
        "--verbose",
        action="store_true",
        help="show the GTP log of failed checks, and why others were skipped",
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("--list", action="store_true", help="list the checks without running them")
    return parser


def _select_checks(parser: Parser, options: argparse.Namespace) -> list[Check]:
    only = _ids(parser, options.only) if options.only is not None else set(CHECKS)
    skip = _ids(parser, options.skip) if options.skip is not None else set()
    if only <= skip:
        parser.error("--skip leaves no check to run")
    return [check for check in in_order() if check.id in only - skip]


def _ids(parser: Parser, text: str) -> set[str]:
    """Returns the checks in a list of ids and groups."""
    ids: set[str] = set()
    if not text.replace(",", " ").split():
        parser.error("no checks given: give ids or groups, such as F,E4; --list shows all")
    for word in text.upper().replace(",", " ").split():
        named = {id for id in CHECKS if word in (id, id[0])}
        if not named:
            parser.error(f"unknown check or group {word}; --list shows all")
        ids |= named
    return ids


def _command(parser: Parser, words: list[str]) -> str | list[str]:
    """Returns the command to start; a single word is split like in a shell."""
    words = words[1:] if words[:1] == ["--"] else words
    if not words:
        parser.error("no engine: give its command line, such as: pinchtp check gnugo --mode gtp")
    if len(words) > 1 and " " in words[0] and shutil.which(words[0]) is None:
        parser.error(f"{words[1]}: put options of pinchtp check before the command")
    return words[0] if len(words) == 1 else words
