"""An analysis in the background, read while it runs."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import Self

from pinchtp.api.feed import Feed, Stop
from pinchtp.base.process import Resource
from pinchtp.engine.analysis import Analysis


class AnalysisStream(Resource):
    """A running analysis: an iterator of its results for `for` and `async for`.

    Each step waits for a newer result than the previous one. A slow reader gets the latest result
    and misses the ones in between.

    The analysis ends at the limit of the search, on stop(), at the end of a `with` block, when
    the last reference to the stream is dropped, on another call to the engine, and when a task that
    waits for a result is cancelled. Iteration and wait() raise EngineError if the engine fails or
    was closed before the analysis started.
    """

    def __init__(self, run: Callable[[Feed], None], stop: Stop) -> None:
        """run: performs the analysis, in a new thread, until `stop` is set."""
        self._feed = feed = Feed(stop)
        self._number = 0

        def work() -> None:
            try:
                run(feed)
            except SystemExit:  # at the end of the program
                feed.finish()
            except BaseException as error:  # raised again in the threads that read the results
                feed.finish(error)
            else:
                feed.finish()

        feed.thread = Thread(target=work, name="analysis", daemon=True)
        feed.thread.start()

    def __del__(self) -> None:
        self._feed.stop.set()  # without waiting: any thread may run the destructor

    @property
    def latest(self) -> Analysis | None:
        """The latest result; None before the first."""
        return self._feed.latest

    @property
    def is_over(self) -> bool:
        """Whether the analysis has ended."""
        return self._feed.is_over

    def stop(self) -> None:
        """Ends the analysis and waits for its end; `latest` remains readable."""
        self._feed.end()

    def close(self) -> None:
        """Ends the analysis, as stop() does."""
        self.stop()

    def wait(self) -> Analysis | None:
        """Waits for the end of the analysis, and returns its last result; None without one.

        Raises EngineError if the engine fails.
        """
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
        import asyncio  # noqa: PLC0415  (loaded already where this is awaited)

        try:
            analysis = await asyncio.to_thread(self._next)
        except asyncio.CancelledError:
            self._feed.stop.set()  # threads that wait may occupy the executor until then
            await asyncio.shield(asyncio.to_thread(self.stop))
            raise
        if analysis is None:
            raise StopAsyncIteration
        return analysis
