"""Time systems, their texts, and one player's clock.

`TimeControl` is the agreed time, and `Clock` the remaining time. player/time_manager.py decides how
to spend it. This module computes with seconds and does not read a clock.

Sources: GTP version 2 draft 2 (time_settings, time_left), the notes that come with kgsGtp
(kgs-time_settings), and KataGo's docs/GTP_Extensions.md (kata-time_settings).
"""

from __future__ import annotations

import math
import re
import sys
from dataclasses import dataclass, replace

LAG_BUFFER = 0.1
"""The usual maximum of the seconds that a move costs beyond its search, for late wake-ups and the
transfer of the response. On 2 cores with four busy processes per core, of some 500 round trips to a
computing subprocess 99 % were less than 0.07 s late; the longest delays were 0.3 and 0.5 s."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time system of a game: main time, and an overtime or an increment or neither.

    Use the classmethods, which are named after the systems; `TimeControl()` has no limit. Times are
    in seconds. Raises ValueError for times that are negative or not finite, and for invalid
    combinations.

    main: the time at the start; None without a limit.
    period: the length of an overtime period; 0 without overtime.
    stones: the moves in a Canadian period; 0 in other systems.
    periods: the number of byo-yomi periods; 0 in other systems.
    increment: the time that is added after each move; 0 except in Fischer time.
    cap: the maximum time on the clock after an increment; None without a limit.
    move_cap: the maximum time of a move; None without a limit.
    """

    main: float | None = None
    period: float = 0.0
    stones: int = 0
    periods: int = 0
    increment: float = 0.0
    cap: float | None = None
    move_cap: float | None = None

    def __post_init__(self) -> None:
        for name in ("main", "period", "stones", "periods", "increment", "cap", "move_cap"):
            _check(name, getattr(self, name))
        overtime = self.period > 0
        if overtime != (self.stones + self.periods > 0) or (self.stones and self.periods):
            raise ValueError(
                "overtime needs a period longer than 0 s and, for it, at least 1 stone or period: "
                f"these are {self.period:g} s, {self.stones} stones and {self.periods} periods"
            )
        fischer = self.increment > 0 or self.cap is not None or self.move_cap is not None
        if fischer and (overtime or self.main is None):
            raise ValueError("increment and caps must come with main time and without overtime")
        if (self.main == 0 and not overtime) or self.move_cap == 0:
            raise ValueError("the time for a first move must be longer than 0 s")
        if self.cap is not None and self.main is not None and self.cap < self.main:
            raise ValueError(f"cap must be at least main time {self.main:g} s, not {self.cap:g}")

    @classmethod
    def none(cls) -> TimeControl:
        """Returns a control without a limit."""
        return cls()

    @classmethod
    def absolute(cls, main: float) -> TimeControl:
        """Returns a control of `main` seconds for the whole game (sudden death)."""
        return cls(main)

    @classmethod
    def per_move(cls, seconds: float) -> TimeControl:
        """Returns a control of `seconds` for each move; it is Canadian overtime of one stone."""
        return cls.canadian(0, seconds, 1)

    @classmethod
    def canadian(cls, main: float, period: float, stones: int) -> TimeControl:
        """Returns a control of `main` seconds, then `stones` moves in every `period` seconds."""
        return cls(main, period, stones=stones)

    @classmethod
    def byoyomi(cls, main: float, period: float, periods: int) -> TimeControl:
        """Returns a control of `main` seconds, then `periods` periods; a used-up period is lost."""
        return cls(main, period, periods=periods)

    @classmethod
    def fischer(cls, main: float, increment: float) -> TimeControl:
        """Returns a control of `main` seconds, and `increment` more after each move."""
        return cls(main, increment=increment)

    @classmethod
    def fischer_capped(
        cls, main: float, increment: float, cap: float, move_cap: float
    ) -> TimeControl:
        """Returns Fischer time with at most `cap` seconds on the clock and `move_cap` per move.

        A negative cap is ignored, as in KataGo's `fischer-capped`.
        """
        no_cap, no_move_cap = -math.inf < cap < 0, -math.inf < move_cap < 0
        return cls(
            main,
            increment=increment,
            cap=None if no_cap else cap,
            move_cap=None if no_move_cap else move_cap,
        )

    @classmethod
    def gtp(cls, main: float, byo_time: float, byo_stones: int) -> TimeControl:
        """Returns the control of GTP 2's `time_settings main byo_time byo_stones`.

        It is Canadian overtime. Without `byo_time` it is absolute time; with `byo_time` but without
        stones there is no limit. `0 0 0` is undefined in GTP and has no limit here, because
        controllers send it for games without a clock.
        """
        if byo_time == 0:
            _check("byo_stones", byo_stones)
            return cls() if main == 0 else cls.absolute(main)
        # Always constructed, so that invalid times are rejected even without stones.
        control = cls.canadian(main, byo_time, byo_stones or 1)
        return control if byo_stones else cls()


