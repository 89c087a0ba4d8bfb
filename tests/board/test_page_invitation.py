"""The board in Chromium: a game with an invited friend, each in a browser of their own."""

from __future__ import annotations

import pytest
from board.page import Visitor
from board.visits import Board
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.slow


def test_friends_play_take_back_and_part(visitor: Visitor, browser: Browser, server: Board) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.do("invite")
    dialog = visitor.page.locator("#invite-dialog")
    dialog.get_by_role("button", name="Create links").click()
    address = dialog.get_by_label("Link to play").first.input_value()
    visitor.press("Escape")
    with Visitor(browser, server) as friend:
        friend.context.clear_cookies()
        friend.page.goto(address)
        friend.wait_for_board()
        name = '[data-color="{}"] .name'
        expect(visitor.page.locator(name.format("white"))).to_have_text("Friend (White)")
        expect(friend.page.locator(name.format("white"))).to_have_text("You (White)")
        visitor.click("C3")
        friend.expect_stones("C3")
        friend.click("D4")
        visitor.expect_stones("C3", "D4")
        friend.do("undo")
        visitor.page.get_by_role("button", name="Allow").click()
        friend.expect_stones("C3")
        friend.click("A1")
        visitor.expect_stones("C3", "A1")
        friend.check()
