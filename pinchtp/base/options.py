"""Options. Each is declared once, as a field of a dataclass.

To add an option, add a field to the dataclass of its owner, and use its value:

    visits: int | None = option(
        Int(1, 2**31), None, "maximum visits per move", group=STRENGTH, metavar="N"
    )

The command line (`--visits`), the keys of TOML files, the GTP parameters, stored match plans, the
Python API, help texts and the tables of the documentation are derived from it. Its owner is

- the engine: `Settings` in pinchtp/player/settings.py; then run `python tools/protocol.py`, which
  writes the option into protocol.md (a test fails until then);
- a match: `MatchPlan` in pinchtp/match/plan.py;
- one engine of a match: `EngineConfig` in pinchtp/match/plan.py;
- the rules of a game: the game's entry in pinchtp/games/game.py (see `RuleOption`), which engine
  and match use.

Its type is one of option_types.py; command_line.py creates the parsers of command lines.

We do not use a library for validation, for two reasons. Errors name the expected value in the words
of the help texts, and a server that a GUI starts does not load a library (msgspec: 22 of 196 ms).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Required, TypedDict, TypeVar, Unpack, overload

from pinchtp.base.files import read_file
from pinchtp.base.option_types import OptionType

T = TypeVar("T")

NONE = "none"  # the text of an option that is not set
NEAR = 0.7  # minimum similarity of a mistyped word; one wrong letter in four is 0.75


@dataclass(frozen=True)
class Option:
    """An option: its name, type and default, and its help text.

    name: in the form of command lines, such as `swap-as`.
    help: one line, without a full stop.
    none_means: the meaning of `none`, for options that may be unset, unless it is obvious.
    metavar: the placeholder of the value in usage lines.
    kata: its name in KataGo.
    at_start: whether it can be set only before the first command.
    part_of_match: whether a match cannot be resumed with another value.
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
        """The help, with the meaning of `none`."""
        return f"{self.help}; {NONE}: {self.none_means}" if self.none_means else self.help

    @property
    def is_optional(self) -> bool:
        """Whether it may be unset."""
        return self.default is None

    def read(self, value: object) -> Any:
        """Returns the value of a text or a typed value; None for `none` if it may be unset.

        Raises ValueError with the expected value.
        """
        if self.is_optional and (value is None or value == NONE):
            return None
        return self.type.read(value)

    def format(self, value: Any) -> str:
        """Returns the text of a value, for read()."""
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
    """Returns a field of a dataclass that declares an option with the name of the field.

    default: None if the option may be unset. details: see Option.
    """
    declared = {"option": {"type": type, "default": default, "help": help, **details}}
    if default.__class__.__hash__ is None:  # a mutable default is copied for each owner
        return field(default_factory=lambda: copy(default), metadata=declared)
    return field(default=default, metadata=declared)


def options_of(owner: type[Any], others: Iterable[Option] = ()) -> dict[str, Option]:
    """Returns the options that a dataclass declares, by name.

    others: options to add after the options of the same group.
    """
    options = [
        Option(kebab_case(declared.name), **declared.metadata["option"])
        for declared in dataclasses.fields(owner)
        if "option" in declared.metadata
    ]
    options += others
    groups = [option.group for option in options]
    return {option.name: option for option in sorted(options, key=lambda o: groups.index(o.group))}


def kebab_case(name: str) -> str:
    """Returns the name of an option (`swap-as`) for the name of its field (`swap_as`)."""
    return name.replace("_", "-")


def closest(word: str, words: Iterable[str]) -> str | None:
    """Returns the closest match for a mistyped word; None if none is near.

    Leading dashes are ignored.
    """
    import difflib  # noqa: PLC0415  (start-up time)

    bare = {each.lstrip("-"): each for each in words}
    near = difflib.get_close_matches(word.lstrip("-"), bare, n=1, cutoff=NEAR)
    return bare[near[0]] if near else None


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Returns a hint for a mistyped word: the closest match, or all words."""
    words = list(words)
    close = closest(word, words)
    return f"did you mean {close!r}?" if close else f"expected {', '.join(words)}"


def read_toml(path: Path) -> dict[str, Any]:
    """Returns the contents of a TOML file.

    Raises ValueError, with the name of the file, for invalid TOML, and OSError.
    """
    import tomllib  # noqa: PLC0415  (start-up time)

    try:
        return tomllib.loads(read_file(path).decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: not a TOML file: {error}") from None
    except RecursionError:
        raise ValueError(f"{path}: values are nested too deeply") from None
