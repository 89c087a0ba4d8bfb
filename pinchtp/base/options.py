"""Options: each is declared once, as a field of a dataclass, and everything else derives from that.

To add an option, add one field where its owner declares them, and use its value:

    visits: int | None = option(
        Int(1, 2**31), None, "maximum simulations per move", group=STRENGTH, metavar="N"
    )

From it derive the command line (`--visits`), the key of TOML files, what GTP commands list and set,
stored match plans, the Python API, help texts, and the tables of the documentation. Its owner is

- the engine: `Settings` in pinchtp/player/settings.py; then run `python tools/protocol.py`, which
  writes the option into protocol.md (a test fails until then);
- a match: `MatchPlan` in pinchtp/match/plan.py;
- one engine of a match: `EngineConfig` in pinchtp/match/plan.py;
- the rules of a game: the game's entry in pinchtp/games/game.py (see `RuleOption`), from which
  engine and match take it.

A type defines its values and reads them from text: the form of command lines, GTP and stored plans.
Values of TOML and Python are converted to text first: `[13, 9]` is 13x9, and 0.5 is 0.5.

Validation is our own for two reasons: an error names the expected value in the words of the help
texts, and a server that a GUI starts loads no library for it (msgspec: 22 of 196 ms).
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Generic, NoReturn, Required, TypedDict, TypeVar, Unpack, overload

from pinchtp.base.clock import UNITS
from pinchtp.base.files import read_file
from pinchtp.base.process import ExitStatus
from pinchtp.base.streams import print_lines, warn

T = TypeVar("T")
E = TypeVar("E", bound=Enum)

NONE = "none"  # the text of an option that is not set
NEAR = 0.7  # similarity of a mistyped word; a wrong letter in four has 0.75
NUL = "\0"  # ends a text for the system, so that no file, command or variable can contain it


# --- types


class OptionType(ABC, Generic[T]):
    """A type of values.

    expected: the accepted values, for messages: "a whole number from 1 to 256".
    words: the texts of all values, if they can be listed.
    separator: joins the values of a list; empty: a list is not a value.
    """

    expected: str
    words: tuple[str, ...] = ()
    separator = ""

    @abstractmethod
    def parse(self, text: str) -> T:
        """Returns the value of a text. Raises ValueError for any other."""

    def format(self, value: T) -> str:
        """Returns the text of a value; parse() gives the same value for it."""
        return toml_text(value)

    def text(self, value: object) -> str:
        """Returns the text that means a value of TOML or Python. Raises ValueError for none."""
        if isinstance(value, list | tuple) and self.separator:
            return self.separator.join(map(toml_text, value))
        if isinstance(value, list | tuple | Mapping):
            raise ValueError
        return toml_text(value)

    def add(self, earlier: T, value: T) -> T:
        """Returns the value when the option is given twice: the later one, unless the type
        collects.
        """
        return value

    def read(self, value: object) -> T:
        """Returns the value of a text, or of a typed value.

        Raises ValueError with the expected value.
        """
        try:
            text = str(value) if isinstance(value, str) else self.text(value)
            if NUL not in text:
                return self.parse(text)
            expected = f"{self.expected}, without a NUL character"
        except ValueError:
            expected = self.expected
        raise ValueError(f"{toml_text(value)!r}: give {expected}")


class Bool(OptionType[bool]):
    """A boolean: true or false."""

    words = ("true", "false")
    expected = "one of true, false"

    def parse(self, text: str) -> bool:
        return self.words.index(text) == 0


class Int(OptionType[int]):
    """A whole number from `least` to `most`."""

    def __init__(self, least: int, most: int) -> None:
        self.least = least
        self.most = most
        self.expected = f"a whole number from {least} to {most}"

    def parse(self, text: str) -> int:
        value = int(_digits(text))
        if not self.least <= value <= self.most:
            raise ValueError
        return value


class Float(OptionType[float]):
    """A number from `least` to `most`."""

    def __init__(self, least: float, most: float, expected: str = "") -> None:
        self.least = least
        self.most = most
        self.expected = expected or f"a number from {least:g} to {most:g}"

    def parse(self, text: str) -> float:
        value = float(_digits(text))
        if not self.least <= value <= self.most:  # nan is not
            raise ValueError
        return value


class Count(Int):
    """An integer, with k or M for thousands or millions: 100k."""

    def __init__(self, least: int, most: int) -> None:
        super().__init__(least, most)
        self.expected += ", such as 100k"

    def parse(self, text: str) -> int:
        factor = {"k": 1000, "M": 1_000_000}.get(text[-1:], 1)
        return super().parse(str(int(_digits(text[:-1])) * factor) if factor > 1 else text)


class Megabytes(Int):
    """Memory in MB (2**20 bytes), with a unit or without: 512, 512M, 8GB, 1.5G."""

    _TEXT = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)([MGT])(?:i?B)?", re.ASCII | re.IGNORECASE)

    def __init__(self, least: int, most: int) -> None:
        super().__init__(least, most)
        self.expected += ", in MB unless it has a unit: 8G"

    def parse(self, text: str) -> int:
        found = self._TEXT.fullmatch(text)
        if not found:
            return super().parse(text)
        power = "MGT".index(found[2].upper())
        return super().parse(str(int(float(found[1]) * 1024**power)))


class Seconds(Float):
    """A time in seconds, with a unit or without: 5, 5s, 500ms, 2m."""

    def __init__(self, least: float, most: float) -> None:
        super().__init__(least, most)
        self.expected += ", such as 5 or 5s"

    def parse(self, text: str) -> float:
        number = text.rstrip("msh")
        return super().parse(str(float(_digits(number)) * UNITS[text.removeprefix(number)]))


class OneOf(OptionType[str]):
    """A word of a list."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        self.expected = "one of " + ", ".join(words)

    def parse(self, text: str) -> str:
        if text not in self.words:
            raise ValueError
        return text


