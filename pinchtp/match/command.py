"""`pinchtp match`: the command line, and the course of a match."""

from __future__ import annotations

import argparse
import signal
import sys
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from pinchtp.base.cluster import ClusterError, ClusterLost
from pinchtp.base.command_line import (
    Parser,
    check_command_is_first,
    check_subcommand,
    collect_options,
)
from pinchtp.base.console import make_console, print_text
from pinchtp.base.process import ExitStatus, StopRequested, python_command, signals_as
from pinchtp.base.sqlite import StoreError, StoreWriteError
from pinchtp.base.streams import try_print
from pinchtp.client import EngineStartError, program_name
from pinchtp.match import calculator, make_openings, repair, show
from pinchtp.match.calculator import CALCULATOR
from pinchtp.match.make_openings import OPENINGS
from pinchtp.match.plan import ENGINE_OPTIONS, OPTIONS, MatchPlan, PlanError
from pinchtp.match.plan_file import PlanBuilder, valid_name
from pinchtp.match.playing.cores import available_cores
from pinchtp.match.playing.pool import GamePool, WorkerPool
from pinchtp.match.playing.preflight import EngineRejected
from pinchtp.match.progress import MatchProgress
from pinchtp.match.repair import REPAIR
from pinchtp.match.results.export import OutputError, OutputFiles, begin_log, check_outputs
from pinchtp.match.results.stats import MatchResult
from pinchtp.match.results.store import MatchStore, OtherMatch, starting_over
from pinchtp.match.results.tables import print_result
from pinchtp.match.runner import Runner
from pinchtp.match.show import SHOW

DEFAULT_DB = Path("match.db")
QUICK_TIME = "10+0.1"

DESCRIPTION = """\
Plays matches between GTP engines, given by their command lines, and checks every move by the rules
of the game. Finished games are stored, and the same command resumes the match."""

ENGINE_OPTION_HELP = "\n".join(
    f"  {option.name:12} {option.description}" for option in ENGINE_OPTIONS.values()
)

# Words of fastchess and cutechess-cli.
ELSEWHERE = {
    "concurrency": "--jobs N",
    "rounds": "--games N, two for each round",
    "repeat": "--paired, which is the default",
    "noswap": "--no-paired",
    "pgnout": "--sgf DIR",
    "tc": "--time TIME",
    "st": "--time SECONDS",
    "timemargin": "--lag SECONDS",
    "order": "--shuffle",
    "plies": "--opening-plies N",
    "maxmoves": "--move-cap N",
    "srand": "--seed N",
    "randomseed": "--seed N",
    "tournament": "--format round-robin or gauntlet",
    "variant": "--game NAME",
    "recover": "no option: failed engines are always restarted",
    **dict.fromkeys(("cmd", "name", "proto"), "--engine NAME=COMMAND"),
    **dict.fromkeys(("elo1", "alpha", "beta", "model"), "--sprt ELO0,ELO1,ALPHA,BETA,MODEL"),
}

SUBCOMMANDS: dict[str, ModuleType] = {
    SHOW: show,
    CALCULATOR: calculator,
    OPENINGS: make_openings,
    REPAIR: repair,
}

EPILOG = f"""\
options of one engine, as --engine NAME.OPTION=VALUE or in the table [engines.NAME] of a match file;
for all engines, as --each OPTION=VALUE or in the table [each]:
{ENGINE_OPTION_HELP}
The board size is sent to the engines, but GTP has no command for other rules: give each engine its
own --game, --no-pie and the like in its command.

examples:
  pinchtp match --quick './new' 'pinchtp --visits 2000'
  pinchtp match --engine new='pinchtp --visits 2000' --engine old='./old --visits 2000' --size 9
  pinchtp match match.toml --games 400 --jobs 4 --page match.html
  pinchtp match --engine a=... --engine b=... --time 60+0.5 --openings list.txt --sprt 0,10
  pinchtp match --engine go='gnugo --mode gtp' --engine b=... --game go --size 9 --no-referee
  pinchtp match match.toml --cluster tcp://scheduler:8786
  pinchtp match openings 100 --size 9 --plies 4 > list.txt          (has its own --help)
  pinchtp match show match.db                                       (has its own --help)
  pinchtp match sprt --ptnml 3,20,55,30,6 --sprt 0,10               (has its own --help)
  pinchtp match repair match.db                                     (has its own --help)

exit status:
  0    the match is complete, or its sequential test has decided
  1    the match has ended, but some games could not be played, or a file could not be written
  2    invalid configuration; nothing was played
  130  interrupted; the same command resumes the match
"""


