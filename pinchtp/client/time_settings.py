"""Commands that send an engine its time system and the time left.

GTP 2 has only main time and Canadian overtime. Engines with the commands of KGS or KataGo get
byo-yomi and increments exactly. Others get the nearest setting that never exceeds their time. It is
main time alone if the engine reads only whole seconds and its overtime is shorter than 1 s.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pinchtp.base.clock import Clock, TimeControl, limit_of

END_TIME_LIMIT = "time_settings 0 1 0"


@dataclass(frozen=True)
class TimeCommand:
    """A command that sends a time system.

    command: its name and arguments. left: returns the seconds and stones for time_left.
    """

    command: tuple[str | float, ...]
    left: Callable[[Clock], tuple[float, int]]


def time_commands(control: TimeControl) -> list[TimeCommand]:
    """Returns the commands that send a time system, best first; none for a game without a clock."""
    main = control.main
    if main is None:
        return []
    first = min(main, limit_of(control.move_cap))
    alone = TimeCommand(("time_settings", first, 0, 0), _as_main_time)
    return [*_overtime(control, main), *([alone] if main else [])]


def _overtime(control: TimeControl, main: float) -> list[TimeCommand]:
    """Returns the commands for a time system that has more than main time, best first."""
    if control.periods > 1:
        exact = ("byoyomi", main, control.period, control.periods)
        return [
            TimeCommand(("kgs-time_settings", *exact), _as_it_is),
            TimeCommand(("kata-time_settings", *exact), _as_it_is),
            TimeCommand(("time_settings", main, control.period, 1), _as_one_period),
        ]
    if control.period:  # one period of byo-yomi is Canadian time for one stone
        stones = control.stones or 1
        return [TimeCommand(("time_settings", main, control.period, stones), _as_it_is)]
    if control.increment or control.cap is not None or control.move_cap is not None:
        return _fischer(control, main)
    return []


class TimeSender:
    """A sender of time commands to an engine process. It does not repeat a rejected form."""

    def __init__(self, knows: Callable[[str], bool], accepts: Callable[[str], bool]) -> None:
        """knows: returns whether the engine supports a command. accepts: sends a line; returns
        False if the engine rejects it.
        """
        self._knows = knows
        self._accepts = accepts
        self._refused: set[str] = set()
        self._announced: TimeCommand | None = None

    def announce(self, control: TimeControl) -> bool:
        """Sends a time system by the best command that the engine accepts.

        Returns False if the game has a clock but the engine accepts no command for it.
        """
        self._announced = None
        for time_command in time_commands(control):
            name, *values = time_command.command
            for whole in (False, True):
                words = [v if isinstance(v, str) else spell(v, whole=whole) for v in values]
                line = " ".join([str(name), *words])
                if _vanishes(values, words) or not self._knows(str(name)):
                    continue
                if self._try(line, line):
                    self._announced = time_command
                    return True
        return control.main is None

    def send_time_left(self, letter: str, clock: Clock) -> None:
        """Sends the time left on a clock, if a time system was sent before.

        letter: the letter of its color.
        """
        if self._announced is None or not self._knows("time_left"):
            return
        seconds, stones = self._announced.left(clock)
        for whole in (False, True):
            line = f"time_left {letter} {spell(seconds, whole=whole)} {stones}"
            if self._try(line, f"time_left {whole}"):
                return

    def _try(self, line: str, kind: str) -> bool:
        """Sends a line unless one of its kind was rejected; returns whether it was accepted."""
        if kind in self._refused:
            return False
        if not self._accepts(line):
            self._refused.add(kind)
            return False
        return True


def _vanishes(numbers: Sequence[str | float], words: Sequence[str]) -> bool:
    """Returns whether a positive time is formatted as 0, which has another meaning."""
    return any(number and word == "0" for number, word in zip(numbers, words, strict=True))


def _fischer(control: TimeControl, main: float) -> list[TimeCommand]:
    """Returns the commands for a time per move, best first.

    The last one has overtime for one stone, as in gtp2ogs.
    """
    exact: tuple[str | float, ...] = ("fischer", main, control.increment)
    if control.cap is not None or control.move_cap is not None:
        caps = (-1 if cap is None else cap for cap in (control.cap, control.move_cap))
        exact = ("fischer-capped", main, control.increment, *caps)
    commands = [TimeCommand(("kata-time_settings", *exact), _as_it_is)]
    if control.increment:
        first, stones = _increment_as_period(Clock.start(control))
        nearest = (0 if stones else first, min(control.increment, main), 1)
        commands.append(TimeCommand(("time_settings", *nearest), _increment_as_period))
    return commands


def _as_it_is(clock: Clock) -> tuple[float, int]:
    return clock.left, clock.overtime_count


def _as_main_time(clock: Clock) -> tuple[float, int]:
    return min(clock.left, limit_of(clock.control.move_cap)), 0


def _as_one_period(clock: Clock) -> tuple[float, int]:
    """Adds the unused periods to the time left in the current one."""
    if clock.overtime_count == 0:
        return clock.left, 0
    return clock.left + clock.control.period * (clock.overtime_count - 1), 1


def _increment_as_period(clock: Clock) -> tuple[float, int]:
    """Splits the time left into main time and one period with the same total."""
    left, _ = _as_main_time(clock)
    increment = clock.control.increment
    if left > increment:
        return left - increment, 0
    return left, 1


def spell(seconds: float, *, whole: bool) -> str:
    """Returns the text of seconds for an engine. whole: without a fraction, rounded down."""
    if whole:
        return str(math.floor(seconds))
    return f"{math.floor(seconds * 1000) / 1000:.3f}".rstrip("0").rstrip(".")
