"""The command line of `pinchtp report`, and its output on a terminal."""

from __future__ import annotations

import argparse
import re
import signal
import time
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path

from pinchtp.base.cluster import ClusterError, ClusterLost
from pinchtp.base.command_line import Parser, add_option, arg_type, collect_options
from pinchtp.base.console import PlainTable, print_rendered, print_text
from pinchtp.base.option_types import PATH, Duration, Int
from pinchtp.base.process import ExitStatus, StopRequested, signals_as, usable_processors
from pinchtp.base.sqlite import StoreError, StoreWriteError
from pinchtp.base.streams import warn
from pinchtp.base.terminal import StatusLine
from pinchtp.html.format import seconds as spoken
from pinchtp.player.settings import OPTIONS, RULES
from pinchtp.report.compare import compare
from pinchtp.report.page import CannotWrite, ReportFiles, glance, report_of
from pinchtp.report.report import EXPERIMENTS, SECTIONS, GameReport, ReportError
from pinchtp.report.run import MeasurementRun
from pinchtp.report.store import ReportStore
from pinchtp.report.subject import USUAL_VISITS, ReportSubject
from pinchtp.report.workers import ClusterWorkers, ThreadWorkers, Workers

BUDGET = Duration()
USUAL_BUDGET = 600.0
LINE = 30.0  # seconds between lines of progress where there is no terminal

# Options of other programs, and our options for the same purpose.
ELSEWHERE = dict.fromkeys(("minutes", "hours", "seconds", "time"), "--budget 10m")

OPTION_HELP = {
    "game": "game to measure",
    "size": OPTIONS["size"].help,
    **{name: option.help for name, option in RULES.items()},
}

DESCRIPTION = """\
Measures a game, and writes a page (report.html), JSON (report.json) and sample games
(game-1.sgf ...) to a directory. Measurements are stored there in report.db: after an interrupt the
same command continues, and a larger budget adds measurements. The budget is the time of all runs
together."""

EPILOG = """\
examples:
  pinchtp report --game pinch --size 13
  pinchtp report --game bushka --budget 2m --out bushka
  pinchtp report --sections balance,ladder --budget 1h
  pinchtp report --compare pinch-9x9/report.json pinch-13x13/report.json --out compared
  pinchtp report --size 13 --budget 8h --cluster tcp://scheduler:8786
  pinchtp report --list

exit status:
  0    done; sections for which the budget was too small are named
  1    a measurement failed, nothing was measured, or a file could not be written
  2    invalid command line, or the directory holds other measurements
  130  interrupted; the same command continues
"""