def main(arguments: list[str]) -> int:
    """Runs the command; returns the exit status."""
    if subcommand := SUBCOMMANDS.get("".join(arguments[:1])):
        return int(subcommand.main(arguments[1:]))
    check_subcommand("pinchtp match", arguments, SUBCOMMANDS)
    parser = make_parser()
    options = parser.parse_args(arguments)
    check_command_is_first(parser, [str(options.file)] if options.file else [], SUBCOMMANDS)
    try:
        with signals_as(signal.default_int_handler):
            return _play(options)
    except KeyboardInterrupt:
        return ExitStatus.INTERRUPTED
    except (ClusterLost, StoreWriteError) as error:
        print_text(f"pinchtp match: {error}", sys.stderr)
        return ExitStatus.FAILURE
    except (PlanError, EngineRejected, StoreError, ClusterError, OutputError) as error:
        advice = " (--db), or start over (--fresh)" if isinstance(error, OtherMatch) else ""
        print_text(f"pinchtp match: {error}{advice}", sys.stderr)
        return ExitStatus.WRONG_USE


def run_match(
    plan: MatchPlan,
    db: Path,
    progress: MatchProgress,
    stop: StopRequested | None = None,
    *,
    with_records: bool = False,
) -> MatchResult:
    """Plays the remaining games of a match. stop: set by signals, ends the match.

    Raises EngineRejected for an engine that cannot take part, StoreError if the db is not a store
    of this match, and OutputError for files that cannot be written, all before the first game; also
    ClusterError and ClusterLost. KeyboardInterrupt ends the match too.
    """
    check_outputs(plan.page, plan.sgf, {"match database": db})
    if plan.cluster is None:
        python_command()  # fails before the db is created if workers cannot start
    with MatchStore.begin(db, plan) as store:
        plan = store.plan()  # a resumed match keeps parts of its stored plan
        exports = OutputFiles(plan, progress.report)
        exports.check(store.records)
        runner = Runner(plan, store, progress.report, exports)
        unwritten = ""
        try:
            if runner.is_over:
                exports.begin(store.records)
                store.save_plan()
            else:
                _play_games(runner, store, exports, progress, stop)
        finally:
            try:
                exports.finish()
            except OutputError as error:
                unwritten = str(error)
        return replace(runner.result(with_records=with_records), unwritten=unwritten)


def _play_games(
    runner: Runner,
    store: MatchStore,
    exports: OutputFiles,
    progress: MatchProgress,
    stop: StopRequested | None,
) -> None:
    with closing(worker_pool(runner.plan)) as pool:
        runner.report_engines(pool.check_engines())
        exports.begin(store.records)  # if engines are refused, the page of another match remains
        store.save_plan()
        if pool.warning:
            progress.warn(pool.warning)
        if not runner.plan.openings and runner.plan.games > 2:
            progress.warn(
                "all games start on the empty board and may repeat each other: give --openings"
            )
        with progress, stop.at_signals() if stop else nullcontext(lambda: False) as should_stop:
            runner.run(pool, progress.show, should_stop, progress.report_game)


def worker_pool(plan: MatchPlan) -> GamePool:
    """Creates the pool that plays the games. Raises ClusterError, or OutputError for logs."""
    if plan.log:
        plan = replace(plan, log=plan.log.absolute())  # workers may have another working directory
        begin_log(plan)
    plan = replace(plan, openings=())  # each game has its own
    if plan.cluster is None:
        return WorkerPool(plan)
    from pinchtp.match.playing.cluster import ClusterPool  # noqa: PLC0415  (an extra)

    return ClusterPool(plan)


