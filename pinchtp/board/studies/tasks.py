"""The studies of a room that run now, by name: one of each at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from pinchtp.board.engines.host import Host


class Tasks:
    """Starts studies and stops them; the room is told of both, and when they end."""

    def __init__(self, room: Host) -> None:
        self._room = room
        self._tasks: dict[str, tuple[asyncio.Task[None], Callable[[], None] | None]] = {}

    def running(self) -> list[str]:
        """The names of those that run now."""
        return [name for name, (task, _) in self._tasks.items() if not task.done()]

    def start(
        self,
        name: str,
        work: Coroutine[Any, Any, None],
        stopped: Callable[[], None] | None = None,
    ) -> None:
        """Starts a task instead of the one of that name.

        stopped: called when `stop` ends it, but not when another takes its place.
        """
        if name in self._tasks:
            self._tasks[name][0].cancel()
        task = self._room.start(work)
        self._tasks[name] = task, stopped
        task.add_done_callback(lambda done: self._ended(name, done))
        self._room.changed()

    def stop(self, name: str) -> None:
        """Ends the task of that name, if it runs."""
        if name not in self._tasks:
            return
        task, stopped = self._tasks.pop(name)
        if task.done():
            return
        task.cancel()
        if stopped is not None:
            stopped()
        self._room.changed()

    def stop_all(self) -> None:
        """Ends all tasks."""
        for name in list(self._tasks):
            self.stop(name)

    def _ended(self, name: str, task: asyncio.Task[None]) -> None:
        if name not in self._tasks or self._tasks[name][0] is not task:
            return
        del self._tasks[name]
        if not task.cancelled():
            self._room.changed()
