"""Charts: lines over two axes, histograms, intervals on one scale, shares of a whole.

All charts are 400 units wide, the width of a phone, so that their text is legible there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Self
from xml.etree import ElementTree as ET

from markupsafe import Markup

from pinchtp.base.text import count, visible
from pinchtp.html.format import DASH, plain, signed

WIDTH = 400
COLORS, DASHES = 8, 3  # of lines, in the style sheet
LEAST_REACH = 20  # minimum extent of a scale of intervals, to both sides of 0

_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 384, 8, 186  # of the area between the axes
_LETTER = 7  # maximum width of a letter
_NAME = 44  # letters per line of a name above its interval
_LINE, _ROW, _DOT = 16, 24, 13  # heights: a line of a name, its interval, from there to the end
_BINS = 32  # maximum number of bars in a histogram

Point = tuple[float, float]


@dataclass(frozen=True)
class ChartLine:
    """A line of a chart: its name, and its points from left to right.

    band: the ends of each point's interval; empty without intervals. color: the number of a color;
    default: that of the line's place.
    """

    name: str
    points: Sequence[Point]
    band: Sequence[Point] = ()
    color: int | None = None


@dataclass(frozen=True)
class Axis:
    """An axis of a chart.

    low, high: its ends. format: of its numbers. ticks: their values; default: round numbers, with
    `whole` only integers. marked: numbers with an emphasized line, and the line's label.
    """

    low: float
    high: float
    title: str = ""
    format: Callable[[float], str] = plain
    ticks: Sequence[float] = ()
    whole: bool = False
    marked: Mapping[float, str] = field(default_factory=dict)

    def numbers(self, most: int) -> Sequence[float]:
        found = self.ticks or round_numbers(self.low, self.high, most)
        return [each for each in found if not self.whole or each == int(each)]

    def scale(self, start: float, end: float) -> Callable[[float], float]:
        """Returns a function from values to places; values beyond an end are placed at it."""
        span = max(self.high - self.low, 1e-9)

        def place(value: float) -> float:
            return start + (end - start) * (min(max(value, self.low), self.high) - self.low) / span

        return place


def round_numbers(low: float, high: float, most: int) -> list[float]:
    """Returns round numbers from `low` to `high`, at most `most` + 2."""
    span = max(high - low, 1e-9)
    unit = 10 ** math.floor(math.log10(span / most))
    step = next(unit * times for times in (1, 2, 5, 10) if span / (unit * times) <= most)
    first = math.ceil(low / step - 1e-9)
    return [number * step for number in range(first, math.floor(high / step + 1e-9) + 1)]


def round_ends(low: float, high: float) -> tuple[float, float]:
    """Returns round ends of an axis that includes both values."""
    if high <= low:
        low -= 1
        high += 1
    numbers = round_numbers(low, high, 4)
    step = numbers[1] - numbers[0] if len(numbers) > 1 else high - low
    return math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step


# --- lines


def line_chart(lines: Sequence[ChartLine], x: Axis, y: Axis, label: str) -> Markup:
    """Returns a chart of lines with their bands. `legend` shows their names."""
    image = start_drawing(_BOTTOM + 38, label)
    place_x = x.scale(_LEFT, _RIGHT)
    place_y = y.scale(_BOTTOM, _TOP)
    _draw_y(image, y)
    for value in x.numbers(6):
        text = x.format(value)
        at = min(place_x(value), WIDTH - _LETTER * len(text) / 2)
        image.text(at, _BOTTOM + 16, text, "tick")
    image.text((_LEFT + _RIGHT) / 2, _BOTTOM + 32, x.title, "tick")
    for line in lines:
        both = list(zip(line.points, line.band, strict=True)) if line.band else []
        if both:
            above = [f"{place_x(at):.1f} {place_y(high):.1f}" for (at, _), (_, high) in both]
            below = [f"{place_x(at):.1f} {place_y(low):.1f}" for (at, _), (low, _) in both[::-1]]
            image.path(f"M{'L'.join(above + below)}Z", "band")
    for number, line in enumerate(lines):
        path = "L".join(f"{place_x(at):.1f} {place_y(value):.1f}" for at, value in line.points)
        color = number if line.color is None else line.color
        if path:
            image.path(f"M{path}", _line_class(color))
    return image.markup()


def _draw_y(image: Drawing, y: Axis) -> None:
    place_y = y.scale(_BOTTOM, _TOP)
    for value in y.numbers(5):
        image.path(f"M{_LEFT} {place_y(value):.1f}H{_RIGHT}", "grid")
        image.text(_LEFT - 4, place_y(value) + 4, y.format(value), "tick", "end")
    for value, name in y.marked.items():
        image.path(f"M{_LEFT} {place_y(value):.1f}H{_RIGHT}", "axis")
        if name:  # on the left, since lines often end at the marked value
            image.text(_LEFT + 2, place_y(value) - 4, name, "tick name", "start")


def _line_class(number: int) -> str:
    """Returns the classes of a numbered line. After all colors, lines are dashed."""
    dash = number // COLORS % DASHES
    return f"line c{number % COLORS}" + (f" dash{dash}" if dash else "")


def legend(names: Sequence[str]) -> Markup:
    """Returns a legend: the colors of lines with their names."""
    items = Markup("").join(
        Markup("<li>{}{}</li>").format(_sample(number), name) for number, name in enumerate(names)
    )
    return Markup('<ul class="legend">{}</ul>').format(items)


def _sample(number: int) -> Markup:
    sample = Drawing("svg", viewBox="0 0 20 10", width=20, height=10, aria_hidden="true")
    sample.path("M0 5H20", _line_class(number))
    return sample.markup()


# --- histograms


def histogram(
    counts: Mapping[int, int], label: str, *, what: str, unit: str, mean: float | None = None
) -> Markup:
    """Returns a histogram of counts by number of units, in bins of equal width.

    what: the counted objects; unit: of the x axis; both in the singular, such as `game` and `move`.
    mean: marked by a line.
    """
    first, width, bins = _bin_counts(counts)
    x, y = Axis(first, max(bins) + width), Axis(0, max(bins.values()), whole=True)
    image = start_drawing(_BOTTOM + 38, label)
    place_x = x.scale(_LEFT, _RIGHT)
    place_y = y.scale(_BOTTOM, _TOP)
    _draw_y(image, y)
    gap = min(1.5, 0.1 * (place_x(first + width) - _LEFT))
    for start, number in sorted(bins.items()):
        left = place_x(start) + gap
        top = place_y(number)
        bar = image.add(
            "rect",
            class_="bars",
            x=left,
            y=top,
            height=_BOTTOM - top,
            width=place_x(start + width) - gap - left,
        )
        here = f"{start}" if width == 1 else f"{start}{DASH}{start + width - 1}"
        bar.add("title", f"{here} {unit}s: {count(number, what)}")
    for value in Axis(first, max(bins) + width - 1, whole=True).numbers(8):
        image.text(place_x(value + 0.5), _BOTTOM + 16, f"{value:.0f}", "tick")
    image.text((_LEFT + _RIGHT) / 2, _BOTTOM + 32, f"{unit}s", "tick")
    if mean is not None:
        image.path(f"M{place_x(mean + 0.5):.1f} {_TOP - 4}V{_BOTTOM}", "mean")
    return image.markup()


def _bin_counts(counts: Mapping[int, int]) -> tuple[int, int, dict[int, int]]:
    """Returns the first number, the width of a bin, and the counts by each bin's first number."""
    first = min(counts)
    last = max(counts)
    width = max(1, math.ceil((last - first + 1) / _BINS))
    bins: dict[int, int] = {}
    for number, times in counts.items():
        start = first + (number - first) // width * width
        bins[start] = bins.get(start, 0) + times
    return first, width, bins


