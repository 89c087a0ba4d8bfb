"""The engine jobs: move, analyze, hint, overlay, solve and console.

A job changes the table or sends messages. It is cancelled when it becomes obsolete. It raises
EngineFailed after the failure was reported to the visitor.
"""

from __future__ import annotations

import asyncio
from random import choice, random
from time import monotonic

from pinchtp._core import PASS
from pinchtp.base.text import printable, to_unicode
from pinchtp.board.engines.evaluation import JobContext, Worker
from pinchtp.board.engines.findings import (
    AnalysisReader,
    describe_solution,
    map_points,
    read_graphics,
)
from pinchtp.board.engines.jobs import (
    ConsoleTask,
    HintTask,
    Job,
    LiveAnalysisTask,
    MoveTask,
    OverlayTask,
    SolveTask,
    Task,
)
from pinchtp.board.engines.pool import EngineFailed
from pinchtp.board.engines.table_engine import TableEngine
from pinchtp.board.protocol.analysis import Hint, Overlay
from pinchtp.board.protocol.answers import Console, ConsoleLine, Notice
from pinchtp.board.protocol.base import MOST_TEXT
from pinchtp.board.protocol.players import Strength
from pinchtp.board.table import Table
from pinchtp.board.tree import RequestError
from pinchtp.client import CommandRefused
from pinchtp.client.engine import Stopped
from pinchtp.engine.analysis import Analysis, Solved
from pinchtp.engine.engine import analyze as engine_analysis
from pinchtp.games import Color
from pinchtp.games.notation import random_turn
from pinchtp.games.play_result import PlayResult
from pinchtp.games.winrate import Winrate
from pinchtp.player.player import Limits

REPORTED_VISITS = 1  # assumed visits of a winrate reported by genmove; any analysis replaces it
HINT_SECONDS = 1.0
HINT_VISITS = 4000
OVERLAY_TIMEOUT = 120.0  # seconds


async def move(context: JobContext, job: Job[MoveTask]) -> None:
    """Plays an engine's move; pauses the game if the engine fails."""
    table = context.table
    level = job.task.level
    began = monotonic()
    session = table.session.copy()
    clocks = None if table.clocks is None else {color: table.clock(color) for color in Color}
    try:
        if random() < level.random:
            moves = random_turn(session.position, choice, avoid=(PASS,))
            generated = PlayResult.of(session, moves)
        else:
            generated = await context.slot(job.engine).run(
                lambda each: each.generate(session, level, clocks)
            )
        between_engines = all(table.player(color).engine is not None for color in Color)
        if between_engines and clocks is None:  # a pause would cost the engine's time
            await asyncio.sleep(max(0.0, table.pace - (monotonic() - began)))
        if not table.check_time():
            _make(table, generated, shows_winrate=between_engines)
    except (EngineFailed, Stopped, RequestError):
        table.pause()
        raise


def _make(table: Table, generated: PlayResult, *, shows_winrate: bool) -> None:
    """Plays a generated move. shows_winrate: whether the page may show its winrate."""
    color = table.to_move
    if generated.moves:
        table.make(generated.moves)
    else:
        table.resign(color)
    if shows_winrate and generated.winrate is not None and not table.is_over:
        table.tree.set_winrate(table.node, generated.winrate.black(), REPORTED_VISITS)


async def analyze(context: JobContext, job: Job[LiveAnalysisTask]) -> None:
    """Analyzes the position until cancelled."""
    table = context.table
    is_of_node = not table.chosen  # rather than of an incomplete move
    reader = AnalysisReader.at(table)
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    assert task
    reported = False

    def show(analysis: Analysis) -> None:
        nonlocal reported
        if task.cancelling() or task.done():
            return
        message = reader.message(analysis)
        if is_of_node:
            table.tree.set_winrate(job.node, message.black, message.visits)
            context.evaluations.remember(job.node, reader, analysis)
        context.send(message)
        if not reported:  # the engine may have just started
            reported = True
            context.changed()

    def show_soon(analysis: Analysis) -> bool:  # in the engine's thread
        loop.call_soon_threadsafe(show, analysis)
        return True

    def analyze_shown(engine: TableEngine) -> None:
        ownership = job.task.ownership
        engine.analyze(reader.session, Limits(), show_soon, interval=0, ownership=ownership)

    while True:
        await context.slot(job.engine).run_in_background(analyze_shown)
        await asyncio.sleep(0)  # the engine has ended the analysis; start it again


