"""Kinds of values that options of a match have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from pinchtp.base.options import NONE, Kind, Real, Several, Whole, plain_text
from pinchtp.match.record import Cause
from pinchtp.match.sprt import Sprt

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


class Word(Kind[str]):
    """A word without blanks."""

    expected = "a word"

    def parse(self, text: str) -> str:
        if not text or text.split() != [text]:
            raise ValueError
        return text

    def check(self, value: Any) -> str:
        return self.parse(str(value))


class Test(Kind[Sprt]):
    """A sequential test: 0,5 or [0, 5] or [0, 5, 0.05, 0.05]."""

    expected = (
        "two hypotheses in Elo, the smaller one first, and perhaps the chances to err, below 0.5: "
        "0,5 or 0,5,0.05,0.05"
    )

    def parse(self, text: str) -> Sprt:
        return self.check(NUMBERS.parse(text))

    def check(self, value: Any) -> Sprt:
        if isinstance(value, Sprt):
            return value
        numbers = NUMBERS.check(value)
        if len(numbers) not in (2, 4):
            raise ValueError
        return Sprt(*numbers)

    def format(self, value: Sprt) -> str:
        return _commas((value.elo0, value.elo1, value.alpha, value.beta))


class Pairs(Kind[tuple[tuple[str, str], ...]]):
    """Texts by name: komi=7.5,handicap=2, or a table."""

    expected = "NAME=VALUE, and more after commas: komi=7.5"

    def parse(self, text: str) -> tuple[tuple[str, str], ...]:
        parts = [] if text == NONE else [part.partition("=") for part in text.split(",")]
        return self.check([(name, value) for name, _, value in parts])

    def check(self, value: Any) -> tuple[tuple[str, str], ...]:
        pairs = value.items() if isinstance(value, Mapping) else value
        try:
            texts = [(str(name), plain_text(each)) for name, each in pairs]
        except TypeError:
            raise ValueError from None
        if not all(name and each for name, each in texts):
            raise ValueError
        return tuple(sorted(texts))

    def format(self, value: tuple[tuple[str, str], ...]) -> str:
        return _commas(f"{name}={each}" for name, each in value) or NONE


class Agreed(Kind[ResignRule]):
    """A win rate and how often: 0.02,3 or [0.02, 3]."""

    expected = "a win rate below 0.5 and a number of moves: 0.02,3"

    def parse(self, text: str) -> ResignRule:
        winrate, moves = text.split(",")
        return self.check((NUMBER.parse(winrate), WHOLE.parse(moves)))

    def check(self, value: Any) -> ResignRule:
        if not isinstance(value, list | tuple):
            raise ValueError
        winrate, moves = value
        agreement = ResignRule(NUMBER.check(winrate), WHOLE.check(moves))
        if not (0 <= agreement.winrate < 0.5 and agreement.moves > 0):
            raise ValueError
        return agreement

    def format(self, value: ResignRule) -> str:
        return _commas(value)


class AgreedDraw(Kind[DrawRule]):
    """How near to even, how often, and perhaps from which move on: 0.05,5,40 or [0.05, 5, 40]."""

    expected = (
        "a distance from an even chance below 0.5, a number of moves, and perhaps the first move "
        "that counts: 0.05,5 or 0.05,5,40"
    )

    def parse(self, text: str) -> DrawRule:
        margin, *moves = text.split(",")
        return self.check((NUMBER.parse(margin), *map(WHOLE.parse, moves)))

    def check(self, value: Any) -> DrawRule:
        if not isinstance(value, list | tuple) or len(value) not in (2, 3):
            raise ValueError
        margin, *moves = value
        agreement = DrawRule(NUMBER.check(margin), *map(WHOLE.check, moves))
        if not (0 <= agreement.margin < 0.5 and min(agreement.moves, agreement.begin) > 0):
            raise ValueError
        return agreement

    def format(self, value: DrawRule) -> str:
        return _commas(value)


class FailureCauses(Kind[tuple[Cause, ...]]):
    """Some failures of engines: time,died or ["time", "died"]."""

    expected = "none, or some of " + ",".join(FAILURES)

    def parse(self, text: str) -> tuple[Cause, ...]:
        return self.check([] if text == NONE else text.split(","))

    def check(self, value: Any) -> tuple[Cause, ...]:
        if not isinstance(value, list | tuple) or not all(each in FAILURES for each in value):
            raise ValueError
        return tuple(cause for cause in FAILURES if cause in value)

    def format(self, value: tuple[Cause, ...]) -> str:
        return _commas(value) or NONE


NUMBER, WHOLE = Real(-1e9, 1e9), Whole(-(2**63), 2**63)
NUMBERS = Several(NUMBER, "numbers")

WORD, SPRT, PAIRS, CAUSES = Word(), Test(), Pairs(), FailureCauses()
RESIGN_RULE, DRAW_RULE = Agreed(), AgreedDraw()


def _commas(values: Iterable[object]) -> str:
    return ",".join(f"{value:g}" if isinstance(value, float) else str(value) for value in values)
