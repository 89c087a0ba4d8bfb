"""The command `pinchtp`: options, and what to read commands from."""

from __future__ import annotations

import argparse
import gc
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from pinchtp.base.command_line import (
    Parser,
    check_command_is_first,
    check_subcommand,
    collect_options,
)
from pinchtp.base.process import ExitStatus, FrozenProgram
from pinchtp.base.streams import (
    STDIN,
    STDOUT,
    escape_unencodable,
    fill_closed,
    is_typed,
    print_lines,
    wait_on_streams,
    warn,
)
from pinchtp.build import version_text
from pinchtp.games import GAMES
from pinchtp.games.session import Session
from pinchtp.gtp import OUT_OF_MEMORY
from pinchtp.gtp.commands import COMMANDS
from pinchtp.gtp.engine import GtpEngine
from pinchtp.gtp.input import InputReader, ScriptInput, write_text
from pinchtp.gtp.server import Answer, Server
from pinchtp.player.settings import OPTIONS, Settings

# Programs of their own: pinchtp NAME ... runs main(arguments) of that module of the package.
SUBCOMMANDS: dict[str, tuple[str, str]] = {
    "board": ("board.command", "opens the board in the browser"),
    "play": ("play.command", "plays a game against you in the terminal"),
    "review": ("review.command", "finds the mistakes in a game"),
    "match": ("match.command", "plays matches between engines and checks every move"),
    "solve": ("solving.command", "proves the winner of a position on a small board"),
    "report": ("report.command", "measures the balance, depth, length and speed of a game"),
    "convert": ("records.command", "converts game records: SGF, Abstract Play"),
    "analysis": ("analysis.command", "analyzes positions in parallel over KataGo's JSON protocol"),
    "check": ("check.command", "checks how well an engine conforms to GTP"),
    "bench": ("bench.command", "measures the speed of playouts and searches"),
    "doctor": ("doctor", "shows what is installed and whether it works, for bug reports"),
    "completion": ("shell.completion", "prints completions for bash, zsh or fish"),
    "man": ("shell.man", "prints a manual page"),
}

RECORDS = (".sgf", ".json")  # endings of the names of files that contain no commands

EXECUTED, TYPED = "-e", "stdin"  # sources of commands; the second may be a terminal

DESCRIPTION = """\
Plays the board game Pinch and some of its relatives over GTP, the Go Text Protocol: reads commands
from standard input, one per line, and prints the responses on standard output. GUIs and match
runners start it with or without options; people and scripts can also pass it commands (-e) or files
of commands. `pinchtp -e help` lists the commands, and protocol.md describes them."""

EPILOG = """\
examples:
  pinchtp                                      an engine for a GUI
  pinchtp --size 13 --time 5 --threads 2       longer thinking on a larger board
  pinchtp --size 9 -e 'play b e5' -e showboard commands from the command line
  pinchtp --strict test.gtp                    commands from a file; fails if one of them fails
  pinchtp --visits 20000 --seed 1 < game.gtp   reproducible play

exit status:
  0    the input has ended, or it contained `quit`
  1    a command of -e failed, or any command with --strict; a file could not be read, a response
       could not be written, or there was not enough memory to start
  2    invalid command line
  130  Ctrl-C
"""