@dataclass(frozen=True, slots=True)
class Clock:
    """A player's clock: the control, and the two numbers of GTP's time_left.

    left: the seconds left in the current phase (main time or period); infinite without a limit.
    overtime_count: 0 in main time; in overtime, the moves left in the Canadian period, or the
        byo-yomi periods left, including the current one.
    """

    control: TimeControl
    left: float
    overtime_count: int = 0

    @classmethod
    def start(cls, control: TimeControl) -> Clock:
        """Returns the clock of a player before the first move."""
        return cls(control, math.inf if control.main is None else control.main)._deduct(0.0)

    @property
    def expired(self) -> bool:
        """Whether all time, including overtime, is used, so that the game is lost on time."""
        return self.left <= 0

    @property
    def until_flag(self) -> float:
        """The maximum seconds of a move."""
        control = self.control
        left = self.left
        if control.period and self.overtime_count == 0:
            left += control.period * (control.periods or 1)
        elif control.periods:
            left += control.period * (self.overtime_count - 1)
        return min(left, limit_of(control.move_cap))

    def during(self, elapsed: float) -> Clock:
        """Returns the clock `elapsed` seconds into a turn, before a period is renewed or an
        increment is added.

        Raises ValueError for seconds that are negative or not finite.
        """
        _check("elapsed", elapsed)
        return self._deduct(elapsed)

    def after(self, elapsed: float) -> Clock:
        """Returns the clock after a move, at the start of the player's next move.

        A Canadian period is renewed after its last stone, and a byo-yomi period that was not used
        up is restored. The increment is added. A clock with 0 seconds left has expired, and an
        expired clock stays expired.

        elapsed: the seconds of the move, by the clock that decides. A player without time_left has
            only its own measurement, and should add a move overhead.

        Raises ValueError for seconds that are negative or not finite.
        """
        _check("elapsed", elapsed)
        control = self.control
        clock = self._deduct(elapsed)
        if elapsed > limit_of(control.move_cap):
            return replace(clock, left=0.0)
        if clock.expired:
            return clock
        if clock.overtime_count == 0:
            left = min(clock.left + control.increment, limit_of(control.cap))
            return replace(clock, left=left)
        if control.periods:
            return replace(clock, left=control.period)
        if clock.overtime_count == 1:
            return Clock(control, control.period, control.stones)
        return replace(clock, overtime_count=clock.overtime_count - 1)

    def set_left(self, seconds: float, count: int) -> Clock:
        """Returns the clock of the controller: GTP's `time_left color seconds stones`.

        seconds: left in main time if count is 0, otherwise in the period. Negative seconds count
            as 0, and 0 seconds of main time start the overtime.
        count: the moves left in the Canadian period; for byo-yomi the periods left, including the
            current one, as sent by KGS (1 is the last). Ignored without overtime.

        In a game without a limit, `0 0` changes nothing; other seconds limit the player.
        Raises ValueError for seconds that are not finite and a count that is negative.
        """
        _check("the size of time left", abs(seconds))
        _check("stones left", count)
        if self.control.main is None and seconds <= 0:
            return Clock.start(self.control)
        count = count if self.control.period else 0
        return Clock(self.control, max(seconds, 0.0), count)._deduct(0.0)

    def _deduct(self, elapsed: float) -> Clock:
        control = self.control
        left = self.left - elapsed
        count = self.overtime_count
        if left <= 0 and count == 0 and control.period:
            left += control.period
            count = control.stones or control.periods
        if left <= 0 and control.periods:
            lost, used = divmod(-left, control.period)
            more = lost + 1 < count
            left, count = (control.period - used, count - int(lost) - 1) if more else (0.0, 1)
        return Clock(control, max(left, 0.0), count)


def limit_of(cap: float | None) -> float:
    """Returns the seconds that a cap allows; infinite for None."""
    return math.inf if cap is None else cap


