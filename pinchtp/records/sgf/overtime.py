"""Time systems in SGF: TM is the main time, OT a free text for the overtime."""

from __future__ import annotations

import re
from collections.abc import Callable

from pinchtp.base.clock import TimeControl, seconds_text

SECONDS = r"([0-9]{1,9}(?:\.[0-9]{1,9})?)"
COUNT = r"([0-9]{1,9})"

# The notations of CGoban, KGS, GoGui and OGS; the caps are our addition.
_OVERTIME: list[tuple[str, Callable[..., TimeControl]]] = [
    (
        rf"{COUNT}(?:/| moves / ){SECONDS}(?: canadian| sec)",
        lambda main, stones, period: TimeControl.canadian(main, float(period), int(stones)),
    ),
    (
        rf"{COUNT}x{SECONDS} byo-yomi",
        lambda main, periods, period: TimeControl.byoyomi(main, float(period), int(periods)),
    ),
    (
        rf"{SECONDS} fischer(?:, at most {SECONDS})?(?:, {SECONDS} a move)?",
        lambda main, increment, cap, move: TimeControl(
            main, increment=float(increment), cap=cap and float(cap), move_cap=move and float(move)
        ),
    ),
]


def overtime_text(control: TimeControl) -> str:
    """Returns the OT of a time system with main time; empty for absolute time."""
    if control.stones:
        return f"{control.stones}/{seconds_text(control.period)} Canadian"
    if control.periods:
        return f"{control.periods}x{seconds_text(control.period)} byo-yomi"
    if control == TimeControl(control.main):
        return ""
    cap = "" if control.cap is None else f", at most {seconds_text(control.cap)}"
    move = "" if control.move_cap is None else f", {seconds_text(control.move_cap)} a move"
    return f"{seconds_text(control.increment)} fischer{cap}{move}"


def parse_overtime(main: str, overtime: str) -> TimeControl:
    """Returns the time system of TM and OT; no limit if they are invalid or unknown."""
    if not re.fullmatch(SECONDS, main):
        return TimeControl.none()
    try:
        if not overtime:
            return TimeControl.absolute(float(main))
        for pattern, control in _OVERTIME:
            if found := re.fullmatch(pattern, overtime, re.IGNORECASE):
                return control(float(main), *found.groups())
    except ValueError:  # an invalid combination
        pass
    return TimeControl.none()
