"""The pool of engine processes: limit, precedence and stops."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Event
from time import sleep

import pytest
from threads import until

from pinchtp.board.engines import pool
from pinchtp.board.engines.pool import EnginePool, EngineSlot
from pinchtp.board.engines.table_engine import EngineCommand, TableEngine
from pinchtp.client import EngineError

SPEC = EngineCommand("engine", "", own=False, memory_mb=1, patience=1.0)


@asynccontextmanager
async def pooled() -> AsyncIterator[tuple[EngineSlot, EngineSlot]]:
    """Two slots of a pool for one engine."""
    pool = EnginePool(1)
    one, other = (pool.slot(SPEC, lambda *_: None, lambda *_: None) for _ in range(2))
    try:
        yield one, other
    finally:
        await pool.close()


async def test_background_job_stopped_before_its_turn_does_not_run() -> None:
    held, release = Event(), Event()
    order = list[str]()

    def hold(_: TableEngine) -> None:
        held.set()
        release.wait(5)

    def search(engine: TableEngine) -> None:
        order.append("background")
        engine.stop.wait(5)

    async with pooled() as (one, other):
        holder = asyncio.ensure_future(one.run(hold))
        await until(held.is_set)
        background = asyncio.ensure_future(other.run_in_background(search))
        await asyncio.sleep(0.05)  # it waits for a place
        urgent = asyncio.ensure_future(other.run(lambda _: order.append("urgent")))
        await asyncio.sleep(0.05)
        release.set()
        await asyncio.wait_for(asyncio.gather(holder, urgent), 3)
        assert order[0] == "urgent"
        background.cancel()


async def test_urgent_job_interrupts_a_background_job() -> None:
    began = Event()

    def search(engine: TableEngine) -> bool:
        began.set()
        return engine.stop.wait(5)

    async with pooled() as (one, _):
        background = asyncio.ensure_future(one.run_in_background(search))
        await until(began.is_set)
        assert await asyncio.wait_for(one.run(lambda _: "done"), 3) == "done"
        assert await background


@pytest.fixture
def kills(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The kills of any engine as they begin and end; each takes 0.05 s."""
    kills = list[str]()

    def kill(_: TableEngine) -> None:
        kills.append("begins")
        sleep(0.05)
        kills.append("ends")

    monkeypatch.setattr(TableEngine, "kill", kill)
    return kills


async def test_preempted_engine_is_stopped_once(
    kills: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pool preempts whenever it looks for a place, also while it stops the engine."""
    monkeypatch.setattr(pool, "SLICE", 0.0)

    async with pooled() as (one, _):
        background = asyncio.ensure_future(one.run_in_background(lambda each: each.stop.wait(5)))
        while not kills:
            one._pool._preempt_longest()
            await asyncio.sleep(0.001)
        one._pool._preempt_longest()
        assert await background
        assert await one.run(lambda _: "done") == "done"
        assert kills == ["begins", "ends"]


async def test_resting_engine_is_stopped_once_at_a_time(kills: list[str]) -> None:
    async with pooled() as (one, other):
        one.holds_place = True
        taking_its_place = asyncio.ensure_future(other.run(lambda _: "done"))
        await until(lambda: kills)
        await one.close()
        assert await taking_its_place == "done"
        assert kills == ["begins", "ends"] * 2


@pytest.mark.parametrize("cancels", [1, 2])
async def test_canceled_stop_of_an_engine_ends_before_the_next(
    kills: list[str], cancels: int
) -> None:
    def fail(_: TableEngine) -> None:
        raise EngineError

    async with pooled() as (one, _):
        failing = asyncio.ensure_future(one.run(fail))
        await until(lambda: kills)
        for _again in range(cancels):
            failing.cancel()
            await asyncio.sleep(0)
        await one.close()
        assert failing.cancelled()
        assert kills == ["begins", "ends"] * 2


async def test_canceled_wait_for_a_place_stops_the_resting_engine_first(kills: list[str]) -> None:
    async with pooled() as (one, other):
        one.holds_place = True
        taking_its_place = asyncio.ensure_future(other.run(lambda _: "done"))
        await until(lambda: kills)
        taking_its_place.cancel()
        await one.close()
        assert kills == ["begins", "ends"] * 2


async def test_waits_canceled_as_they_time_out_do_not_keep_the_lock(
    kills: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lock is held while an engine is stopped; waits for a place time out meanwhile."""
    monkeypatch.setattr(pool, "POLL_INTERVAL", 0.01)
    held, release = Event(), Event()

    def hold(_: TableEngine) -> None:
        held.set()
        release.wait(5)

    async with pooled() as (one, other):
        third, stopped = (one._pool.slot(SPEC, lambda *_: None, lambda *_: None) for _ in range(2))
        holder = asyncio.ensure_future(one.run(hold))
        await until(held.is_set)
        waiting = [asyncio.ensure_future(each.run(lambda _: "done")) for each in (other, third)]
        await asyncio.sleep(0)
        stop = asyncio.ensure_future(stopped.close())
        await until(lambda: kills)
        await asyncio.sleep(0.02)
        for each in waiting:
            each.cancel()
        await stop
        release.set()
        await asyncio.wait_for(holder, 3)
        assert all(each.cancelled() for each in waiting)


async def test_canceled_job_is_told_to_stop_and_ends_first() -> None:
    began, ended = Event(), Event()

    def search(engine: TableEngine) -> None:
        began.set()
        engine.stop.wait(5)
        sleep(0.05)
        ended.set()

    async with pooled() as (one, _):
        job = asyncio.ensure_future(one.run(search))
        await until(began.is_set)
        job.cancel()
        await one.close()
        assert ended.is_set()


async def test_slot_is_closed_twice_at_a_time(kills: list[str]) -> None:
    async with pooled() as (one, _):
        await asyncio.gather(one.close(), one.close())
        assert kills == ["begins", "ends"]
