"""A visitor's room: the table, the pages that show it, and the engines that play and study there.

Requests come in one at a time. Each changes the table at once, or starts a task that changes it
later; whatever changed is told to all pages of the visitor.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from pinchtp import __version__
from pinchtp.board import messages as m
from pinchtp.board.attention import Attention
from pinchtp.board.engines.engine import Stopped
from pinchtp.board.engines.opponents import Opponents
from pinchtp.board.engines.pool import EngineFailed, Pool, Seat, Teller
from pinchtp.board.engines.spec import EngineSpec
from pinchtp.board.studies.studies import Studies
from pinchtp.board.table.rating import Ratings
from pinchtp.board.table.registry import game_infos, levels
from pinchtp.board.table.table import Table
from pinchtp.board.table.telling import Activity, state_of, tree_of

SAVE_AFTER = 0.2  # seconds in which further changes are waited for


class Page(Protocol):
    """A page that shows the table."""

    def send(self, text: str) -> None:
        """Sends a message; never waits."""


@dataclass(frozen=True)
class House:
    """What rooms share. idle: seconds without a touch after which live analysis rests."""

    specs: list[EngineSpec]
    pool: Pool
    idle: float


class Room(Teller):
    """Everything of one visitor."""

    def __init__(
        self,
        house: House,
        save: Callable[[Room], None],
        table: Table,
        ratings: Ratings,
    ) -> None:
        """save: keeps the room on disk; called soon after a change."""
        self.table, self.ratings = table, ratings
        self.pages: set[Page] = set()
        self.console_is_open = False
        self.specs = house.specs
        self._pool, self._save = house.pool, save
        self._seats: dict[int, Seat] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._saving: asyncio.TimerHandle | None = None
        self._flag_timer: asyncio.TimerHandle | None = None
        self._infos: list[m.EngineInfo] = [
            m.EngineInfo(spec.name, "" if spec.own else spec.command) for spec in house.specs
        ]
        self._told_tree = ""
        self.opponents = Opponents(self)
        self.studies = Studies(self)
        self.attention = Attention(house.idle, self._attention_changed)

    # --- pages

    def enter(self, page: Page) -> None:
        """A page has come."""
        if not self.pages and self.table.live and not self.table.is_over:
            self.table.resume_clock()
        self.pages.add(page)
        self.attention.enter(page)
        self._schedule_flag()
        for message in (self._hello(), self._state(), tree_of(self.table)):
            page.send(m.written(message))
        self.opponents.advance()
        self.studies.follow()

    def leave(self, page: Page) -> None:
        """A page has gone; without one nothing thinks any more."""
        self.pages.discard(page)
        self.attention.leave(page)
        if not self.pages:
            self.studies.stop_all()
            self.opponents.stop()
            self.table.pause_clock()
            self.console_is_open = False

    def send(self, message: m.Message) -> None:
        """Tells all pages."""
        text = m.written(message)
        for page in list(self.pages):
            page.send(text)

    def changed(self) -> None:
        """The table has changed: pages are told, and it is kept."""
        self.send(self._state())
        tree = m.written(tree_of(self.table))
        if tree != self._told_tree:
            self._told_tree = tree
            for page in list(self.pages):
                page.send(tree)
        self._schedule_flag()
        self.keep()

    def keep(self) -> None:
        """Has the room saved soon."""
        if self._saving is None:
            loop = asyncio.get_running_loop()
            self._saving = loop.call_later(SAVE_AFTER, self.save_now)

    def save_now(self) -> None:
        if self._saving is not None:
            self._saving.cancel()
            self._saving = None
        self._save(self)

    async def close(self) -> None:
        """Ends everything that runs, and keeps the table."""
        self.studies.stop_all()
        self.opponents.stop()
        self.attention.close()
        if self._flag_timer:
            self._flag_timer.cancel()
        self.table.pause_clock()
        self.save_now()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for seat in self._seats.values():
            await seat.close()
        self._seats.clear()

    # --- what requests and engines do to it

    def leave_position(self) -> None:
        """What was thought about the position is not wanted any more."""
        self.opponents.stop()
        self.studies.leave()

    def moved(self) -> None:
        """Another position is shown, or others play."""
        self.opponents.rate()
        self.changed()
        self.studies.follow()
        self.opponents.advance()

    @property
    def is_visited(self) -> bool:
        """Whether any page shows the table."""
        return bool(self.pages)

    @property
    def is_watched(self) -> bool:
        """Whether somebody looks at it."""
        return not self.attention.is_away

    @property
    def is_held_back(self) -> bool:
        """Whether the opponent has to wait until the last move was judged."""
        return self.studies.teacher.holds_back

    def advance(self) -> None:
        """Lets an engine move if it is its turn."""
        self.opponents.advance()

    def name(self, player: m.Player) -> str:
        """A player's name, for sentences."""
        if player.name:
            return player.name
        return "the human" if player.engine is None else self.specs[player.engine].name

    def names(self) -> tuple[str, str]:
        """The players' names for a record: empty for a human who gave none."""
        players = (self.table.players.black, self.table.players.white)
        names = [each.name if each.engine is None else self.name(each) for each in players]
        return names[0], names[1]

    # --- engines

    def seat(self, number: int) -> Seat:
        """The engine of that number, at this table."""
        if number not in self._seats:
            self._seats[number] = self._pool.seat(self.specs[number], self)
        return self._seats[number]

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """A task that uses an engine; what goes wrong with that is told."""
        task = asyncio.get_running_loop().create_task(self._supervised(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _supervised(self, work: Coroutine[Any, Any, None]) -> None:
        with suppress(Stopped):
            try:
                await work
            except EngineFailed:
                pass  # has been told
            finally:
                self.tell_engines()

    def tell_engines(self) -> None:
        """Tells pages what is new about the engines."""
        for number, seat in self._seats.items():
            info = seat.engine.info()
            if info.started and info != self._infos[number]:
                self._infos[number] = info
                self.send(self._hello())

    def traffic(self, engine: Seat, kind: str, line: str) -> None:
        if self.console_is_open:
            self.send(m.Console([m.ConsoleLine(self._number(engine), kind, line)]))

    def failed(self, engine: Seat, reason: str, *, again: bool) -> None:
        number = self._number(engine)
        name = self.specs[number].name
        after = "it was started again, and the position restored" if again else "it is given up"
        level = "warning" if again else "error"
        self.send(m.Notice(level, f"{name} {reason}; {after}", number))  # type: ignore[arg-type]

    def waits(self, engine: Seat) -> None:
        number = self._number(engine)
        text = f"{self.specs[number].name} is waiting: as many engines as may run are running"
        self.send(m.Notice("info", text, number))

    def _number(self, seat: Seat) -> int:
        return next(number for number, each in self._seats.items() if each is seat)

    # --- inside

    def _hello(self) -> m.Hello:
        return m.Hello(__version__, game_infos(), list(self._infos), levels())

    def _state(self) -> m.State:
        rating = self.ratings.message(self.table.game.name)
        studies = self.studies
        activity = Activity(
            self.opponents.thinking,
            studies.teacher.remark,
            studies.running(),
            studies.analysis.rests,
        )
        return state_of(self.table, rating, activity)

    def _attention_changed(self) -> None:
        """Somebody looks again, or nobody does any more."""
        self.studies.analysis.look_around()
        self.send(self._state())

    def _schedule_flag(self) -> None:
        """Looks again when the time of the side to move would be up."""
        if self._flag_timer is not None:
            self._flag_timer.cancel()
            self._flag_timer = None
        if not self.table.runs or self.table.is_over:
            return
        clock = self.table.clock(self.table.to_move)
        if clock.left < 1e6:
            loop = asyncio.get_running_loop()
            self._flag_timer = loop.call_later(clock.left + 0.01, self._check_flag)

    def _check_flag(self) -> None:
        self._flag_timer = None
        if self.table.check_time():
            self.leave_position()
            self.moved()
        else:
            self._schedule_flag()
            self.send(self._state())
