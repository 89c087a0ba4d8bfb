"""Formats of numbers on pages, also as filters of the templates."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pinchtp.base.text import count

MINUS, DASH, TIMES = "\N{MINUS SIGN}", "\N{EN DASH}", "\N{MULTIPLICATION SIGN}"


def points(value: float) -> str:
    """Returns points with halves, such as `12½`."""
    whole = int(value)
    half = "½" if value != whole else ""
    return half if half and not whole else f"{whole}{half}"


def percent(share: float, digits: int = 0) -> str:
    """Returns a share in [0, 1] in percent, such as `12 %`."""
    return f"{100 * share:z.{digits}f} %".replace("-", MINUS)


def percentages(counts: Sequence[int]) -> list[str]:
    """Returns counts as integer percentages that add up to 100; the largest remainders round up."""
    whole = sum(counts)
    if not whole:
        return [percent(0.0) for _ in counts]
    parts = [divmod(100 * each, whole) for each in counts]
    left = 100 - sum(full for full, _ in parts)
    by_rest = sorted(range(len(parts)), key=lambda at: -parts[at][1])
    up = set(by_rest[:left])
    return [percent((full + (at in up)) / 100) for at, (full, _) in enumerate(parts)]


def signed(value: float) -> str:
    """Returns Elo points as an integer with its sign; ∞ for infinity. Uses a real minus sign."""
    if math.isinf(value):
        return "+∞" if value > 0 else f"{MINUS}∞"
    whole = round(value)
    return f"{whole:+d}".replace("-", MINUS) if whole else "0"


def plain(value: float) -> str:
    """Returns a number in its shortest form, with a real minus sign."""
    return f"{value:g}".replace("-", MINUS)


def decimal(value: float, digits: int = 2) -> str:
    """Returns a number with `digits` digits after the point and a real minus sign."""
    return f"{value:z.{digits}f}".replace("-", MINUS)


def outcomes(wins: int, draws: int, losses: int, gap: str = "") -> str:
    """Returns games won, drawn and lost, separated by dashes."""
    return f"{wins}{gap}{DASH}{gap}{draws}{gap}{DASH}{gap}{losses}"


def seconds(value: float) -> str:
    """Returns a time with three digits and a unit."""
    if value < 0.0005:
        return "0 s" if value == 0 else f"{1e6 * value:.0f} µs"
    if value < 0.9995:  # more would be rounded to 1e+03 ms
        return f"{1000 * value:.3g} ms"
    if value < 120:
        return f"{value:.3g} s"
    if value < 7200:
        return f"{value / 60:.0f} min"
    return f"{value / 3600:.1f} h"


FILTERS = {
    each.__name__: each
    for each in (
        count,
        points,
        percent,
        percentages,
        signed,
        plain,
        decimal,
        outcomes,
        seconds,
    )
}
