"""Figures: numbers with their 95 % intervals and their method, in JSON and as text."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from pinchtp.base.intervals import ConfidenceInterval
from pinchtp.html.format import DASH, MINUS, TIMES, decimal, signed

UNKNOWN = "unknown"


class FigureUnit(StrEnum):
    """A unit of a figure."""

    NUMBER = ""
    SHARE = "share"  # in [0, 1], shown in percent
    RATE = "a second"
    TURNS = "turns"
    POWER = "power of ten"  # a decimal logarithm
    MICROSECONDS = "µs"
    TIMES = "times"  # a ratio
    ELO = "Elo"
    POINTS = "points"  # percentage points, kept as a share
    WHOLE = "whole"  # an exact count


_SIGNED = (FigureUnit.ELO, FigureUnit.POINTS)  # units of values that may be negative


@dataclass(frozen=True)
class Figure:
    """A measured number.

    key: its name in JSON, unique in its section. name: for display. low, high: the ends of the 95 %
    interval; None for an exact value. samples: number of observations. method: of the measurement,
    in sentences. glance: whether the overview shows it. detail: measured together with the value,
    such as a move. at_least: the reason why the true value may be higher, or empty.
    """

    key: str
    name: str
    value: int | float | None  # integers stay integers in JSON
    unit: FigureUnit = FigureUnit.NUMBER
    low: float | None = None
    high: float | None = None
    samples: int | None = None
    method: str = ""
    glance: bool = False
    detail: str = ""
    at_least: str = ""

    @classmethod
    def of(  # noqa: PLR0913
        cls,
        key: str,
        name: str,
        estimate: ConfidenceInterval,
        unit: FigureUnit = FigureUnit.NUMBER,
        *,
        method: str = "",
        glance: bool = False,
    ) -> Self:
        value, low, high = map(_finite, (estimate.value, estimate.low, estimate.high))
        if low is not None and unit not in _SIGNED:
            low = max(low, 0.0)
        return cls(key, name, value, unit, low, high, estimate.samples, method, glance)

    @property
    def is_estimate(self) -> bool:
        """Whether the value is uncertain."""
        return self.samples is not None

    @property
    def text(self) -> str:
        """The value for display; of a minimum, the lower end of its interval if there is one."""
        if not self._is_minimum:
            return format_value(self.value, self.unit)
        return f"at least {format_value(self.value if self.low is None else self.low, self.unit)}"

    @property
    def interval(self) -> str:
        """The ends of the interval for display; empty for an exact value or a minimum."""
        if not self.is_estimate or self._is_minimum:
            return ""
        return format_interval(self.low, self.high, self.unit)

    @property
    def _is_minimum(self) -> bool:
        """Whether the true value may be higher, as the Elo of a player who won all."""
        is_infinite = self.value is None and self.high is None and self.low is not None
        return is_infinite or bool(self.at_least)

    @property
    def estimate(self) -> ConfidenceInterval | None:
        """The value with both ends of its interval; None if one of them is unknown."""
        if self.value is None or self.low is None or self.high is None or self.samples is None:
            return None
        return ConfidenceInterval(self.value, self.low, self.high, self.samples)

    def quote(self, noun: str, observed: str) -> str:
        """Returns the value for a sentence: with a noun, its interval and its observations."""
        observed = observed.removesuffix("s") if self.samples == 1 else observed
        return f"{self.text} {noun} ({self.interval}, {self.samples:,} {observed})"


def select_quotable(figures: Iterable[Figure]) -> list[Figure]:
    """Returns the figures whose value and interval are known."""
    return [figure for figure in figures if figure.estimate]


def format_interval(
    low: float | None, high: float | None, unit: FigureUnit = FigureUnit.NUMBER
) -> str:
    """Returns the ends of an interval for display."""
    if low is None and high is None:
        return UNKNOWN
    return f"{format_value(low, unit)} {DASH} {format_value(high, unit)}"


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def format_value(value: float | None, unit: FigureUnit) -> str:
    """Returns a value with its unit, rounded to useful digits."""
    if value is None:
        return "?"
    if unit in (FigureUnit.SHARE, FigureUnit.POINTS):
        percent = 100 * value
        return f"{decimal(percent, 1)} %" if abs(percent) < 10 else f"{decimal(percent, 0)} %"
    if unit is FigureUnit.POWER:
        return format_power(value)
    if unit is FigureUnit.ELO:
        return signed(value)
    suffix = {FigureUnit.MICROSECONDS: " µs", FigureUnit.TIMES: TIMES}.get(unit, "")
    return format_number(value) + suffix


def format_number(value: float) -> str:
    """Returns a number with three digits, or all digits of an integer."""
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}".replace("-", MINUS)
    if abs(value) >= 1000:
        return f"{value:,.0f}".replace("-", MINUS)
    digits = 1 if abs(value) >= 10 else 2
    return decimal(value, digits)


_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_LEAST_POWER = 6  # smaller logarithms are shown as integers with all digits


def format_power(logarithm: float) -> str:
    """Returns the number with this decimal logarithm, which may exceed the range of floats."""
    if logarithm < _LEAST_POWER:
        return format_number(float(round(10**logarithm)))
    exponent = math.floor(logarithm)
    factor = decimal(10 ** (logarithm - exponent), 1)
    if factor == "10.0":
        factor = "1.0"
        exponent += 1
    return f"{factor} {TIMES} 10{str(exponent).translate(_SUPERSCRIPT)}"
