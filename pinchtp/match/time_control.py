"""Time systems as texts, the way the command line, match files and tables write them.

    10          10 seconds a move
    60+0.5      60 seconds for the game, and 0.5 more after each move (Fischer)
    60+5 cap 90 move 30     the same, with at most 90 seconds saved up and 30 for one move; one of
                            the two caps may be left out
    10m+0       10 minutes for the game (absolute)
    60+5x10     60 seconds, then 5 periods of 10 seconds (byo-yomi)
    60+10/30    60 seconds, then 10 moves in every 30 seconds (Canadian)
    none        no limit

Each time may end with a unit: ms, s, m or h; without one it is seconds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pinchtp.base.clock import TimeControl
from pinchtp.base.options import Float, Int, OptionType

NO_LIMIT = "none"
EXPECTED = (
    "a time: 10 (a move), 60+0.5, 10m+0, 60+5x10 (byo-yomi), 60+10/30 (Canadian) or none, at most "
    "1e9 seconds"
)

_SECONDS, _COUNT = Float(0, 1e9), Int(0, 10**9)
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "": 1.0}
_TIME = r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ms|s|m|h|)"
_CAPS = rf"(?:cap{_TIME})?(?:move{_TIME})?"
_TEXT = re.compile(rf"{_TIME}(?:\+(?:([0-9]+)([x/]))?{_TIME}{_CAPS})?", re.ASCII)


def parse_time(text: str) -> TimeControl:
    """The time system that a text names. Raises ValueError for what is none."""
    if text == NO_LIMIT:
        return TimeControl.none()
    found = _TEXT.fullmatch(text.replace(" ", ""))
    try:
        if not found:
            raise ValueError
        main, more, cap, move_cap = (_seconds(*found.group(i, i + 1)) for i in (1, 5, 7, 9))
        count, sign = _COUNT.parse(found[3] or "0"), found[4]
    except ValueError:
        raise ValueError(f"{text!r}: give {EXPECTED}") from None
    assert main is not None
    if more is None:
        return TimeControl.canadian(0, main, 1)
    if sign and (cap is not None or move_cap is not None):
        raise ValueError(f"{text!r}: caps are for Fischer time only")
    if sign == "x":
        return TimeControl.byoyomi(main, more, count)
    if sign == "/":
        return TimeControl.canadian(main, more, count)
    return TimeControl(main, increment=more, cap=cap, move_cap=move_cap)


def format_time(control: TimeControl) -> str:
    """The text of a time system, which parse_time understands."""
    if control.main is None:
        return NO_LIMIT
    main, period = _number(control.main), _number(control.period)
    if control.periods:
        return f"{main}+{control.periods}x{period}"
    if control.stones == 1 and control.main == 0:
        return period
    if control.stones:
        return f"{main}+{control.stones}/{period}"
    caps = {"cap": control.cap, "move": control.move_cap}
    texts = [f" {name} {_number(cap)}" for name, cap in caps.items() if cap is not None]
    return f"{main}+{_number(control.increment)}" + "".join(texts)


def _seconds(number: str | None, unit: str | None) -> float | None:
    """Raises ValueError for more than a clock has."""
    return None if number is None else _SECONDS.read(float(number) * _UNITS[unit or ""])


def _number(value: float) -> str:
    return f"{value:.9f}".rstrip("0").rstrip(".")


class Time(OptionType[TimeControl]):
    """A time system: a text, seconds a move, or a table of the parts of a TimeControl."""

    expected = EXPECTED

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