def main(arguments: list[str]) -> int:
    """Runs the command; returns the exit status."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    if options.list:
        print_list()
        return ExitStatus.SUCCESS
    try:
        with signals_as(signal.default_int_handler):
            if options.compare:
                compare(options.compare, options.out)
                return ExitStatus.SUCCESS
            return _report(_subject(options), options)
    except KeyboardInterrupt:
        return ExitStatus.INTERRUPTED
    except (StoreWriteError, CannotWrite, ClusterLost) as error:
        warn(f"pinchtp report: {error}")
        return ExitStatus.FAILURE
    except (StoreError, ReportError, ClusterError) as error:
        warn(f"pinchtp report: {error}")
        return ExitStatus.WRONG_USE


def make_parser() -> Parser:
    common = ("game", "size", "budget", "out", "sections", "jobs")
    parser = Parser(
        common, ELSEWHERE, prog="pinchtp report", description=DESCRIPTION, epilog=EPILOG
    )
    for name, help in OPTION_HELP.items():
        add_option(parser, OPTIONS[name], help)
    _add_budget(parser)
    _add_strength(parser)
    _add_work(parser)
    parser.add_argument("--quiet", action="store_true", help="print only failures")
    parser.add_argument(
        "--list", action="store_true", help="list the sections and what they measure"
    )
    parser.add_argument(
        "--compare",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="compare reports, given as report.json files, instead of measuring",
    )
    return parser


def _add_budget(parser: Parser) -> None:
    """Adds the options of the time budget and the output."""
    parser.add_argument(
        "--budget",
        type=arg_type(BUDGET),
        default=USUAL_BUDGET,
        metavar="TIME",
        help=f"time for all runs together (default: {BUDGET.format(USUAL_BUDGET)})",
    )
    parser.add_argument(
        "--out",
        type=arg_type(PATH),
        metavar="DIR",
        help="output directory (default: GAME-SIZE)",
    )


def _add_strength(parser: Parser) -> None:
    """Adds the options of strong play and random choices."""
    parser.add_argument(
        "--visits",
        type=arg_type(Int(1, 2**24)),
        default=USUAL_VISITS,
        metavar="N",
        help=f"visits per move of strong play (default: {USUAL_VISITS})",
    )
    parser.add_argument(
        "--seed",
        type=arg_type(Int(0, 2**63 - 1)),
        default=1,
        metavar="N",
        help="seed of all random choices (default: 1)",
    )
    judge = OPTIONS["network"]
    parser.add_argument(
        "--network",
        type=arg_type(judge.type),
        default=judge.default,
        metavar=judge.metavar,
        help=judge.help,
    )


def _add_work(parser: Parser) -> None:
    """Adds the options of the units of work: workers and selection."""
    parser.add_argument(
        "--jobs",
        type=arg_type(Int(1, 256)),
        default=len(usable_processors()),
        metavar="N",
        help="parallel work units (default: one per CPU)",
    )
    parser.add_argument(
        "--cluster",
        metavar="WHERE",
        help="measure on a dask.distributed cluster: tcp://HOST:PORT, or local:N to start N "
        "workers here",
    )
    parser.add_argument(
        "--sections",
        type=_sections,
        default=tuple(SECTIONS),
        metavar="NAME,...",
        help="sections to measure (default: all)",
    )
    parser.add_argument(
        "--units",
        type=_units,
        metavar="NAME=N,...",
        help="measure exactly N work units of these experiments, regardless of the budget, to "
        "reproduce a report",
    )


def _sections(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    for name in names:
        if name not in SECTIONS:
            raise argparse.ArgumentTypeError(
                f"unknown section {name!r}: expected {', '.join(SECTIONS)}"
            )
    return names


def _units(text: str) -> Mapping[str, int]:
    units = {}
    for part in text.split(","):
        name, _, number = part.partition("=")
        if name not in EXPERIMENTS or not re.fullmatch("[0-9]{1,18}", number):
            names = ", ".join(EXPERIMENTS)
            raise argparse.ArgumentTypeError(
                f"{part!r}: give NAME=NUMBER, where NAME is one of {names}"
            )
        units[name] = int(number)
    return units


def _subject(options: argparse.Namespace) -> ReportSubject:
    """Returns the subject. Raises ReportError for an invalid combination of options."""
    asked = dict(collect_options(options, (OPTIONS[name] for name in OPTION_HELP)))
    try:
        return ReportSubject.of(
            asked.pop("game", OPTIONS["game"].default),
            asked.pop("size", None),
            asked,
            seed=options.seed,
            visits=options.visits,
            judge=options.network,
        )
    except ValueError as error:
        raise ReportError(str(error)) from None


def _report(subject: ReportSubject, options: argparse.Namespace) -> int:
    files = ReportFiles(options.out or Path(subject.name))
    used = {name for section in options.sections for name in SECTIONS[section].uses}
    experiments = {name: experiment for name, experiment in EXPERIMENTS.items() if name in used}
    stop = StopRequested()
    with ReportStore(files.store, subject) as store, stop.at_signals() as is_stopped:
        workers = _workers(subject, options)
        run = MeasurementRun(
            store, experiments, options.budget, workers, exact=options.units, is_stopped=is_stopped
        )
        try:
            with nullcontext() if options.quiet else ReportProgress() as progress:
                for _ in run.measure():
                    if progress:
                        progress.update(run)
                    files.update(run)
        finally:
            workers.close()
            report = report_of(run)
            files.write(report)
    return _print_end(run, report, files, options, interrupted=stop.seen)


def _workers(subject: ReportSubject, options: argparse.Namespace) -> Workers:
    """Raises ClusterError."""
    if options.cluster:
        return ClusterWorkers(subject, options.cluster)
    return ThreadWorkers(subject, options.jobs)


def _print_end(
    run: MeasurementRun,
    report: GameReport,
    files: ReportFiles,
    options: argparse.Namespace,
    *,
    interrupted: bool,
) -> int:
    """Prints the end of the run; returns the exit status."""
    if not options.quiet and report.sections:
        print_summary(report)
        print_text(f"report: {files.page}, data: {files.json}")
    for name, seconds in report.missing.items():
        warn(
            f"pinchtp report: the budget is too small for {EXPERIMENTS[name].description}: "
            f"continue with a --budget of at least {spoken(seconds)}"
        )
    if interrupted:
        warn(f"interrupted; the measurements are in {files.store}. The same command continues")
        return ExitStatus.INTERRUPTED
    if not report.sections:
        warn("pinchtp report: nothing was measured")
    return ExitStatus.FAILURE if run.failed or not report.sections else ExitStatus.SUCCESS


class ReportProgress(StatusLine):
    """The state of a run: a status line on a terminal, otherwise a new line every LINE seconds."""

    def __init__(self) -> None:
        super().__init__()
        self._next_line = LINE

    def update(self, run: MeasurementRun) -> None:
        """Shows the state at intervals."""
        if self.is_due:
            self.show(_state(run))
        elif not self.is_terminal and self.seconds >= self._next_line:
            self._next_line = self.seconds + LINE  # one line, also after a suspend
            warn(_state(run))


def _state(run: MeasurementRun) -> str:
    """Returns the time used, the expected end of the run, and the current measurements."""
    so_far = spoken(run.used)
    if not run.exact:
        so_far += f" of {spoken(run.budget.seconds)}"
        end = time.strftime("%H:%M:%S", time.localtime(time.time() + run.left))
        so_far += f", ends about {end}"
    return f"{so_far}: {', '.join(run.experiments[name].description for name in run.running)}"


def print_summary(report: GameReport) -> None:
    """Prints the figures shown at a glance and the conclusions."""
    subject = report.subject
    table = PlainTable("", ">value", ">95 % interval", wraps=True)
    for figure in glance(report):
        table.add_texts(figure.name, figure.text, figure.interval)
    with print_rendered() as out:
        out.print(
            f"{subject.entry.title} {subject.board_name}, measured for {spoken(report.seconds)}"
        )
        out.print(table)
        for summary in report.summaries:
            for says in summary.says:
                out.print(says, soft_wrap=True)


def print_list() -> None:
    """Prints the name and the description of each section."""
    with print_rendered() as out:
        for number, section in enumerate(SECTIONS.values(), start=1):
            out.print(f"{number}. {section.title} ({section.name})")
            out.print(f"   {section.about}", soft_wrap=True)
