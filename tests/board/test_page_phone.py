"""The board in Chromium on a phone, and in windows of all widths."""

from __future__ import annotations

import pytest
from board.page import PHONE, TABLET, WIDE, Visitor
from playwright.sync_api import expect

pytestmark = pytest.mark.slow


def test_a_finger_plays_on_a_phone(phone: Visitor) -> None:
    phone.new_game("pinch", (5, 5))
    phone.point("C3").tap()
    phone.expect_stones("C3")
    phone.new_game("pinch", (19, 19))
    phone.point("D4").tap()
    phone.expect_status("Tap D4 once more")
    phone.point("D4").tap()
    phone.expect_stones("D4")
    phone.point("E4").tap()
    phone.action("confirm").tap()
    phone.expect_stones("D4", "E4")


def test_nothing_is_wider_than_the_window(visitor: Visitor) -> None:
    for size in (WIDE, TABLET, PHONE, {"width": 320, "height": 640}):
        visitor.page.set_viewport_size(size)
        for tab in ("game", "analysis", "review", "console"):
            visitor.tab(tab)
            width = visitor.page.evaluate("document.documentElement.scrollWidth")
            assert width <= size["width"], tab


def test_nothing_in_a_dialog_is_wider_than_it(visitor: Visitor) -> None:
    too_wide = """() => {
      const body = document.querySelector("dialog .body"), { right } = body.getBoundingClientRect();
      return [...body.querySelectorAll("*")].filter((each) => each.checkVisibility())
        .filter((each) => each.getBoundingClientRect().right > right + 1)
        .map((each) => each.outerHTML);
    }"""
    for size in (PHONE, {"width": 320, "height": 640}):
        visitor.page.set_viewport_size(size)
        for action in ("new", "players", "setup", "load", "save", "shortcuts"):
            visitor.do(action)
            dialog = visitor.page.locator("dialog[open]")
            if action == "new":
                dialog.locator("[name=white-level]").select_option("seconds")
                dialog.locator("[name=time]").select_option("custom")
            assert visitor.page.evaluate(too_wide) == [], action
            visitor.press("Escape")
            expect(dialog).to_have_count(0)


def test_what_a_finger_hits_is_large_enough(phone: Visitor) -> None:
    sizes = phone.page.locator("button:visible, select:visible").evaluate_all(
        "(all) => all.map((each) => [each.textContent, each.getBoundingClientRect().height])"
    )
    assert sizes
    assert [each for each in sizes if each[1] < 40] == []
