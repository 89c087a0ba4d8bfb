"""Engines of all tables: how many run at once, who waits, and what happens if one fails."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from time import monotonic
from typing import Any, Literal, TypeVar

from pinchtp.base.streams import printable
from pinchtp.board.table_engine import EngineCommand, TableEngine
from pinchtp.client import EngineError
from pinchtp.client.engine import Stopped

T = TypeVar("T")
Severity = Literal["info", "warning", "error"]

SLICE = 5.0  # seconds of work in the background after which it makes way for those who wait
POLL_INTERVAL = 0.5  # seconds between looks whether there is such work

TRIES = 2  # an engine that fails again right after it was started anew fails for good


class EngineFailed(Exception):
    """An engine failed and did not recover; the text says how."""


class EnginePool:
    """Bounds how many engine processes there are; closes those that rest for others' sake."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._slots: list[EngineSlot] = []
        self._freed = asyncio.Condition()
        self._threads = ThreadPoolExecutor(most + 2, thread_name_prefix="engine")

    def slot(
        self,
        spec: EngineCommand,
        notify: Callable[[Severity, str], None],
        traffic: Callable[[str, str], None],
    ) -> EngineSlot:
        """A place for an engine of a table.

        notify: gets sentences about the engine; traffic: lines that went to it (`>`) or came from
        it (`<`), by kind. Both are called in the event loop's thread.
        """
        slot = EngineSlot(self, spec, notify, traffic)
        self._slots.append(slot)
        return slot

    async def close(self) -> None:
        """Ends all engines."""
        for slot in list(self._slots):
            await slot.close()
        self._threads.shutdown(wait=True)

    async def acquire(self, slot: EngineSlot) -> None:
        """Waits until the engine of a slot may run beside the others."""
        async with self._freed:
            is_told = False
            while not await self._has_place(slot):
                if not is_told:
                    slot.notify(
                        "info",
                        f"{slot.name} is queued: all engine slots are in use",
                    )
                    is_told = True
                self._preempt_longest()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._freed.wait(), POLL_INTERVAL)
            slot.counts = True

    async def release(self) -> None:
        """Tells those who wait that an engine has ended, or rests."""
        async with self._freed:
            self._freed.notify_all()

    async def _has_place(self, slot: EngineSlot) -> bool:
        others = [each for each in self._slots if each is not slot and each.counts]
        if len(others) < self._most:
            return True
        resting = [each for each in others if not each.busy]
        if not resting:
            return False
        oldest = min(resting, key=lambda each: each.used)
        oldest.counts = False
        await self.in_thread(oldest.engine.kill)
        return True

    def _preempt_longest(self) -> None:
        """Ends the work in the background that has run longest, unless that is not long."""
        began = {
            each: each.background_since for each in self._slots if each.background_since is not None
        }
        if began and monotonic() - min(began.values()) >= SLICE:
            min(began, key=lambda each: began[each]).preempt()

    async def in_thread(self, call: Callable[[], T]) -> T:
        """Runs what blocks, away from the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    def forget(self, slot: EngineSlot) -> None:
        self._slots.remove(slot)


class EngineSlot:
    """One engine of one table. What is to be moved goes before what runs in the background."""

    def __init__(
        self,
        pool: EnginePool,
        spec: EngineCommand,
        notify: Callable[[Severity, str], None],
        traffic: Callable[[str, str], None],
    ) -> None:
        self.counts = False  # against the bound of the pool
        self.used = 0.0  # when it was used last
        self.name, self.notify = spec.name, notify
        self._pool = pool
        self._lock = asyncio.Lock()
        self._urgent = 0  # jobs in the foreground that wait or run
        self.background_since: float | None = None  # when the job that runs in the background began
        self._is_preempted = False
        self._quiet = asyncio.Event()  # no job in the foreground
        self._quiet.set()
        loop = asyncio.get_running_loop()

        def tell(kind: str, line: str) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(traffic, kind, line)

        self.engine = TableEngine(spec, tell)

    @property
    def busy(self) -> bool:
        return self._lock.locked()

    async def run(self, job: Callable[[TableEngine], T]) -> T:
        """Does a job at once; what runs in the background is ended for it. Raises EngineFailed."""
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

    async def run_in_background(self, job: Callable[[TableEngine], T]) -> T:
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

    def interrupt_background(self) -> None:
        """Ends the job in the background that runs now."""
        if self.background_since is not None:
            self.engine.stop.set()

    def preempt(self) -> None:
        """Ends the job in the background that runs now, and the engine, for another one's sake."""
        self._is_preempted = True
        self.interrupt_background()

    async def close(self) -> None:
        """Ends the engine and gives up the place."""
        self.engine.stop.set()
        async with self._lock:
            await self._pool.in_thread(self.engine.kill)
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

    async def _supervised(self, job: Callable[[TableEngine], T], *, background: bool = False) -> T:
        """Does a job once the engine may run. Raises EngineFailed if it does not recover."""
        if not self.counts:
            await self._pool.acquire(self)
        if background:
            self.background_since = monotonic()
        return await self._attempted(job)

    async def _attempted(self, job: Callable[[TableEngine], T]) -> T:
        """Does a job; an engine that fails is started again, and gets the same job once more."""
        try:
            for attempt in range(TRIES):
                try:
                    return await self._finished(self._pool.in_thread(lambda: job(self.engine)))
                except EngineError as error:
                    reason = printable(str(error))
                    await self._pool.in_thread(self.engine.kill)
                    again = attempt + 1 < TRIES
                    self._tell_failure(reason, again=again)
                    if self.engine.stop.is_set():
                        raise Stopped from None
                    if not again:
                        raise EngineFailed(reason) from None
            raise AssertionError
        finally:
            if self._is_preempted:
                self._is_preempted = False
                await self._pool.in_thread(self.engine.kill)
            self.used = monotonic()
            self.counts = self.engine.is_running
            await self._pool.release()

    def _tell_failure(self, reason: str, *, again: bool) -> None:
        after = "restarted, position restored" if again else "disabled after repeated failures"
        self.notify("warning" if again else "error", f"{self.name} {reason}; {after}")
