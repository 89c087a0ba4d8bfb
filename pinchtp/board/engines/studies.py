"""What engines are asked about a position: analysis, hints, overlays, proofs, reviews, teaching."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from functools import partial
from time import monotonic
from typing import Any

from pinchtp.base.text import printable, storable
from pinchtp.board import messages as m
from pinchtp.board.engines.analysis import (
    Reader,
    Report,
    board_points,
)
from pinchtp.board.engines.answers import read_graphics, solution, teaching
from pinchtp.board.engines.engine import EngineProcess, Stopped
from pinchtp.board.engines.evaluation import Evaluation, Evaluations, judge, searched
from pinchtp.board.engines.host import Host
from pinchtp.board.engines.pool import Seat
from pinchtp.board.table.table import CannotDo, mark_of, with_winrate
from pinchtp.board.table.tree import Node
from pinchtp.board.table.view import COLOR_NAMES
from pinchtp.client import Refused

HINT_SECONDS, HINT_VISITS = 1.0, 4000
TEACHING_SECONDS, TEACHING_VISITS = 1.5, 600
TEACHING_LOSS = 0.10  # of the chance to win, from which on a move is pointed out
REVIEW_SECONDS = 20.0  # for a position, at the most
WORST = 10  # moves that a review lists
LEAST_LOSS = 0.05  # of those


class Studies:
    """All that engines study in a room."""

    def __init__(self, room: Host) -> None:
        self.teaching: m.Teaching | None = None
        self._room = room
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._analysis: tuple[int, bool] | None = None  # engine, and whether ownership is wanted
        self._changed = asyncio.Event()
        self._evaluations = Evaluations(room)
        self._judged: Node | None = None
        self._reviewed: list[Node] = []
        self._done = 0  # of these

    def running(self) -> list[str]:
        """What runs now, by the names of the page."""
        names = [name for name, task in self._tasks.items() if not task.done()]
        return [name for name in names if name not in ("teach", "console")]

    @property
    def rests(self) -> bool:
        """Whether live analysis waits until somebody looks."""
        return self._analysis is not None and not self._room.is_watched

    @property
    def holds_back(self) -> bool:
        """Whether the opponent has to wait until the last move was judged."""
        return self.teaching is not None or self._judged is not None

    # --- when the table changes

    def leave(self) -> None:
        """Another position will be shown."""
        self.end_teaching()
        for name in ("hint", "overlay", "solve", "console"):
            self.stop(name)

    def follow(self) -> None:
        """Another position is shown."""
        self._changed.set()
        if self._analysis is not None:
            self._seat(self._analysis[0]).interrupt_background()
        self._prepare_teaching()

    def look_around(self) -> None:
        """Somebody looks again, or nobody does any more."""
        self._changed.set()

    def stop(self, name: str) -> None:
        """Ends a task."""
        if name == "analyze":
            self._analysis = None
            self._changed.set()
        task = self._tasks.pop(name, None)
        if task is not None and not task.done():
            task.cancel()
            if name == "review":
                self._told_review(running=False)
            self._room.changed()

    def stop_all(self) -> None:
        """Nobody looks any more."""
        self.end_teaching()
        for name in list(self._tasks):
            self.stop(name)

    # --- analysis

    def analyze(self, on: bool, engine: int, ownership: bool) -> None:
        """Starts or ends live analysis."""
        self.stop("analyze")
        if on:
            self._analysis = (engine, ownership)
            self._room.table.rated = False
            self._start("analyze", self._analyze(self._analysis))

    async def _analyze(self, wish: tuple[int, bool]) -> None:
        engine, ownership = wish
        loop = asyncio.get_running_loop()
        while self._analysis is wish:
            self._changed.clear()
            if self._room.table.is_over or self.rests:
                await self._changed.wait()
                continue
            reader = self._reader(engine)
            node = self._room.table.node
            await self._seat(engine).run_in_background(
                partial(self._analyzed, loop, wish, reader, node, ownership)
            )
            self._room.tell_engines()
            await asyncio.sleep(0)

    def _analyzed(  # noqa: PLR0913, PLR0917
        self,
        loop: asyncio.AbstractEventLoop,
        wish: object,
        reader: Reader,
        node: Node,
        ownership: bool,
        engine: EngineProcess,
    ) -> None:
        """Analyzes a node in the engine's thread, as long as it is wanted."""

        def seen(report: Report) -> bool:
            loop.call_soon_threadsafe(self._seen, wish, reader, node, report)
            is_here = self._room.table.node is node and not self.rests
            return self._analysis is wish and is_here

        engine.analyze(reader.session, seen, ownership=ownership)

    def _seen(self, wish: object, reader: Reader, node: Node, report: Report) -> None:
        """A line of analysis has come."""
        if self._analysis is not wish or self._room.table.node is not node:
            return
        self._room.tell_engines()  # it may have been started for this
        message = reader.message(report)
        if not self._room.table.chosen:
            with_winrate(node, message.black, message.visits)
            self._evaluations.remember(node, reader, report)
        self._room.send(message)

    # --- one question

    def hint(self, engine: int) -> None:
        """Asks for a move."""
        self._check_open()
        self._room.table.rated = False
        self._start("hint", self._hint(engine))

    async def _hint(self, engine: int) -> None:
        reader = self._reader(engine)
        session = reader.session

        def ask(each: EngineProcess) -> tuple[str, float | None]:
            each.prepare(session)
            if each.analyze_command is None:
                generated = each.generate(session, m.Level(), None)
                return generated.text, generated.winrate
            report = searched(each, session, HINT_VISITS, HINT_SECONDS)
            if report is None:
                raise Stopped
            return report.best.move, report.best.winrate

        text, winrate = await self._seat(engine).run(ask)
        line = reader.variation([text])
        if not line:
            raise Stopped
        name = self._room.name(m.Player(engine=engine))
        chance = "" if winrate is None else f", and expects to win {winrate:.0%} then"
        sentence = f"{name} would play {line[0].text}{chance}."
        self._room.send(m.Hint(reader.node, line[0], winrate, sentence))

    def overlay(self, engine: int, command: str) -> None:
        """Asks for something to draw."""
        if not command:
            self.stop("overlay")
            return
        self._start("overlay", self._overlay(engine, command))

    async def _overlay(self, engine: int, command: str) -> None:
        reader = self._reader(engine)

        def ask(each: EngineProcess) -> tuple[str, str]:
            each.prepare(reader.session)
            titles = {overlay.command: overlay.title for overlay in each.overlays}
            if command not in titles:
                raise Refused(f"there is no {command!r} to draw")
            return titles[command], each.graphics(reader.session, command)

        try:
            title, text = await self._seat(engine).run(ask)
        except Refused as refusal:
            self._tell(f"{printable(storable(str(refusal)))}", engine)
            return
        points, said = read_graphics(text, board_points(reader.session))
        self._room.send(m.Overlay(reader.node, command, title, points, said))

    def solve(self, engine: int, seconds: float) -> None:
        """Asks for a proof."""
        self._check_open()
        self._room.table.rated = False
        self._start("solve", self._solve(engine, seconds))

    async def _solve(self, engine: int, seconds: float) -> None:
        reader = self._reader(engine)
        color = COLOR_NAMES[reader.session.to_move]
        began = monotonic()
        still = m.Solution(reader.node, color, "unknown", 0, [], seconds, True, "Solving …")
        self._room.send(still)

        def ask(each: EngineProcess) -> str:
            each.prepare(reader.session)
            if not each.knows("pinchtp-solve"):
                raise Refused("this engine has no solver")
            return each.solve(reader.session, seconds)

        try:
            text = await self._seat(engine).run(ask)
        except Refused as refusal:
            self._tell(printable(storable(str(refusal))), engine)
            text = ""
        except asyncio.CancelledError:
            self._room.send(solution(reader, color, "", monotonic() - began))
            raise
        self._room.send(solution(reader, color, text, monotonic() - began))

    def console(self, engine: int, line: str, request: int) -> None:
        """A command that a person typed."""
        if not line.partition("#")[0].strip() or "\n" in line or "\r" in line:
            raise CannotDo("give one GTP command")
        self._room.table.rated = False
        self._start("console", self._console(engine, line, request))

    async def _console(self, engine: int, line: str, request: int) -> None:
        session = self._reader(engine).session
        answer = await self._seat(engine).run(lambda each: each.execute(session, line))
        text = printable(storable(answer.text))
        lines = [m.ConsoleLine(engine, ">", line)]
        first = "=" if answer.ok else "?"
        lines += [
            m.ConsoleLine(engine, "<", each)
            for each in f"{first} {text}"[: m.MOST_TEXT].split("\n")
        ]
        self._room.send(m.Console(lines, request))

    # --- review

    def review(self, engine: int, visits: int) -> None:
        """Reviews the line that is shown."""
        if len(self._room.table.line()) < 2:
            raise CannotDo("there are no moves to review")
        self._room.table.rated = False
        self._start("review", self._review(engine, visits))

    async def _review(self, engine: int, visits: int) -> None:
        nodes = self._room.table.line()
        self._reviewed, self._done = nodes, 0
        was: Evaluation | None = None
        for at, node in enumerate(nodes):
            found = await self._evaluations.find(
                engine, node, visits, REVIEW_SECONDS, background=True
            )
            if was is not None:
                judge(nodes[at - 1], node, was, found)
            was = found
            self._done = at + 1
            self._told_review(running=at + 1 < len(nodes))
        self._room.changed()

    def _told_review(self, *, running: bool) -> None:
        """Tells how far the review has come."""
        nodes = self._reviewed
        lossy = [node for node in nodes if (node.loss or 0) >= LEAST_LOSS]
        worst = sorted(lossy, key=lambda each: -(each.loss or 0))[:WORST]
        told = [self._worst(node, nodes.index(node)) for node in worst]
        self._room.send(m.Review(self._done, len(nodes), running, told))

    def _worst(self, node: Node, number: int) -> m.WorstMove:
        assert node.color is not None
        known = self._evaluations.get(node.parent)
        return m.WorstMove(
            node=node.id,
            number=number,
            color=COLOR_NAMES[node.color],
            move=node.text,
            loss=node.loss or 0,
            best=known.line if known else [],
            mark=mark_of(node.loss),
        )

    # --- teaching

    def human_moved(self, before: Node) -> None:
        """The visitor has moved; with teaching on the move is judged before the opponent goes."""
        table = self._room.table
        self.end_teaching()
        if table.teach and table.node.moves and not self._room.table.is_over:
            self._judged = table.node
            self._start("teach", self._teach(before, table.node))

    def end_teaching(self) -> None:
        """The last move is not talked about any more."""
        self.teaching = None
        if self._judged is not None:
            self._judged = None
            self.stop("teach")

    def _prepare_teaching(self) -> None:
        """What the position is worth before the visitor's move is found out meanwhile."""
        table = self._room.table
        is_human = table.mover.engine is None and not table.is_over and self._room.is_visited
        is_new = self._evaluations.get(table.node) is None and self._judged is None
        if table.teach and is_human and is_new:
            self._start("teach", self._expect(table.node))

    async def _expect(self, node: Node) -> None:
        await self._evaluations.find(0, node, TEACHING_VISITS, TEACHING_SECONDS, background=True)

    async def _teach(self, before: Node, node: Node) -> None:
        try:
            was = await self._evaluations.find(0, before, TEACHING_VISITS, TEACHING_SECONDS)
            now = await self._evaluations.find(0, node, TEACHING_VISITS, TEACHING_SECONDS)
            loss = judge(before, node, was, now)
            if self._judged is node and loss >= TEACHING_LOSS and was.line:
                best = was.line[0]
                if best.text != node.text:
                    self.teaching = teaching(node, was, now, loss)
        finally:
            if self._judged is node:
                self._judged = None
                self._room.changed()
                self._room.advance()

    # --- inside

    def _start(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Starts a task instead of the one of that name."""
        old = self._tasks.get(name)
        if old is not None and not old.done():
            old.cancel()
        self._tasks[name] = task = self._room.start(work)
        task.add_done_callback(lambda done: self._ended(name, done))
        self._room.changed()

    def _ended(self, name: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(name) is not task:
            return
        del self._tasks[name]
        if name == "analyze":
            self._analysis = None
        if not task.cancelled():
            self._room.changed()

    def _check_open(self) -> None:
        if self._room.table.is_over:
            raise CannotDo("the game is over")

    def _reader(self, engine: int) -> Reader:
        """A reader for the position that is shown, with a copy of the game."""
        seen = self._room.table.session
        session = seen.copy()
        return Reader(session, self._room.table.node.id, engine)

    def _seat(self, engine: int) -> Seat:
        return self._room.seat(engine)

    def _tell(self, text: str, engine: int) -> None:
        self._room.send(m.Notice("warning", text, engine))
