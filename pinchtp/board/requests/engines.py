"""Requests for the work of engines, and their permissions."""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import Meta

from pinchtp.board.engines.jobs import (
    ConsoleTask,
    HintTask,
    JudgeMoveTask,
    LiveAnalysisTask,
    MoveTask,
    OverlayTask,
    ReviewTask,
    SolveTask,
    Task,
    ThinkTask,
)
from pinchtp.board.engines.table_engine import CONSOLE_TIMEOUT
from pinchtp.board.pages import Page
from pinchtp.board.protocol.base import EngineNumber, Line, Name
from pinchtp.board.protocol.players import Players, TimeSetting
from pinchtp.board.requests.registry import request
from pinchtp.board.tree import RequestError
from pinchtp.board.visitor import Visitor

# Commands of our engine that are reserved for the host, because they access files, change limits of
# the engine, or end it.
HOST_COMMANDS = frozenset(
    (
        *("loadsgf", "printsgf", "pinchtp-loadrecord", "pinchtp-printrecord"),
        *("pinchtp-param", "kata-set-param", "quit"),
    )
)
# A command without an id and control characters.
PLAIN_COMMAND = re.compile(r"([a-z][a-z0-9_-]*)( [ -~]*)?", re.ASCII)


@request
def think(visitor: Visitor, engine: EngineNumber = 0) -> None:
    """Lets an engine play a move for the side to move, even if a human plays that color."""
    _request_task(visitor, engine, ThinkTask(), "an engine moved for the player")


@request
def analyze(visitor: Visitor, on: bool, engine: EngineNumber = 0, ownership: bool = False) -> None:
    """Starts or stops live analysis, which follows the board."""
    if on:
        _request_task(visitor, engine, LiveAnalysisTask(ownership))
    else:
        visitor.pending.drop(LiveAnalysisTask.kind)


@request
def ask_overlay(visitor: Visitor, command: Line, engine: EngineNumber = 0) -> None:
    """Requests an overlay. command: one of EngineInfo.overlays, or empty to remove it."""
    if command:
        _request_task(visitor, engine, OverlayTask(command))
    else:
        visitor.pending.drop(OverlayTask.kind)


@request
def ask_hint(visitor: Visitor, engine: EngineNumber = 0) -> None:
    """Requests a move suggestion."""
    _check_not_over(visitor)
    _request_task(visitor, engine, HintTask())


@request
def solve(
    visitor: Visitor,
    page: Page,
    seconds: Annotated[float, Meta(ge=0.1, le=3600)] = 30.0,
    engine: EngineNumber = 0,
) -> None:
    """Solves the position. seconds: time limit."""
    _check_not_over(visitor)
    _check_seconds(visitor, page, seconds)
    _request_task(visitor, engine, SolveTask(seconds))


@request
def ask_review(
    visitor: Visitor,
    visits: Annotated[int, Meta(ge=1, le=1_000_000)] = 500,
    engine: EngineNumber = 0,
) -> None:
    """Reviews the displayed line. visits: per move."""
    if len(visitor.table.line()) < 2:
        raise RequestError("no moves to review")
    _request_task(visitor, engine, ReviewTask(visits))


@request
def judge_move(
    visitor: Visitor,
    visits: Annotated[int, Meta(ge=1, le=1_000_000)] = 500,
    engine: EngineNumber = 0,
) -> None:
    """Evaluates the displayed move; see TreeNode.loss. Displaying another position ends it.

    visits: for each of the positions before and after the move.
    """
    if visitor.table.node.color is None or visitor.table.chosen:
        raise RequestError("no move to evaluate")
    _request_task(visitor, engine, JudgeMoveTask(visits))


@request
def console_command(
    visitor: Visitor, page: Page, id: int, line: Line, engine: EngineNumber = 0
) -> None:
    """Sends a GTP command to an engine at the displayed position.

    From other machines, only commands of our engine are allowed, without HOST_COMMANDS. One command
    runs at a time.
    """
    if not line.partition("#")[0].strip() or "\n" in line or "\r" in line:
        raise RequestError("expected one GTP command")
    _check_engine(visitor, engine)
    if not page.is_host:
        _check_console(visitor, engine, line)
    if ConsoleTask in visitor.pending:
        raise RequestError("another command is running: cancel it, or wait for its response")
    seconds = CONSOLE_TIMEOUT if page.is_host else visitor.think
    _request_task(visitor, engine, ConsoleTask(line, id, seconds))


@request
def watch(page: Page, on: bool) -> None:
    """Turns the GTP log of this page's console on or off."""
    page.watches_engines = on


@request
def stop(visitor: Visitor, task: Name) -> None:
    """Stops a task: analyze, review, solve, hint, overlay, console or move."""
    if task == MoveTask.kind:
        visitor.table.check_without_friend()
        visitor.pending.drop(ThinkTask.kind)
        visitor.table.pause()
    else:
        visitor.pending.drop(task)


def _request_task(
    visitor: Visitor, engine: int, task: Task, help: str = "an engine gave help"
) -> None:
    """Requests an engine task that makes the game unrated.

    help: the reason. Raises RequestError, also during a game with a friend.
    """
    _check_engine(visitor, engine)
    visitor.table.check_without_friend()
    visitor.table.unrate(help)
    visitor.pending.add(task, visitor.table, engine)


def _check_not_over(visitor: Visitor) -> None:
    if visitor.table.is_over:
        raise RequestError("the game is over")


def _check_engine(visitor: Visitor, number: int) -> None:
    if number >= len(visitor.specs):
        raise RequestError(f"unknown engine {number + 1}")


def check_players(visitor: Visitor, page: Page, players: Players, time: TimeSetting | None) -> None:
    """Raises RequestError for unknown engines, and for more time than visitors may use."""
    engines = [player for player in (players.black, players.white) if player.engine is not None]
    for player in engines:
        _check_engine(visitor, player.engine or 0)
        _check_seconds(visitor, page, player.level.seconds or 0)
    if engines and time is not None:  # a move takes at most a third of the main time
        _check_seconds(visitor, page, max(time.main / 120, time.increment, time.period))


def _check_seconds(visitor: Visitor, page: Page, seconds: float) -> None:
    if not page.is_host and seconds > visitor.think:
        raise RequestError(
            f"for visitors, engines think at most {visitor.think:g} s; the host can change this "
            "with --think"
        )


def _check_console(visitor: Visitor, engine: int, line: str) -> None:
    """Raises RequestError for commands reserved for the server's machine."""
    if not visitor.specs[engine].own:
        raise RequestError("the console of this engine is reserved for the host")
    command = PLAIN_COMMAND.fullmatch(line)
    if command is None or command[1] in HOST_COMMANDS:
        raise RequestError(
            f"this command is reserved for the host: {line.split(maxsplit=1)[0][:40]}"
        )
