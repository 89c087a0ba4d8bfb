"""The commands of the program and their options, read from their parsers."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module

from pinchtp import cli
from pinchtp.base.command_line import Parser


@dataclass(frozen=True)
class Flag:
    """An option of a command. words: its possible values, if they can be listed."""

    names: tuple[str, ...]
    help: str
    takes_value: bool
    metavar: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class ProgramCommand:
    """A command of the program; name: empty for the GTP server."""

    name: str
    help: str

    @cached_property
    def parser(self) -> Parser | None:
        """The parser, or None where an extra of the command is not installed."""
        if not self.name:
            return cli.make_parser()
        try:
            module = import_module(f"pinchtp.{cli.SUBCOMMANDS[self.name][0]}")
        except ImportError:
            return None
        parser: Parser = module.make_parser()
        return parser

    def flags(self) -> Iterator[Flag]:
        """Yields the options of the command."""
        for action in self.parser._actions if self.parser else ():
            if action.option_strings and action.help != argparse.SUPPRESS:
                yield _flag(action)

    def words(self) -> list[str]:
        """Returns the possible values of its arguments, if they can be listed."""
        actions = self.parser._actions if self.parser else ()
        arguments = [action for action in actions if not action.option_strings]
        return [word for argument in arguments for word in _words(argument)]


def _words(action: argparse.Action) -> tuple[str, ...]:
    """Returns the possible values of an option or argument, if they can be listed."""
    words: Iterable[object] = action.choices or getattr(action.type, "words", None) or ()
    return tuple(map(str, words))


def _flag(action: argparse.Action) -> Flag:
    metavar = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    help = (action.help or "").replace("%%", "%")
    takes_value = action.nargs != 0 and not isinstance(action, argparse.BooleanOptionalAction)
    return Flag(tuple(action.option_strings), help, takes_value, metavar, _words(action))


def command_lines() -> Mapping[str, ProgramCommand]:
    """Returns the commands by name, the GTP server first."""
    lines = {"": ProgramCommand("", "speaks GTP")}
    return lines | {name: ProgramCommand(name, help) for name, (_, help) in cli.SUBCOMMANDS.items()}
