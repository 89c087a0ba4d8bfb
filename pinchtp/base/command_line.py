"""Command lines: parsers with the options of options.py, their help texts and errors."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from pinchtp.base.files import check_output
from pinchtp.base.option_types import Bool, OptionType
from pinchtp.base.options import Option, closest
from pinchtp.base.process import ExitStatus
from pinchtp.base.streams import print_lines, warn
from pinchtp.base.text import printable

T = TypeVar("T")


class Parser(argparse.ArgumentParser):
    """A command-line parser that reports errors in one line, with hints for mistyped options.

    A value may begin with a negative number: -5,0. The help begins with the examples of the epilog
    and the common options.
    """

    FIRST = ("commands", "examples")  # headings in the epilog, printed at the top of the help

    def __init__(
        self, common: Iterable[str] = (), elsewhere: Mapping[str, str] = {}, **details: Any
    ) -> None:
        """common: the names of the options that the help lists first. elsewhere: names of options
        in other programs, with their replacements here.
        """
        super().__init__(
            formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **details
        )
        self._common = [f"--{name}" for name in common]
        self._elsewhere = elsewhere
        self._negative_number_matcher = re.compile(r"-\.?[0-9]")

    def format_help(self) -> str:
        """Returns the help."""
        help = self._get_formatter()
        help.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        help.add_text(self.description)
        blocks = (self.epilog or "").strip("\n").split("\n\n")
        first = [each for each in blocks if each.startswith(self.FIRST)]
        for block in first:
            help.add_text(block)
        common = [self._option_string_actions[name] for name in self._common]
        sections = [("common options", common)]
        for group in self._action_groups:
            others = [action for action in group._group_actions if action not in common]
            sections.append((group.title or "", others))
        for title, actions in sections:
            help.start_section(title)
            help.add_arguments(actions)
            help.end_section()
        help.add_text("\n\n".join(each for each in blocks if each not in first))
        return help.format_help()

    def print_help(self, file: Any = None) -> None:
        """Prints the help. Unlike argparse's method, it reports a full disk."""
        if file:
            super().print_help(file)
        else:
            print_lines(self.format_help(), end="")

    def error(self, message: str) -> NoReturn:
        subject, _, rest = message.partition(": ")
        if subject == "unrecognized arguments":
            message = self._unknown(rest.partition(" ")[0])
        elif rest.startswith("ignored explicit argument "):
            option = subject.removeprefix("argument ")
            message = f"{option} takes no value: found {rest.partition('argument ')[2]}"
        self.exit(ExitStatus.WRONG_USE, f"{self.prog}: {message}\n")

    def check_output(self, option: str, path: Path | None) -> None:
        """Exits with an error if the output file of an option cannot be written."""
        try:
            if path:
                check_output(path)
        except OSError as error:
            self.error(printable(f"{option}: {path}: {error.strerror}"))

    def _unknown(self, word: str) -> str:
        """Returns the error message for an unknown option or an unexpected argument."""
        name = word.partition("=")[0]
        if ours := self._elsewhere.get(name.lstrip("-")):
            hint = f"use {ours}"
        elif not word.startswith("-"):
            return f"unexpected argument {word!r}: see {self.prog} --help"
        else:
            close = closest(name, self._option_string_actions)
            hint = f"did you mean {close}?" if close else f"see {self.prog} --help"
        return f"unknown option {word}: {hint}"

    def add_options(self, options: Iterable[Option]) -> None:
        """Adds options, in their groups."""
        groups: dict[str, Any] = {}
        for option in options:
            if option.group not in groups:
                groups[option.group] = self.add_argument_group(option.group)
            add_option(groups[option.group], option)


def add_option(parser: Any, option: Option, help: str = "") -> None:
    """Adds an option to an argparse parser or group. help: replaces the option's help."""
    details: dict[str, Any] = {
        "dest": _destination(option),
        "default": argparse.SUPPRESS,
        "help": ((help or option.help) + _default(option)).replace("%", "%%"),
    }
    if isinstance(option.type, Bool):
        details["action"] = argparse.BooleanOptionalAction
    else:
        details |= {"type": _reader(option.read, option.type.words), "metavar": option.metavar}
    parser.add_argument(f"--{option.name}", **details)


def format_option(option: Option, value: Any) -> str:
    """Returns an option and its value for a command line: `--pie`, `--no-pie`, `--cut=3`."""
    if isinstance(option.type, Bool):
        return f"--{option.name}" if value else f"--no-{option.name}"
    return f"--{option.name}={option.format(value)}"


def _default(option: Option) -> str:
    """Returns the text about the default to append to a help text."""
    default = option.none_means if option.default is None else option.format(option.default)
    return f" (default: {default})" if default else ""


def collect_options(parsed: argparse.Namespace, options: Iterable[Option]) -> Mapping[str, Any]:
    """Returns the values of the options on the command line, by name."""
    values = vars(parsed)
    destinations = {option.name: _destination(option) for option in options}
    return {name: values[where] for name, where in destinations.items() if where in values}


def arg_type(type: OptionType[T]) -> Callable[[str], T]:
    """Returns a converter for arguments of that type, for argparse's `type`."""
    return _reader(type.read, type.words)


def _reader(read: Callable[[str], T], words: Sequence[str]) -> Callable[[str], T]:
    """Returns a converter whose errors argparse prints with the name of the option.

    words: the possible values, for completion; empty if they cannot be listed.
    """

    def check(text: str) -> T:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    check.words = words  # type: ignore[attr-defined]
    return check


def _destination(option: Option) -> str:
    """Returns the unique name of the attribute in which argparse stores the value."""
    return f"--{option.name}"


def check_subcommand(
    prog: str, arguments: Sequence[str], names: Iterable[str], executed: Container[str] = ()
) -> None:
    """Exits with a hint if the first argument is a mistyped name and not a file.

    executed: names of commands that the option -e executes.
    """
    word = "".join(arguments[:1])
    names = list(names)
    close = closest(word, names) or next((name for name in names if name[:4] == word[:4]), None)
    meant = [f"{prog} -e '{' '.join(arguments)}'"] if word in executed else []
    meant += [f"'{prog} {close}'"] if close else []
    if meant and not word.startswith("-") and not os.path.exists(word):
        warn(f"{prog}: no command or file is named {word!r}: did you mean {' or '.join(meant)}?")
        sys.exit(ExitStatus.WRONG_USE)


def check_command_is_first(parser: Parser, files: Iterable[str], names: Iterable[str]) -> None:
    """Exits with an error if one of the files is missing and has the name of a command."""
    for word in set(files) & set(names):
        if not os.path.exists(word):
            parser.error(f"the command has to be the first argument: {parser.prog} {word} ...")
