"""Detection of suspends: by SIGSTOP, or of the whole machine."""

from __future__ import annotations

import time
from threading import Lock, Thread

from pinchtp.match.playing.worker_process import uptime

MIN_SUSPEND_SECONDS = 1.0  # shorter pauses occur on a busy machine
_POLL_SECONDS = 0.1  # between readings of the clock


class SuspendDetector:
    """Measures the total time of suspends of this process since the detector's creation."""

    def __init__(self) -> None:
        self._total = 0.0
        self._last = uptime()
        self._lock = Lock()
        Thread(target=self._run, name="suspends", daemon=True).start()

    def update(self) -> float:
        """Returns the seconds of suspends so far, including one that has just ended."""
        with self._lock:
            now = uptime()
            gap = now - self._last - _POLL_SECONDS
            self._last = now
            if gap >= MIN_SUSPEND_SECONDS:
                self._total += gap
            return self._total

    def _run(self) -> None:
        while True:
            time.sleep(_POLL_SECONDS)
            self.update()
