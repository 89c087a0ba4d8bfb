"""Live analysis, which follows the board."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from pinchtp.board.engines.engine import EngineProcess
from pinchtp.board.engines.host import Host
from pinchtp.board.engines.report import Report
from pinchtp.board.studies.evaluation import Evaluations
from pinchtp.board.studies.reader import Reader
from pinchtp.board.studies.tasks import Tasks
from pinchtp.board.table.table import with_winrate
from pinchtp.board.table.tree import Node


@dataclass(frozen=True, eq=False)
class Wish:
    """An analysis that was asked for; each is another one."""

    engine: int
    ownership: bool


class LiveAnalysis:
    """Has an engine analyze whatever position is shown, until it is stopped."""

    def __init__(self, room: Host, tasks: Tasks, evaluations: Evaluations) -> None:
        self._room, self._tasks, self._evaluations = room, tasks, evaluations
        self._wish: Wish | None = None
        self._changed = asyncio.Event()

    @property
    def rests(self) -> bool:
        """Whether it waits until somebody looks."""
        return self._wish is not None and not self._room.is_watched

    def start(self, engine: int, ownership: bool) -> None:
        """Starts it, instead of what is analyzed now. ownership: whether that is wanted too."""
        self.stop()
        self._wish = Wish(engine, ownership)
        self._room.table.rated = False
        self._tasks.start("analyze", self._analyze(self._wish), self._stopped)

    def stop(self) -> None:
        """Ends it."""
        self._tasks.stop("analyze")

    def follow(self) -> None:
        """Another position is shown."""
        self._changed.set()
        if self._wish is not None:
            self._room.seat(self._wish.engine).interrupt_background()

    def look_around(self) -> None:
        """Somebody looks again, or nobody does any more."""
        self._changed.set()

    def _stopped(self) -> None:
        self._wish = None

    async def _analyze(self, wish: Wish) -> None:
        try:
            while self._wish is wish:
                self._changed.clear()
                if self._room.table.is_over or self.rests:
                    await self._changed.wait()
                    continue
                await self._analyze_shown(wish)
                self._room.tell_engines()
                await asyncio.sleep(0)
        finally:
            if self._wish is wish:
                self._wish = None

    async def _analyze_shown(self, wish: Wish) -> None:
        """Analyzes the position that is shown, as long as that is wanted."""
        loop = asyncio.get_running_loop()
        node = self._room.table.node
        reader = Reader.at(self._room.table, wish.engine)

        # `seen` and `analyze` run in the engine's thread.
        def seen(report: Report) -> bool:
            loop.call_soon_threadsafe(self._seen, wish, reader, node, report)
            is_here = self._room.table.node is node and not self.rests
            return self._wish is wish and is_here

        def analyze(engine: EngineProcess) -> None:
            engine.analyze(reader.session, seen, ownership=wish.ownership)

        await self._room.seat(wish.engine).run_in_background(analyze)

    def _seen(self, wish: Wish, reader: Reader, node: Node, report: Report) -> None:
        """A line of analysis has come."""
        if self._wish is not wish or self._room.table.node is not node:
            return
        self._room.tell_engines()  # it may have been started for this
        message = reader.message(report)
        if not self._room.table.chosen:
            with_winrate(node, message.black, message.visits)
            self._evaluations.remember(node, reader, report)
        self._room.send(message)
