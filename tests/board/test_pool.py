"""The pool of engine processes: limit, precedence and stops."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import sleep
from typing import Any

import pytest

from pinchtp.board.engines import EnginePool, EngineSlot
from pinchtp.board.table_engine import EngineCommand, TableEngine

SPEC = EngineCommand("engine", "", own=False, memory_mb=1, patience=1.0)


def pooled(use: Callable[[EngineSlot, EngineSlot], Coroutine[Any, Any, None]]) -> None:
    """Runs a coroutine with two slots of a pool for one engine."""

    async def run() -> None:
        pool = EnginePool(1)
        one, other = (pool.slot(SPEC, lambda *_: None, lambda *_: None) for _ in range(2))
        try:
            await use(one, other)
        finally:
            await pool.close()

    with ThreadPoolExecutor(1) as thread:  # Playwright may have an event loop in this one
        thread.submit(asyncio.run, run()).result()


def test_background_job_stopped_before_its_turn_does_not_run() -> None:
    release = Event()
    order = list[str]()

    def search(engine: TableEngine) -> None:
        order.append("background")
        engine.stop.wait(5)

    async def use(one: EngineSlot, other: EngineSlot) -> None:
        holder = asyncio.ensure_future(one.run(lambda _: release.wait(5)))
        await asyncio.sleep(0.05)
        background = asyncio.ensure_future(other.run_in_background(search))
        await asyncio.sleep(0.05)  # it waits for a place
        urgent = asyncio.ensure_future(other.run(lambda _: order.append("urgent")))
        await asyncio.sleep(0.05)
        release.set()
        await asyncio.wait_for(asyncio.gather(holder, urgent), 3)
        assert order[0] == "urgent"
        background.cancel()

    pooled(use)


def test_urgent_job_interrupts_a_background_job() -> None:
    began = Event()

    def search(engine: TableEngine) -> bool:
        began.set()
        return engine.stop.wait(5)

    async def use(one: EngineSlot, _: EngineSlot) -> None:
        background = asyncio.ensure_future(one.run_in_background(search))
        await asyncio.to_thread(began.wait, 5)
        assert await asyncio.wait_for(one.run(lambda _: "done"), 3) == "done"
        assert await background

    pooled(use)


def test_resting_engine_is_stopped_once_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    kills = list[str]()

    def kill() -> None:
        kills.append("begins")
        sleep(0.05)
        kills.append("ends")

    async def use(one: EngineSlot, other: EngineSlot) -> None:
        monkeypatch.setattr(one.engine, "kill", kill)
        one.holds_place = True
        taking_its_place = asyncio.ensure_future(other.run(lambda _: "done"))
        await asyncio.sleep(0.01)
        await one.close()
        assert await taking_its_place == "done"
        assert kills == ["begins", "ends"] * 2

    pooled(use)