def _play(options: argparse.Namespace) -> int:
    draft = _draft(options)
    plan = draft.plan()
    from_file = options.file.with_suffix(".db") if options.file else DEFAULT_DB
    db = plan.db or from_file
    inputs = {"match file": options.file, "file of openings": draft.openings_path}
    check_outputs(plan.page, plan.sgf, inputs)
    stop = StopRequested()
    progress = MatchProgress(quiet=options.quiet, verbose=options.verbose)
    with starting_over(db) if options.fresh else nullcontext() as earlier:
        if earlier:
            progress.announce(f"the earlier games are in {earlier}")
        result = run_match(plan, db, progress, stop)
    is_shown = options.quiet or _show_tables(result)
    if result.unwritten:
        print_text(f"pinchtp match: {result.unwritten}", sys.stderr)
    if stop.seen:
        print_text(
            f"interrupted; all finished games are in {db}. The same command resumes the match"
        )
        return ExitStatus.INTERRUPTED
    is_complete = result.is_complete and is_shown and not result.unwritten
    return ExitStatus.SUCCESS if is_complete else ExitStatus.FAILURE


def _show_tables(result: MatchResult) -> bool:
    """Prints the result; returns False, with a message, if it cannot be written."""
    out = make_console(sys.stdout)
    with out.capture() as tables:
        print_result(result, out)
    try:
        return try_print(tables.get().removesuffix("\n"))
    except BrokenPipeError:
        return True  # the reader has closed the pipe, such as `head`


def make_parser() -> Parser:
    parser = Parser(
        common=("engine", "size", "time", "games", "openings", "jobs"),
        prog="pinchtp match",
        usage="%(prog)s [FILE] [--engine NAME=COMMAND ...] [options]",
        description=DESCRIPTION,
        epilog=EPILOG,
        elsewhere=ELSEWHERE,
    )
    parser.add_argument(
        "file",
        nargs="?",
        type=Path,
        metavar="FILE",
        help="match config: TOML with the names of options as keys; flags override it",
    )
    _add_engines(parser)
    _add_run(parser)
    parser.add_options(OPTIONS.values())
    return parser


def _add_engines(parser: Parser) -> None:
    """Adds the flags that name engines."""
    parser.add_argument(
        "--engine",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help="an engine and its command line; give two or more",
    )
    parser.add_argument(
        "--each",
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        help="set an option for all engines",
    )
    parser.add_argument(
        "--quick",
        nargs=2,
        metavar=("A", "B"),
        help=f"play two command lines at {QUICK_TIME} on all cores; other options override this",
    )


def _add_run(parser: Parser) -> None:
    """Adds the flags of the openings, the earlier games and the output."""
    parser.add_argument(
        "--openings",
        metavar="FILE",
        help="a text file with one opening per line, an SGF collection, or a directory of SGF "
        "files; each opening is played twice, with colors reversed",
    )
    parser.add_argument(
        "--fresh",
        action="store_true",
        help="start over; the games of an earlier match are moved to another database",
    )
    parser.add_argument("--verbose", action="store_true", help="print a line per finished game")
    parser.add_argument(
        "--quiet", action="store_true", help="print only failures and warnings about engines"
    )


def _draft(options: argparse.Namespace) -> PlanBuilder:
    """Returns the plan from file and flags. Raises PlanError."""
    draft = PlanBuilder()
    if options.quick:
        draft.set("time", QUICK_TIME)
        draft.set("jobs", max(1, len(available_cores())))
        try:
            named = _name_commands(*options.quick)
        except EngineStartError as error:
            raise PlanError(f"quick: {error}") from None
        draft.set_engines([f"{name}={command}" for name, command in named])
    if options.file:
        draft.load(options.file)
    draft.set_engines(options.engine)
    draft.set_each(options.each)
    if options.openings is not None:
        draft.set("openings", options.openings)
    for name, value in collect_options(options, OPTIONS.values()).items():
        draft.set(name, value)
    return draft


def _name_commands(*commands: str) -> list[tuple[str, str]]:
    """Returns command lines named after their programs, with numbers if names are equal.

    Raises EngineStartError for an invalid command line.
    """
    names = [valid_name(program_name(command)) for command in commands]
    if len(set(names)) < len(names):
        names = [f"{name}-{number}" for number, name in enumerate(names, 1)]
    return list(zip(names, commands, strict=True))
