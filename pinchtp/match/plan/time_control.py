"""Time systems as texts, the way the command line, match files and tables write them.

    10          10 seconds a move
    60+0.5      60 seconds for the game, and 0.5 more after each move (Fischer)
    10m+0       10 minutes for the game (absolute)
    60+5x10     60 seconds, then 5 periods of 10 seconds (byo-yomi)
    60+10/30    60 seconds, then 10 moves in every 30 seconds (Canadian)
    none        no limit

Each time may end with a unit: ms, s, m or h; without one it is seconds.
"""

from __future__ import annotations

import re

from pinchtp.clock import TimeControl

NO_LIMIT = "none"
EXPECTED = "a time: 10 (a move), 60+0.5, 10m+0, 60+5x10 (byo-yomi), 60+10/30 (Canadian) or none"

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "": 1.0}
_TIME = r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ms|s|m|h|)"
_TEXT = re.compile(rf"{_TIME}(?:\+(?:([0-9]+)([x/]))?{_TIME})?", re.ASCII)


def parse_time(text: str) -> TimeControl:
    """The time system that a text names. Raises ValueError for what is none."""
    if text == NO_LIMIT:
        return TimeControl.none()
    found = _TEXT.fullmatch(text.replace(" ", ""))
    if not found:
        raise ValueError(f"{text!r}: give {EXPECTED}")
    first, first_unit, count, sign, second, second_unit = found.groups()
    main = float(first) * _UNITS[first_unit]
    if second is None:
        return TimeControl.canadian(0, main, 1)
    more = float(second) * _UNITS[second_unit]
    if sign == "x":
        return TimeControl.byoyomi(main, more, int(count))
    if sign == "/":
        return TimeControl.canadian(main, more, int(count))
    return TimeControl.fischer(main, more)


def format_time(control: TimeControl) -> str:
    """The text of a time system; caps of Fischer time have none and are left out."""
    if control.main is None:
        return NO_LIMIT
    main, period = _seconds(control.main), _seconds(control.period)
    if control.periods:
        return f"{main}+{control.periods}x{period}"
    if control.stones == 1 and control.main == 0:
        return period
    if control.stones:
        return f"{main}+{control.stones}/{period}"
    return f"{main}+{_seconds(control.increment)}"


def _seconds(value: float) -> str:
    return f"{value:.9f}".rstrip("0").rstrip(".")
