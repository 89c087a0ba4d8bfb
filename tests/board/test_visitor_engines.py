"""A visitor's engines: the console, what guests may ask of it, and jobs that fail."""

import asyncio
import json
from pathlib import Path

import pytest
from board.recorder import ask, refusal, visiting
from threads import until

from pinchtp.board import visitor as visitors
from pinchtp.board.engines.jobs import ExpectTask, MoveTask, ThinkTask
from pinchtp.board.engines.table_engine import EngineCommand
from pinchtp.board.requests.engines import HOST_COMMANDS
from pinchtp.board.tree import RequestError
from pinchtp.gtp import server as _server  # noqa: F401  (registers the commands)
from pinchtp.gtp.commands import COMMANDS

FOREIGN_ENGINE = EngineCommand("other", "/secret/path", own=False, memory_mb=100, patience=1.0)


async def test_failed_job_is_not_restarted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []

    async def fail(context: object, job: visitors.Job[ExpectTask]) -> None:
        started.append(job.task.kind)
        raise visitors.EngineFailed("no engine")

    monkeypatch.setitem(visitors.WORK, ExpectTask, fail)

    async with visiting(tmp_path) as (visitor, page):
        ask(visitor, page, "set-options", teach=True)
        for _ in range(3):
            await asyncio.sleep(0)
            visitor.update()
        assert started == ["expect"]


@pytest.mark.parametrize(
    "line",
    [
        "printsgf /tmp/x",
        "loadsgf /tmp/x",
        "pinchtp-loadrecord /tmp/x",
        "7 printsgf /tmp/x",
        "print\u0001sgf /tmp/x",
        "PRINTSGF /tmp/x",
        "\tprintsgf /tmp/x",
        "pinchtp-param threads 3",
        "kata-set-param numSearchThreads 3",
        "quit",
    ],
)
async def test_console_of_a_guest_rejects_files_and_limits(tmp_path: Path, line: str) -> None:
    async with visiting(tmp_path, is_host=False) as (visitor, page):
        assert "reserved for the host" in refusal(visitor, page, "console-command", line=line)
        assert list(visitor.pending) == []


async def test_guest_gets_no_console_of_a_foreign_engine(tmp_path: Path) -> None:
    async with visiting(tmp_path, is_host=False, engine=FOREIGN_ENGINE) as (visitor, page):
        (info,) = page.seen[0]["engines"]
        assert not info["console"]
        assert "/secret/path" not in json.dumps(page.seen)
        assert "reserved" in refusal(visitor, page, "console-command", line="name")
        page.watches_engines = True
        page.seen.clear()
        visitor._traffic(0, "<", "/secret/file")
        assert page.seen == []


async def test_guest_has_less_thinking_time(tmp_path: Path) -> None:
    async with visiting(tmp_path, is_host=False) as (visitor, page):
        players = {"white": {"engine": 0, "level": {"seconds": 61}}}
        assert "at most 60 s" in refusal(visitor, page, "new-game", players=players)
        assert "at most 60 s" in refusal(visitor, page, "set-players", players=players)
        assert "at most 60 s" in refusal(visitor, page, "solve", seconds=61)
        slow = {"players": {"white": {"engine": 0}}, "time": {"main": 1e6}}
        assert "at most 60 s" in refusal(visitor, page, "new-game", **slow)
        ask(visitor, page, "new-game", time={"main": 1e6})


async def test_console_command_that_takes_long_is_shown_and_stopped(tmp_path: Path) -> None:
    async with visiting(tmp_path) as (visitor, page):
        ask(visitor, page, "console-command", line="pinchtp-perft 9")
        await until(lambda: visitor.pending.list_kinds() == ["console"])
        assert "another command" in refusal(visitor, page, "console-command", line="name")
        assert visitor.pending.list_kinds() == ["console"]
        ask(visitor, page, "stop", task="console")
        ask(visitor, page, "console-command", line="name")
        await until(lambda: any("= pinchtp" in str(each) for each in page.seen))


async def test_console_command_of_a_guest_ends_in_time(tmp_path: Path) -> None:
    async with visiting(tmp_path, is_host=False) as (visitor, page):
        visitor.think = 0.5
        ask(visitor, page, "console-command", line="pinchtp-perft 9")
        await until(lambda: any("engine restarted" in str(each) for each in page.seen))


@pytest.mark.parametrize("type", ["think", "analyze", "ask-hint", "ask-review", "console-command"])
async def test_engine_number_below_zero_is_rejected(tmp_path: Path, type: str) -> None:
    async with visiting(tmp_path) as (visitor, page):
        needed = {"analyze": {"on": True}, "console-command": {"line": "name"}}
        page.seen.clear()
        ask(visitor, page, type, engine=-1, **needed.get(type, {}))
        assert page.seen[-1]["text"] == "engine: expected at least 0"


async def test_refused_engine_move_is_no_longer_awaited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(context: object, job: object) -> None:
        raise RequestError("too many moves")

    monkeypatch.setitem(visitors.WORK, MoveTask, refuse)

    async with visiting(tmp_path) as (visitor, page):
        ask(visitor, page, "new-game")
        ask(visitor, page, "think")
        assert ThinkTask in visitor.pending
        while visitor._tasks:
            await asyncio.sleep(0)
        assert ThinkTask not in visitor.pending
        await asyncio.sleep(0)
        last = next(each for each in page.seen[::-1] if each["type"] == "state")
        assert last["thinking"] is None


def test_commands_with_files_are_reserved_for_the_host() -> None:
    with_files = {name for name, command in COMMANDS.items() if "--no-files" in command.fails}
    assert len(with_files) >= 4
    assert with_files <= HOST_COMMANDS <= COMMANDS.keys()
