"""Threads for tests."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")


def call_in_new_thread(work: Callable[[], Result]) -> Result:
    """Calls a function in a new thread; returns what it returns and raises what it raises.

    asyncio.run() needs a thread without an event loop; once a test has used the browser, the main
    thread has one until the end of the session.
    """
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()
