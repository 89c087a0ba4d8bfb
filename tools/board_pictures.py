"""Takes screenshots of the board page in Chromium for the README, into tools/board_pictures.

Run it after a change of the page's look:  python tools/board_pictures.py
It needs Chromium, and `pip install '.[board,test]'`.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from chromium import chromium
from playwright.sync_api import Browser, Page

PICTURES = Path(__file__).with_suffix("")

# A game of Pinch on 9x9.
GAME = "E5 D6 D4 E7 F6 C5 C4 F7 G7 B4 B3 G6 H6 C7"
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    with chromium() as browser, run_server() as url:
        take(browser, url, DESKTOP, "light", "board-desktop.png")
        take(browser, url, PHONE, "dark", "board-phone.png")


@contextmanager
def run_server() -> Iterator[str]:
    """Runs a board server and yields its address."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-P", "-m", "pinchtp", "board", "--no-browser", "--port", "0"]
        with subprocess.Popen(
            [*command, "--data", folder], stderr=subprocess.PIPE, text=True, encoding="utf-8"
        ) as server:
            assert server.stderr
            try:
                for line in server.stderr:
                    if found := re.search(r"http://\S+", line):
                        break
                else:
                    sys.exit(f"board_pictures: the server ended: {' '.join(command)}")
                yield found[0]
            finally:
                server.terminate()


def take(browser: Browser, url: str, size: dict[str, int], scheme: str, name: str) -> None:
    """Takes a screenshot of the page with a reviewed and analyzed game."""
    context = browser.new_context(
        viewport={"width": size["width"], "height": size["height"]},
        color_scheme="dark" if scheme == "dark" else "light",
        device_scale_factor=1.5 if size is PHONE else 1,
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(url)
    page.locator("#board .stones").wait_for(state="attached")
    play(page)
    page.locator("#tab-review").click()
    page.locator("[data-action=review]").click()
    page.locator(".worst button").nth(2).wait_for()
    page.get_by_text("reviewed").wait_for(timeout=120_000)
    page.locator("#tab-analysis").click()
    page.locator("#live").check()
    page.locator("#board .candidate.best").wait_for()
    page.locator("#notices .notice").wait_for(state="detached")  # about the added moves
    page.wait_for_timeout(3000)
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=PICTURES / name)
    context.close()


def play(page: Page) -> None:
    """Starts a game on 9x9 against the engine, and loads the moves."""
    page.keyboard.press("n")
    page.locator("#new-game-dialog [name=columns]").fill("9")
    page.locator("#new-game-dialog [name=rows]").fill("9")
    page.locator("#new-game-dialog [name=pie]").uncheck()
    page.locator("#new-game-dialog button[type=submit]").click()
    page.locator("#new-game-dialog").wait_for(state="detached")
    page.keyboard.press("l")
    page.locator("#load-dialog textarea").fill(GAME)
    page.locator("#load-dialog button[type=submit]").click()
    page.locator("#board .stones .stone").nth(13).wait_for()


if __name__ == "__main__":
    main()
