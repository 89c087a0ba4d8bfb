"""An analysis in the background, read while it runs."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import Self

from pinchtp.api.feed import Feed
from pinchtp.base.process import Resource
from pinchtp.engine.analysis import Analysis


class AnalysisStream(Resource):
    """A running analysis: an iterator of results, for `for` and for `async for`.

    Each step waits for a newer result than the last; a slow reader gets the latest one and misses
    those between. It ends at the limit of the search, by stop(), at the end of a `with` block, once
    nobody refers to it, and when the engine is asked for something else. Raises EngineError if the
    engine fails.
    """

    def __init__(self, run: Callable[[Feed], None]) -> None:
        """run: makes the analysis, on a thread of its own."""
        self._feed = feed = Feed()
        self._number = 0

        def work() -> None:
            try:
                run(feed)
            except SystemExit:  # at the end of the program
                feed.finish()
            except BaseException as error:  # raised where the results are read
                feed.finish(error)
            else:
                feed.finish()

        feed.thread = Thread(target=work, name="analysis", daemon=True)
        feed.thread.start()

    def __del__(self) -> None:
        self._feed.stop.set()  # waits for nothing: the collector calls this on any thread

    @property
    def latest(self) -> Analysis | None:
        """The latest result, None before the first."""
        return self._feed.latest

    @property
    def is_over(self) -> bool:
        return self._feed.is_over

    def stop(self) -> None:
        """Ends the analysis; its latest result can still be read."""
        self._feed.end()

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