# --- intervals


@dataclass(frozen=True)
class Interval:
    """A value with the ends of its interval; any of them may be infinite."""

    name: str
    value: float
    low: float
    high: float


def intervals(
    rows: Sequence[Interval],
    label: str,
    *,
    format: Callable[[float], str] = signed,
) -> Markup:
    """Returns values with their intervals on one scale; infinite intervals reach the margin."""
    ends = [end for row in rows for end in (row.value, row.low, row.high) if math.isfinite(end)]
    axis = Axis(min([*ends, -LEAST_REACH]), max([*ends, LEAST_REACH]))
    margin = 14
    place = axis.scale(margin, WIDTH - margin)
    names = [wrap(row.name, _NAME) for row in rows]
    bottom = sum(_ROW + _LINE * len(name) for name in names) + 6
    image = start_drawing(bottom + 20, label)
    for value in axis.numbers(6):
        image.path(f"M{place(value):.1f} 0V{bottom}", "grid" if value else "axis")
        image.text(place(value), bottom + 14, format(value), "tick")
    y = 0.0
    for each, name in zip(rows, names, strict=True):
        for number, line in enumerate(name, start=1):
            image.text(margin, y + _LINE * number, line, "name", "start")
        y += _ROW + _LINE * len(name)
        left = 0 if math.isinf(each.low) else place(each.low)
        right = WIDTH if math.isinf(each.high) else place(each.high)
        image.path(f"M{left:.1f} {y - _DOT:g}H{right:.1f}", "interval")
        if math.isfinite(each.value):
            image.add("circle", class_="dot", cx=place(each.value), cy=y - _DOT, r=4.5)
    return image.markup()


