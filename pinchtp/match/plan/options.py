"""Kinds of values that options of a match have, and what an option is."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from pinchtp.match.game.record import Cause
from pinchtp.match.plan.time_control import EXPECTED, format_time, parse_time
from pinchtp.match.statistics.sprt import Sprt
from pinchtp.settings import NONE, Kind

FAILURES = (
    Cause.TIME,
    Cause.ILLEGAL,
    Cause.DIED,
    Cause.HUNG,
    Cause.BABBLED,
    Cause.PROTOCOL,
    Cause.MEMORY,
)


class Format(StrEnum):
    """Who plays whom. GAUNTLET: the first engine plays all others."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"


class Agreement(NamedTuple):
    """A side has lost when both engines put its chance below `winrate` for so many moves on end."""

    winrate: float
    moves: int


@dataclass(frozen=True)
class Written(Kind):
    """A kind of value with its own way to write it."""

    text: Callable[[Any], str] = str

    def write(self, value: Any) -> str:
        return NONE if value is None else self.text(value)


@dataclass(frozen=True)
class Option:
    """One option: its name, kind and default, and what help texts say of it.

    metavar: stands for the value in a usage line. fixed: it is part of what the match is; a match
    that was begun cannot go on with another value.
    """

    name: str
    kind: Kind
    default: Any
    help: str
    metavar: str
    group: str
    fixed: bool

    def read(self, text: str) -> Any:
        """The value of a text, `none` where there may be none. Raises ValueError."""
        unset = self.default is None and text == NONE
        return None if unset else self.kind.read(text)


def option(  # noqa: PLR0913  (one argument for each part of a definition)
    kind: Kind, default: Any, help: str, *, group: str, metavar: str = "", fixed: bool = True
) -> Any:
    """A field of a dataclass that is an option."""
    return field(default=default, metadata={"option": (kind, default, help, metavar, group, fixed)})


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """A hint at the word that a mistyped one is close to, or at all there are."""
    words = list(words)
    close = difflib.get_close_matches(word, words, n=1)
    return f"did you mean {close[0]!r}?" if close else f"there are {', '.join(words)}"


def _commas(values: Iterable[object]) -> str:
    return ",".join(f"{value:g}" if isinstance(value, float) else str(value) for value in values)


def _parse_agreement(text: str) -> Agreement:
    winrate, moves = text.split(",")
    agreement = Agreement(float(winrate), int(moves))
    if not (0 <= agreement.winrate < 0.5 and agreement.moves > 0):
        raise ValueError
    return agreement


def _parse_causes(text: str) -> tuple[Cause, ...]:
    words = [] if text == NONE else text.split(",")
    if not set(words) <= set(FAILURES):
        raise ValueError
    return tuple(cause for cause in FAILURES if cause in words)


def _parse_pairs(text: str) -> tuple[tuple[str, str], ...]:
    parts = [] if text == NONE else [part.partition("=") for part in text.split(",")]
    if not all(name and sign and value for name, sign, value in parts):
        raise ValueError
    return tuple(sorted((name, value) for name, _, value in parts))


def _parse_word(text: str) -> str:
    if not text or text.split() != [text]:
        raise ValueError
    return text


WORD = Kind("a word", _parse_word)
TIME = Written(EXPECTED, parse_time, text=format_time)
SPRT = Written(
    "two hypotheses in Elo, the smaller one first, and perhaps the chances to err, below 0.5: "
    "0,5 or 0,5,0.05,0.05",
    Sprt.parse,
    text=lambda test: _commas((test.elo0, test.elo1, test.alpha, test.beta)),
)
PAIRS = Written(
    "NAME=VALUE, and more after commas: komi=7.5",
    _parse_pairs,
    text=lambda pairs: _commas(f"{name}={value}" for name, value in pairs) or NONE,
)
AGREEMENT = Written(
    "a win rate below 0.5 and a number of moves: 0.02,3", _parse_agreement, text=_commas
)
CAUSES = Written(
    f"none, or some of {_commas(FAILURES)}",
    _parse_causes,
    text=lambda causes: _commas(causes) or NONE,
)
