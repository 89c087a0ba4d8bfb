"""The command line of `pinchtp bench`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict
from itertools import groupby
from pathlib import Path

import msgspec

from pinchtp import _core
from pinchtp.base.command_line import Parser, arg_type
from pinchtp.base.files import read_file
from pinchtp.base.option_types import Float, Int, ListOf
from pinchtp.base.process import ExitStatus
from pinchtp.base.streams import print_lines
from pinchtp.base.terminal import StatusLine
from pinchtp.bench.rates import (
    Case,
    InferenceMeasurement,
    Measurement,
    cases,
    geometric_mean,
    measure,
    measure_inference,
)
from pinchtp.bench.signature import signature
from pinchtp.games import GAMES, find_game
from pinchtp.player.network import NetworkError, read
from pinchtp.player.settings import SIZE

SECONDS = 1.0
MEMORY = 512

SIZES = ListOf(SIZE, f"{SIZE.expected}; more after commas")
THREADS = ListOf(Int(1, _core.MAX_THREADS), "numbers of threads, such as 1,2")

# Options that others would ignore
IGNORED = {
    "network": ("threads", "memory", "compare", "signature"),
    "signature": ("game", "size", "threads", "seconds", "memory", "json", "compare"),
    "json": ("compare",),
}

DESCRIPTION = """\
Measures the speed of random playouts and tree search from the starting position, for each game,
board size and number of threads. Rates are medians of several rounds, in which the numbers of
threads take turns. Compare only measurements from the same idle machine."""

EPILOG = """\
examples:
  pinchtp bench                                  all games on their default boards
  pinchtp bench --game pinch --size 13 --threads 1,2
  pinchtp bench --json > before.json             then change something, and
  pinchtp bench --compare before.json            see the ratios
  pinchtp bench --network                        networks, with every instruction set
  pinchtp bench --signature                      node count and hash of fixed searches

exit status:
  0  done
  1  the results could not be written
  2  invalid command line, or a file of --compare that is not from `pinchtp bench --json`
"""

HEADINGS = (
    "game",
    "board",
    "threads",
    "playouts/s",
    "moves/s",
    "visits/s",
    "length",
    "sd",
)


def main(arguments: list[str]) -> int:
    """Runs it; returns the exit status."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    _check_combination(parser, options)
    if options.network is not None:
        try:
            measured = _measure_networks(options)
        except NetworkError as error:
            parser.error(str(error))
        if not measured:
            parser.error("nothing to measure: no network plays these games on these boards")
        _show_networks(measured, options)
        return ExitStatus.SUCCESS
    options.instruction_set = options.instruction_set or _core.instruction_sets()[-1]
    if options.instruction_set not in _core.instruction_sets():
        parser.error(
            f"argument --instruction-set: {options.instruction_set} applies only to networks"
        )
    if options.signature:
        nodes, digest = signature(options.instruction_set)
        print_lines(f"{nodes} nodes, hash {digest}")
        return ExitStatus.SUCCESS
    earlier = _load(parser, options.compare) if options.compare else {}
    asked = _list_asked(options, earlier)
    wanted = [case for case in asked if case in earlier] if earlier else asked
    if not wanted:
        parser.error(
            "nothing to measure: no game has this board size, or --compare has no such case"
        )
    records = _measure(wanted, options, show=not options.json and not earlier)
    if options.json:
        print_lines(json.dumps([asdict(record) for record in records], indent=1))
    elif earlier:
        print_lines(_comparison(records, earlier))
        for when, one, other in (("now", asked, earlier), ("then", earlier, asked)):
            if missing := [str(case) for case in one if case not in other]:
                print_lines(f"not compared, only {when}: {', '.join(missing)}")
    return ExitStatus.SUCCESS


def make_parser() -> Parser:
    parser = Parser(prog="pinchtp bench", description=DESCRIPTION, epilog=EPILOG)
    add = parser.add_argument
    add("--game", type=_games, metavar="G,...", help="games to measure (default: all)")
    sizes, threads = arg_type(SIZES), arg_type(THREADS)
    add(
        "--size",
        type=sizes,
        default=(),
        metavar="N,...",
        help="board sizes, such as 9,13x11, of the games that have them (default: the games' own)",
    )
    add(
        "--threads",
        type=threads,
        default=(),
        metavar="N,...",
        help="numbers of threads (default: 1)",
    )
    add(
        "--seconds",
        type=arg_type(Float(0.001, 1e6)),
        default=SECONDS,
        metavar="S",
        help=f"seconds for the playouts and for the search of each case (default: {SECONDS:g})",
    )
    add(
        "--memory",
        type=arg_type(Int(1, 2**17)),
        default=MEMORY,
        metavar="MB",
        help=f"search tree memory limit in MB (default: {MEMORY})",
    )
    add(
        "--instruction-set",
        choices=_core.inference_instruction_sets(),
        help="instruction set (default: the best of this machine; for networks all)",
    )
    add(
        "--network",
        type=Path,
        nargs="?",
        const=Path(),
        metavar="FILE",
        help="measure evaluations by the packaged networks, or by that of a file, instead",
    )
    add("--json", action="store_true", help="print the results as JSON")
    add(
        "--compare",
        type=Path,
        metavar="FILE",
        help="show ratios to an earlier output of --json (without --network), of its cases",
    )
    add(
        "--signature",
        action="store_true",
        help="print the bench signature instead, which is equal for equal playouts and searches",
    )
    return parser


