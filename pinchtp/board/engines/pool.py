"""Engines of all tables: how many run at once, who waits, and what happens if one fails."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from time import monotonic
from typing import Any, TypeVar

from pinchtp.base.streams import printable
from pinchtp.board.engines.engine import EngineProcess, Stopped
from pinchtp.board.engines.spec import EngineSpec
from pinchtp.client import EngineError

T = TypeVar("T")

SLICE = 5.0  # seconds of work in the background after which it makes way for those who wait
POLL_INTERVAL = 0.5  # seconds between looks whether there is such work

TRIES = 2  # an engine that fails again right after it was started anew fails for good


class EngineFailed(Exception):
    """An engine failed and did not recover; the text says how."""


class Pool:
    """Bounds how many engine processes there are; closes those that rest for others' sake."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._seats: list[Seat] = []
        self._freed = asyncio.Condition()
        self._threads = ThreadPoolExecutor(most + 2, thread_name_prefix="engine")

    def seat(self, spec: EngineSpec, tell: Teller) -> Seat:
        """A place for an engine of a table. tell: hears of lines of traffic and of failures."""
        seat = Seat(self, spec, tell)
        self._seats.append(seat)
        return seat

    async def close(self) -> None:
        """Ends all engines."""
        for seat in list(self._seats):
            await seat.close()
        self._threads.shutdown(wait=True)

    async def granted(self, seat: Seat) -> None:
        """Waits until the engine of a seat may run beside the others."""
        async with self._freed:
            is_told = False
            while not await self._has_room(seat):
                if not is_told:
                    seat.teller.waits(seat)
                    is_told = True
                self._make_way()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._freed.wait(), POLL_INTERVAL)
            seat.counts = True

    async def release(self) -> None:
        """Tells those who wait that an engine has ended, or rests."""
        async with self._freed:
            self._freed.notify_all()

    async def _has_room(self, seat: Seat) -> bool:
        others = [each for each in self._seats if each is not seat and each.counts]
        if len(others) < self._most:
            return True
        resting = [each for each in others if not each.busy]
        if not resting:
            return False
        oldest = min(resting, key=lambda each: each.used)
        oldest.counts = False
        await self.in_thread(oldest.engine.close)
        return True

    def _make_way(self) -> None:
        """Ends the work in the background that has run longest, unless that is not long."""
        began = {
            each: each.background_since for each in self._seats if each.background_since is not None
        }
        if began and monotonic() - min(began.values()) >= SLICE:
            min(began, key=lambda each: began[each]).make_way()

    async def in_thread(self, call: Callable[[], T]) -> T:
        """Runs what blocks, away from the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    def forget(self, seat: Seat) -> None:
        self._seats.remove(seat)


class Teller:
    """Hears of an engine: overridden by tables. Called in the event loop's thread."""

    def traffic(self, engine: Seat, kind: str, line: str) -> None:
        """A line went to (`>`) or came from (`<`) the engine."""

    def failed(self, engine: Seat, reason: str, *, again: bool) -> None:
        """The engine failed; again: it is started anew, and its position restored."""

    def waits(self, engine: Seat) -> None:
        """The engine has to wait, as too many others run."""


class Seat:
    """One engine of one table. What is to be moved goes before what runs in the background."""

    def __init__(self, pool: Pool, spec: EngineSpec, tell: Teller) -> None:
        self.counts = False  # against the bound of the pool
        self.used = 0.0  # when it was used last
        self.teller = tell
        self._pool = pool
        self._lock = asyncio.Lock()
        self._urgent = 0  # jobs in the foreground that wait or run
        self.background_since: float | None = None  # when the job that runs in the background began
        self._makes_way = False
        self._quiet = asyncio.Event()  # no job in the foreground
        self._quiet.set()
        loop = asyncio.get_running_loop()

        def traffic(kind: str, line: str) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(tell.traffic, self, kind, line)

        self.engine = EngineProcess(spec, traffic)

    @property
    def busy(self) -> bool:
        return self._lock.locked()

    async def run(self, job: Callable[[EngineProcess], T]) -> T:
        """Does a job at once; what runs in the background is ended for it.

        Raises EngineFailed, and Stopped if `interrupt_foreground` ended it.
        """
        self._urgent += 1
        self._quiet.clear()
        self.interrupt_background()
        try:
            async with self._lock:
                self.engine.stop.clear()
                return await self._supervised(job)
        finally:
            self._urgent -= 1
            if not self._urgent:
                self._quiet.set()

    async def run_in_background(self, job: Callable[[EngineProcess], T]) -> T:
        """Does a job when none is in the foreground; it has to end soon when `stop` is set."""
        while True:
            await self._quiet.wait()
            async with self._lock:
                if self._urgent:
                    continue
                self.engine.stop.clear()
                try:
                    return await self._supervised(job, background=True)
                finally:
                    self.background_since = None

    def interrupt_foreground(self) -> None:
        """Ends the job in the foreground that runs now."""
        if self.background_since is None:
            self.engine.stop.set()

    def interrupt_background(self) -> None:
        """Ends the job in the background that runs now."""
        if self.background_since is not None:
            self.engine.stop.set()

    def make_way(self) -> None:
        """Ends the job in the background that runs now, and the engine, for another one's sake."""
        self._makes_way = True
        self.interrupt_background()

    async def close(self) -> None:
        """Ends the engine and gives up the place."""
        self.engine.stop.set()
        async with self._lock:
            await self._pool.in_thread(self.engine.close)
            self.counts = False
        self._pool.forget(self)
        await self._pool.release()

    async def _finished(self, work: Coroutine[Any, Any, T]) -> T:
        """Waits for a job, also if nobody wants its result any more: a thread cannot be left."""
        task = asyncio.ensure_future(work)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            self.engine.stop.set()
            with suppress(Exception):
                await task
            raise

    async def _supervised(
        self, job: Callable[[EngineProcess], T], *, background: bool = False
    ) -> T:
        """Does a job once the engine may run. Raises EngineFailed if it does not recover."""
        if not self.counts:
            await self._pool.granted(self)
        if background:
            self.background_since = monotonic()
        return await self._attempted(job)

    async def _attempted(self, job: Callable[[EngineProcess], T]) -> T:
        """Does a job; an engine that fails is started again, and gets the same job once more."""
        try:
            for attempt in range(TRIES):
                try:
                    return await self._finished(self._pool.in_thread(lambda: job(self.engine)))
                except EngineError as error:
                    reason = printable(str(error))
                    await self._pool.in_thread(self.engine.close)
                    again = attempt + 1 < TRIES
                    self.teller.failed(self, reason, again=again)
                    if self.engine.stop.is_set():
                        raise Stopped from None
                    if not again:
                        raise EngineFailed(reason) from None
            raise AssertionError
        finally:
            if self._makes_way:
                self._makes_way = False
                await self._pool.in_thread(self.engine.close)
            self.used = monotonic()
            self.counts = self.engine.is_running
            await self._pool.release()
