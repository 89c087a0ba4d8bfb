"""Notices that this process did not run for a while: it was stopped, or the machine was suspended.

What engines seem to have done meanwhile is not their fault.
"""

from __future__ import annotations

import time
from threading import Lock, Thread

LEAST = 1.0  # seconds; a busy machine may let a process wait for less
_TICK = 0.1  # seconds between readings of the clock

# Linux has a clock that goes on while the machine is suspended.
_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class Standstill:
    """Adds up the time for which this process did not run, from its creation on."""

    def __init__(self) -> None:
        self._total = 0.0
        self._last = time.clock_gettime(_CLOCK)
        self._lock = Lock()
        Thread(target=self._run, name="standstill", daemon=True).start()

    def update(self) -> float:
        """Takes the time since the last reading into account.

        Returns the seconds of standstills of LEAST and more so far, also right after one.
        """
        with self._lock:
            now = time.clock_gettime(_CLOCK)
            gap, self._last = now - self._last - _TICK, now
            if gap >= LEAST:
                self._total += gap
            return self._total

    def _run(self) -> None:
        while True:
            time.sleep(_TICK)
            self.update()
