"""The board in Chromium: stored games, and undo of what replaces or deletes."""

from __future__ import annotations

import pytest
from board.page import Visitor
from playwright.sync_api import expect

pytestmark = pytest.mark.slow


def test_stored_game_is_renamed_deleted_restored_and_opened(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.click("A1", "B2")
    visitor.new_game("bushka")
    visitor.do("library")
    entry = visitor.page.locator("#library-dialog li")
    expect(entry).to_contain_text("2 moves · unfinished")
    entry.get_by_role("button", name="Rename").click()
    entry.get_by_role("textbox").fill("Opening")
    entry.get_by_role("textbox").press("Enter")
    expect(entry.locator("strong")).to_have_text("Opening")
    entry.get_by_role("button", name="Delete").click()
    expect(entry).to_contain_text("Deleted: Opening")
    entry.get_by_role("button", name="Undo").click()
    entry.get_by_role("button", name="Open Opening").click()
    visitor.expect_stones("A1", "B2")


def test_new_game_and_deleted_moves_are_undone(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.click("A1", "B2")
    visitor.new_game("pinch", (5, 5), pie=False)
    undo = visitor.page.locator("#notices").get_by_role("button", name="Undo")
    undo.click()
    visitor.expect_stones("A1", "B2")
    visitor.page.get_by_role("button", name="Delete from here").click()
    visitor.expect_stones("A1")
    undo.click()
    visitor.expect_stones("A1", "B2")
