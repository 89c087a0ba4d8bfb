"""Memory of the page, the server and the engine while analysis streams.

Ten minutes nightly; `PINCHTP_LEAK_MINUTES=60` for an hour.
"""

import os
import re
from pathlib import Path

import psutil
import pytest
from board.page import Visitor
from board.visits import Board
from playwright.sync_api import Browser, expect

from pinchtp.board.engines.table_engine import our_command

pytestmark = pytest.mark.nightly

MINUTES = int(os.environ.get("PINCHTP_LEAK_MINUTES", "10"))
WARM = 2  # minutes of warm-up
TREE = 64  # MB of the engine's tree, which may fill up

# The growth allowed, in each unit. Processes: memory that an allocator keeps after it is freed.
BOUNDS = {"heap": 1.5, "nodes": 200, "listeners": 50, "server": 12, "engine": TREE + 30}


def sizes(visitor: Visitor, board: Board) -> dict[str, float]:
    """MB of the page's heap after a collection of garbage, its nodes of the document and its
    listeners, and MB in memory of the server and of its engines.
    """
    session = visitor.context.new_cdp_session(visitor.page)
    session.send("HeapProfiler.collectGarbage")
    session.send("Performance.enable")
    found = {
        each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]
    }
    session.detach()
    server = psutil.Process(board.process.pid)
    engines = [each.memory_info().rss for each in server.children(recursive=True)]
    return {
        "heap": found["JSHeapUsedSize"] / 1e6,
        "nodes": found["Nodes"],
        "listeners": found["JSEventListeners"],
        "server": server.memory_info().rss / 1e6,
        "engine": sum(engines) / 1e6,
    }


def test_memory_is_bounded_while_analysis_streams(browser: Browser, tmp_path: Path) -> None:
    engine = f"{our_command()} --threads 1 --memory {TREE}"
    with Board(tmp_path, "--engine", engine) as board, Visitor(browser, board) as visitor:
        visitor.new_game("pinch", (11, 11))
        visitor.click("F6", "E5", "G7", "D4")
        visitor.tab("analysis")
        visitor.page.locator("#live").check()
        summary = visitor.page.locator("#analysis-summary")
        seen = []
        for minute in range(MINUTES + 1):
            expect(summary).to_contain_text(re.compile("visits"))
            seen.append(sizes(visitor, board))
            values = ", ".join(f"{name} {value:.1f}" for name, value in seen[-1].items())
            print(f"minute {minute}: {values}", flush=True)
            visitor.press(
                "ArrowLeft" if minute % 2 else "ArrowRight"
            )  # also keeps the visitor active
            visitor.page.wait_for_timeout(60_000)
        visitor.check()
    grown = {name: seen[-1][name] - seen[WARM][name] for name in BOUNDS}
    assert {name: by for name, by in grown.items() if by > BOUNDS[name]} == {}
