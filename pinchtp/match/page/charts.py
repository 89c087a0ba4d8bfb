"""The page's charts, as SVG that takes its colors from the page's style sheet.

All are 400 units wide, which is the width of a phone, so that their letters can be read there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pinchtp.match.page import markup
from pinchtp.match.page.replay import Board
from pinchtp.match.results.summary import FirstMove, Lengths
from pinchtp.match.statistics.rating import Estimate

WIDTH = 400
COLORS = 8  # of lines that the style sheet can tell apart

_BINS = 32  # bars in a histogram, at the most


@dataclass(frozen=True)
class Line:
    """A line of a chart: its name, and its points from left to right.

    band: for each point the ends of its interval; empty for a line without.
    """

    name: str
    points: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float]] = ()


def _svg(height: float, label: str, parts: Sequence[str], classes: str = "chart") -> str:
    return (
        f'<svg class="{classes}" viewBox="0 0 {WIDTH} {height:g}" role="img" '
        f'aria-label="{markup.text(label)}">{"".join(parts)}</svg>'
    )


def _text(x: float, y: float, content: str, classes: str = "", anchor: str = "middle") -> str:
    return (
        f'<text class="{classes}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">'
        f"{markup.text(content)}</text>"
    )


def _ticks(low: float, high: float, most: int) -> list[float]:
    """At the most so many round numbers from `low` to `high`, and 2 more."""
    span = max(high - low, 1e-9)
    unit = 10 ** math.floor(math.log10(span / most))
    step = next(unit * times for times in (1, 2, 5, 10) if span / (unit * times) <= most)
    first = math.ceil(low / step - 1e-9)
    return [number * step for number in range(first, math.floor(high / step + 1e-9) + 1)]


# --- ratings


def ratings(rows: Sequence[tuple[str, Estimate]], label: str) -> str:
    """Estimates with their intervals on one scale; one without an end runs to the margin."""
    finite = [
        value
        for _, each in rows
        for value in (each.elo, each.low, each.high)
        if math.isfinite(value)
    ]
    low, high = min([*finite, -20.0]), max([*finite, 20.0])
    margin, row = 14, 40
    scale = (WIDTH - 2 * margin) / (high - low)
    bottom = row * len(rows) + 6

    def x(value: float) -> float:
        return margin + (min(max(value, low), high) - low) * scale

    parts = []
    for tick in _ticks(low, high, 6):
        kind = "axis" if tick == 0 else "grid"
        parts.append(f'<path class="{kind}" d="M{x(tick):.1f} 0V{bottom}"/>')
        parts.append(_text(x(tick), bottom + 14, markup.elo(tick), "tick"))
    for at, (name, each) in enumerate(rows):
        y = row * at + 27
        ends = (
            (0 if math.isinf(each.low) else x(each.low)),
            (WIDTH if math.isinf(each.high) else x(each.high)),
        )
        parts.append(_text(margin, y - 11, _short(name, 44), "name", "start"))
        parts.append(f'<path class="interval" d="M{ends[0]:.1f} {y}H{ends[1]:.1f}"/>')
        if math.isfinite(each.elo):
            parts.append(f'<circle class="dot" cx="{x(each.elo):.1f}" cy="{y}" r="4.5"/>')
    return _svg(bottom + 20, label, parts)


def _short(name: str, most: int) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


# --- score over time


def scores(lines: Sequence[Line], label: str) -> str:
    """Mean scores, in [0, 1], against the games played."""
    left, right, top, bottom = 46, 392, 8, 186
    most = max((line.points[-1][0] for line in lines if line.points), default=1)

    def x(games: float) -> float:
        return left + (right - left) * games / max(most, 1)

    def y(score: float) -> float:
        return bottom - (bottom - top) * score

    parts = []
    for share in (0, 0.25, 0.5, 0.75, 1):
        kind = "axis" if share == 0.5 else "grid"
        parts.append(f'<path class="{kind}" d="M{left} {y(share):.1f}H{right}"/>')
        parts.append(_text(left - 4, y(share) + 4, f"{100 * share:.0f} %", "tick", "end"))
    for tick in _ticks(0, most, 6):
        if tick == int(tick):
            parts.append(_text(x(tick), bottom + 16, f"{tick:.0f}", "tick"))
    for at, line in enumerate(lines):
        if line.band:
            above = [f"{x(g):.1f} {y(high):.1f}" for (g, _), (_, high) in _both(line)]
            below = [f"{x(g):.1f} {y(low):.1f}" for (g, _), (low, _) in reversed(_both(line))]
            parts.append(f'<path class="band" d="M{"L".join(above + below)}Z"/>')
        path = "L".join(f"{x(games):.1f} {y(score):.1f}" for games, score in line.points)
        parts.append(f'<path class="line c{at % COLORS}" d="M{path}"/>')
    parts.append(_text((left + right) / 2, bottom + 32, "games", "tick"))
    return _svg(bottom + 38, label, parts)


def _both(line: Line) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    return list(zip(line.points, line.band, strict=True))


def legend(names: Sequence[str]) -> str:
    items = "".join(
        f'<li><svg viewBox="0 0 20 10" width="20" height="10" aria-hidden="true">'
        f'<path class="line c{at % COLORS}" d="M0 5H20"/></svg> {markup.text(name)}</li>'
        for at, name in enumerate(names)
    )
    return f'<ul class="legend">{items}</ul>'


# --- lengths


def histogram(lengths: Lengths, label: str) -> str:
    """How many games had how many moves, in bins of equal width."""
    left, right, top, bottom = 34, 392, 8, 166
    shortest, longest = min(lengths.games), max(lengths.games)
    width = max(1, math.ceil((longest - shortest + 1) / _BINS))
    bins: dict[int, int] = {}
    for length, games in lengths.games.items():
        start = shortest + (length - shortest) // width * width
        bins[start] = bins.get(start, 0) + games
    end = max(bins) + width
    most = max(bins.values())

    def x(moves: float) -> float:
        return left + (right - left) * (moves - shortest) / (end - shortest)

    def y(games: float) -> float:
        return bottom - (bottom - top) * games / most

    parts = []
    for tick in _ticks(0, most, 4):
        if tick == int(tick):
            parts.append(f'<path class="grid" d="M{left} {y(tick):.1f}H{right}"/>')
            parts.append(_text(left - 4, y(tick) + 4, f"{tick:.0f}", "tick", "end"))
    gap = min(1.5, 0.1 * (x(shortest + width) - left))
    for start, games in sorted(bins.items()):
        bar = x(start) + gap
        here = f"{start}" if width == 1 else f"{start}{markup.DASH}{start + width - 1}"
        parts.append(
            f'<rect class="games" x="{bar:.1f}" y="{y(games):.1f}" '
            f'width="{x(start + width) - gap - bar:.1f}" height="{bottom - y(games):.1f}">'
            f"<title>{here} moves: {markup.count(games, 'game')}</title></rect>"
        )
    for tick in _ticks(shortest, end - 1, 8):
        if tick == int(tick):
            parts.append(_text(x(tick + 0.5), bottom + 16, f"{tick:.0f}", "tick"))
    middle = x(lengths.mean + 0.5)
    parts.append(f'<path class="mean" d="M{middle:.1f} {top - 4}V{bottom}"/>')
    parts.append(_text((left + right) / 2, bottom + 32, "moves", "tick"))
    return _svg(bottom + 38, label, parts)


# --- first moves


def first_moves(board: Board, moves: Mapping[int, FirstMove], label: str) -> str:
    """The share of points that the player of each first move won, on the board."""
    edge = 22
    unit = (WIDTH - 2 * edge) / board.width
    height = board.height * unit + 2 * edge

    def center(cell: int) -> tuple[float, float]:
        return (
            edge + (cell % board.width + 0.5) * unit,
            height - edge - (cell // board.width + 0.5) * unit,
        )

    letter = min(12, max(7, 0.5 * unit))
    parts = [f'<rect class="wood" width="{WIDTH}" height="{height:.1f}" rx="8"/>']
    for x, name in enumerate(board.columns):
        across = edge + (x + 0.5) * unit
        parts += [
            f'<text class="coordinate" x="{across:.1f}" y="{y:.1f}" text-anchor="middle" '
            f'style="font-size:{letter:.1f}px">{name}</text>'
            for y in (edge / 2 + 5, height - edge / 2 + 3)
        ]
    for y in range(board.height):
        down = center(y * board.width)[1] + letter / 3
        parts += [
            f'<text class="coordinate" x="{x:.1f}" y="{down:.1f}" text-anchor="middle" '
            f'style="font-size:{letter:.1f}px">{board.rows[y]}</text>'
            for x in (edge / 2, WIDTH - edge / 2)
        ]
    parts.append(f'<path class="lines" d="{_grid(board, center)}"/>')
    for cell, move in sorted(moves.items()):
        x_, y_ = center(cell)
        share = move.points / move.games
        parts.append(
            f'<g data-vertex="{board.vertex(cell)}"><circle cx="{x_:.1f}" cy="{y_:.1f}" '
            f'r="{0.46 * unit:.1f}" fill="{_heat(share)}" stroke="#3d2a12" stroke-width=".6"/>'
            f"<title>{board.vertex(cell)}: {markup.count(move.games, 'game')}, "
            f"{markup.percent(share)} for who played it</title>"
        )
        if unit >= 16:
            size = min(13, 0.42 * unit)
            parts.append(
                f'<text class="share" x="{x_:.1f}" y="{y_ + 0.36 * size:.1f}" '
                f'text-anchor="middle" style="font-size:{size:.1f}px">{100 * share:.0f}</text>'
            )
        parts.append("</g>")
    return _svg(height, label, parts, "chart board")


def _grid(board: Board, center: Callable[[int], tuple[float, float]]) -> str:
    steps = []
    for cell in range(len(board.start)):
        x, y = center(cell)
        for neighbor, fits in (
            (cell + 1, (cell + 1) % board.width != 0),
            (cell + board.width, cell + board.width < len(board.start)),
        ):
            if fits and board.is_point(cell) and board.is_point(neighbor):
                to_x, to_y = center(neighbor)
                steps.append(f"M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}")
    return "".join(steps)


def _heat(share: float) -> str:
    """From blue (lost) by near white (even) to orange (won); black letters stand on all of them."""
    even, end = (250, 246, 236), (244, 150, 52) if share > 0.5 else (108, 170, 232)
    weight = min(1.0, abs(share - 0.5) / 0.4)
    mixed = (round(one + weight * (two - one)) for one, two in zip(even, end, strict=True))
    return "#" + "".join(f"{each:02x}" for each in mixed)
