"""Text made safe for HTML, and numbers as people read them."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence

from pinchtp.match.statistics.rating import Estimate

MINUS, DASH, TIMES = "\N{MINUS SIGN}", "\N{EN DASH}", "\N{MULTIPLICATION SIGN}"

_CONTROLS = {code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n"} | {127: 0x2421}


def text(value: object) -> str:
    """A value as text in an element or in an attribute; control characters as pictures of them."""
    return html.escape(str(value).translate(_CONTROLS))


def table(
    head: Sequence[str], rows: Iterable[Sequence[str]], *, label: str, classes: str = ""
) -> str:
    """A table of cells that are markup already. The first cell of each row is its heading.

    A column whose heading starts with `-` is left out on narrow screens.
    """
    narrow = [name.startswith("-") for name in head]

    def cells(kind: str, row: Sequence[str]) -> str:
        kinds = [kind] * len(row) if kind == "th" else ["th", *["td"] * (len(row) - 1)]
        scopes = ["col"] * len(row) if kind == "th" else ["row", *[""] * (len(row) - 1)]
        return "".join(
            f"<{tag}{f' scope={scope}' * bool(scope)}{' class=wide' * wide}>{cell}</{tag}>"
            for tag, scope, wide, cell in zip(kinds, scopes, narrow, row, strict=True)
        )

    body = "\n".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    headings = cells("th", [name.removeprefix("-") for name in head])
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{text(label)}">'
        f'<table class="{classes}"><thead><tr>{headings}</tr></thead>\n'
        f"<tbody>{body}</tbody></table></div>"
    )


def count(number: float, one: str, many: str = "") -> str:
    """`1 game`, `2 games`."""
    return f"{number:g} {one if number == 1 else many or one + 's'}"


def points(value: float) -> str:
    """Points with halves, as `12½`."""
    whole = int(value)
    half = "½" if value != whole else ""
    return half if half and not whole else f"{whole}{half}"


def percent(share: float, digits: int = 0) -> str:
    return f"{100 * share:.{digits}f} %"


def elo(value: float) -> str:
    """With its sign, a real minus, and a sign for infinity."""
    if math.isinf(value):
        return "+∞" if value > 0 else f"{MINUS}∞"
    whole = round(value)
    return f"{whole:+d}".replace("-", MINUS) if whole else "0"


def outcomes(wins: int, draws: int, losses: int, gap: str = "") -> str:
    return f"{wins}{gap}{DASH}{gap}{draws}{gap}{DASH}{gap}{losses}"


def interval(estimate: Estimate) -> str:
    return f"{elo(estimate.low)} to {elo(estimate.high)}"


def seconds(value: float) -> str:
    """Three digits and a unit."""
    if value < 0.0005:
        return "0 s" if value == 0 else f"{1e6 * value:.0f} µs"
    if value < 1:
        return f"{1000 * value:.3g} ms"
    if value < 120:
        return f"{value:.3g} s"
    if value < 7200:
        return f"{value / 60:.0f} min"
    return f"{value / 3600:.1f} h"
