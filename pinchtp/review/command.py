"""The command line of `pinchtp review`."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from pinchtp.base.command_line import Parser, add_option, arg_type, collect_options
from pinchtp.base.files import input_name, is_same_file, read_input, replace_file
from pinchtp.base.option_types import PATH, Count, Int
from pinchtp.base.process import ExitStatus, usable_processors
from pinchtp.base.streams import print_lines, warn
from pinchtp.base.terminal import StatusLine
from pinchtp.base.text import printable
from pinchtp.client.errors import EngineError
from pinchtp.engine.engine import EngineProtocol
from pinchtp.engine.own import own_engines
from pinchtp.games.session import Session
from pinchtp.player.player import Limits
from pinchtp.player.settings import OPTIONS, Settings
from pinchtp.records.options import add_usual, read_usual
from pinchtp.records.reader import read
from pinchtp.review import output
from pinchtp.review.review import GameReview, review

DEFAULT_VISITS = 1000
DEFAULT_SOLVER_NODES = 10_000
NO_VISITS = "1000, or no limit with --time"
REVIEW_OPTIONS = [
    replace(OPTIONS["visits"], help="visits per move", none_means=NO_VISITS),
    replace(OPTIONS["time"], help="seconds per move", none_means="no limit"),
    OPTIONS["memory"],
    OPTIONS["network"],
]
OF_OUR_ENGINE = ("memory", "network")
TIMEOUT = 60.0  # seconds for an engine's start, and most for each of its responses

DESCRIPTION = """\
Reviews a game: evaluates every position on all cores, and shows the winrate after each move and the
worst moves with better ones. A review limited by visits alone is reproducible."""

EPILOG = """\
examples:
  pinchtp review game.sgf
  pinchtp review game.sgf --visits 20k --page review.html
  pinchtp review game.sgf --time 2s --sgf annotated.sgf
  pinchtp review game.sgf --engine './other --game {game} {options}' --time 2s
  pinchtp review moves.txt --game pinch --size 9    moves such as e5 swap c3
  pinchtp convert record.json | pinchtp review -

exit status:
  0    the review is complete
  1    the engine failed, or a file could not be written
  2    invalid command line, or the file is not a game
  130  Ctrl-C
"""


def main(arguments: list[str]) -> int:
    """Runs the command; returns the exit status."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    _check_files(parser, options)
    given = collect_options(options, REVIEW_OPTIONS)
    if options.engine is not None and (unfit := [name for name in OF_OUR_ENGINE if name in given]):
        parser.error(
            f"--{unfit[0]} applies only to pinchtp; put it into the command line of --engine"
        )
    settings = Settings()
    for name, value in given.items():
        settings.set(name, value)
    session = _read_game(parser, options)
    settings.game = session.game.name
    try:
        reviewed = _review(session, settings, options)
    except ValueError as error:
        parser.error(printable(str(error)))
    except EngineError as error:
        warn(printable(f"pinchtp review: {error}"))
        return ExitStatus.FAILURE
    is_complete = _write_files(reviewed, settings, options)  # the reader of the text may be gone
    is_ascii = "utf" not in (sys.stdout.encoding or "").lower()
    print_lines(
        output.as_json(reviewed) if options.json else output.text(reviewed, ascii_only=is_ascii)
    )
    return ExitStatus.SUCCESS if is_complete else ExitStatus.FAILURE


def make_parser() -> Parser:
    parser = Parser(prog="pinchtp review", description=DESCRIPTION, epilog=EPILOG)
    add = parser.add_argument
    add("file", metavar="FILE", help="game record; the first game is reviewed (-: standard input)")
    add("--json", action="store_true", help="print the review as JSON")
    add("--sgf", type=arg_type(PATH), metavar="FILE", help="write the annotated game")
    add("--page", type=arg_type(PATH), metavar="FILE", help="write an HTML page")
    add("--engine", metavar="COMMAND", help="GTP engine that analyzes (default: pinchtp)")
    add(
        "--jobs",
        type=arg_type(Int(1, 256)),
        metavar="N",
        help="concurrent positions (default: one per core; with --engine: 1)",
    )
    add(
        "--solver-nodes",
        type=arg_type(Count(0, 10**12)),
        default=DEFAULT_SOLVER_NODES,
        metavar="N",
        help="total nodes for the solver, which proves forced losses; 0: no proofs "
        f"(default: {DEFAULT_SOLVER_NODES})",
    )
    add_usual(parser)
    for option in REVIEW_OPTIONS:
        add_option(parser, option)
    return parser


