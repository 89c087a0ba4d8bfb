"""Rules that players can agree on before a game: names, values, and their words in records."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

RuleValue = int  # of a rule option; a bool for a switch
SWITCH_TEXTS = {"true": True, "false": False}


@dataclass(frozen=True)
class RuleOption:
    """A rule that players can agree on before a game.

    name: as typed by users and as the core knows it.
    kind: bool for a switch, or the range of its whole numbers.
    default: its value unless players agree on another.
    help: what it decides, as help texts say it.
    title: what a game without it is said to lack; empty: the name.
    opening: whether it concerns the start of a game only; a position set up by hand is without it.
    sgf: the words for a switch that is off and one that is on, in the RU of a record; None: nothing
    and the name. An option with numbers is written as `name=value`.
    """

    name: str
    kind: type[bool] | range
    default: RuleValue
    help: str
    title: str = ""
    opening: bool = False
    sgf: tuple[str, str] | None = None

    @property
    def is_switch(self) -> bool:
        return self.kind is bool

    @property
    def expected(self) -> str:
        """What a value has to be, for messages."""
        if isinstance(self.kind, range):
            return f"a whole number from {self.kind[0]} to {self.kind[-1]}"
        return "one of " + ", ".join(SWITCH_TEXTS)

    def check(self, value: object) -> RuleValue:
        """The value, if the option can have it. Raises ValueError that says what would be right."""
        if isinstance(self.kind, range):
            fits = type(value) is int and value in self.kind
        else:
            fits = type(value) is bool
        if fits:
            return cast(RuleValue, value)
        raise ValueError(f"{self.name}: {value!r}: give {self.expected}")

    def parse(self, text: str) -> RuleValue:
        """The value of a text. Raises ValueError that says what would be right."""
        if self.is_switch:
            return self.check(SWITCH_TEXTS.get(text, text))
        return self.check(int(text) if text.isascii() and text.isdigit() else text)

    def format(self, value: RuleValue) -> str:
        """The text of a value, which parse() understands."""
        return str(value).lower()

    def to_sgf(self, value: RuleValue) -> str:
        """The word for a value in a record; empty if it goes without saying."""
        return self._switch_words[value] if self.is_switch else f"{self.name}={value}"

    def from_sgf(self, words: Iterable[str]) -> RuleValue:
        """The value that a record's words tell, the default if they do not.

        Raises ValueError for a number out of range.
        """
        words = set(words)
        if not self.is_switch:
            values = [word.partition("=")[2] for word in words if word.startswith(f"{self.name}=")]
            return self.parse(values[0]) if values else self.default
        off, on = self._switch_words
        return True if on in words else False if off in words else self.default

    @property
    def _switch_words(self) -> tuple[str, str]:
        return self.sgf or ("", self.name)


PIE = RuleOption(
    "pie",
    bool,
    True,
    "whether the second player may swap",
    title="pie rule",
    opening=True,
    sgf=("no swap", "swap"),
)
