"""Pool of the engine processes of all tables: limit, queue, preemption and restart."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import TypeVar

from pinchtp.base.text import printable
from pinchtp.board.engines.table_engine import EngineCommand, TableEngine
from pinchtp.board.protocol.answers import Severity
from pinchtp.client import EngineError, NotSupported
from pinchtp.client.engine import Stopped

T = TypeVar("T")

SLICE = 5.0  # seconds before queued jobs preempt a background job
POLL_INTERVAL = 0.5  # seconds between checks for preemption

TRIES = 2  # attempts per job, including the first


class EngineFailed(Exception):
    """An engine failed again after a restart, or cannot do a job; the text is the reason."""


class EnginePool:
    """A limit on engine processes; idle ones are closed when others need their slots."""

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
        """Returns a new slot for an engine of a table.

        notify: called with messages about the engine; traffic: called with the kind and text of
        each line sent (`>`) or received (`<`). Both are called in the event loop's thread.
        """
        slot = EngineSlot(self, spec, notify, traffic)
        self._slots.append(slot)
        return slot

    async def close(self) -> None:
        """Stops all engines."""
        for slot in list(self._slots):
            await slot.close()
        self._threads.shutdown(wait=True)

    async def acquire(self, slot: EngineSlot) -> None:
        """Waits until the engine of a slot is allowed to run."""
        async with self._freed:
            is_notified = False
            while not await self._has_place(slot):
                if not is_notified:
                    slot.notify(
                        "info",
                        f"{slot.name} is queued: all engine slots are in use",
                    )
                    is_notified = True
                self._preempt_longest()
                # Not wait_for(): in Python 3.11 it waits in another task, and a cancellation could
                # leave the lock to that.
                with suppress(TimeoutError):
                    async with asyncio.timeout(POLL_INTERVAL):
                        await self._freed.wait()
            slot.holds_place = True

    async def release(self) -> None:
        """Wakes the waiting slots after an engine has ended or become idle."""
        async with self._freed:
            self._freed.notify_all()

    async def _has_place(self, slot: EngineSlot) -> bool:
        others = [other for other in self._slots if other is not slot and other.holds_place]
        if len(others) < self._most:
            return True
        resting = [other for other in others if not other.busy]
        if not resting:
            return False
        oldest = min(resting, key=lambda other: other.used)
        oldest.holds_place = False
        await self.run_in_thread(oldest.engine.kill)
        return True

    def _preempt_longest(self) -> None:
        """Ends the longest background job if it has run for SLICE seconds."""
        began = {
            slot: slot.background_since for slot in self._slots if slot.background_since is not None
        }
        if began and monotonic() - min(began.values()) >= SLICE:
            min(began, key=lambda slot: began[slot]).preempt()

    async def run_in_thread(
        self, call: Callable[[], T], *, cancel: Callable[[], None] = lambda: None
    ) -> T:
        """Runs a blocking call in a worker thread.

        Waits for its end even if cancelled, since a thread cannot be abandoned while it uses an
        engine. cancel: called then, to make it end soon.
        """
        running = asyncio.get_running_loop().run_in_executor(self._threads, call)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            cancel()
            while not running.done():
                with suppress(asyncio.CancelledError):
                    await asyncio.wait([running])
            running.exception()  # which nobody else will read
            raise

    async def remove(self, slot: EngineSlot) -> None:
        """Removes an idle slot and stops its engine; waits while another slot is stopping it.

        May be called again: the pool may close while a visitor closes its slots.
        """
        async with self._freed:
            if slot not in self._slots:
                return
            slot.holds_place = False
            await self.run_in_thread(slot.engine.kill)
            self._slots.remove(slot)
            self._freed.notify_all()


class EngineSlot:
    """An engine of a table; foreground jobs take precedence over background jobs."""

    def __init__(
        self,
        pool: EnginePool,
        spec: EngineCommand,
        notify: Callable[[Severity, str], None],
        traffic: Callable[[str, str], None],
    ) -> None:
        self.holds_place = False  # whether it counts against the pool's limit
        self.used = 0.0  # time of the last use
        self.name = spec.name
        self.notify = notify
        self._pool = pool
        self._lock = asyncio.Lock()
        self._urgent = 0  # foreground jobs, queued or running
        self.background_since: float | None = None  # start of the background job
        self._is_preempted = False
        self._quiet = asyncio.Event()  # set if there is no foreground job
        self._quiet.set()
        loop = asyncio.get_running_loop()

        def call_in_loop(call: Callable[..., None], *arguments: str) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(call, *arguments)

        self.engine = TableEngine(
            spec, partial(call_in_loop, traffic), partial(call_in_loop, self._warn)
        )

    @property
    def busy(self) -> bool:
        return self._lock.locked()

    async def run(self, job: Callable[[TableEngine], T]) -> T:
        """Runs a foreground job and interrupts a background job. Raises EngineFailed."""
        self._urgent += 1
        self._quiet.clear()
        self.interrupt_background()
        try:
            async with self._lock:
                await self._take_place()
                self.engine.stop.clear()
                return await self._run_or_restart(job)
        finally:
            self._urgent -= 1
            if not self._urgent:
                self._quiet.set()

    async def run_in_background(self, job: Callable[[TableEngine], T]) -> T:
        """Runs a job while no foreground job exists; it must end soon after `stop` is set."""
        while True:
            await self._quiet.wait()
            async with self._lock:
                if not self._urgent:
                    await self._take_place()
                if self._urgent:  # arrived while this job waited
                    continue
                self.engine.stop.clear()
                self.background_since = monotonic()
                try:
                    return await self._run_or_restart(job)
                except Stopped:
                    await asyncio.sleep(0)

    def interrupt_background(self) -> None:
        """Interrupts the running background job."""
        if self.background_since is not None:
            self.engine.stop.set()

    def preempt(self) -> None:
        """Interrupts the background job and stops the engine to free its slot."""
        self._is_preempted = True
        self.interrupt_background()

    async def close(self) -> None:
        """Stops the engine and removes the slot."""
        self.engine.stop.set()
        async with self._lock:
            await self._pool.remove(self)

    async def _take_place(self) -> None:
        """Waits until the engine may run."""
        if not self.holds_place:
            await self._pool.acquire(self)

    async def _run_or_restart(self, job: Callable[[TableEngine], T]) -> T:
        """Runs a job; restarts a failed engine and repeats the job.

        Raises EngineFailed after TRIES failures, or one of an engine that runs on; and Stopped.
        """
        try:
            for attempt in range(TRIES):
                try:
                    return await self._pool.run_in_thread(
                        lambda: job(self.engine), cancel=self.engine.stop.set
                    )
                except NotSupported as error:
                    reason = printable(str(error))
                    self.notify("error", f"{self.name} {reason}")
                    raise EngineFailed(reason) from None
                except EngineError as error:
                    reason = printable(str(error))
                    await self._pool.run_in_thread(self.engine.kill)
                    again = attempt + 1 < TRIES
                    self._report_failure(reason, again=again)
                    if self.engine.stop.is_set():
                        raise Stopped from None
                    if not again:
                        raise EngineFailed(reason) from None
            raise AssertionError
        finally:
            self.background_since = None  # or it could be preempted again
            if self._is_preempted:
                self._is_preempted = False
                await self._pool.run_in_thread(self.engine.kill)
            self.used = monotonic()
            self.holds_place = self.engine.is_running
            await self._pool.release()

    def _warn(self, predicate: str) -> None:
        self.notify("warning", f"{self.name} {predicate}")

    def _report_failure(self, reason: str, *, again: bool) -> None:
        after = "restarted, position restored" if again else "stopped until it is needed again"
        self.notify("warning" if again else "error", f"{self.name} {reason}; {after}")
