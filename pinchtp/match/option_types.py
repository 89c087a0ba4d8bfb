"""Types of option values of a match."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar

from pinchtp.base.clock import TIME_EXPECTED, TimeControl, format_time, parse_time
from pinchtp.base.option_types import Float, Int, OptionType, comma_parts, toml_text
from pinchtp.base.options import NONE
from pinchtp.match.record import Termination
from pinchtp.match.results.sprt import LEAST_STEP, MOST_ELO, Sprt, SprtModel

T = TypeVar("T")

FAILURES = (
    Termination.TIME,
    Termination.ILLEGAL,
    Termination.DIED,
    Termination.HUNG,
    Termination.UNEXPECTED_OUTPUT,
    Termination.PROTOCOL,
    Termination.MEMORY,
)


class Format(StrEnum):
    """The pairings of a match. GAUNTLET: the first engine plays all others."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"


class ResignRule(NamedTuple):
    """A side loses when both engines give it at most `winrate` for `moves` moves in a row."""

    winrate: float
    moves: int


class DrawRule(NamedTuple):
    """A game is drawn when both engines evaluate it within `margin` of even for `moves` consecutive
    moves, starting no earlier than move `begin`.
    """

    margin: float
    moves: int
    begin: int = 1


class Text(OptionType[str]):
    """Any text."""

    expected = "a text"

    def parse(self, text: str) -> str:
        return text

    def text(self, value: object) -> str:
        raise ValueError


class CommandLine(Text):
    """A command line, split as in a shell, or its words: ["pinchtp", "--visits", "20"]."""

    expected = "a command line or a list of its words"

    def text(self, value: object) -> str:
        return shlex.join(_texts(value))


class Lines(OptionType[tuple[str, ...]]):
    """A line or a list of lines; giving the option again adds lines."""

    expected = "a line or a list of lines"

    def parse(self, text: str) -> tuple[str, ...]:
        return tuple(text.split("\n")) if text else ()

    def format(self, value: tuple[str, ...]) -> str:
        return "\n".join(value)

    def text(self, value: object) -> str:
        return "\n".join(_texts(value))

    def add(self, earlier: tuple[str, ...], value: tuple[str, ...]) -> tuple[str, ...]:
        return (*earlier, *value)


class Variables(OptionType[Mapping[str, str]]):
    """Environment variables: VARIABLE=VALUE, one per line, or a table. Later values override
    earlier ones.
    """

    expected = "VARIABLE=VALUE without a line break"

    def parse(self, text: str) -> Mapping[str, str]:
        variables = {}
        for line in text.split("\n") if text else ():
            name, equals, value = line.partition("=")
            if not (name and equals):
                raise ValueError
            variables[name] = value
        return variables

    def format(self, value: Mapping[str, str]) -> str:
        return "\n".join(f"{name}={text}" for name, text in value.items())

    def text(self, value: object) -> str:
        if not isinstance(value, Mapping):
            raise ValueError
        variables = {name: toml_text(item) for name, item in value.items()}
        if "\n" in "".join(variables.values()):
            raise ValueError
        return self.format(variables)

    def add(self, earlier: Mapping[str, str], value: Mapping[str, str]) -> Mapping[str, str]:
        return {**earlier, **value}


def _texts(value: object) -> Sequence[str]:
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise ValueError
    return value


class Word(OptionType[str]):
    """A word without spaces."""

    expected = "a word"

    def parse(self, text: str) -> str:
        if not text or text.split() != [text]:
            raise ValueError
        return text


_NUMBER = Float(-1e9, 1e9)
_MOVES = Int(1, 2**63)


class SprtType(OptionType[Sprt]):
    """A sequential test: 0,5 or 0,5,0.05,0.05, optionally with a model: 0,5,logistic."""

    separator = ","
    expected = (
        f"two hypotheses in Elo, the smaller one first, at least {LEAST_STEP} apart, from "
        f"{-MOST_ELO} to {MOST_ELO}, and optionally error probabilities below 0.5 and one of "
        f"{', '.join(SprtModel)}: 0,5 or 0,5,0.05,0.05 or 0,5,logistic"
    )

    def parse(self, text: str) -> Sprt:
        *words, last = comma_parts(text)
        model = SprtModel.NORMALIZED
        if last in tuple(SprtModel):
            model = SprtModel(last)
        else:
            words.append(last)
        if len(words) not in (2, 4):
            raise ValueError
        numbers = dict(
            zip(("elo0", "elo1", "alpha", "beta"), map(_NUMBER.parse, words), strict=False)
        )
        return Sprt(**numbers, model=model)

    def format(self, value: Sprt) -> str:
        text = _commas((value.elo0, value.elo1, value.alpha, value.beta))
        return text if value.model is SprtModel.NORMALIZED else f"{text},{value.model}"

    def text(self, value: object) -> str:
        return self.format(value) if isinstance(value, Sprt) else super().text(value)


