"""Kinds of values that options of a match have."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from pinchtp.base.clock import TIME_EXPECTED, TimeControl, format_time, parse_time
from pinchtp.base.options import NONE, Float, Int, ListOf, OptionType, toml_text
from pinchtp.match.record import Termination
from pinchtp.match.sprt import Sprt

FAILURES = (
    Termination.TIME,
    Termination.ILLEGAL,
    Termination.DIED,
    Termination.HUNG,
    Termination.BABBLED,
    Termination.PROTOCOL,
    Termination.MEMORY,
)


class Format(StrEnum):
    """Who plays whom. GAUNTLET: the first engine plays all others."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"


class ResignRule(NamedTuple):
    """A side has lost when both engines put its chance below `winrate` for `moves` moves."""

    winrate: float
    moves: int


class DrawRule(NamedTuple):
    """A game is drawn when both engines put their chances within `margin` of even in `moves` moves
    in a row, none of them before move `begin` of the game.
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
    """A command line, split as a shell would, or its words: ["pinchtp", "--visits", "20"]."""

    expected = "a command line or a list of its words"

    def text(self, value: object) -> str:
        return shlex.join(_texts(value))


class Lines(OptionType[tuple[str, ...]]):
    """One line, or a list of lines; what is given again comes after them."""

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
    """A variable, VARIABLE=VALUE, more on further lines, or a table of them; those that are given
    again win.
    """

    expected = "VARIABLE=VALUE"

    def parse(self, text: str) -> Mapping[str, str]:
        variables = {}
        for line in text.split("\n") if text else ():
            name, equals, value = line.partition("=")
            if not (name and equals):
                raise ValueError
            variables[name] = value
        return variables

    def format(self, value: Mapping[str, str]) -> str:
        return "\n".join(f"{name}={each}" for name, each in value.items())

    def text(self, value: object) -> str:
        if not isinstance(value, Mapping):
            raise ValueError
        return self.format({name: toml_text(each) for name, each in value.items()})

    def add(self, earlier: Mapping[str, str], value: Mapping[str, str]) -> Mapping[str, str]:
        return {**earlier, **value}


def _texts(value: object) -> Sequence[str]:
    if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
        raise ValueError
    return value


class Word(OptionType[str]):
    """A word without blanks."""

    expected = "a word"

    def parse(self, text: str) -> str:
        if not text or text.split() != [text]:
            raise ValueError
        return text


class SprtType(OptionType[Sprt]):
    """A sequential test: 0,5 or 0,5,0.05,0.05."""

    separator = ","
    expected = (
        "two hypotheses in Elo, the smaller one first, and perhaps the chances to err, below 0.5: "
        "0,5 or 0,5,0.05,0.05"
    )

    def parse(self, text: str) -> Sprt:
        numbers = NUMBERS.parse(text)
        if len(numbers) not in (2, 4):
            raise ValueError
        return Sprt(*numbers)

    def format(self, value: Sprt) -> str:
        return _commas((value.elo0, value.elo1, value.alpha, value.beta))

    def text(self, value: object) -> str:
        return self.format(value) if isinstance(value, Sprt) else super().text(value)


class Pairs(OptionType[tuple[tuple[str, str], ...]]):
    """Texts by name: komi=7.5,handicap=2, or a table."""

    expected = "NAME=VALUE, and more after commas: komi=7.5"

    def parse(self, text: str) -> tuple[tuple[str, str], ...]:
        parts = [] if text in ("", NONE) else [part.partition("=") for part in text.split(",")]
        if not all(name and value for name, _, value in parts):
            raise ValueError
        return tuple(sorted((name, value) for name, _, value in parts))

    def format(self, value: tuple[tuple[str, str], ...]) -> str:
        return self.text(value) or NONE

    def text(self, value: object) -> str:
        if not isinstance(value, list | tuple | Mapping):
            raise ValueError
        return ",".join(f"{name}={toml_text(each)}" for name, each in dict(value).items())


class ResignRules(OptionType[ResignRule]):
    """A win rate and how often: 0.02,3."""

    separator = ","
    expected = "a win rate below 0.5 and a number of moves: 0.02,3"

    def parse(self, text: str) -> ResignRule:
        winrate, moves = text.split(",")
        rule = ResignRule(NUMBER.parse(winrate), WHOLE.parse(moves))
        if not (0 <= rule.winrate < 0.5 and rule.moves > 0):
            raise ValueError
        return rule

    def format(self, value: ResignRule) -> str:
        return _commas(value)


class DrawRules(OptionType[DrawRule]):
    """How near to even, how often, and perhaps from which move on: 0.05,5,40."""

    separator = ","
    expected = (
        "a distance from an even chance below 0.5, a number of moves, and perhaps the first move "
        "that counts: 0.05,5 or 0.05,5,40"
    )

    def parse(self, text: str) -> DrawRule:
        margin, *moves = text.split(",")
        if len(moves) not in (1, 2):
            raise ValueError
        rule = DrawRule(NUMBER.parse(margin), *map(WHOLE.parse, moves))
        if not (0 <= rule.margin < 0.5 and min(rule.moves, rule.begin) > 0):
            raise ValueError
        return rule

    def format(self, value: DrawRule) -> str:
        return _commas(value)


class FailureCauses(OptionType[tuple[Termination, ...]]):
    """Some failures of engines: time,died."""

    separator = ","
    expected = "none, or some of " + ",".join(FAILURES)

    def parse(self, text: str) -> tuple[Termination, ...]:
        words = [] if text in ("", NONE) else text.split(",")
        if not all(word in FAILURES for word in words):
            raise ValueError
        return tuple(cause for cause in FAILURES if cause in words)

    def format(self, value: tuple[Termination, ...]) -> str:
        return ",".join(value) or NONE


NUMBER, WHOLE = Float(-1e9, 1e9), Int(-(2**63), 2**63)
NUMBERS = ListOf(NUMBER, "numbers")

WORD, SPRT, PAIRS, CAUSES = Word(), SprtType(), Pairs(), FailureCauses()
RESIGN_RULE, DRAW_RULE = ResignRules(), DrawRules()


def _commas(values: Sequence[float]) -> str:
    return ",".join(map(_number, values))


def _number(value: float) -> str:
    """Returns a number as text, from which it comes back to the last bit."""
    short = f"{value:g}"
    return short if isinstance(value, float) and float(short) == value else repr(value)


_SECONDS, _COUNT = Float(0, 1e9), Int(0, 10**9)


class Time(OptionType[TimeControl]):
    """A time system: a text, seconds a move, or a table of the parts of a TimeControl."""

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
    """The time system with these parts of a TimeControl, as numbers. Raises ValueError."""
    parts: dict[str, Any] = {}
    for name, value in table.items():
        if isinstance(value, str):
            raise ValueError
        parts[name] = (_COUNT if name in ("stones", "periods") else _SECONDS).read(value)
    try:
        return TimeControl(**parts)
    except TypeError:  # a part of some other name
        raise ValueError from None


TIME = Time()