class OneOfEnum(OptionType[E]):
    """A member of an enumeration whose values are words."""

    def __init__(self, members: type[E]) -> None:
        self._members = members
        self.words = tuple(member.value for member in members)
        self.expected = "one of " + ", ".join(self.words)

    def parse(self, text: str) -> E:
        return self._members(text)

    def format(self, value: E) -> str:
        return str(value.value)


class ListOf(OptionType[tuple[T, ...]]):
    """A list of values of a type, separated by commas: 1,2,4."""

    separator = ","

    def __init__(self, type: OptionType[T], expected: str) -> None:
        self._type = type
        self.expected = expected

    def parse(self, text: str) -> tuple[T, ...]:
        return tuple(map(self._type.parse, comma_parts(text)))

    def format(self, value: tuple[T, ...]) -> str:
        return ",".join(map(self._type.format, value))


class Size(OptionType[tuple[int, int]]):
    """Columns and rows of a board, each from `least` to `most`: 9, 13x9, [13, 9]."""

    def __init__(self, least: int, most: int) -> None:
        self._side = Int(least, most)
        self.expected = f"a size from {least} to {most}, or two: 9, 13x9"

    def parse(self, text: str) -> tuple[int, int]:
        width, times, height = text.lower().partition("x")
        return self._side.parse(width), self._side.parse(height if times else width)

    def format(self, value: tuple[int, int]) -> str:
        width, height = value
        return f"{width}" if width == height else f"{width}x{height}"

    def text(self, value: object) -> str:
        if isinstance(value, list | tuple):
            width, height = value
            return f"{width}x{height}"
        return super().text(value)


class PathType(OptionType[Path]):
    """The name of a file or folder."""

    expected = "the name of a file"

    def parse(self, text: str) -> Path:
        if not text:
            raise ValueError
        return Path(text)

    def text(self, value: object) -> str:
        if not isinstance(value, Path):
            raise ValueError
        return str(value)


class OneOfOrPath(OptionType[str | Path]):
    """A word of a list, or the name of a file; `./none` is a file named like a word."""

    def __init__(self, *words: str) -> None:
        self._words = words
        self.expected = f"one of {', '.join(words)}, or the name of a file"

    def parse(self, text: str) -> str | Path:
        return text if text in self._words else PATH.parse(text)

    def format(self, value: str | Path) -> str:
        is_like_a_word = isinstance(value, Path) and str(value) in self._words
        return f"./{value}" if is_like_a_word else str(value)

    def text(self, value: object) -> str:
        return self.format(Path(PATH.text(value)))


BOOL = Bool()
PATH = PathType()


def _digits(text: str) -> str:
    """Refuses what only Python reads as a number: 1_0, digits of other scripts, blanks."""
    if not text.isascii() or "_" in text or text != text.strip():
        raise ValueError
    return text


def comma_parts(text: str) -> list[str]:
    """Returns the parts of a text between commas, which blanks may surround."""
    return [part.strip(" ") for part in text.split(",")]