# --- shares


def share_bar(shares: Sequence[tuple[str, float]]) -> Markup:
    """Returns a bar of shares, which add up to 1, each with the CSS class of its color."""
    image = Drawing(
        "svg",
        class_="share-bar",
        viewBox="0 0 100 3",
        preserveAspectRatio="none",
        aria_hidden="true",
    )
    left = 0.0
    for class_, share in shares:
        if share:
            image.add("rect", class_=class_, x=f"{left:.2f}", width=f"{100 * share:.2f}", height=3)
        left += 100 * share
    return image.markup()


class Drawing:
    """An SVG element to which others can be added."""

    def __init__(self, name: str, content: str = "", /, **attributes: object) -> None:
        self._element = ET.Element(name, _attributes(attributes))
        self._element.text = visible(content) or None

    def add(self, name: str, content: str = "", /, **attributes: object) -> Self:
        """Adds an element and returns it. `class_` means class; `_` in other names means `-`."""
        child = type(self)(name, content, **attributes)
        self._element.append(child._element)
        return child

    def path(self, d: str, class_: str, **attributes: object) -> None:
        self.add("path", class_=class_, d=d, **attributes)

    def text(
        self,
        x: float,
        y: float,
        content: str,
        class_: str = "",
        anchor: str = "middle",
        **attributes: object,
    ) -> Self:
        place = {"x": x, "y": y, "text_anchor": anchor}
        return self.add("text", content, class_=class_, **place, **attributes)

    def markup(self) -> Markup:
        """Returns the element as markup for an HTML document."""
        return Markup(ET.tostring(self._element, encoding="unicode"))


def start_drawing(height: float, label: str) -> Drawing:
    """Returns an empty drawing of the default width. label: for screen readers."""
    box = f"0 0 {WIDTH:g} {height:g}"
    return Drawing("svg", class_="chart", viewBox=box, role="img", aria_label=label)


def _attributes(values: dict[str, object]) -> dict[str, str]:
    return {
        name.rstrip("_").replace("_", "-"): _number(value)
        if isinstance(value, float)
        else visible(str(value))
        for name, value in values.items()
        if value != ""
    }


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
