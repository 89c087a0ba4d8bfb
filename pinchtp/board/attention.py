"""Whether anybody looks at a visitor's table. What would never end by itself rests meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Attention:
    """Knows which pages can be seen, and when one of them was touched last."""

    def __init__(self, idle_after: float, changed: Callable[[], None]) -> None:
        """idle_after: seconds without a touch after which nobody is there; changed: called when
        `is_away` has changed.
        """
        self._idle_after, self._changed = idle_after, changed
        self.is_away = True  # read by other threads, too
        self._can_be_seen: dict[object, bool] = {}
        self._timer: asyncio.TimerHandle | None = None

    def enter(self, page: object) -> None:
        """A page was opened."""
        self.show(page, is_seen=True)

    def leave(self, page: object) -> None:
        """A page was closed."""
        self._can_be_seen.pop(page, None)
        self._judge(is_idle=self._timer is None)

    def show(self, page: object, *, is_seen: bool) -> None:
        """A page came to the front, or went behind something else."""
        self._can_be_seen[page] = is_seen
        if is_seen:
            self.touch()
        else:
            self._judge(is_idle=self._timer is None)

    def touch(self) -> None:
        """Somebody clicked or pressed a key."""
        self.close()
        self._timer = asyncio.get_running_loop().call_later(self._idle_after, self._waited)
        self._judge(is_idle=False)

    def close(self) -> None:
        """Waits no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _waited(self) -> None:
        self._timer = None
        self._judge(is_idle=True)

    def _judge(self, *, is_idle: bool) -> None:
        was_away = self.is_away
        self.is_away = is_idle or not any(self._can_be_seen.values())
        if self.is_away != was_away:
            self._changed()
