"""The board in Chromium while its page is loaded: the server draws the board, the program comes
later.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from board.page import Visitor
from board.visits import Board
from playwright.sync_api import Browser, FloatRect, Route, expect

pytestmark = pytest.mark.slow

LINE = 22  # pixels of a line: a player's name may take two
PAINTED = "#board > svg:not(.live-board)"


@contextmanager
def without(visitor: Visitor, script: str) -> Iterator[Callable[[], None]]:
    """Reloads the page while a script is delayed; yields a function that delivers it."""
    held: list[Route] = []
    goes_on = False
    pattern = f"**/{script}"

    def answer(route: Route) -> None:
        if goes_on:  # the request may come only now
            route.continue_()
        else:
            held.append(route)

    def go_on() -> None:
        nonlocal goes_on
        goes_on = True
        for each in held:
            each.continue_()

    visitor.page.route(pattern, answer)
    visitor.page.reload(wait_until="commit")
    try:
        yield go_on
    finally:
        visitor.page.unroute(pattern)


# Whether the first frame after the title has the board.
FIRST = """const look = () => {
    if (!document.querySelector("h1")) requestAnimationFrame(look);
    else window.hasBoard = document.querySelector("#board > svg") !== null;
  };
  requestAnimationFrame(look);"""


def test_first_paint_shows_the_board_on_a_slow_network(browser: Browser, server: Board) -> None:
    """The page comes in parts, of which the first one ends before the board."""
    with Visitor(browser, server) as visitor:
        visitor.page.add_init_script(FIRST)
        session = visitor.context.new_cdp_session(visitor.page)
        session.send("Network.enable")
        slow = {
            "offline": False,
            "latency": 0,
            "uploadThroughput": -1,
            "downloadThroughput": 20_000,
        }
        session.send("Network.emulateNetworkConditions", slow)
        visitor.reload()
        assert visitor.page.evaluate("window.hasBoard")


def place(visitor: Visitor, selector: str) -> FloatRect:
    found = visitor.page.locator(selector).bounding_box()
    assert found
    return found


@pytest.mark.parametrize(
    ("game", "size", "move"),
    [("capture-go", (19, 15), "D4"), ("bushka", None, "e3")],
)
def test_server_draws_the_board_where_the_program_will(
    visitor: Visitor, game: str, size: tuple[int, int] | None, move: str
) -> None:
    visitor.new_game(game, size)
    visitor.click(move)
    stones = visitor.page.locator("#board .stones .stone")
    count = len(visitor.stones())
    with without(visitor, "main.js") as go_on:
        painted = visitor.page.locator(PAINTED)
        expect(painted).to_be_visible()
        expect(painted.locator(".black, .white")).to_have_count(count)
        expect(painted.locator(".last")).to_have_css("stroke", "rgb(232, 57, 46)")
        box = painted.get_attribute("viewBox")
        before = place(visitor, PAINTED)
        go_on()
        visitor.wait_for_board()
    assert visitor.page.locator("#board .live-board").get_attribute("viewBox") == box
    after = place(visitor, "#board > svg")
    moved = {side: round(after[side] - before[side]) for side in after}  # type: ignore[literal-required]
    assert {side: by for side, by in moved.items() if abs(by) > LINE} == {}
    expect(stones).to_have_count(count)


def test_late_script_shows_current_board(visitor: Visitor) -> None:
    visitor.new_game("pinch", (4, 4), pie=False)
    visitor.click("B2")
    visitor.expect_stones("B2")
    with without(visitor, "main.js") as go_on:
        expect(visitor.page.locator(PAINTED)).to_be_visible()
        visitor.page.wait_for_timeout(300)
        go_on()
        visitor.expect_stones("B2")
        visitor.click("C3")
        visitor.expect_stones("B2", "C3")
