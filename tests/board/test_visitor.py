"""A visitor without a server: jobs and messages."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from pinchtp.board import visitor as visitors
from pinchtp.board.engines import EnginePool
from pinchtp.board.registry import REQUESTS
from pinchtp.board.requests import handle
from pinchtp.board.storage import VisitorStore
from pinchtp.board.table_engine import OURS, EngineCommand
from pinchtp.board.visitor import Page, Shared, Visitor


def test_every_request_is_described() -> None:
    assert len(REQUESTS) == 33
    assert all(function.__doc__ for function in REQUESTS.values())


class Recorder(Page):
    """A page that records its messages."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[dict[str, Any]] = []

    def send(self, text: str) -> None:
        self.seen.append(json.loads(text))

    def types(self) -> list[str]:
        """Returns the types of the messages since the last call."""
        found, self.seen = [message["type"] for message in self.seen], []
        return found


Visit = Callable[[Visitor, Recorder], Awaitable[None]]


def visiting(folder: Path, visit: Visit) -> None:
    """Runs a visit of a new visitor with one page."""

    async def run() -> None:
        engine = EngineCommand("pinchtp", OURS, own=True, memory_mb=2048, patience=60.0)
        shared = Shared([engine], EnginePool(1), VisitorStore(folder), idle=900.0)
        visitor, page = Visitor(shared, "visitor"), Recorder()
        visitor.enter(page)
        try:
            await visit(visitor, page)
        finally:
            visitor.leave(page)
            await visitor.close()
            await shared.pool.close()

    with ThreadPoolExecutor(1) as thread:  # Playwright may have an event loop in this one
        thread.submit(asyncio.run, run()).result()


def ask(visitor: Visitor, page: Page, type: str, **fields: Any) -> None:
    handle(visitor, page, json.dumps({"type": type, "id": 1, **fields}))


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Records the names of the messages built."""
    found: list[str] = []

    def counted(name: str) -> Callable[..., Any]:
        function = getattr(visitors, name)

        def call(*arguments: Any) -> Any:
            found.append(name)
            return function(*arguments)

        return call

    for name in ("state_message", "tree_message"):
        monkeypatch.setattr(visitors, name, counted(name))
    return found


def test_click_builds_state_and_tree_once(tmp_path: Path, built: list[str]) -> None:
    """And once for the engine's reply."""

    async def visit(visitor: Visitor, page: Recorder) -> None:
        players = {"white": {"engine": 0, "level": {"visits": 20}}}
        ask(visitor, page, "new-game", game="pinch", players=players, options={"pie": False})
        built.clear()
        page.types()
        ask(visitor, page, "play", at=40)
        assert built == ["state_message", "tree_message"]
        assert page.types() == ["state", "tree", "accepted"]
        while page.types()[-1:] != ["tree"]:
            await asyncio.sleep(0.05)
        assert built == 2 * ["state_message", "tree_message"]

    visiting(tmp_path, visit)


def test_click_during_tasks_builds_state_and_tree_once(tmp_path: Path, built: list[str]) -> None:
    async def visit(visitor: Visitor, page: Recorder) -> None:
        ask(visitor, page, "set-options", teach=True)
        ask(visitor, page, "analyze", on=True)
        await asyncio.sleep(0.1)
        built.clear()
        ask(visitor, page, "play", at=40)
        assert built == ["state_message", "tree_message"]

    visiting(tmp_path, visit)


def test_unchanged_state_is_not_sent(tmp_path: Path) -> None:
    async def visit(visitor: Visitor, page: Recorder) -> None:
        assert page.types() == ["hello", "state", "tree"]
        ask(visitor, page, "set-options", teach=False)
        ask(visitor, page, "comment", node=0, text="hello")
        ask(visitor, page, "play", at=10**6)
        assert page.types() == ["accepted", "tree", "accepted", "refused"]

    visiting(tmp_path, visit)


def test_failed_job_is_not_restarted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []

    async def fail(context: object, job: visitors.Job) -> None:
        started.append(job.kind)
        raise visitors.EngineFailed("no engine")

    monkeypatch.setitem(visitors.WORK, "expect", fail)

    async def visit(visitor: Visitor, page: Recorder) -> None:
        ask(visitor, page, "set-options", teach=True)
        for _ in range(3):
            await asyncio.sleep(0)
            visitor.update()
        assert started == ["expect"]

    visiting(tmp_path, visit)
