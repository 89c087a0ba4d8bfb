"""The board in Chromium when things go wrong: engines, the server, and engines by others."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

CHROMIUM = shutil.which("chromium")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]

pytest.importorskip("playwright", reason="playwright is not installed: pip install playwright")

from board_page import BoardServer, Visitor, chromium  # noqa: E402
from playwright.sync_api import Browser, expect  # noqa: E402

ENGINE = "0"

# An engine in awk, which knows a dozen lines of GTP and plays the first free point. Beside it, what
# goes wrong with engines: the answers to genmove.
SCRIPT = r"""#!/usr/bin/awk -f
function answer(text) { printf "=%s\n\n", text == "" ? "" : " " text; fflush() }
function free(    column, row, name) {
  for (row = 1; row <= size; row++) for (column = 1; column <= size; column++) {
    name = substr("ABCDEFGHJKLMNOPQRSTUVWXYZ", column, 1) row
    if (!(name in taken)) return name
  }
}
BEGIN { size = 19 }
$1 ~ /^[0-9]+$/ { $1 = ""; $0 = substr($0, 2) }
$1 == "name" { answer("first free"); next }
$1 == "version" { answer("1"); next }
$1 == "protocol_version" { answer("2"); next }
$1 == "list_commands" { answer("boardsize\nclear_board\nkomi\nplay\ngenmove\nquit"); next }
$1 == "boardsize" { size = $2; delete taken; answer(""); next }
$1 == "clear_board" { delete taken; answer(""); next }
$1 == "komi" { answer(""); next }
$1 == "play" { taken[toupper($3)] = 1; answer(""); next }
$1 == "genmove" { GENMOVE; next }
$1 == "quit" { answer(""); exit }
{ printf "? unknown command\n\n"; fflush() }
"""

GOOD = "name = free(); taken[name] = 1; answer(name)"
DEFECTS = {
    "illegal": 'answer("A1")',
    "babbling": 'for (i = 0; i < 200000; i++) print "no such answer " i; fflush()',
    "hung": 'while (1) system("sleep 1")',
    "dead": "exit 3",
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert CHROMIUM is not None
    with chromium(CHROMIUM) as made:
        yield made


def engine(folder: Path, genmove: str) -> str:
    """The command of an engine with these answers."""
    path = folder / "engine.awk"
    path.write_text(SCRIPT.replace("GENMOVE", genmove))
    path.chmod(0o755)
    return str(path)


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_an_engine_in_another_language_is_played_against(browser: Browser, tmp_path: Path) -> None:
    server = BoardServer(tmp_path / "data", "--engine", engine(tmp_path, GOOD))
    with Visitor(browser, server.url) as visitor:
        visitor.new_game("pinch", (3, 3), white=ENGINE, pie=False)
        expect(visitor.page.locator('[data-color="white"] .name')).to_contain_text("first free")
        visitor.click("B1")
        visitor.expect_stones("B1", "A1")
        visitor.click("B2")
        visitor.expect_stones("B1 B2", "A1 C1")
        visitor.click("B3")
        visitor.expect_status("Black wins")
        visitor.tab("console")
        visitor.page.locator("#gtp").fill("name")
        visitor.press("Enter")
        expect(visitor.page.locator("#traffic")).to_contain_text("= first free")
        visitor.check()
    server.stop()


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
@pytest.mark.parametrize("defect", DEFECTS)
def test_an_engine_that_fails_is_told_of_and_the_game_goes_on(
    browser: Browser, tmp_path: Path, defect: str
) -> None:
    flags = ["--engine", engine(tmp_path, DEFECTS[defect]), "--patience", "1"]
    server = BoardServer(tmp_path / "data", *flags)
    with Visitor(browser, server.url) as visitor:
        visitor.new_game("pinch", (4, 4), white=ENGINE, pie=False, visits=1)
        visitor.click("A1")
        expect(visitor.page.locator("#notices .bad").first).to_be_visible()
        visitor.expect_stones("A1")
        visitor.do("players")  # a human takes over
        dialog = visitor.page.locator("#players-dialog")
        dialog.locator("[name=white-player]").select_option("human")
        dialog.locator("button[type=submit]").click()
        visitor.click("B2")
        visitor.expect_stones("A1", "B2")
        visitor.check()
    server.stop()


def engines_of(server: BoardServer) -> list[psutil.Process]:
    """The engines that a server has started."""
    children = psutil.Process(server.pid).children(recursive=True)
    return [each for each in children if "resource_tracker" not in " ".join(each.cmdline())]


def test_an_engine_killed_in_the_middle_of_a_game_is_started_again(
    browser: Browser, tmp_path: Path
) -> None:
    server = BoardServer(tmp_path)
    with Visitor(browser, server.url) as visitor:
        visitor.new_game("pinch", (4, 4), white=ENGINE, pie=False, visits=20)
        visitor.click("A1")
        white = visitor.page.locator("#board .stones .stone.white")
        expect(white).to_have_count(1)
        visitor.expect_status("Black to move")
        victims = engines_of(server)
        assert victims
        for each in victims:
            each.kill()
        visitor.click(visitor.legal[0])
        expect(visitor.page.locator("#notices")).to_contain_text(re.compile("again", re.IGNORECASE))
        expect(visitor.page.locator("#status")).to_contain_text(re.compile("Black to move|wins"))
        assert len(visitor.stones()) == 4
        visitor.check()
    server.stop()


def test_a_reload_and_a_restart_of_the_server_keep_the_game(
    browser: Browser, tmp_path: Path
) -> None:
    server = BoardServer(tmp_path)
    with Visitor(browser, server.url) as visitor:
        visitor.new_game("pinch", (5, 4), pie=False)
        visitor.click("A1", "B2")
        visitor.expect_stones("A1", "B2")
        visitor.page.reload()
        visitor.wait_for_board()
        visitor.expect_stones("A1", "B2")
        server.stop()
        expect(visitor.page.locator("#connection")).to_contain_text("does not answer")
        visitor.click("C3")  # nothing to be done
        server.start()
        expect(visitor.page.locator("#connection")).to_be_empty()
        visitor.expect_stones("A1", "B2")
        visitor.click("C3")
        visitor.expect_stones("A1 C3", "B2")
        visitor.check()
    server.stop()


def test_two_pages_of_a_visitor_show_the_same_board(browser: Browser, tmp_path: Path) -> None:
    server = BoardServer(tmp_path)
    with Visitor(browser, server.url) as visitor:
        visitor.new_game("pinch", (4, 4))
        second = visitor.context.new_page()
        second.goto(server.url.split("?", maxsplit=1)[0])
        visitor.click("B2")
        expect(second.locator("#board .stones .stone")).to_have_count(1)
        visitor.check()
    with Visitor(browser, server.url) as other:  # somebody else has a board of their own
        assert other.stones() == {}
    server.stop()


def test_strangers_do_not_get_in(browser: Browser, tmp_path: Path) -> None:
    server = BoardServer(tmp_path)
    page = browser.new_page()
    answer = page.goto(server.url.split("?", maxsplit=1)[0])
    assert answer is not None
    assert answer.status in (401, 403)
    page.goto("data:text/html,<title>elsewhere</title>")
    opened = page.evaluate(
        """(port) => new Promise((done) => {
          const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`);
          socket.onopen = () => done(true);
          socket.onerror = () => done(false);
        })""",
        server.port,
    )
    assert not opened
    page.close()
    server.stop()
