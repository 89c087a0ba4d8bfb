"""A visitor: the table, the pages that show it, and the engines that work for it.

Requests and jobs change the table and return. After each request, and once per turn of the event
loop after jobs, `update` derives everything else from the table: running jobs, messages to pages
and the saved file.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple, TypeVar

from msgspec import structs

from pinchtp.base.streams import warn
from pinchtp.base.text import sentence_of
from pinchtp.board.engines import review, work
from pinchtp.board.engines.evaluation import EvaluationCache, JobContext
from pinchtp.board.engines.jobs import (
    Job,
    LiveAnalysisTask,
    MoveTask,
    PendingRequests,
    Task,
    plan_jobs,
)
from pinchtp.board.engines.pool import EngineFailed, EnginePool, EngineSlot
from pinchtp.board.engines.table_engine import EngineCommand
from pinchtp.board.hello import describe_games, list_levels
from pinchtp.board.pages import Page, Presence, to_json
from pinchtp.board.protocol.answers import Console, ConsoleLine, Notice, Severity
from pinchtp.board.protocol.base import Message
from pinchtp.board.protocol.hello import EngineInfo, Hello
from pinchtp.board.protocol.players import PlayerChoice, Players
from pinchtp.board.protocol.state import State, Thinking
from pinchtp.board.protocol.tree import TreeView
from pinchtp.board.rating import Ratings, find_rating
from pinchtp.board.roles import adapt_state, adapt_tree, list_absent
from pinchtp.board.storage.autosave import Autosave
from pinchtp.board.storage.files import TableFile, VisitorStore
from pinchtp.board.storage.saved_table import load_table, read_ratings
from pinchtp.board.storage.shelf import Shelf
from pinchtp.board.table import Table, new_id
from pinchtp.board.tree import RequestError, Tree
from pinchtp.board.view import (
    COLOR_NAMES,
    Activity,
    describe_state,
    describe_tree,
    describe_tree_change,
    list_line,
)
from pinchtp.board.web.keys import ENDED, INVITED, Keys, Role
from pinchtp.client.engine import Stopped
from pinchtp.games import Color
from pinchtp.games.winrate import Winrate

Result = TypeVar("Result")

WORK = work.WORK | review.WORK  # by type of task


@dataclass(frozen=True)
class Shared:
    """The state common to all visitors.

    idle: seconds without input until analysis pauses. think: maximum seconds per search for
    visitors from other machines. address: of the board for other machines; empty if they cannot
    open it. aside: threads for work that would block the event loop.
    """

    specs: list[EngineCommand]
    pool: EnginePool
    store: VisitorStore
    keys: Keys
    idle: float
    think: float = 60.0
    address: str = ""
    aside: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(4, "aside"))


class SentTree(NamedTuple):
    """The content of the last tree message. ended: whether the game had ended."""

    tree: Tree
    revision: int
    line: list[int]
    ended: bool


class Visitor:
    """A visitor with table, pages, ratings and engines."""

    def __init__(self, shared: Shared, name: str) -> None:
        """name: the visitor's id, which names the saved file.

        Raises OSError if that cannot be read, or is damaged and cannot be set aside.
        """
        engines = [spec.name for spec in shared.specs]
        self.table = Table(engines)
        self.ratings = Ratings()
        self._damage = ""  # a warning for the first page
        stored = shared.store.load(name)
        try:
            if stored:
                self.table, self.ratings = load_table(stored, engines)
        except ValueError as error:
            self.ratings = read_ratings(stored)
            file = shared.store.set_aside(name)
            self._damage = f"Your game cannot be read. It was set aside as {file.name}."
            warn(f"pinchtp board: cannot read a visitor's game, set aside as {file}: {error}")
        self.pages: set[Page] = set()
        self.presence = Presence(shared.idle)
        self.pending = PendingRequests()
        self.specs = shared.specs
        self.think = shared.think
        self.address = shared.address
        self._shared = shared
        self._id = name
        self.library = shared.store.library(name)
        self.shelf = Shelf(self.table, self.ratings, self.library, self.names, self.send)
        self._slots: dict[int, EngineSlot] = {}
        # Including failed jobs that are still planned, so that they do not start again.
        self._running: dict[Job[Task], asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._context = JobContext(
            self.table, EvaluationCache(), self._slot, self.send, self.update_soon
        )
        self._is_aside = asyncio.Lock()
        self._is_scheduled = False
        self._is_closed = False
        self._alarm: asyncio.TimerHandle | None = None
        self._autosave = Autosave(
            TableFile(shared.store, name),
            self.table,
            self.ratings,
            is_new=not stored,
            report=self._report_saving,
        )
        self._hello = self._make_hello()
        self._state: State | None = None
        self._tree: SentTree | None = None  # of the last tree message

    # --- pages

    def enter(self, page: Page) -> None:
        """Adds a page and sends it the state."""
        self.presence.show(page)
        self.update()
        assert self._state
        state = adapt_state(self._state, self.table, page)
        tree = adapt_tree(describe_tree(self.table), self.table, page)
        for message in (self._hello_for(page), state, tree):
            page.send(to_json(message))
        if self.table.review is not None and page.role == "owner":
            page.send(to_json(self.table.review))
        self.pages.add(page)
        if self._damage and page.role == "owner":
            self.show_warning(self._damage)
            self._damage = ""

    def leave(self, page: Page) -> None:
        """Removes a page; the last one ends all requests."""
        self.pages.discard(page)
        self.presence.leave(page)
        if not self.presence.is_visited:
            self.pending.clear()
            self.table.forget_lesson()
        self.update()

    def send(self, message: Message) -> None:
        """Sends a message to the owner's pages."""
        text = to_json(message)
        for page in self.pages:
            if page.role == "owner":
                page.send(text)

    def show_warning(self, text: str, serial: int = 0) -> None:
        """Shows a warning on the owner's pages. serial: see Notice."""
        self.send(Notice("warning", text, serial))

    @property
    def is_saved(self) -> bool:
        """Whether the last attempt to save the table succeeded."""
        return self._autosave.is_saved

    async def close(self) -> None:
        """Stops all jobs and engines, and saves the table."""
        self.pending.clear()
        self.table.pause_clock()
        self._is_closed = True
        self._autosave.close()
        if self._alarm is not None:
            self._alarm.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for slot in self._slots.values():
            await slot.close()
        self._slots.clear()

    async def run_aside(self, function: Callable[..., Result], *arguments: object) -> Result:
        """Calls a function outside of the event loop, and returns its result.

        One at a time, so that no visitor occupies all threads.
        """
        loop = asyncio.get_running_loop()
        async with self._is_aside:
            return await loop.run_in_executor(self._shared.aside, function, *arguments)

    # --- players

    def name(self, color: Color) -> str:
        """Returns a player's name for a sentence."""
        return self._name(self.table.player(color)) or "the human"

    def names(self, table: Table) -> tuple[str, str]:
        """Returns the players' names for the record of a table; empty if unknown."""
        return self._name(table.players.black), self._name(table.players.white)

    def _name(self, player: PlayerChoice) -> str:
        if player.name or player.engine is None:
            return player.name
        return self.specs[player.engine].name if player.engine < len(self.specs) else ""

    # --- updates

    def update_soon(self) -> None:
        """Schedules one `update` for this turn of the event loop."""
        if not (self._is_scheduled or self._is_closed):
            self._is_scheduled = True
            asyncio.get_running_loop().call_soon(self._update_if_scheduled)

    def _update_if_scheduled(self) -> None:
        if self._is_scheduled and not self._is_closed:
            self.update()

    def update(self) -> None:
        """Updates jobs, pages and the saved file after a change of the table."""
        self._is_scheduled = False
        self.table.check_time()
        self._run_clock()
        self._rate()
        self.pending.drop_obsolete(self.table)
        jobs = self._plan_jobs()
        is_edited = self._autosave.save_edits()
        if self._send_changes(jobs) and not is_edited:
            self._autosave.save_soon()
        self._run(jobs)  # after sending the messages, which should not wait for it
        self._set_alarm()

    def _run_clock(self) -> None:
        """Runs the clock of a live game while the player to move has a page."""
        table = self.table
        pages = self.presence.pages
        if self.presence.is_visited and table.to_move not in list_absent(table, pages):
            table.start_clock()
            if table.runs:
                self._autosave.save_clock()
        else:
            table.pause_clock()

    def _explain_unrated(self) -> str:
        """Returns the reason why the game does not count for the rating; empty if it does."""
        table = self.table
        engines = [player for player in map(table.player, Color) if player.engine is not None]
        if table.unrated:
            return table.unrated
        if len(engines) != 1:
            return "only games between a human and an engine are rated"
        if find_rating(self.ratings.resolve(table.game.name, engines[0].level)) is None:
            return "the opponent has no rating"
        return ""

    def _rate(self) -> None:
        """Rates a finished game between the visitor and an engine."""
        table = self.table
        if not (table.is_over and table.is_in_play) or table.counted or self._explain_unrated():
            return
        table.counted = True
        (human,) = (color for color in Color if table.player(color).engine is None)
        game = table.game.name
        level = table.player(human.opponent).level
        opponent = find_rating(self.ratings.resolve(game, level))
        assert opponent is not None
        adapted = self.ratings.message(game).adaptive  # before this game counts
        score = float(Winrate.of_result(table.winner, human))
        change = self.ratings.add(game, opponent, score, adapts=level.adaptive)
        played = f"The opponent played at level {adapted}. " if level.adaptive else ""
        table.rating_change = played + change

    def _plan_jobs(self) -> list[Job[Task]]:
        if not self.presence.is_visited:
            return []
        is_watched = not self.presence.is_idle
        return plan_jobs(self.table, self.pending, self.ratings, is_watched=is_watched)

    def _run(self, jobs: list[Job[Task]]) -> None:
        """Starts new jobs and cancels obsolete ones. A failed job is not started again."""
        for job in self._running.keys() - jobs:
            self._running.pop(job).cancel()
        for job in jobs:
            if job not in self._running:
                task = asyncio.get_running_loop().create_task(self._work(job))
                self._running[job] = task
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _work(self, job: Job[Task]) -> None:
        """Runs a job to its end. Failures of engines are reported by their slots."""
        try:
            with suppress(EngineFailed, Stopped):
                await WORK[type(job.task)](self._context, job)
            self.pending.remove(job)
        except RequestError as error:
            self._notify("error", str(error))
            self.pending.remove(job)
        finally:
            self.update_soon()

    def _send_changes(self, jobs: list[Job[Task]]) -> bool:
        """Sends changes to all pages; returns whether the table has changed."""
        hello = self._make_hello()
        state = self._make_state(jobs)
        table = self.table
        tree = SentTree(table.tree, table.tree.revision, list_line(table), table.has_ended)
        if hello != self._hello:
            self._hello = hello
            for page in self.pages:
                page.send(to_json(self._hello_for(page)))
        changed = state != self._state or tree != self._tree
        if state != self._state:
            self._state = state
            for page in self.pages:
                page.send(to_json(adapt_state(state, table, page)))
        if tree != self._tree:
            view = self._tree_since(self._tree)
            is_other = self._tree is None or self._tree.tree is not table.tree
            self._tree = tree
            for page in self.pages:
                page.send(to_json(adapt_tree(view, table, page)))
            if is_other and table.review is not None:
                self.send(table.review)
        return changed

    def _tree_since(self, sent: SentTree | None) -> TreeView:
        """Returns the changes since the last message; the whole tree if its structure changed, or
        if guests now get other parts of it.
        """
        table = self.table
        is_part = sent is not None and sent.tree is table.tree and sent.ended == table.has_ended
        if sent is None or not is_part or sent.revision < table.tree.reshaped:
            return describe_tree(table)
        return describe_tree_change(table, sent.revision, sent.line)

    def _make_hello(self) -> Hello:
        engines = [
            self._slots[number].engine.info() if number in self._slots else EngineInfo(spec.name)
            for number, spec in enumerate(self.specs)
        ]
        return Hello(describe_games(), engines, list_levels(), bool(self.address))

    def _hello_for(self, page: Page) -> Hello:
        """Returns the first message for a page. Other engines' consoles are for hosts' pages."""
        if page.is_host:
            return self._hello
        engines = [
            structs.replace(each, console=spec.own)
            for each, spec in zip(self._hello.engines, self.specs, strict=True)
        ]
        return structs.replace(self._hello, engines=engines)

    def _make_state(self, jobs: list[Job[Task]]) -> State:
        table = self.table
        thinking = (
            Thinking(job.engine, COLOR_NAMES[table.to_move])
            for job in jobs
            if isinstance(job.task, MoveTask)
        )
        activity = Activity(
            thinking=next(thinking, None),
            tasks=self.pending.list_kinds(),
            analysis_paused=LiveAnalysisTask in self.pending and self.presence.is_idle,
            saved=self.is_saved,
            unrated=self._explain_unrated(),
            away=list_absent(table, self.presence.pages),
        )
        return describe_state(table, self.ratings.message(table.game.name), activity)

    def _set_alarm(self) -> None:
        """Schedules the update due when a clock expires or the visitor becomes idle."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        moments = [] if self.table.until_flag is None else [self.table.until_flag]
        if LiveAnalysisTask in self.pending and not self.presence.is_idle:
            moments.append(self.presence.until_idle)
        if moments:
            loop = asyncio.get_running_loop()
            self._alarm = loop.call_later(min(moments) + 0.01, self.update)

    # --- invitations

    def invite(self, color: Color) -> str:
        """Invites a friend to play a color; returns the number of the invitation."""
        table = self.table
        table.forget_lesson()
        table.seat_friend(color)
        table.invitation = table.invitation or new_id()
        return table.invitation

    def invitation_path(self, role: Role, number: str) -> str:
        """Returns the path of a page for an invited person."""
        return INVITED + self._shared.keys.make_invitation(self._id, role, number)

    def end_invitation(self) -> None:
        """Ends the invitation, and disconnects the pages of invited people."""
        self.table.friend = self.table.undo_asked = None
        self.table.invitation = ""
        for page in self.pages:
            if page.role != "owner":
                page.dismiss(to_json(Notice("info", sentence_of(ENDED))))
                self.presence.leave(page)

    def set_players(self, players: Players) -> None:
        """Sets the players; ends the invitation if an engine plays."""
        engines = [each for each in (players.black, players.white) if each.engine is not None]
        if self.table.friend is not None and engines:
            self.end_invitation()
        self.table.players = players

    # --- saving

    def _report_saving(self, notice: Notice) -> None:
        """Sends a notice that saving has failed, or works again."""
        self.send(notice)
        self.update_soon()

    # --- engines

    def _slot(self, number: int) -> EngineSlot:
        """Returns the slot of an engine number."""
        if number not in self._slots:
            self._slots[number] = self._shared.pool.slot(
                self.specs[number], self._notify, partial(self._traffic, number)
            )
        return self._slots[number]

    def _notify(self, severity: Severity, text: str) -> None:
        self.send(Notice(severity, text))

    def _traffic(self, number: int, kind: str, line: str) -> None:
        watching = [page for page in self.pages if page.watches_engines]
        if watching:
            text = to_json(Console([ConsoleLine(number, kind, line)]))
            for page in watching:
                if page.is_host or self.specs[number].own:
                    page.send(text)