_SHOWN_NAMES = {"main": "main time", "move_cap": "the cap of a move"}


def _check(name: str, value: float | None) -> None:
    """Raises ValueError unless `value` is None or a finite number that is not negative."""
    if value is not None and not 0 <= value <= sys.float_info.max:
        shown = _SHOWN_NAMES.get(name, name)
        raise ValueError(f"{shown} must be a finite number, 0 or more, not {value}")


def seconds_text(seconds: float) -> str:
    """Returns the shortest text of seconds, exact to a nanosecond."""
    return f"{seconds:.9f}".rstrip("0").rstrip(".")


# --- texts of the command line, of match files and of tables:
#
# 10          10 seconds per move
# 60+0.5      60 seconds for the game, and 0.5 more after each move (Fischer)
# 60+5 cap 90 move 30     60 seconds, and 5 more after each move, with at most 90 on the clock and
#                         30 per move; either cap may be omitted
# 10m+0       10 minutes for the game (absolute)
# 60+5x10     60 seconds, then 5 periods of 10 seconds (byo-yomi)
# 60+10/30    60 seconds, then 10 moves in every 30 seconds (Canadian)
# none        no limit
#
# A time may end with a unit, ms, s, m or h; without a unit it is in seconds.

NO_LIMIT_TEXT = "none"
TIME_EXPECTED = (
    "a time control: 10 (seconds per move), 60+0.5 (increment), 60+5x10 (5 byo-yomi periods of "
    "10 s), 60+10/30 (10 moves in 30 s, Canadian), 60+0.5 cap 90 move 30 (at most 90 s saved and "
    "30 s per move), 10m+0 or none; the time for the first move must be above 0 and at most 1e9 "
    "seconds, and the cap not below the main time"
)

_MOST_SECONDS = 1e9
_MOST_COUNT = 10**9
UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "": 1.0}
_TIME = r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ms|s|m|h|)"
_CAPS = rf"(?:cap{_TIME})?(?:move{_TIME})?"
_TEXT = rf"{_TIME}(?:\+(?:([0-9]+)([x/]))?{_TIME}{_CAPS})?"


def parse_time(text: str) -> TimeControl:
    """Returns the time system of a text in the format above. Raises ValueError."""
    if text == NO_LIMIT_TEXT:
        return TimeControl.none()
    match = re.fullmatch(_TEXT, text.replace(" ", ""))
    try:
        if not match:
            raise ValueError
        main, more, cap, move_cap = (_seconds(*match.group(i, i + 1)) for i in (1, 5, 7, 9))
        count = int(match[3] or "0")
        sign = match[4]
        if count > _MOST_COUNT:
            raise ValueError
    except ValueError:
        raise ValueError(f"{text!r}: give {TIME_EXPECTED}") from None
    assert main is not None
    if more is None:
        return TimeControl.per_move(main)
    if sign and not (count and more):
        raise ValueError(f"{text!r}: the count and the time of overtime must be more than 0")
    if sign and (cap is not None or move_cap is not None):
        raise ValueError(f"{text!r}: caps are for Fischer time only")
    if sign == "x":
        return TimeControl.byoyomi(main, more, count)
    if sign == "/":
        return TimeControl.canadian(main, more, count)
    return TimeControl(main, increment=more, cap=cap, move_cap=move_cap)


def format_time(control: TimeControl) -> str:
    """Returns the text of a time system, which parse_time() reads."""
    if control.main is None:
        return NO_LIMIT_TEXT
    main, period = seconds_text(control.main), seconds_text(control.period)
    if control.periods:
        return f"{main}+{control.periods}x{period}"
    if control.stones == 1 and control.main == 0:
        return period
    if control.stones:
        return f"{main}+{control.stones}/{period}"
    caps = {"cap": control.cap, "move": control.move_cap}
    texts = [f" {name} {seconds_text(cap)}" for name, cap in caps.items() if cap is not None]
    return f"{main}+{seconds_text(control.increment)}" + "".join(texts)


def _seconds(number: str | None, unit: str | None) -> float | None:
    """Returns the seconds of a number with a unit; None without one.

    Raises ValueError above _MOST_SECONDS.
    """
    if number is None:
        return None
    seconds = float(number) * UNITS[unit or ""]
    if seconds > _MOST_SECONDS:
        raise ValueError
    return seconds
