"""What engines are asked once about the position that is shown: hints, overlays, proofs."""

from __future__ import annotations

import asyncio
from time import monotonic

from pinchtp.base.streams import printable, storable
from pinchtp.board import messages as m
from pinchtp.board.engines.engine import EngineProcess, Stopped
from pinchtp.board.engines.host import Host
from pinchtp.board.studies.answers import read_graphics, solution
from pinchtp.board.studies.evaluation import searched
from pinchtp.board.studies.reader import Reader, board_points
from pinchtp.board.studies.tasks import Tasks
from pinchtp.board.table.table import CannotDo
from pinchtp.board.table.view import COLOR_NAMES
from pinchtp.client import Refused

HINT_SECONDS, HINT_VISITS = 1.0, 4000


class Questions:
    """Asks engines, and tells the pages what they answer."""

    def __init__(self, room: Host, tasks: Tasks) -> None:
        self._room, self._tasks = room, tasks

    def drop(self) -> None:
        """No answer is wanted any more, as another position will be shown."""
        for name in ("hint", "overlay", "solve", "console"):
            self._tasks.stop(name)

    def hint(self, engine: int) -> None:
        """Asks for a move. Raises CannotDo if the game is over."""
        self._check_open()
        self._room.table.rated = False
        self._tasks.start("hint", self._hint(engine))

    async def _hint(self, engine: int) -> None:
        reader = Reader.at(self._room.table, engine)
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

        text, winrate = await self._room.seat(engine).run(ask)
        line = reader.variation([text])
        if not line:
            raise Stopped
        name = self._room.name(m.Player(engine=engine))
        chance = "" if winrate is None else f", and expects to win {winrate:.0%} then"
        sentence = f"{name} would play {line[0].text}{chance}."
        self._room.send(m.Hint(reader.node, line[0], winrate, sentence))

    def overlay(self, engine: int, command: str) -> None:
        """Asks for something to draw. command: what draws it; if empty, nothing is drawn."""
        if not command:
            self._tasks.stop("overlay")
            return
        self._tasks.start("overlay", self._overlay(engine, command))

    async def _overlay(self, engine: int, command: str) -> None:
        reader = Reader.at(self._room.table, engine)

        def ask(each: EngineProcess) -> tuple[str, str]:
            each.prepare(reader.session)
            titles = {overlay.command: overlay.title for overlay in each.overlays}
            if command not in titles:
                raise Refused(f"there is no {command!r} to draw")
            return titles[command], each.graphics(reader.session, command)

        try:
            title, text = await self._room.seat(engine).run(ask)
        except Refused as refusal:
            self._warn(refusal, engine)
            return
        points, said = read_graphics(text, board_points(reader.session))
        self._room.send(m.Overlay(reader.node, command, title, points, said))

    def solve(self, engine: int, seconds: float) -> None:
        """Asks for a proof, within so many seconds. Raises CannotDo if the game is over."""
        self._check_open()
        self._room.table.rated = False
        self._tasks.start("solve", self._solve(engine, seconds))

    async def _solve(self, engine: int, seconds: float) -> None:
        reader = Reader.at(self._room.table, engine)
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
            text = await self._room.seat(engine).run(ask)
        except Refused as refusal:
            self._warn(refusal, engine)
            text = ""
        except asyncio.CancelledError:
            self._room.send(solution(reader, color, "", monotonic() - began))
            raise
        self._room.send(solution(reader, color, text, monotonic() - began))

    def console(self, engine: int, line: str, request: int) -> None:
        """A command that a person typed. request: its id. Raises CannotDo if it is none."""
        if not line.partition("#")[0].strip() or "\n" in line or "\r" in line:
            raise CannotDo("give one GTP command")
        self._room.table.rated = False
        self._tasks.start("console", self._console(engine, line, request))

    async def _console(self, engine: int, line: str, request: int) -> None:
        session = self._room.table.session.copy()
        answer = await self._room.seat(engine).run(lambda each: each.execute(session, line))
        text = printable(storable(answer.text))
        lines = [m.ConsoleLine(engine, ">", line)]
        first = "=" if answer.ok else "?"
        lines += [
            m.ConsoleLine(engine, "<", each)
            for each in f"{first} {text}"[: m.MOST_TEXT].split("\n")
        ]
        self._room.send(m.Console(lines, request))

    def _check_open(self) -> None:
        """Raises CannotDo if the game is over."""
        if self._room.table.is_over:
            raise CannotDo("the game is over")

    def _warn(self, refusal: Refused, engine: int) -> None:
        """Tells that an engine refused."""
        self._room.send(m.Notice("warning", printable(storable(str(refusal))), engine))
