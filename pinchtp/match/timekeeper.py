"""The referee's clock of a player: the time left, and the fall of the flag."""

from __future__ import annotations

from dataclasses import replace

from pinchtp.base.clock import Clock, TimeControl

_INSTANT = 1e-9  # seconds left on a clock that expired within the margin


class Timekeeper:
    """The referee's clock of one player.

    A turn is charged as a whole, even if it has several steps. clock: as shown to the player,
    during a turn without the increment at its end. lag: seconds by which the flag falls late. Main
    time uses them up for the game, or a player without time could move forever; every overtime
    period renews them.
    """

    def __init__(self, control: TimeControl, lag: float) -> None:
        self.clock = Clock.start(control)
        self._lag = lag
        self._margin = lag
        self._before = self.clock  # at the start of the turn
        self._spent = 0.0  # seconds of the turn

    @property
    def seconds(self) -> float:
        """Seconds until the flag falls, including the margin; may be infinite."""
        return _until_flag(self._before) + self._margin - self._spent

    def spend(self, seconds: float) -> bool:
        """Deducts the seconds of a complete turn; returns whether the flag has fallen."""
        if self.spend_part(seconds):
            return True
        self.end_turn()
        return False

    def spend_part(self, seconds: float) -> bool:
        """Deducts the seconds of a step of a turn; returns whether the flag has fallen."""
        self._spent += seconds
        flag = _until_flag(self._before)
        if self._spent - flag > self._margin:
            self.clock = self._before.after(self._spent)
            return True
        shown = self._before.during(min(self._spent, max(0.0, flag - _INSTANT)))
        cap = self._before.control.move_cap
        if cap is not None:  # it was announced to the engines as the limit of one response
            shown = replace(shown, left=min(shown.left, max(_INSTANT, cap - self._spent)))
        self.clock = shown
        return False

    def end_turn(self) -> None:
        """Ends a turn: adds the increment, starts a new period, or counts a stone."""
        flag = _until_flag(self._before)
        after = self._before.after(self._spent)
        if after.expired:  # by less than the margin
            after = self._before.after(max(0.0, flag - _INSTANT))
            self._margin -= max(self._spent - flag, 0.0)
        if after.stones:
            self._margin = self._lag
        self.clock = self._before = after
        self._spent = 0.0


def _until_flag(clock: Clock) -> float:
    """Returns the maximum seconds of a move."""
    control, left = clock.control, clock.left
    if control.period and clock.stones == 0:
        left += control.period * (control.periods or 1)
    elif control.periods:
        left += control.period * (clock.stones - 1)
    return left if control.move_cap is None else min(left, control.move_cap)