async def hint(context: JobContext, job: Job[HintTask]) -> None:
    """Sends an engine's move suggestion."""
    reader = AnalysisReader.at(context.table)
    session = reader.session
    slot = context.slot(job.engine)

    def ask(each: TableEngine) -> tuple[str, Winrate | None]:
        each.prepare(session)
        if each.analyze_command is None:
            generated = each.generate(session, Strength(), None)
            return generated.move, generated.winrate
        analysis = engine_analysis(each, session, Limits(HINT_SECONDS, HINT_VISITS))
        assert analysis is not None  # it was not interrupted
        return analysis.best.move, analysis.winrate

    text, winrate = await slot.run(ask)
    line = reader.variation([text])
    if not line:
        raise Stopped
    addition = "" if winrate is None else f" (Black's winrate {winrate.black():.0%})"
    sentence = f"{slot.name} would play {line[0].text}{addition}."
    context.send(Hint(reader.node, line[0], sentence))


async def overlay(context: JobContext, job: Job[OverlayTask]) -> None:
    """Sends an engine's overlay."""
    reader = AnalysisReader.at(context.table)
    command = job.task.command

    def ask(each: TableEngine) -> tuple[str, str]:
        each.prepare(reader.session)
        titles = {overlay.command: overlay.title for overlay in each.overlays}
        if command not in titles:
            raise CommandRefused(f"no overlay {command!r}")
        return titles[command], each.ask(command, OVERLAY_TIMEOUT)

    try:
        title, text = await context.slot(job.engine).run(ask)
    except CommandRefused as refusal:
        _warn(context, refusal)
        return
    points, message = read_graphics(text, map_points(reader.session))
    context.send(Overlay(reader.node, command, title, points, message))


async def solve(context: JobContext, job: Job[SolveTask]) -> None:
    """Solves the position within a time limit."""
    reader = AnalysisReader.at(context.table)
    seconds = job.task.seconds
    began = monotonic()
    solved = Solved.unknown()
    is_stopped = False
    try:
        solved = await context.slot(job.engine).run(
            lambda each: each.solve(reader.session, seconds, each.spec.patience)
        )
    except CommandRefused as refusal:
        _warn(context, refusal)
    except asyncio.CancelledError:
        is_stopped = True
        raise
    finally:
        if context.table.node is job.node:
            context.send(
                describe_solution(reader, solved, monotonic() - began, is_stopped=is_stopped)
            )


async def console(context: JobContext, job: Job[ConsoleTask]) -> None:
    """Runs a console command on an engine."""
    session = context.table.session.copy()
    task = job.task
    response = await context.slot(job.engine).run(
        lambda engine: engine.execute(session, task.line, task.seconds)
    )
    text = printable(to_unicode(response.text))
    status = "=" if response.ok else "?"
    lines = [ConsoleLine(job.engine, ">", task.line)]
    lines += [
        ConsoleLine(job.engine, "<", line) for line in f"{status} {text}"[:MOST_TEXT].split("\n")
    ]
    context.send(Console(lines, task.request))


WORK: dict[type[Task], Worker] = {
    MoveTask: move,
    LiveAnalysisTask: analyze,
    HintTask: hint,
    OverlayTask: overlay,
    SolveTask: solve,
    ConsoleTask: console,
}


def _warn(context: JobContext, refusal: CommandRefused) -> None:
    """Sends a warning with the error response of an engine."""
    context.send(Notice("warning", printable(to_unicode(str(refusal)))))
