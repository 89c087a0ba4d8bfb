"""Threads and event loops for tests."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from clients import PATIENCE

Result = TypeVar("Result")


def call_in_new_thread(work: Callable[[], Result]) -> Result:
    """Calls a function in a new thread; returns what it returns and raises what it raises.

    asyncio.run() needs a thread without an event loop; once a test has used the browser, the main
    thread has one until the end of the session.
    """
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


async def until(condition: Callable[[], object]) -> None:
    """Waits in an event loop until a condition holds; fails after PATIENCE."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.001)
