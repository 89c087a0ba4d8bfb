"""The board in Chromium with two engines: ours, and a script in another language."""

import re
import shlex
from collections.abc import Iterator

import pytest
from board.page import Visitor
from board.visits import Board, script
from clients import PROGRAM
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.slow

OURS, SCRIPT = "0", "1"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    ours = f"{shlex.join(PROGRAM)} --game {{game}} --size {{width}}x{{height}} {{options}}"
    folder = tmp_path_factory.mktemp("house")
    with Board(folder, "--engine", ours, "--engine", script()) as made:
        yield made


@pytest.fixture
def guest(browser: Browser, house: Board) -> Iterator[Visitor]:
    with Visitor(browser, house) as made:
        yield made
        made.check()


def test_two_different_engines_play_each_other(guest: Visitor, house: Board) -> None:
    with house.visit(guest.cookie) as other:
        other.ask("set-options", "state", pace=0)
    guest.new_game("pinch", (4, 4), black=OURS, white=SCRIPT, strength=50, pie=False)
    guest.expect_status("Black wins")  # the script plays the first free point
    for color, name in (("black", "python"), ("white", "first_point.sh")):
        strip = guest.page.locator(f'[data-color="{color}"] .name')
        expect(strip).to_contain_text(re.compile(name))
    guest.do("rematch")
    guest.expect_status("White wins")


def test_opponent_adjusts_to_the_visitor(guest: Visitor) -> None:
    """It gets stronger after a visitor's win, and weaker after a loss."""
    guest.tab("game")
    said = guest.page.locator("#adaptive")

    def level() -> int:
        found = re.search("level ([0-9]+)", said.inner_text())
        assert found
        return int(found[1])

    first = level()
    guest.new_game("pinch", (3, 3), white=SCRIPT, strength="Adaptive", pie=False)
    for point in ("B1", "B2", "B3"):
        guest.expect_status("Black to move")  # the engine has answered
        guest.click(point)
        expect(guest.page.locator(f'#board .stone[data-vertex="{point}"]')).to_be_attached()
    guest.expect_status("Black wins")
    expect(said).not_to_contain_text(f"level {first}.")
    after_win = level()
    assert after_win > first
    expect(guest.page.locator("#rating")).to_contain_text("from 1 game (1 won")
    guest.do("rematch")
    guest.resign()
    expect(guest.page.locator("#rating")).to_contain_text("from 2 games (1 won")
    assert level() < after_win
