"""The board in Chromium: stored games, and undo of what replaces or deletes."""

import json
import re

import pytest
from board.page import ENGINE, PHONE, TIMEOUT, Visitor
from playwright.sync_api import expect

pytestmark = pytest.mark.slow


def test_stored_game_is_renamed_deleted_restored_and_opened(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.click("A1", "B2")
    visitor.new_game("bushka")
    visitor.do("library")
    entry = visitor.page.locator("#library-dialog li")
    expect(entry).to_contain_text(re.compile("Black . White"))
    expect(entry).to_contain_text(
        re.compile(r"20\d\d-\d\d-\d\d \d\d:\d\d · Pinch 5.5 · 2 moves · unfinished")
    )
    expect(entry.locator(".picture .stone")).to_have_count(2)
    entry.get_by_role("button", name="Rename").click()
    entry.get_by_role("textbox").fill("Opening")
    entry.get_by_role("textbox").press("Enter")
    expect(entry.locator("strong")).to_have_text("Opening")
    entry.get_by_role("button", name="Delete").click()
    expect(entry).to_contain_text("Deleted: Opening")
    entry.get_by_role("button", name="Undo").click()
    entry.get_by_role("button", name="Open Opening").click()
    visitor.expect_stones("A1", "B2")


def test_loaded_game_leaves_neither_warnings_nor_options(visitor: Visitor) -> None:
    visitor.load("(;GM[1]SZ[5];B[cc])")
    visitor.expect_stones("C3")
    expect(visitor.page.locator("#notices")).to_contain_text("GM[1] is Go; read as Pinch")
    visitor.do("new")
    dialog = visitor.page.locator("#new-game-dialog")
    expect(dialog.locator("[name=columns]")).to_have_value("11")
    expect(dialog.locator("[name=pie]")).to_be_checked()
    dialog.locator("button[type=submit]").click()
    visitor.expect_stones()
    expect(visitor.page.locator("#notices .bad")).to_have_count(0)


def test_renamed_and_restored_games_keep_the_focus(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.click("A1")
    visitor.new_game("bushka")
    visitor.do("library")
    entry = visitor.page.locator("#library-dialog li")
    opener = entry.get_by_role("button", name="Open")
    for key in ("Enter", "Cancel"):
        entry.get_by_role("button", name="Rename").click()
        expect(entry.get_by_role("button")).to_have_text(["Save", "Cancel"])
        if key == "Cancel":
            entry.get_by_role("button", name=key).click()
        else:
            visitor.press(key)
        expect(opener).to_be_focused()
    entry.get_by_role("button", name="Delete").click()
    visitor.press("Enter")  # Undo
    expect(opener).to_be_focused()


def look_at_the_start_of_a_lost_game(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), white=ENGINE, strength="Level 12", pie=False)
    visitor.click("C3")
    expect(visitor.page.locator("#board .stones .stone")).to_have_count(2)
    visitor.resign()
    visitor.expect_status("White wins")
    visitor.press("Home")


def test_finished_game_reopened_in_its_middle_stays_finished(visitor: Visitor) -> None:
    look_at_the_start_of_a_lost_game(visitor)
    for leave in ("bushka", "capture-go"):
        visitor.new_game(leave)
        visitor.do("library")
        entry = visitor.page.locator("#library-dialog li")
        expect(entry).to_contain_text("2 moves · lost")
        entry.get_by_role("button", name="Open").click()
        visitor.expect_status("The game is over. Here it was Black's turn.")
        for action in ("resign", "think"):
            expect(visitor.action(action)).to_have_count(0)


def test_library_shows_the_games_of_one_opponent(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), white=ENGINE, strength=10)
    visitor.click("A1")
    visitor.new_game("pinch", (5, 5))
    visitor.click("B2")
    visitor.new_game("capture-go", (5, 5))
    visitor.click("C3")
    visitor.new_game("bushka")
    visitor.do("library")
    entries = visitor.page.locator("#library-dialog li:visible")
    expect(entries).to_have_count(3)
    visitor.page.locator("dialog").get_by_label("Game", exact=True).select_option("pinch")
    expect(entries).to_have_count(2)
    visitor.page.locator("dialog").get_by_label("Opponent", exact=True).select_option(
        "pinchtp, 10 visits"
    )
    expect(entries).to_have_count(1)
    expect(entries).to_contain_text(re.compile("You . pinchtp, 10 visits"))


def test_long_names_do_not_widen_the_library(visitor: Visitor) -> None:
    name = "Maximilian Alexander of Hohenzollern-Sigmaringen"
    for other in ("Ann", "Bo"):
        visitor.load(f"(;SZ[5]PB[{name}]PW[{name}, {other}];B[aa])")
        visitor.settle()
    visitor.new_game("bushka")
    visitor.page.set_viewport_size(PHONE)
    visitor.do("library")
    expect(visitor.page.get_by_label("Opponent", exact=True)).to_be_visible()
    body = visitor.page.locator("dialog .body")
    assert body.evaluate("(each) => each.scrollWidth <= each.clientWidth")


def test_stored_game_is_exported_as_any_kind(visitor: Visitor) -> None:
    visitor.new_game("pinch", (9, 9))
    visitor.click("A1", "B2")
    visitor.resign()
    visitor.expect_status("White wins")
    visitor.new_game("bushka")
    visitor.do("library")
    visitor.page.locator("#library-dialog").get_by_role("button", name="Save Black").click()
    assert b"B[ai]" in visitor.saved("sgf")
    assert json.loads(visitor.saved("json"))["header"]["game"]["name"] == "Pinch"
    assert visitor.saved("png").startswith(b"\x89PNG")
    for kind in ("gif", "cascade"):
        assert visitor.saved(kind).startswith(b"GIF89a")
    visitor.page.locator("[data-copy=link]").click()
    expect(visitor.page.locator("#save-dialog")).to_contain_text("Copied.")
    assert "#game=pinch;9x9" in visitor.page.evaluate("navigator.clipboard.readText()")
    visitor.press("Escape")
    expect(visitor.page.locator("#library-dialog")).to_be_visible()


@pytest.mark.parametrize(
    ("text", "undo"), [("(;FF[4]SZ[7];B[ag])", "Reopen"), ("A1 B1 D4", "Undo")]
)
def test_load_over_a_game_is_undone(visitor: Visitor, text: str, undo: str) -> None:
    visitor.set_notice_time(10 * TIMEOUT)
    visitor.new_game("pinch", (5, 5), white=ENGINE, strength=10, pie=False)
    visitor.click("C3")
    expect(visitor.page.locator("#board .stones .stone")).to_have_count(2)
    stones = visitor.stones()
    visitor.load(text)
    expect(visitor.page.locator('#board .stone[data-vertex="A1"]')).to_be_attached()
    visitor.page.locator("#notices").get_by_role("button", name=undo).click()
    expect(visitor.page.locator('#board .stone[data-vertex="A1"]')).to_have_count(0)
    assert visitor.stones() == stones
    visitor.do("resume")
    expect(visitor.page.locator("#unrated")).to_be_empty()


def test_new_game_and_deleted_moves_are_undone(visitor: Visitor) -> None:
    visitor.set_notice_time(10 * TIMEOUT)
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.click("A1", "B2")
    visitor.new_game("pinch", (5, 5), pie=False)
    notices = visitor.page.locator("#notices")
    notices.get_by_role("button", name="Reopen").click()
    visitor.expect_stones("A1", "B2")
    visitor.page.get_by_role("button", name="Delete from here").click()
    visitor.expect_stones("A1")
    notices.get_by_role("button", name="Undo").click()
    visitor.expect_stones("A1", "B2")