def toml_text(value: object) -> str:
    """Returns a value of TOML or Python as the text on a command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)


# --- options


@dataclass(frozen=True)
class Option:
    """An option: its name, type and default, and its help text.

    name: as users write it, `swap-as`. help: one line, without a full stop.
    none_means: what `none` means, for options that may be unset, unless it is obvious.
    metavar: stands for the value in a usage line.
    kata: the name KataGo knows it by. at_start: it can be set only before the first command.
    part_of_match: a match cannot resume with another value.
    """

    name: str
    type: OptionType[Any]
    default: Any
    help: str
    group: str = ""
    none_means: str = ""
    metavar: str = ""
    kata: str = ""
    at_start: bool = False
    part_of_match: bool = True

    @property
    def attribute(self) -> str:
        """The name of the field that holds its value."""
        return self.name.replace("-", "_")

    @property
    def description(self) -> str:
        """Returns the help, with the meaning of `none`."""
        return f"{self.help}; {NONE}: {self.none_means}" if self.none_means else self.help

    @property
    def is_optional(self) -> bool:
        """Whether it may be unset."""
        return self.default is None

    def read(self, value: object) -> Any:
        """Returns the value of a text or of a typed value, None for `none` where it may be unset.

        Raises ValueError with the expected value.
        """
        if self.is_optional and (value is None or value == NONE):
            return None
        return self.type.read(value)

    def format(self, value: Any) -> str:
        """Returns the text of a value, which read() understands."""
        return NONE if value is None else self.type.format(value)


class OptionDetails(TypedDict, total=False):
    """The fields of an Option that have defaults."""

    group: Required[str]
    none_means: str
    metavar: str
    kata: str
    at_start: bool
    part_of_match: bool


@overload
def option(
    type: OptionType[T], default: None, help: str, **details: Unpack[OptionDetails]
) -> T | None: ...
@overload
def option(type: OptionType[T], default: T, help: str, **details: Unpack[OptionDetails]) -> T: ...
def option(type: OptionType[Any], default: Any, help: str, **details: Any) -> Any:
    """Returns a field of a dataclass that is an option, named as the field; details: see Option.

    default: None if it may be unset.
    """
    declared = {"option": {"type": type, "default": default, "help": help, **details}}
    if default.__class__.__hash__ is None:  # a mutable default is copied for each owner
        return field(default_factory=lambda: copy(default), metadata=declared)
    return field(default=default, metadata=declared)


def options_of(owner: type[Any], others: Iterable[Option] = ()) -> dict[str, Option]:
    """Returns the options that a dataclass declares, by name, and others after those of their
    groups.
    """
    found = [
        Option(kebab_case(each.name), **each.metadata["option"])
        for each in dataclasses.fields(owner)
        if "option" in each.metadata
    ]
    found += others
    groups = [option.group for option in found]
    return {option.name: option for option in sorted(found, key=lambda o: groups.index(o.group))}


def kebab_case(name: str) -> str:
    """Returns the name of an option from that of its field, `swap_as`."""
    return name.replace("_", "-")


def closest(word: str, words: Iterable[str]) -> str | None:
    """Returns the closest match for a mistyped word, if one is near; leading dashes are
    ignored.
    """
    import difflib  # noqa: PLC0415  (the start waits for no library that only errors need)

    bare = {each.lstrip("-"): each for each in words}
    near = difflib.get_close_matches(word.lstrip("-"), bare, n=1, cutoff=NEAR)
    return bare[near[0]] if near else None


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Returns a hint for a mistyped word: the closest match, or all words."""
    words = list(words)
    close = closest(word, words)
    return f"did you mean {close!r}?" if close else f"there are {', '.join(words)}"


def check_subcommand(prog: str, arguments: Sequence[str], names: Iterable[str]) -> None:
    """Exits with a hint if the first argument is a mistyped name and not a file."""
    word = "".join(arguments[:1])
    close = closest(word, names)
    if close and not word.startswith("-") and not os.path.exists(word):
        warn(f"{prog}: there is no command or file {word!r}: did you mean '{prog} {close}'?")
        sys.exit(ExitStatus.WRONG_USE)


def read_toml(path: Path) -> dict[str, Any]:
    """Returns what a TOML file holds. Raises ValueError that names the file; OSError."""
    import tomllib  # noqa: PLC0415  (few processes need it)

    try:
        return tomllib.loads(read_file(path).decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is no TOML file: {error}") from None
    except RecursionError:
        raise ValueError(f"{path}: its values are nested too deeply") from None


# --- command lines


class Parser(argparse.ArgumentParser):
    """A command-line parser that reports errors in one line, with hints at mistyped options.

    A value may begin with a negative number: -5,0. The help begins with the examples of the epilog
    and the options that people need first.
    """

    FIRST = ("commands", "examples")  # headings in the epilog, printed at the top of the help

    def __init__(
        self, common: Iterable[str] = (), elsewhere: Mapping[str, str] = {}, **details: Any
    ) -> None:
        """common: the options that people need first. elsewhere: words that other programs have for
        options, and what to give here.
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
        """Prints the help; argparse ignores a full disk."""
        if file:
            super().print_help(file)
        else:
            print_lines(self.format_help(), end="")

    def error(self, message: str) -> NoReturn:
        unknown, _, rest = message.partition(": ")
        if unknown == "unrecognized arguments":
            message = self._unknown(rest.split()[0]) or message
        self.exit(ExitStatus.WRONG_USE, f"{self.prog}: {message}\n")

    def _unknown(self, word: str) -> str:
        """Returns the error of an unknown option; empty for another word."""
        name = word.partition("=")[0]
        if ours := self._elsewhere.get(name.lstrip("-")):
            hint = f"give {ours}"
        elif not word.startswith("-"):
            return ""
        else:
            close = closest(name, self._option_string_actions)
            hint = f"did you mean {close}?" if close else f"see {self.prog} --help"
        return f"there is no option {word}: {hint}"

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
    if isinstance(option.type, Bool):
        details["action"] = argparse.BooleanOptionalAction
    else:
        details |= {"type": _reader(option.read, option.type.words), "metavar": option.metavar}
    parser.add_argument(f"--{option.name}", **details)


def _default(option: Option) -> str:
    """Returns the default, as it is appended to help texts."""
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
    """Returns a converter whose errors argparse shows with the name of the option.

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
    """Returns the attribute that argparse stores the value in: nothing else has such a name."""
    return f"--{option.name}"