def main(arguments: list[str] | None = None) -> int:
    """Runs the program; returns its exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    fill_closed()
    wait_on_streams()
    escape_unencodable()
    try:
        if arguments[:1] in (["help"], ["version"]):
            arguments = _as_option(*arguments)
        if arguments and arguments[0] in SUBCOMMANDS:
            module, _ = SUBCOMMANDS[arguments[0]]
            return int(import_module(f"pinchtp.{module}").main(arguments[1:]))
        check_subcommand("pinchtp", arguments, SUBCOMMANDS, executed=COMMANDS)
        return _serve(_parse(arguments))
    except KeyboardInterrupt:
        return ExitStatus.INTERRUPTED
    except BrokenPipeError:  # nobody reads the answers any more
        return ExitStatus.SUCCESS
    except MemoryError:
        _report(OUT_OF_MEMORY)
        return ExitStatus.FAILURE
    except FrozenProgram as error:
        _report(str(error))
        return ExitStatus.FAILURE
    finally:
        with suppress(BrokenPipeError):
            print_lines("", end="")


def _as_option(word: str, *names: str) -> list[str]:
    """Returns the arguments for the help or version of a command, or of the program.

    Exits with an error for an unknown command.
    """
    if names and names[0] not in SUBCOMMANDS:
        name = names[0]
        hint = f"-e 'help {name}' describes that of GTP" if name in COMMANDS else "--help lists all"
        make_parser().error(f"no command of the program is named {name!r}: pinchtp {hint}")
    return [*names, f"--{word}"]


class ShowVersion(argparse.Action):
    """Prints the version, which is read from a file, and ends the program."""

    def __init__(self, **details: Any) -> None:
        super().__init__(nargs=0, help="show program's version number and exit", **details)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print_lines(f"pinchtp {version_text()}")
        parser.exit()


def make_parser() -> Parser:
    parser = Parser(
        common=("game", "size", "time", "visits", "level", "threads"),
        prog="pinchtp",
        usage="%(prog)s [options] [FILE ...]\n       %(prog)s COMMAND ...",
        description=DESCRIPTION,
        epilog=_subcommand_help() + _games_help() + EPILOG,
    )
    parser.add_argument("--version", action=ShowVersion)
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="TOML file of options; those of the command line override it",
    )
    group = parser.add_argument_group("commands to execute instead of standard input")
    group.add_argument(
        "-e",
        "--execute",
        action="append",
        default=[],
        metavar="COMMAND",
        help="execute a GTP command; may be repeated",
    )
    group.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="execute commands from a file (-: standard input)",
    )
    group.add_argument(
        "--strict",
        action=argparse.BooleanOptionalAction,
        help="print failed commands to standard error and exit with status 1 (default: with -e)",
    )
    parser.add_options(OPTIONS.values())
    return parser


def _games_help() -> str:
    lines = [f"  {game.name:15} {game.title}, {game.sizes}" for game in GAMES.values()]
    return "\n".join(["games and their board sizes:", *lines, "", ""])


def _subcommand_help() -> str:
    lines = [f"  pinchtp {name:10} {what}" for name, (_, what) in SUBCOMMANDS.items()]
    return "\n".join(["commands (each has its own --help):", *lines, "", ""])


def _parse(arguments: list[str]) -> argparse.Namespace:
    """Returns the options, with the settings they and the configuration file make as `settings`."""
    parser = make_parser()
    # Files and options may alternate, unless "--" ends the options; parse_intermixed_args drops it.
    parse = parser.parse_args if "--" in arguments else parser.parse_intermixed_args
    options = parse(arguments)
    check_command_is_first(parser, options.files, SUBCOMMANDS)
    options.settings = Settings()
    try:
        if options.config is not None:
            options.settings.load(options.config)
    except OSError as error:
        parser.error(f"{options.config}: {error.strerror}")
    except ValueError as error:
        parser.error(str(error))
    for path in options.files:
        if Path(path).suffix.lower() in RECORDS:
            parser.error(
                f"{path} is a game record, not a file of commands: show it with "
                f"-e 'pinchtp-loadrecord {path}' -e showboard, or find its mistakes with "
                f"pinchtp review {path}"
            )
    for name, value in collect_options(options, OPTIONS.values()).items():
        options.settings.set(name, value)
    return options


def _serve(options: argparse.Namespace) -> int:
    try:
        engine = GtpEngine(options.settings)
    except ValueError as error:
        _report(str(error))
        return ExitStatus.WRONG_USE
    try:
        return _answer_all(Server(engine), options)
    finally:
        engine.player.stop_pondering()


def _answer_all(server: Server, options: argparse.Namespace) -> int:
    status = ExitStatus.SUCCESS
    for source, lines in _sources(options, server.engine.session):
        is_strict = source == EXECUTED if options.strict is None else options.strict
        server.engine.attention = lines if isinstance(lines, InputReader) else ScriptInput(STDOUT)
        try:
            for number, answer in server.answers(lines):
                _send(answer)
                if is_strict and not answer.ok:
                    status = ExitStatus.FAILURE
                    _report(f"{source}:{number}: {answer.reason}")
                elif answer.detail and source == TYPED and os.isatty(STDIN):
                    _report(answer.detail)
                if answer.ends:
                    return status
        except BrokenPipeError:
            raise
        except OSError as error:
            hint = _file_hint(source) if isinstance(error, FileNotFoundError) else ""
            _report(f"{source}: {error.strerror}{hint}")
            return ExitStatus.FAILURE
    return status


def _file_hint(path: str) -> str:
    """Returns what a missing file may have been meant to be, for an error."""
    return "; a board of 13 columns and 9 rows is --size 13x9" if path.isdecimal() else ""


def _send(answer: Answer) -> None:
    """Writes an answer, or where there is no memory for its text, that it is refused."""
    if not isinstance(answer.text, str):
        _exempt_modules_from_collections()
    pieces = answer.pieces()
    try:
        _write(next(pieces))
    except MemoryError:
        pieces = replace(answer, ok=False, text=OUT_OF_MEMORY).pieces()
    for piece in pieces:
        _write(piece)


@cache  # once, since garbage that is exempt is never freed
def _exempt_modules_from_collections() -> None:
    """Exempts the objects so far, mainly those of modules, from garbage collections.

    A full collection of them would delay a line of an analysis by some 15 ms.
    """
    gc.freeze()


def _write(text: str) -> None:
    try:
        write_text(STDOUT, text)
    except BrokenPipeError:
        raise
    except OSError as error:
        _report(f"standard output: {error.strerror}")
        sys.exit(ExitStatus.FAILURE)


def _report(message: str) -> None:
    warn(f"pinchtp: {message}")


def _sources(options: argparse.Namespace, session: Session) -> Iterator[tuple[str, Iterable[str]]]:
    """Yields the commands to execute, each source with a name for messages."""
    if options.execute:
        yield EXECUTED, [line for text in options.execute for line in text.split("\n")]
    for path in options.files or ([] if options.execute else ["-"]):
        if path == "-":
            yield TYPED, _standard_input(session)
        else:
            yield path, _file_lines(path)


def _standard_input(session: Session) -> Iterable[str]:
    """Returns the lines of standard input; at a terminal with editing, after a welcome.

    A file has no client that waits for responses, so its lines are no InputReader.
    """
    if stat.S_ISREG(os.fstat(STDIN).st_mode):
        return (line for line in InputReader(STDIN))
    if not is_typed():
        return InputReader(STDIN, STDOUT)
    from pinchtp.gtp.terminal import TerminalInput, welcome  # noqa: PLC0415  (not for a GUI)

    warn(welcome(session))
    return TerminalInput()


def _file_lines(path: str) -> Iterator[str]:
    with open(path, "rb", buffering=0) as file:
        yield from InputReader(file.fileno())