class Pairs(OptionType[tuple[tuple[str, str], ...]]):
    """Texts by name: komi=7.5,handicap=2, or a table."""

    expected = "NAME=VALUE, and more after commas: komi=7.5"

    def parse(self, text: str) -> tuple[tuple[str, str], ...]:
        parts = [] if text in ("", NONE) else [part.partition("=") for part in comma_parts(text)]
        if not all(name and value for name, _, value in parts):
            raise ValueError
        return tuple(sorted((name, value) for name, _, value in parts))

    def format(self, value: tuple[tuple[str, str], ...]) -> str:
        return self.text(value) or NONE

    def text(self, value: object) -> str:
        pairs = list(value.items()) if isinstance(value, Mapping) else value
        if not isinstance(pairs, list | tuple) or not all(map(_is_pair, pairs)):
            raise ValueError
        return ",".join(f"{name}={toml_text(item)}" for name, item in pairs)


def _is_pair(value: object) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2


class AdjudicationRule(OptionType[T]):
    """A share below 0.5 and one or two numbers of moves: 0.02,3."""

    separator = ","

    def __init__(self, rule: Callable[..., T], expected: str) -> None:
        self._rule = rule
        self.expected = expected

    def parse(self, text: str) -> T:
        share, *moves = comma_parts(text)
        number = _NUMBER.parse(share)
        with suppress(TypeError):  # of too few or too many numbers
            if 0 <= number < 0.5:
                return self._rule(number, *map(_MOVES.parse, moves))
        raise ValueError

    def format(self, value: Any) -> str:
        return _commas(value)


class FailureTypes(OptionType[tuple[Termination, ...]]):
    """A list of engine failures: time,died."""

    separator = ","
    expected = "none, or some of " + ",".join(FAILURES)

    def parse(self, text: str) -> tuple[Termination, ...]:
        words = [] if text in ("", NONE) else comma_parts(text)
        if not all(word in FAILURES for word in words):
            raise ValueError
        return tuple(termination for termination in FAILURES if termination in words)

    def format(self, value: tuple[Termination, ...]) -> str:
        return ",".join(value) or NONE


WORD = Word()
SPRT = SprtType()
PAIRS = Pairs()
FAILURE_TYPES = FailureTypes()
RESIGN_RULE = AdjudicationRule(ResignRule, "a winrate below 0.5 and a number of moves: 0.02,3")
DRAW_RULE = AdjudicationRule(
    DrawRule,
    "a distance from an even winrate below 0.5, a number of moves, and optionally the first move "
    "that counts: 0.05,5 or 0.05,5,40",
)


def _commas(values: Sequence[float]) -> str:
    return ",".join(map(_number, values))


def _number(value: float) -> str:
    """Returns a number as text without loss of precision."""
    short = f"{value:g}"
    return short if isinstance(value, float) and float(short) == value else repr(value)


_SECONDS = Float(0, 1e9)
_COUNT = Int(0, 10**9)


class Time(OptionType[TimeControl]):
    """A time control: a text, seconds per move, or a table with the fields of a TimeControl."""

    expected = TIME_EXPECTED

    def parse(self, text: str) -> TimeControl:
        return parse_time(text)

    def text(self, value: object) -> str:
        if isinstance(value, dict):
            value = _from_table(value)
        return format_time(value) if isinstance(value, TimeControl) else super().text(value)

    def format(self, value: TimeControl) -> str:
        return format_time(value)


def _from_table(table: Mapping[str, Any]) -> TimeControl:
    """Returns the time control with these fields, all numbers. Raises ValueError."""
    parts: dict[str, Any] = {}
    for name, value in table.items():
        if isinstance(value, str):
            raise ValueError
        parts[name] = (_COUNT if name in ("stones", "periods") else _SECONDS).read(value)
    try:
        return TimeControl(**parts)
    except TypeError:  # of an unknown field
        raise ValueError from None


TIME = Time()
