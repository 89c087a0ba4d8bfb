"""How strong and how fast an engine is to play, told in whatever words it knows."""

from __future__ import annotations

from contextlib import suppress
from typing import Protocol

from pinchtp.base.clock import Clock, TimeControl
from pinchtp.board.engines.spec import EngineSpec
from pinchtp.board.messages import Level
from pinchtp.client import Refused
from pinchtp.client.time_settings import TimeTeller
from pinchtp.games import Color
from pinchtp.player.levels import LEVELS

NO_LIMIT = 1_000_000_000  # visits, where time decides
USUAL_SECONDS = 1.0  # of a move, where nothing else decides


class Asked(Protocol):
    """An engine, as far as limits are concerned."""

    spec: EngineSpec
    commands: frozenset[str]

    def knows(self, command: str) -> bool:
        """Whether it has a command."""

    def ask(self, line: str) -> str:
        """Its answer to a command. Raises Refused."""


class EngineLimits:
    """What an engine was told about its strength and its time; it is told only what changed."""

    def __init__(self, engine: Asked) -> None:
        self._engine = engine
        self.forget()

    def forget(self) -> None:
        """The engine is another process now, or somebody else has told it other things."""
        self._level: Level | None = None
        self._control: TimeControl | None = None
        self._time = TimeTeller(self._may_know, self._accepts)

    def set_level(self, level: Level) -> None:
        """Tells it how strong to play, if it can be told."""
        if level == self._level or not self._engine.knows("kata-set-param"):
            return
        if self._level is None and (level.number, level.visits, level.seconds) == (None,) * 3:
            return  # as it was started
        number = level.number or len(LEVELS)
        strength, visits = LEVELS[number - 1], level.visits
        if self._engine.knows("pinchtp-param"):
            with suppress(Refused):
                self._engine.ask(f"pinchtp-param level {number}")
        elif not strength.is_full_strength:
            visits = strength.visits
        is_quick = visits is not None or not strength.is_full_strength
        seconds = self._engine.spec.patience if is_quick else USUAL_SECONDS
        with suppress(Refused):
            self._engine.ask(f"kata-set-param maxVisits {visits or NO_LIMIT}")
            self._engine.ask(f"kata-set-param maxTime {level.seconds or seconds:g}")
        self._level = level

    def set_clocks(self, color: Color, level: Level, clocks: dict[Color, Clock] | None) -> float:
        """Tells it of the clocks before a move of a color.

        Returns the seconds after which an answer counts as missing.
        """
        patience = self._engine.spec.patience
        if clocks is None and level.seconds and not self._engine.knows("kata-set-param"):
            control = TimeControl.canadian(0, level.seconds, 1)
            clocks = {each: Clock.start(control) for each in Color}
        if clocks is None:
            if self._control not in (None, TimeControl.none()):
                with suppress(Refused):
                    self._engine.ask("time_settings 0 1 0")
            self._control = TimeControl.none()
            return 2 * (patience + (level.seconds or 0))
        control = clocks[color].control
        if control != self._control:
            self._time.announce(control)
            self._control = control
        for each, clock in clocks.items():
            self._time.tell_left(each.letter, clock)
        left = clocks[color].left + control.period * max(control.periods, 1)
        return min(left, 1e6) + patience

    def _may_know(self, command: str) -> bool:
        return not self._engine.commands or self._engine.knows(command)

    def _accepts(self, line: str) -> bool:
        try:
            self._engine.ask(line)
        except Refused:
            return False
        return True
