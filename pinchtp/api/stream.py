"""An analysis in the background, read while it runs."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from threading import Condition, Thread, current_thread
from typing import Self

from pinchtp.api.backend import Seen
from pinchtp.api.results import Analysis
from pinchtp.base.process import Resource


class Feed:
    """The latest result of an analysis, from the thread that makes it to those that read it."""

    def __init__(self) -> None:
        self.latest: Analysis | None = None
        self.error: BaseException | None = None
        self.number = 0  # of the latest result, from 1
        self.is_over = False
        self.changed = Condition()
        self.thread: Thread | None = None
        self._is_stopped = False
        self._stop_search: Callable[[], None] | None = None  # while the search runs

    def begin(self, stop_search: Callable[[], None]) -> bool:
        """Makes the search stoppable; returns whether it is still wanted."""
        with self.changed:
            self._stop_search = stop_search
            return not self._is_stopped

    def end(self) -> None:
        """Forgets the search: its engine may be busy with something else from now on."""
        with self.changed:
            self._stop_search = None

    def put(self, analysis: Analysis) -> bool:
        """Keeps a result; returns whether the analysis should continue."""
        with self.changed:
            self.latest, self.number = analysis, self.number + 1
            self.changed.notify_all()
            return not self._is_stopped

    def finish(self, error: BaseException | None = None) -> None:
        with self.changed:
            self.error, self.is_over = error, True
            self.changed.notify_all()

    def ask_to_stop(self) -> None:
        """Ends the analysis within milliseconds."""
        with self.changed:
            self._is_stopped = True
            if self._stop_search is not None:
                self._stop_search()

    def stop(self) -> None:
        """Ends the analysis, and waits until it has ended."""
        self.ask_to_stop()
        if self.thread is not None and self.thread is not current_thread():
            self.thread.join()

    def after(self, number: int) -> tuple[Analysis | None, int]:
        """Waits for a later result than that one; None after the last."""
        with self.changed:
            self.changed.wait_for(lambda: self.number > number or self.is_over)
            if self.number > number:
                return self.latest, self.number
            if self.error is not None:
                raise self.error
            return None, number


class AnalysisStream(Resource):
    """A running analysis: an iterator of results, for `for` and for `async for`.

    Each step waits for a newer result than the last; a slow reader gets the latest one and misses
    those between. It ends at the limit of the search, by stop(), at the end of a `with` block, once
    nobody refers to it, and when the engine is asked for something else. Raises EngineError if the
    engine fails.
    """

    def __init__(self, run: Callable[[Feed, Seen], None]) -> None:
        """run: makes the analysis, on a thread of its own."""
        self._feed = feed = Feed()
        self._number = 0

        def work() -> None:
            try:
                run(feed, feed.put)
            except BaseException as error:  # raised where the results are read
                feed.finish(error)
            else:
                feed.finish()

        feed.thread = Thread(target=work, name="analysis", daemon=True)
        feed.thread.start()
        # Also at the end of the program, before Python freezes threads that search.
        self._finalizer = weakref.finalize(self, feed.stop)

    @property
    def latest(self) -> Analysis | None:
        """The latest result, None before the first."""
        return self._feed.latest

    @property
    def is_over(self) -> bool:
        return self._feed.is_over

    def stop(self) -> None:
        """Ends the analysis; its latest result can still be read."""
        self._feed.stop()

    def close(self) -> None:
        self.stop()

    def wait(self) -> Analysis | None:
        """Waits for the end of the analysis; returns its result, None if there is none."""
        while self._next() is not None:
            pass
        return self.latest

    def _next(self) -> Analysis | None:
        analysis, self._number = self._feed.after(self._number)
        return analysis

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Analysis:
        analysis = self._next()
        if analysis is None:
            raise StopIteration
        return analysis

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Analysis:
        import asyncio  # noqa: PLC0415  (who waits for this has loaded it)

        try:
            analysis = await asyncio.to_thread(self._next)
        except asyncio.CancelledError:
            await asyncio.shield(asyncio.to_thread(self.stop))
            raise
        if analysis is None:
            raise StopAsyncIteration
        return analysis
