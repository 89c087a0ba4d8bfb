"""The commands of the program and their options, read from their parsers."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from types import ModuleType

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
    """A command of the program.

    name: empty for the GTP server; two words, such as `match show`, for a command of a command.
    """

    name: str
    help: str

    @cached_property
    def parser(self) -> Parser | None:
        """The parser, or None where an extra of the command is not installed."""
        if not self.name:
            return cli.make_parser()
        first, _, second = self.name.partition(" ")
        module = _module(first)
        if module is None:
            return None
        parser: Parser = (module.SUBCOMMANDS[second] if second else module).make_parser()
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


def _module(name: str) -> ModuleType | None:
    """Returns the module of a command, or None where its extra is not installed."""
    try:
        return import_module(f"pinchtp.{cli.SUBCOMMANDS[name][0]}")
    except ImportError:
        return None


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
    lines = [ProgramCommand("", "speaks GTP")]
    for name, (_, help) in cli.SUBCOMMANDS.items():
        lines.append(ProgramCommand(name, help))
        for second, module in getattr(_module(name), "SUBCOMMANDS", {}).items():
            lines.append(ProgramCommand(f"{name} {second}", module.HELP))
    return {line.name: line for line in lines}


def commands_of(lines: Iterable[str], name: str) -> list[str]:
    """Returns the last words of a command's commands; name: empty for those of the program."""
    parent = name.split()
    return [words[-1] for line in lines if (words := line.split()) and words[:-1] == parent]
