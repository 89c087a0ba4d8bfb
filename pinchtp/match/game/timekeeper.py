"""One player's time in a game: what is left of it, and when the flag falls."""

from __future__ import annotations

from pinchtp.clock import Clock, TimeControl

_INSTANT = 1e-9  # seconds left on a clock whose flag was forgiven


class Timekeeper:
    """A clock that the referee holds against one player.

    lag: seconds by which the flag falls late. What main time takes of them is gone for the game,
    else a player with nothing left could go on for ever; every overtime period has them anew.
    """

    def __init__(self, control: TimeControl, lag: float) -> None:
        self.clock = Clock.start(control)
        self._lag = lag
        self._margin = lag

    @property
    def seconds(self) -> float:
        """Seconds from the start of a move to its flag, the margin included; maybe infinite."""
        return _until_flag(self.clock) + self._margin

    def spend(self, seconds: float) -> bool:
        """Takes the seconds of a move off the clock; True if the flag has fallen."""
        flag = _until_flag(self.clock)
        late = seconds - flag
        after = self.clock.after(seconds)
        if after.expired:
            if late > self._margin:
                self.clock = after
                return True
            after = self.clock.after(max(0.0, flag - _INSTANT))
            self._margin -= max(late, 0.0)
        if after.stones:
            self._margin = self._lag
        self.clock = after
        return False


def _until_flag(clock: Clock) -> float:
    """Seconds that a move may take at the most."""
    control, left = clock.control, clock.left
    if control.period and clock.stones == 0:
        left += control.period * (control.periods or 1)
    elif control.periods:
        left += control.period * (clock.stones - 1)
    return left if control.move_cap is None else min(left, control.move_cap)
