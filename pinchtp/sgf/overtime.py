"""Times: TM is the main time of a game, OT a free text for the rest; BL, WL, OB and OW are what is
left on the clocks after a move.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from pinchtp.base.clock import TimeControl
from pinchtp.games import Color
from pinchtp.games.history import TimeLeft
from pinchtp.games.session import NO_LIMIT

_SECONDS = r"([0-9]{1,9}(?:\.[0-9]{1,9})?)"
_COUNT = r"([0-9]{1,9})"

# The words of CGoban, KGS, GoGui and OGS; the caps are ours.
_OVERTIME: list[tuple[str, Callable[..., TimeControl]]] = [
    (
        rf"{_COUNT}(?:/| moves / ){_SECONDS}(?: canadian| sec)",
        lambda main, stones, period: TimeControl.canadian(main, float(period), int(stones)),
    ),
    (
        rf"{_COUNT}x{_SECONDS} byo-yomi",
        lambda main, periods, period: TimeControl.byoyomi(main, float(period), int(periods)),
    ),
    (
        rf"{_SECONDS} fischer(?:, at most {_SECONDS})?(?:, {_SECONDS} a move)?",
        lambda main, increment, cap, move: TimeControl(
            main, increment=float(increment), cap=cap and float(cap), move_cap=move and float(move)
        ),
    ),
]


def time_properties(control: TimeControl) -> dict[str, str]:
    """The properties that tell a time system."""
    if control.main is None:
        return {}
    texts = {"TM": _number(control.main)}
    if control.stones:
        texts["OT"] = f"{control.stones}/{_number(control.period)} Canadian"
    elif control.periods:
        texts["OT"] = f"{control.periods}x{_number(control.period)} byo-yomi"
    elif control != TimeControl.absolute(control.main):
        cap = "" if control.cap is None else f", at most {_number(control.cap)}"
        move = "" if control.move_cap is None else f", {_number(control.move_cap)} a move"
        texts["OT"] = f"{_number(control.increment)} fischer{cap}{move}"
    return texts


def _number(seconds: float) -> str:
    return f"{seconds:.9f}".rstrip("0").rstrip(".")


def read_time(main: str, overtime: str) -> TimeControl:
    """The time system of TM and OT; none where they say nothing that we understand."""
    if not re.fullmatch(_SECONDS, main):
        return NO_LIMIT
    try:
        if not overtime:
            return TimeControl.absolute(float(main))
        for pattern, control in _OVERTIME:
            if found := re.fullmatch(pattern, overtime, re.IGNORECASE):
                return control(float(main), *found.groups())
    except ValueError:  # numbers that make no clock
        pass
    return NO_LIMIT


def left_properties(left: TimeLeft, color: Color) -> dict[str, str]:
    """The properties that tell what is left on the mover's clock."""
    texts = {f"{color.capital}L": _number(left.seconds)}
    return texts if left.stones is None else texts | {f"O{color.capital}": f"{left.stones}"}


def read_left(text: Callable[[str], str], color: Color) -> TimeLeft | None:
    """What a node says is left on the mover's clock. text: a reader of its properties."""
    seconds, stones = text(f"{color.capital}L"), text(f"O{color.capital}")
    if not re.fullmatch(_SECONDS, seconds):
        return None
    return TimeLeft(float(seconds), int(stones) if re.fullmatch(_COUNT, stones) else None)
