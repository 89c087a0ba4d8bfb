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

Its type is one of option_types.py; command_line.py makes command lines of options.

Validation is our own for two reasons: an error names the expected value in the words of the help
texts, and a server that a GUI starts loads no library for it (msgspec: 22 of 196 ms).
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
NEAR = 0.7  # similarity of a mistyped word; a wrong letter in four has 0.75


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
    return f"did you mean {close!r}?" if close else f"expected {', '.join(words)}"


def read_toml(path: Path) -> dict[str, Any]:
    """Returns what a TOML file holds. Raises ValueError that names the file; OSError."""
    import tomllib  # noqa: PLC0415  (few processes need it)

    try:
        return tomllib.loads(read_file(path).decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: not a TOML file: {error}") from None
    except RecursionError:
        raise ValueError(f"{path}: values are nested too deeply") from None
