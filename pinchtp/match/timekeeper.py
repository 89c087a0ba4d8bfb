"""One player's time in a game: what is left of it, and when the flag falls."""

from __future__ import annotations

from dataclasses import replace

from pinchtp.base.clock import Clock, TimeControl

_INSTANT = 1e-9  # seconds left on a clock whose flag was forgiven


class Timekeeper:
    """The referee's clock for one player.

    A turn is charged as a whole, however many parts it is given in. clock: what the player sees
    now, in the middle of a turn without what its end will bring. lag: seconds by which the flag
    falls late. What main time takes of them is gone for the game, else a player with nothing left
    could go on for ever; every overtime period renews them.
    """

    def __init__(self, control: TimeControl, lag: float) -> None:
        self.clock = Clock.start(control)
        self._lag = lag
        self._margin = lag
        self._before = self.clock  # at the start of the turn
        self._spent = 0.0  # seconds of the turn

    @property
    def seconds(self) -> float:
        """Seconds from now to the flag, the margin included; maybe infinite."""
        return _until_flag(self._before) + self._margin - self._spent

    def spend(self, seconds: float) -> bool:
        """Takes the seconds of a whole turn off the clock; True if the flag has fallen."""
        if self.spend_part(seconds):
            return True
        self.end_turn()
        return False

    def spend_part(self, seconds: float) -> bool:
        """Takes the seconds of a part of a turn off the clock; True if the flag has fallen."""
        self._spent += seconds
        flag = _until_flag(self._before)
        if self._spent - flag > self._margin:
            self.clock = self._before.after(self._spent)
            return True
        shown = self._before.during(min(self._spent, max(0.0, flag - _INSTANT)))
        cap = self._before.control.move_cap
        if cap is not None:  # to the engines it was announced as the limit of one answer
            shown = replace(shown, left=min(shown.left, max(_INSTANT, cap - self._spent)))
        self.clock = shown
        return False

    def end_turn(self) -> None:
        """The clock after the end of a turn: with the increment, a new period, one stone less."""
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
    """Seconds that a move may take at the most."""
    control, left = clock.control, clock.left
    if control.period and clock.stones == 0:
        left += control.period * (control.periods or 1)
    elif control.periods:
        left += control.period * (clock.stones - 1)
    return left if control.move_cap is None else min(left, control.move_cap)
