"""Options: fields of a dataclass, each declared once."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Iterable, MutableMapping
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, overload

from pinchtp.base.options.kinds import NONE, Kind

T = TypeVar("T")


@dataclass(frozen=True)
class Option:
    """One option: its name, kind and default, and its help text.

    name: as users write it, `swap-as`. help: one line, without a full stop.
    unset: what `none` means, for options that may be unset, unless it is obvious.
    metavar: stands for the value in a usage line.
    kata: the name KataGo knows it by. at_start: it can be set only before the first command.
    fixed: it is part of what a match is; a match that was begun cannot go on with another value.
    mapping: the field that holds its value by its name, while it is not as usual; empty: the option
    has a field of its own.
    """

    name: str
    kind: Kind[Any]
    default: Any
    help: str
    group: str
    unset: str = ""
    metavar: str = ""
    kata: str = ""
    at_start: bool = False
    fixed: bool = True
    mapping: str = ""

    @property
    def attribute(self) -> str:
        """The name of the field that holds its value."""
        return self.name.replace("-", "_")

    @property
    def description(self) -> str:
        """The help, with what `none` means."""
        return f"{self.help}; {NONE}: {self.unset}" if self.unset else self.help

    @property
    def is_optional(self) -> bool:
        """Whether it may be unset."""
        return self.default is None

    def value(self, owner: object) -> Any:
        """Its value in the object that has it."""
        if self.mapping:
            return getattr(owner, self.mapping).get(self.name, self.default)
        return getattr(owner, self.attribute)

    def put(self, fields: MutableMapping[str, Any], value: Any) -> None:
        """Puts its value among the values of fields, by name."""
        if not self.mapping:
            fields[self.attribute] = value
            return
        others = {k: v for k, v in fields.get(self.mapping, {}).items() if k != self.name}
        fields[self.mapping] = others if value == self.default else {**others, self.name: value}

    def read(self, value: object) -> Any:
        """The value of a text or of a typed value, None for `none` where it may be unset.

        Raises ValueError that says what would be right.
        """
        if self.is_optional and (value is None or value == NONE):
            return None
        return self.kind.read(value)

    def format(self, value: Any) -> str:
        """The text of a value, which read() understands."""
        return NONE if value is None else self.kind.format(value)


@overload
def option(
    kind: Kind[T],
    default: None,
    help: str,
    *,
    group: str,
    unset: str = ...,
    metavar: str = ...,
    kata: str = ...,
    at_start: bool = ...,
    fixed: bool = ...,
) -> T | None: ...
@overload
def option(
    kind: Kind[T],
    default: T,
    help: str,
    *,
    group: str,
    unset: str = ...,
    metavar: str = ...,
    kata: str = ...,
    at_start: bool = ...,
    fixed: bool = ...,
) -> T: ...
def option(kind: Kind[Any], default: Any, help: str, **details: Any) -> Any:
    """A field of a dataclass that is an option, named as the field; details: see Option.

    default: None if it may be unset.
    """
    declared = {"option": {"kind": kind, "default": default, "help": help, **details}}
    if default.__class__.__hash__ is None:  # a mutable default is copied for each owner
        return field(default_factory=lambda: copy(default), metadata=declared)
    return field(default=default, metadata=declared)


def declared_elsewhere(options: Iterable[Option]) -> Any:
    """A field of a dataclass that maps names to values, for options that others declare."""
    return field(default_factory=dict, metadata={"options": tuple(options)})


def options_of(owner: type[Any]) -> dict[str, Option]:
    """The options that a dataclass declares, by name."""
    found: list[Option] = []
    for each in dataclasses.fields(owner):
        if details := each.metadata.get("option"):
            found.append(Option(hyphened(each.name), **details))
        for other in each.metadata.get("options", ()):
            found.append(replace(other, mapping=each.name))
    return {option.name: option for option in found}


def hyphened(name: str) -> str:
    """The name of an option from that of its field, `swap_as`."""
    return name.replace("_", "-")


def closest(word: str, words: Iterable[str]) -> str | None:
    """The closest match for a mistyped word, if there is one."""
    return next(iter(difflib.get_close_matches(word, words, n=1)), None)


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """A hint for a mistyped word: the closest match, or all words."""
    words = list(words)
    close = closest(word, words)
    return f"did you mean {close!r}?" if close else f"there are {', '.join(words)}"
