"""The command `pinchtp man`: manual pages, made from the help of the commands."""

from __future__ import annotations

from pinchtp import __version__
from pinchtp.base.command_line import Parser, arg_type
from pinchtp.base.option_types import OneOf
from pinchtp.base.process import ExitStatus
from pinchtp.base.streams import print_lines
from pinchtp.shell.declarations import ProgramCommand, command_lines

DESCRIPTION = """\
Prints the manual page of pinchtp, or of one of its commands."""

EPILOG = """\
examples:
  pinchtp man > ~/.local/share/man/man1/pinchtp.1
  pinchtp man play | man -l -
  pinchtp man match show | man -l -

exit status:
  0    printed
  2    invalid command line
"""


def main(arguments: list[str]) -> int:
    """Runs the command; returns the exit status."""
    parser = make_parser()
    name = " ".join(parser.parse_args(arguments).command)
    lines = command_lines()
    if name not in lines:
        parser.error(f"no command is named {name!r}")
    print_lines(page(lines[name]))
    return ExitStatus.SUCCESS


def make_parser() -> Parser:
    """Returns the command line."""
    parser = Parser(prog="pinchtp man", description=DESCRIPTION, epilog=EPILOG)
    names = [name for name in command_lines() if name]
    words = dict.fromkeys(" ".join(names).split())
    parser.add_argument(
        "command",
        nargs="*",
        type=arg_type(OneOf(tuple(words))),
        metavar="COMMAND",
        help=f"one of {', '.join(names)} (default: the GTP server)",
    )
    return parser


def page(line: ProgramCommand) -> str:
    """Returns a manual page in the macros of man(7)."""
    parser = line.parser
    title = f"pinchtp {line.name}".strip().replace(" ", "-")
    head = [
        f'.TH {title.upper()} 1 "" "pinchtp {__version__}"',
        ".SH NAME",
        f"{title} \\- {_plain(line.help)}",
    ]
    if parser is None:
        return "\n".join(head)
    usage = parser.format_usage().removeprefix("usage: ")
    parts = [*head, ".SH SYNOPSIS", ".nf", _plain(usage.rstrip()), ".fi"]
    parts += [".SH DESCRIPTION", _plain(parser.description or ""), ".SH OPTIONS"]
    for flag in line.flags():
        value = f" {flag.metavar}" if flag.takes_value else ""
        parts += [".TP", f".B {_plain(', '.join(flag.names) + value)}", _plain(flag.help)]
    for block in (parser.epilog or "").strip().split("\n\n"):
        heading, _, text = block.partition("\n")
        parts += [f".SH {heading.rstrip(':').upper()}", ".nf", _plain(text), ".fi"]
    return "\n".join(parts)


def _plain(text: str) -> str:
    """Returns a text in which nothing is a request of troff."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(
        f"\\&{each}" if each[:1] in (".", "'") else each for each in escaped.split("\n")
    )
