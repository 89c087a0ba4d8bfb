"""The time of the move at hand: what it may take, what it took, and what is learned from that."""

from __future__ import annotations

import math
from time import monotonic

from pinchtp.base.allowance import Allowance, allowance, fitting_lag
from pinchtp.base.clock import Clock
from pinchtp.games import Color
from pinchtp.games.session import Session
from pinchtp.gtp.lateness import Lateness
from pinchtp.player.settings import Settings


class MoveTime:
    """Keeps the clocks of a session, and measures how late answers come.

    A move begins with begin() and ends with charge(). In between it is the `Timing` of its search.
    A turn whose parts are asked for one by one has the time of one move.
    """

    def __init__(self, settings: Settings) -> None:
        self.lateness = Lateness()
        self._settings = settings
        self._began = monotonic()
        self._clock: Clock | None = None
        self._moves_left = 1.0
        self._spent = 0.0  # seconds of the turn's earlier parts
        self._due: float | None = None  # when the search was to end, unless it ended by itself
        self._charged: tuple[Color, Clock] | None = None  # the mover's clock, by our own time alone

    def begin(self, session: Session, color: Color) -> None:
        """A search for the color's move, or the next part of it, begins now."""
        self._began = monotonic()
        self._clock = session.clock(color)
        self._moves_left = session.moves_left()
        self._due = None
        if not session.position.mid_turn:
            self._spent = 0.0

    @property
    def elapsed(self) -> float:
        """Seconds since the move began."""
        return monotonic() - self._began

    @property
    def left(self) -> float:
        """Seconds that the move may still take; less than 0 if it is late."""
        return self.allowance().most - self.elapsed

    def allowance(self) -> Allowance:
        """What the search may take since the move began: see Timing."""
        if self._clock is None or self._clock.left == math.inf:
            seconds = self._settings.move_seconds
            if math.isinf(seconds):
                return Allowance()
            early = self.lateness.early(seconds)
            return Allowance.fixed(max(seconds - self._spent - early, 0.0))
        return allowance(self._clock, self._moves_left, self._lag(self._clock))

    def paused(self, due: float, late: float) -> None:
        """A step of the search ended late: see Timing."""
        self.lateness.note(late)
        self._due = due

    def charge(self, session: Session, color: Color, *, parts: int) -> None:
        """Takes what the move cost off the color's clock. parts: of the turn, that were chosen."""
        elapsed = self.elapsed
        due = self.allowance().most if self._due is None or parts > 1 else self._due
        if elapsed > due:
            self.lateness.note(elapsed - due)
        self._spent += elapsed
        clock = session.clock(color)
        lag = fitting_lag(clock.control, self._lag(clock))
        # A turn given in parts is one move of the clock.
        spend = clock.during if session.position.mid_turn else clock.after
        self._charged = color, spend(elapsed)
        session.set_clock(color, spend(elapsed + lag))
        if not session.position.mid_turn:
            self._spent = 0.0  # the next turn may begin with parts that others choose

    def set_left(self, session: Session, color: Color, seconds: float, stones: int) -> None:
        """The color's clock as the controller sees it. Raises ValueError for what no clock shows.

        The time that our last answer took beyond what we saw of it is learned from it, unless the
        controller counts in whole seconds.
        """
        clock = session.clock(color).set_left(seconds, stones)
        session.set_clock(color, clock)
        if self._charged is None or self._charged[0] != color:
            return
        expected = self._charged[1]
        same_phase = (clock.control, clock.stones) == (expected.control, expected.stones)
        if same_phase and seconds != int(seconds):
            self.lateness.note_way(expected.left - clock.left)
        self._charged = None

    def _lag(self, clock: Clock) -> float:
        return self.lateness.lag(clock) if self._settings.lag is None else self._settings.lag
