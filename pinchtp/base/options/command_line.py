"""Options on command lines."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn, TypeVar

from pinchtp.base.options.kinds import Kind, Switch
from pinchtp.base.options.option import Option, closest
from pinchtp.base.process import ExitStatus

T = TypeVar("T")


class Parser(argparse.ArgumentParser):
    """A command-line parser that reports errors in one line, with hints at mistyped options."""

    def __init__(self, **details: Any) -> None:
        super().__init__(
            formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **details
        )

    def error(self, message: str) -> NoReturn:
        unknown, _, rest = message.partition(": ")
        if unknown == "unrecognized arguments" and rest.startswith("-"):
            word = rest.split()[0]
            close = closest(word.partition("=")[0], self._option_string_actions)
            hint = f"did you mean {close}?" if close else f"see {self.prog} --help"
            message = f"there is no option {word}: {hint}"
        self.exit(ExitStatus.WRONG_USE, f"{self.prog}: {message}\n")

    def add_options(self, options: Iterable[Option]) -> None:
        """Adds options, in their groups."""
        groups: dict[str, Any] = {}
        for option in options:
            if option.group not in groups:
                groups[option.group] = self.add_argument_group(option.group)
            add_option(groups[option.group], option)


def add_option(parser: Any, option: Option, help: str = "") -> None:
    """Adds an option to an argparse parser or group. help: instead of the option's own."""
    details: dict[str, Any] = {
        "dest": _destination(option),
        "default": argparse.SUPPRESS,
        "help": ((help or option.help) + _default(option)).replace("%", "%%"),
    }
    if isinstance(option.kind, Switch):
        details["action"] = argparse.BooleanOptionalAction
    else:
        details |= {"type": _reader(option.read), "metavar": option.metavar}
    parser.add_argument(f"--{option.name}", **details)


def _default(option: Option) -> str:
    """The default, as it is appended to help texts."""
    default = option.unset if option.default is None else option.format(option.default)
    return f" (default: {default})" if default else ""


def given(parsed: argparse.Namespace, options: Iterable[Option]) -> Mapping[str, Any]:
    """The values of the options that were given on the command line, by name."""
    values = vars(parsed)
    destinations = {option.name: _destination(option) for option in options}
    return {name: values[where] for name, where in destinations.items() if where in values}


def value_of(kind: Kind[T]) -> Callable[[str], T]:
    """A converter for arguments of that kind, for argparse's `type`."""
    return _reader(kind.read)


def _reader(read: Callable[[str], T]) -> Callable[[str], T]:
    """Raises argparse's own error, so that its message names the option."""

    def checked(text: str) -> T:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return checked


def _destination(option: Option) -> str:
    """The attribute that argparse stores the value in: nothing else has such a name."""
    return f"--{option.name}"