def _check_files(parser: Parser, options: argparse.Namespace) -> None:
    """Exits with an error if the page would replace the game, or its annotated copy, or if a file
    cannot be written.
    """
    for what, file in (("game", options.file), ("file of --sgf", options.sgf)):
        if options.page and file and is_same_file(options.page, Path(file)):
            parser.error(f"--page: {options.page} is the {what}; give another name")
    parser.check_output("--sgf", options.sgf)
    parser.check_output("--page", options.page)


def _read_game(parser: Parser, options: argparse.Namespace) -> Session:
    """Returns the first game of the file; warns if there are others.

    Exits with an error for an invalid game, and if its annotated copy would replace the others.
    """
    usual = read_usual(parser, options)
    name = input_name(options.file)
    try:
        games = read(read_input(options.file), usual)
        session = games[0].read().session()
    except OSError as error:
        parser.error(printable(f"{name}: {error.strerror}"))
    except ValueError as error:
        parser.error(printable(f"{name}: {error}"))
    if len(games) > 1:
        several = f"{name} has {len(games)} games"
        if options.sgf and is_same_file(options.sgf, Path(options.file)):
            parser.error(printable(f"--sgf: {several} and would keep one; give another name"))
        warn(printable(f"pinchtp review: {several}: reviewing the first"))
    return session


def _limits(settings: Settings) -> Limits:
    seconds = math.inf if settings.time is None else settings.time
    is_unlimited = settings.visits is None and settings.time is None
    return Limits(seconds, DEFAULT_VISITS if is_unlimited else settings.visits)


def _review(session: Session, settings: Settings, options: argparse.Namespace) -> GameReview:
    with StatusLine() as status, ExitStack() as running:

        def show(done: int, total: int) -> None:
            status.show(f"{done} of {total} positions")

        engines = _engines(session, settings, options, running)
        return review(session, engines, _limits(settings), show, options.solver_nodes)


def _engines(
    session: Session, settings: Settings, options: argparse.Namespace, running: ExitStack
) -> Sequence[EngineProtocol]:
    """Returns the engines, one per position at a time. Raises EngineError and ValueError.

    running: closes the engines of --engine.
    """
    if options.engine is None:
        return own_engines(settings, options.jobs or len(usable_processors()))
    from pinchtp.engine.gtp import ForeignEngine, command_words  # noqa: PLC0415  (few need it)

    command = command_words(options.engine, session)
    engines = []
    for _ in range(options.jobs or 1):
        engines.append(ForeignEngine(command, timeout=TIMEOUT))
        running.callback(engines[-1].close)
    return engines


def _describe(limits: Limits) -> str:
    """Returns the limits in words."""
    visits = "" if limits.visits is None else f"{limits.visits:,} visits"
    seconds = "" if math.isinf(limits.seconds) else f"{limits.seconds:g} s"
    return " or ".join(filter(None, [visits, seconds]))


def _write_files(reviewed: GameReview, settings: Settings, options: argparse.Namespace) -> bool:
    """Returns whether all requested files were written."""
    documents = {}
    if options.sgf:
        documents[options.sgf] = output.as_sgf(reviewed) + "\n"
    if options.page:
        from pinchtp.review.page import document  # noqa: PLC0415  (loads jinja2)

        name = Path(input_name(options.file)).name
        effort = f"{_describe(_limits(settings))} per move, {reviewed.engine}"
        documents[options.page] = document(reviewed, name, effort)
    is_complete = True
    for path, text in documents.items():
        try:
            replace_file(path, text.encode("utf-8", "backslashreplace"))
        except OSError as error:
            warn(f"pinchtp review: {path}: {error.strerror}")
            is_complete = False
    return is_complete
