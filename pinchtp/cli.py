"""The command `pinchtp`: options, and what to read commands from."""

from __future__ import annotations

import argparse
import difflib
import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

from pinchtp import __version__
from pinchtp.games import MAX_SIZE, MIN_SIZE
from pinchtp.gtp.engine import Engine, Settings, SwapSpelling
from pinchtp.gtp.server import Server
from pinchtp.gtp.stream import read_lines, write_text
from pinchtp.player import Effort

STDIN, STDOUT = 0, 1
INTERRUPTED = 130  # the shell's status for a program ended by Ctrl-C

DESCRIPTION = """\
pinchtp plays the board game Pinch over GTP, the Go Text Protocol: it reads commands from its
standard input, one a line, and answers each on its standard output. GUIs and match runners start
it without any argument or with options only; people and scripts may also give it commands (-e)
or files of commands. protocol.md, and the command `help`, describe the commands."""

EPILOG = """\
examples:
  pinchtp                                      an engine for a GUI
  pinchtp --size 13 --time 5 --threads 2       a stronger one
  pinchtp --size 9 -e 'play b e5' -e showboard commands from the command line
  pinchtp --strict test.gtp                    commands from a file; fails if one of them does
  pinchtp --visits 20000 --seed 1 < game.gtp   repeatable play

exit status:
  0    the input has ended, or quit
  1    with --strict: a command was refused; otherwise: a file could not be read
  2    the command line was wrong
  130  Ctrl-C
"""


def main(arguments: list[str] | None = None) -> int:
    """Runs the program; returns its exit status."""
    try:
        return _serve(_parse(sys.argv[1:] if arguments is None else arguments))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # nobody reads the answers any more
        return 0


class _Parser(argparse.ArgumentParser):
    """An argument parser that names the option a mistyped one is close to."""

    def error(self, message: str) -> NoReturn:
        unknown = message.removeprefix("unrecognized arguments: ").split()
        if unknown and message.startswith("unrecognized"):
            close = difflib.get_close_matches(unknown[0].partition("=")[0], self.options(), n=1)
            hint = f"did you mean {close[0]}?" if close else "see pinchtp --help"
            message = f"there is no option {unknown[0]}: {hint}"
        self.exit(2, f"{self.prog}: {message}\n")

    def options(self) -> list[str]:
        return [option for action in self._actions for option in action.option_strings]


def _parser() -> _Parser:
    parser = _Parser(
        prog="pinchtp",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"pinchtp {__version__}")
    what = parser.add_argument_group("commands to execute instead of standard input")
    what.add_argument(
        "-e",
        "--execute",
        action="append",
        default=[],
        metavar="COMMAND",
        help="execute this GTP command; may be repeated",
    )
    what.add_argument(
        "files", nargs="*", metavar="FILE", help="execute a file's commands after that (-: stdin)"
    )
    what.add_argument(
        "--strict",
        action="store_true",
        help="name each refused command on standard error, and exit with 1 if there was one",
    )
    game = parser.add_argument_group("game")
    game.add_argument(
        "--size",
        type=_size,
        metavar="N|WxH",
        help=f"columns and rows of the board, {MIN_SIZE} to {MAX_SIZE} (default 11)",
    )
    game.add_argument("--no-pie", action="store_true", help="no swap after the first stone")
    game.add_argument(
        "--swap-as",
        type=_swap_spelling,
        default=SwapSpelling.PASS,
        metavar="WORD",
        help="how genmove spells a swap: pass (default), swap, swap-pieces, swap-sides, or stone, "
        "which is the first stone's point again (then understood in play as well)",
    )
    _add_strength(parser)
    return parser


def _add_strength(parser: _Parser) -> None:
    strength = parser.add_argument_group("strength")
    strength.add_argument(
        "--time",
        type=_positive(float),
        metavar="S",
        help="seconds per move while the controller sets no clock (default 1; without limit if "
        "--visits is given)",
    )
    strength.add_argument(
        "--visits", type=_positive(int), metavar="N", help="simulations per move at the most"
    )
    strength.add_argument(
        "--threads", type=_positive(int), default=1, metavar="N", help="search threads (default 1)"
    )
    strength.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="repeat the same moves: with one thread and --visits, the same commands since "
        "clear_board get the same answers (default: a new seed for every game)",
    )
    strength.add_argument(
        "--memory",
        type=_positive(int),
        default=512,
        metavar="MB",
        help="memory of the search tree at the most; a full tree stops growing (default 512)",
    )
    strength.add_argument(
        "--resign",
        type=_probability,
        metavar="P",
        help="resign when the estimated chance to win falls below P, such as 0.05 (default: never)",
    )


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    try:
        size = int(width), int(height or width)
    except ValueError:
        size = (0, 0)
    if not all(MIN_SIZE <= side <= MAX_SIZE for side in size):
        raise argparse.ArgumentTypeError(
            f"{text!r}: give a size from {MIN_SIZE} to {MAX_SIZE}, or two: 9, 13x9"
        )
    return size


def _swap_spelling(text: str) -> SwapSpelling:
    try:
        return SwapSpelling(text)
    except ValueError:
        words = ", ".join(SwapSpelling)
        raise argparse.ArgumentTypeError(f"{text!r}: give one of {words}") from None


def _positive(kind: type[int] | type[float]) -> Any:
    def number(text: str) -> float:
        try:
            value = kind(text)
        except ValueError:
            value = 0
        if not 0 < value < 2**40:
            what = "whole number" if kind is int else "number"
            raise argparse.ArgumentTypeError(f"{text!r}: give a {what} above 0")
        return value

    return number


def _probability(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r}: give a number from 0 to 1")
    return value


def _parse(arguments: list[str]) -> argparse.Namespace:
    return _parser().parse_args(arguments)


def _settings(options: argparse.Namespace) -> Settings:

    seconds = options.time
    if seconds is None and options.visits is None:
        seconds = Effort.seconds
    return Settings(
        width=options.size and options.size[0],
        height=options.size and options.size[1],
        pie=False if options.no_pie else None,
        effort=Effort(
            seconds=seconds,
            visits=options.visits,
            threads=options.threads,
            seed=options.seed,
            memory_mb=options.memory,
        ),
        swap_as=options.swap_as,
        resign=options.resign,
    )


def _serve(options: argparse.Namespace) -> int:

    server = Server(Engine(_settings(options)))
    status = 0
    for source, lines in _sources(options):
        try:
            for number, answer in server.answers(lines):
                _write(str(answer))
                if options.strict and not answer.ok:
                    status = 1
                    _report(f"{source}:{number}: {answer.reason}")
                if answer.ends:
                    return status
        except BrokenPipeError:
            raise
        except OSError as error:
            _report(f"{source}: {error.strerror}")
            return 1
    return status


def _write(text: str) -> None:
    try:
        write_text(STDOUT, text)
    except BrokenPipeError:
        raise
    except OSError as error:
        sys.exit(f"pinchtp: standard output: {error.strerror}")


def _report(message: str) -> None:
    print(f"pinchtp: {message}", file=sys.stderr)


def _sources(options: argparse.Namespace) -> Iterator[tuple[str, Iterable[str]]]:
    """What to execute, each with a name for messages."""

    if options.execute:
        yield "-e", options.execute
    for path in options.files or ([] if options.execute else ["-"]):
        if path == "-":
            yield "stdin", read_lines(STDIN)
        else:
            yield path, _file_lines(path)


def _file_lines(path: str) -> Iterator[str]:

    descriptor = os.open(path, os.O_RDONLY)
    try:
        yield from read_lines(descriptor)
    finally:
        os.close(descriptor)
