"""Figures: numbers with their uncertainty and their method, as JSON keeps and people read them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Self

from pinchtp.html.format import DASH, MINUS, TIMES, decimal
from pinchtp.report.statistics import ConfidenceInterval

UNKNOWN = "unknown"


class FigureUnit(StrEnum):
    """What a figure counts."""

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


_SIGNED = (FigureUnit.ELO, FigureUnit.POINTS)  # what may be less than nothing


@dataclass(frozen=True)
class Figure:
    """A number that was found out.

    key: its name in JSON, unique in its section. name: for people. low, high: the ends of the 95 %
    interval; None where the value is exact. samples: observations behind it. method: how it was
    found, in a sentence. glance: whether it stands in the overview as well.
    """

    key: str
    name: str
    value: float | None
    unit: FigureUnit = FigureUnit.NUMBER
    low: float | None = None
    high: float | None = None
    samples: int | None = None
    method: str = ""
    glance: bool = False

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

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        return cls(**{**data, "unit": FigureUnit(data["unit"])})

    def as_data(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def is_estimate(self) -> bool:
        """Whether the value is uncertain."""
        return self.samples is not None

    @property
    def text(self) -> str:
        """The value for people."""
        return shown(self.value, self.unit)

    @property
    def interval(self) -> str:
        """The ends of the interval for people; empty where the value is exact."""
        if not self.is_estimate:
            return ""
        return interval(self.low, self.high, self.unit)


def interval(low: float | None, high: float | None, unit: FigureUnit = FigureUnit.NUMBER) -> str:
    """The ends of an interval for people."""
    if low is None and high is None:
        return UNKNOWN
    return f"{shown(low, unit)} {DASH} {shown(high, unit)}"


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def shown(value: float | None, unit: FigureUnit) -> str:
    """A value with its unit, with as many digits as are of use."""
    if value is None:
        return "?"
    if unit in (FigureUnit.SHARE, FigureUnit.POINTS):
        percent = 100 * value
        return f"{decimal(percent, 1)} %" if abs(percent) < 10 else f"{decimal(percent, 0)} %"
    if unit is FigureUnit.POWER:
        return f"10^{decimal(value, 1)}"
    if unit is FigureUnit.ELO:
        return f"{value:+.0f}".replace("-", MINUS)
    suffix = {FigureUnit.MICROSECONDS: " µs", FigureUnit.TIMES: TIMES}.get(unit, "")
    return number(value) + suffix


def number(value: float) -> str:
    """Three digits, or all of a whole number."""
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}".replace("-", MINUS)
    if abs(value) >= 1000:
        return f"{value:,.0f}".replace("-", MINUS)
    digits = 1 if abs(value) >= 10 else 2
    return decimal(value, digits)
