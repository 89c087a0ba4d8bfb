"""State shared by a call to an engine and the threads that read it: stop request and results."""

from __future__ import annotations

import os
from threading import Condition, Thread, current_thread

from pinchtp.client.errors import EngineError
from pinchtp.engine.analysis import Analysis


class Stop:
    """A request to stop, without a lock, so that destructors and signal handlers may set it."""

    def __init__(self) -> None:
        self._is_set = False

    def set(self) -> None:
        self._is_set = True

    def is_set(self) -> bool:
        return self._is_set


class Owner:
    """The process that an engine belongs to. A forked child does not have the engine's threads."""

    def __init__(self) -> None:
        self._pid = os.getpid()

    @property
    def is_here(self) -> bool:
        return self._pid == os.getpid()

    def check(self) -> None:
        """Raises EngineError in another process."""
        if not self.is_here:
            raise EngineError(
                f"the engine belongs to process {self._pid}; create one in this child process"
            )


class Feed:
    """The latest result of an analysis, passed from its thread to the threads that read it.

    stop: the request to stop the analysis.
    """

    def __init__(self, stop: Stop) -> None:
        self.latest: Analysis | None = None
        self.is_over = False
        self.stop = stop
        self.thread: Thread | None = None
        self._error: BaseException | None = None
        self._number = 0  # of the latest result, from 1
        self._changed = Condition()
        self._owner = Owner()

    def put(self, analysis: Analysis) -> bool:
        """Stores a result as the latest; returns whether the analysis should continue."""
        with self._changed:
            self.latest = analysis
            self._number += 1
            self._changed.notify_all()
        return not self.stop.is_set()

    def finish(self, error: BaseException | None = None) -> None:
        """Marks the analysis as over. error: to raise in the threads that read the results."""
        with self._changed:
            self._error = error
            self.is_over = True
            self._changed.notify_all()

    def end(self) -> None:
        """Stops the analysis, and waits until it has ended."""
        self.stop.set()
        if self.thread is not None and self.thread is not current_thread():
            self.thread.join()

    def after(self, number: int) -> tuple[Analysis | None, int]:
        """Waits for a later result than that number; returns it with its own number.

        The result is None after the last. Raises the error of the analysis, if it failed.
        """
        self._owner.check()
        with self._changed:
            self._changed.wait_for(lambda: self._number > number or self.is_over)
            if self._number > number:
                return self.latest, self._number
            if self._error is not None:
                raise self._error
            return None, number
