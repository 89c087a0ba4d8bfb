"""`pinchtp match show`: prints and exports the contents of a store."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console

from pinchtp.base.command_line import Parser, arg_type
from pinchtp.base.console import PlainTable, print_rendered, print_text
from pinchtp.base.option_types import Int
from pinchtp.base.process import ExitStatus
from pinchtp.base.sqlite import StoreError
from pinchtp.base.streams import print_lines
from pinchtp.base.text import printable
from pinchtp.games import Color
from pinchtp.match.record import GameRecord, Termination
from pinchtp.match.results.export import (
    OutputError,
    check_outputs,
    check_sgf,
    json_lines,
    write_match_page,
    write_sgf,
)
from pinchtp.match.results.store import MatchStore
from pinchtp.match.results.tables import format_clock, print_result
from pinchtp.match.runner import stored_result

SHOW = "show"

HELP = "shows the results and games of a match"

DESCRIPTION = """\
Prints the results or the games of a finished or running match, and writes its page and SGF files.
"""

EPILOG = """\
examples:
  pinchtp match show match.db
  pinchtp match show match.db --game 12        one game, with its GTP log if an engine failed
  pinchtp match show match.db --jsonl | jq .winner

exit status:
  0  everything was printed
  1  an output could not be written
  2  invalid command line, or the file is not a match database
"""


def main(arguments: list[str]) -> int:
    """Runs the command; returns the exit status."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    try:
        check_outputs(options.page, options.sgf, {"match database": options.db})
    except OutputError as error:
        parser.error(str(error))
    try:
        with MatchStore.open(options.db) as store:
            _show(store, options)
    except StoreError as error:
        print_text(f"pinchtp match show: {error}", sys.stderr)
        return ExitStatus.WRONG_USE
    except OutputError as error:
        print_text(f"pinchtp match show: {error}", sys.stderr)
        return ExitStatus.FAILURE
    return ExitStatus.SUCCESS


def make_parser() -> Parser:
    parser = Parser(
        prog="pinchtp match show",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    parser.add_argument("db", type=Path, metavar="DB", help="the match database")
    contents = parser.add_mutually_exclusive_group()
    contents.add_argument("--json", action="store_true", help="print the statistics as JSON")
    contents.add_argument("--jsonl", action="store_true", help="print each game as a line of JSON")
    contents.add_argument("--games", action="store_true", help="list the games")
    number = arg_type(Int(1, 10**9))
    contents.add_argument("--game", type=number, metavar="N", help="print game N, from 1")
    parser.add_argument(
        "--page", type=Path, metavar="FILE", help="write the match as one HTML file"
    )
    parser.add_argument(
        "--sgf", type=Path, metavar="DIR", help="write the games as SGF to this directory"
    )
    return parser


def _show(store: MatchStore, options: argparse.Namespace) -> None:
    if options.sgf:
        check_sgf(options.sgf, store.plan(), store.records())
    if options.page:
        write_match_page(store.plan(), store.records(), options.page)
    if options.sgf:
        write_sgf(store.records(), options.sgf)
    if options.jsonl:
        for line in json_lines(store.records()):
            print_lines(line)
    elif options.games:
        for line in _list(store):
            print_lines(line)
    elif options.game is not None:
        _show_game(store, options.game)
    elif options.json:
        print_lines(json.dumps(stored_result(store).as_json(), indent=2))
    elif not (options.page or options.sgf):
        with print_rendered() as out:
            print_result(stored_result(store), out)


def _list(store: MatchStore) -> Iterator[str]:
    """Yields the headings, then a line per game as it is read."""
    name = max(cell_len(printable(engine.name)) for engine in store.plan().engines)
    player = max(name, len("black"), len("white"))
    winner = name + len(" (black)")
    termination = max(map(len, Termination))
    widths = {
        ">game": 7,
        "black": player,
        "white": player,
        "winner": winner,
        "termination": termination,
    }
    widths |= {">moves": 5, ">time": 8, "opening": 0}
    yield _align(widths, [heading.removeprefix(">") for heading in widths])
    for record in store.records():
        game = record.game
        cells = [game.label, game.black, game.white, _winner(record), record.termination]
        cells += [f"{len(record.moves)}", format_clock(record.seconds), game.opening.name]
        yield _align(widths, cells)


def _align(widths: Mapping[str, int], cells: Sequence[str]) -> str:
    """Returns a line of cells. widths: by heading; a leading `>` aligns a column to the right."""
    line = []
    for (heading, width), cell in zip(widths.items(), map(printable, cells), strict=True):
        space = " " * (width - cell_len(cell))
        line.append(space + cell if heading.startswith(">") else cell + space)
    return "  ".join(line).rstrip()


def _show_game(store: MatchStore, number: int) -> None:
    records = list(store.records_of(number))
    if not records:
        raise StoreError(f"{store.path} has no game {number}")
    with print_rendered() as out:
        for record in records:
            _print_game(record, out)


def _print_game(record: GameRecord, out: Console) -> None:
    def print_line(text: str) -> None:
        out.print(printable(text), soft_wrap=True)

    game = record.game
    detail = f", {record.detail}" if record.detail else ""
    print_line(f"game {game.display_number}: {game.black} (black) vs {game.white} (white)")
    print_line(f"{_winner(record)}: {record.termination}{detail}; on {record.machine}")
    table = PlainTable("move", "", "", "seconds", "winrate")
    for at, move in enumerate(record.moves, 1):
        rate = "" if move.winrate is None else f"{move.winrate:.1%}"
        seconds = "opening" if move.book else f"{move.seconds:.3f}"
        table.add_texts(f"{at}", str(move.color), move.text, seconds, rate)
    out.print(table)
    for heading, text in (("standard error", record.stderr), ("GTP log", record.transcript)):
        if text:
            print_line(f"\n{heading}:\n{text.rstrip()}")


def _winner(record: GameRecord) -> str:
    if isinstance(record.winner, Color):
        return f"{record.game.player(record.winner)} ({record.winner})"
    return "void" if record.winner is None else str(record.winner)
