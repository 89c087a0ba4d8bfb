"""Keys of the board's page in Chromium: accidental presses, and the focus."""

import pytest
from board.page import ENGINE, Visitor
from playwright.sync_api import expect

pytestmark = pytest.mark.slow


def test_key_that_would_cost_the_rating_asks(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), white=ENGINE, strength="Level 5", pie=False)
    dialog = visitor.page.locator("#unrate-dialog")
    visitor.press("h")
    expect(dialog).to_contain_text("does not count for your rating")
    visitor.press("Escape")
    visitor.settle()
    expect(visitor.page.locator("#unrated")).to_be_empty()
    visitor.press("h")
    dialog.locator("[type=submit]").click()
    expect(visitor.page.locator("#unrated")).to_contain_text("an engine gave help")
    visitor.press("h")
    expect(dialog).to_have_count(0)


def test_space_does_not_pause_a_timed_game(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), time="300+3", pie=False)
    visitor.click("C3")
    visitor.press(" ")
    visitor.settle()
    visitor.expect_stones("C3")
    expect(visitor.action("resume")).to_have_count(0)


def test_letters_of_other_alphabets_are_keys_by_their_place(visitor: Visitor) -> None:
    visitor.page.evaluate(
        """document.body.dispatchEvent(
          new KeyboardEvent("keydown", { key: "т", code: "KeyN", bubbles: true }))"""
    )
    expect(visitor.page.locator("#new-game-dialog")).to_be_visible()
    visitor.press("Escape")


def test_letters_are_keys_with_caps_lock(visitor: Visitor) -> None:
    visitor.press("N")
    expect(visitor.page.locator("#new-game-dialog")).to_be_visible()
    visitor.press("Escape")


def test_log_scrolls_by_keys(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.click("C3")
    visitor.tab("console")
    visitor.page.locator("#traffic").focus()
    visitor.press("Home", "ArrowLeft")
    visitor.settle()
    visitor.expect_stones("C3")


def test_redrawn_board_keeps_the_focus(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=True)
    visitor.press("b", "Enter")
    visitor.expect_stones("C3")
    visitor.press("s")
    visitor.expect_status("White has swapped")
    expect(visitor.point("C3")).to_be_focused()


def test_manual_step_ends_the_replay(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.click("A1", "B3", "C5")
    visitor.page.locator("#pace").select_option("5")
    replay = visitor.page.get_by_role("button", name="Replay")
    replay.click()
    visitor.expect_stones()
    visitor.press("ArrowRight")
    visitor.expect_stones("A1")
    expect(replay).to_have_attribute("aria-pressed", "false")


def test_click_beside_a_dialog_keeps_its_entries(visitor: Visitor) -> None:
    dialog = visitor.page.locator("dialog[open]")
    visitor.do("load")
    visitor.page.mouse.click(2, 2)
    expect(dialog).to_have_count(0)
    visitor.do("load")
    dialog.locator("textarea").fill("D4 E5")
    visitor.page.mouse.click(2, 2)
    expect(dialog).to_have_count(1)
    expect(dialog.locator("textarea")).to_have_value("D4 E5")
