"""Rules that players can agree on before a game: names, values, and their words in records."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from pinchtp.base.options import BOOL, Bool, Option

RuleValue = int  # of a rule option; a bool for a switch


@dataclass(frozen=True)
class RuleOption(Option):
    """A rule that players can agree on before a game.

    name: also as the core knows it. type: Bool or Int. default: unless players agree on another.
    title: what a game without it is said to lack; empty: the name.
    opening: whether it concerns the start of a game only; a position set up by hand is without it.
    sgf: the words for a switch that is off and one that is on, in the RU of a record; None: nothing
    and the name. A number is written as `name=value`.
    """

    title: str = ""
    opening: bool = False
    sgf: tuple[str, str] | None = None

    @property
    def is_switch(self) -> bool:
        return isinstance(self.type, Bool)

    def agreed(self, value: object) -> RuleValue:
        """Returns the value of a text or a typed value. Raises ValueError that names the rule."""
        try:
            return self.read(value)  # type: ignore[no-any-return]
        except ValueError as error:
            raise ValueError(f"{self.name}: {error}") from None

    def to_sgf(self, value: RuleValue) -> str:
        """The word for a value in a record; empty if it is the default."""
        return self._switch_words[value] if self.is_switch else f"{self.name}={value}"

    def from_sgf(self, words: Collection[str]) -> RuleValue:
        """The value that a record's words tell, the default if they do not.

        Raises ValueError for a number out of range.
        """
        if not self.is_switch:
            told = [word.partition("=")[2] for word in words if word.startswith(f"{self.name}=")]
            return self.agreed(told[0]) if told else self.default
        off, on = self._switch_words
        return True if on in words else False if off in words else self.default

    @property
    def _switch_words(self) -> tuple[str, str]:
        return self.sgf or ("", self.name)


PIE = RuleOption(
    "pie",
    BOOL,
    True,
    "whether the second player may swap",
    title="pie rule",
    opening=True,
    sgf=("no swap", "swap"),
)