def _check_combination(parser: Parser, options: argparse.Namespace) -> None:
    """Exits with an error if an option would be ignored because of another."""
    given = {name for name, value in vars(options).items() if value != parser.get_default(name)}
    for name, ignored in IGNORED.items():
        for other in ignored:
            if {name, other} <= given:
                parser.error(f"argument --{other}: not allowed with --{name}")


def _measure_networks(options: argparse.Namespace) -> list[InferenceMeasurement]:
    """Measures networks. Raises NetworkError."""
    file = options.network if options.network.name else None
    instruction_sets = (
        [options.instruction_set] if options.instruction_set else _core.inference_instruction_sets()
    )
    games: list[str] = options.game or ([read(file).game] if file else list(GAMES))
    return list(measure_inference(games, options.size, instruction_sets, options.seconds, file))


def _show_networks(records: Iterable[InferenceMeasurement], options: argparse.Namespace) -> None:
    if options.json:
        print_lines(json.dumps([asdict(record) for record in records], indent=1))
        return
    print_lines(f"{'game':15}{'board':>7}{'instruction set':>17}{'evaluations/s':>15}")
    for each in records:
        board = f"{each.width}x{each.height}"
        print_lines(
            f"{each.game:15}{board:>7}{each.instruction_set:>17}{each.evaluations_per_s:>15,.0f}"
        )


def _games(text: str) -> list[str]:
    try:
        return [find_game(name).name for name in text.split(",")]
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _list_asked(options: argparse.Namespace, earlier: Collection[Case]) -> list[Case]:
    """Returns the cases of the options; those of an earlier run have what no option names."""
    if not earlier:
        return list(cases(options.game or GAMES, options.size, options.threads or (1,)))
    asked: dict[Case, None] = {}  # in order
    for case in earlier:
        if case.game in (options.game or GAMES):
            sizes = options.size or [(case.width, case.height)]
            asked |= dict.fromkeys(cases([case.game], sizes, options.threads or [case.threads]))
    return list(asked)


def _measure(
    wanted: Iterable[Case], options: argparse.Namespace, *, show: bool
) -> list[Measurement]:
    """Measures board by board, and shows the records as they come if wanted."""
    if show:
        print_lines(f"instruction set {options.instruction_set}")
        print_lines(_row(HEADINGS))
    records = []
    groups = groupby(wanted, lambda case: (case.game, case.width, case.height))
    boards = [list(group) for _, group in groups]
    with StatusLine() as status:
        for number, board in enumerate(boards):
            status.show(f"{number} of {len(boards)} boards")
            measured = measure(board, options.seconds, options.memory, options.instruction_set)
            records += measured
            status.close()  # the rows may be on the same terminal
            if show:
                for record in measured:
                    print_lines(_row(_cells(record)))
    return records


def _cells(record: Measurement) -> Sequence[str]:
    rates = (record.playouts_per_s, record.moves_per_s, record.visits_per_s)
    return (
        record.game,
        f"{record.width}x{record.height}",
        str(record.threads),
        *(f"{rate:,.0f}" for rate in rates),
        f"{record.mean_length:.1f}",
        f"{record.sd_length:.1f}",
    )


def _row(cells: Sequence[str]) -> str:
    game, *rest = cells
    widths = (6, 8, 12, 13, 14, 7, 6)
    return f"{game:15}" + "".join(
        f"{cell:>{width}}" for cell, width in zip(rest, widths, strict=True)
    )


def _load(parser: Parser, path: Path) -> dict[Case, Measurement]:
    """Reads the measurements of an earlier run; exits with an error if there are none."""
    try:
        records = msgspec.json.decode(read_file(path), type=list[Measurement])
    except OSError as error:
        parser.error(f"{path}: {error.strerror}")
    except ValueError as error:
        with suppress(ValueError):
            msgspec.json.decode(read_file(path), type=list[InferenceMeasurement])
            parser.error(f"{path}: measurements of networks cannot be compared")
        parser.error(f"{path}: not a result of `pinchtp bench --json`: {error}")
    if not records:
        parser.error(f"{path}: contains no measurements: repeat `pinchtp bench --json`")
    return {record.case: record for record in records}


def _comparison(records: Sequence[Measurement], earlier: dict[Case, Measurement]) -> str:
    lines = ["ratios, now to then (more is faster)"]
    for name in ("instruction_set", "seconds", "memory"):
        now, then = (
            sorted({str(getattr(measured, name)) for measured in each})
            for each in (records, [earlier[record.case] for record in records])
        )
        if now != then:
            lines.append(f"{name.replace('_', ' ')}: {', '.join(now)} now, {', '.join(then)} then")
    ratios = []
    for record in records:
        before = earlier[record.case]
        playouts = record.playouts_per_s / before.playouts_per_s
        visits = record.visits_per_s / before.visits_per_s
        ratios.append((playouts, visits))
        board = f"{record.width}x{record.height}"
        lines.append(
            f"{record.game:15}{board:>7}{record.threads:>4} threads"
            f"   playouts {playouts:.3f}   visits {visits:.3f}"
        )
    playouts, visits = map(geometric_mean, zip(*ratios, strict=True))
    lines.append(f"{'all':33}   playouts {playouts:.3f}   visits {visits:.3f}")
    return "\n".join(lines)
