"""The board in Chromium: the game tree, files, the console."""

import re

import pytest
from board.page import LANDSCAPE, PHONE, WIDE, Visitor
from playwright.sync_api import Locator, expect

pytestmark = pytest.mark.slow


def test_variations_comments_and_the_way_through_them(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.click("A1", "B2")
    visitor.press("ArrowLeft")
    visitor.expect_stones("A1")
    visitor.click("C3")
    visitor.expect_stones("A1", "C3")
    expect(visitor.page.locator(".tree .node")).to_have_count(4)
    visitor.press("ArrowUp")
    visitor.expect_stones("A1", "B2")
    visitor.page.locator("#comment").fill('<img src=x onerror="alert(1)"> good')
    visitor.page.locator("#move-text").click()
    expect(visitor.page.locator(".tree .said")).to_have_count(1)
    visitor.page.locator(".tree .node.root").click()
    expect(visitor.page.locator("#comment")).to_have_value("")
    visitor.press("ArrowRight", "ArrowRight")
    expect(visitor.page.locator("#comment")).to_have_value(re.compile("good"))
    visitor.page.get_by_role("button", name="Delete from here").click()
    expect(visitor.page.locator("#move-list button")).to_have_text(["1. A1", "2. C3"])
    expect(visitor.page.locator(".tree")).to_be_hidden()


def test_comment_is_saved_while_it_is_typed(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.click("A1")
    visitor.press("ArrowLeft")
    visitor.click("C3")
    visitor.settle()
    comment = visitor.page.locator("#comment")
    comment.press_sequentially("god")
    comment.press("ArrowLeft")
    expect(visitor.page.locator(".tree .said")).to_have_count(1)
    comment.press_sequentially("o")  # where the caret was
    visitor.reload()  # at once
    expect(comment).to_have_value("good")


def test_comment_survives_an_engine_move_while_typing(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), white="0", pie=False)
    visitor.do("pause")
    visitor.click("A1")
    visitor.press("ArrowLeft")
    visitor.click("C3")
    visitor.settle()
    comment = visitor.page.locator("#comment")
    comment.fill("unfinished")
    visitor.action("resume").dispatch_event("click")  # a click would take the focus
    text = visitor.page.locator("#move-text")
    expect(text).to_contain_text("2.")  # the engine has moved
    expect(visitor.page.locator(".tree .said")).to_have_count(1)
    expect(comment).to_have_value("unfinished")
    text.click()
    visitor.settle()
    visitor.reload()
    visitor.press("ArrowLeft")
    expect(comment).to_have_value("unfinished")


def test_unrated_game_names_the_reason(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), white="0", pie=False)
    visitor.click("C3")
    expect(visitor.page.locator("#move-text")).to_contain_text("2.")
    unrated = visitor.page.locator("#unrated")
    visitor.do("undo")
    expect(unrated).to_have_text("Unrated: a move was taken back.")


def test_end_follows_a_key_that_changes_the_line(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.load("A1 B2 C3 D4 E5")
    visitor.press("Home")
    visitor.click("A5")
    visitor.press("ArrowUp", "End")  # before the page knows the other line
    visitor.expect_stones("A1 C3 E5", "B2 D4")


def test_list_of_moves_shows_the_current_one(visitor: Visitor) -> None:
    """The list stayed at its top, so that the latest moves of a long game were out of sight."""
    visitor.new_game("pinch", (9, 9), pie=False)
    visitor.load(" ".join(f"{column}{row}" for row in (1, 4, 7) for column in "ABCDEFGHJ"))
    here = visitor.page.locator("#move-list [aria-current]")
    expect(here).to_have_text("27. J7")
    area = visitor.page.locator("#move-list")
    assert is_within(here, area)
    visitor.press("Home")
    visitor.settle()
    assert is_within(visitor.page.locator("#move-list button").first, area)


def is_within(part: Locator, area: Locator) -> bool:
    """Whether the center of a part is in the area that is not scrolled away."""
    box, bounds = part.bounding_box(), area.bounding_box()
    assert box
    assert bounds
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    is_in_height = bounds["y"] < y < bounds["y"] + bounds["height"]
    return is_in_height and bounds["x"] < x < bounds["x"] + bounds["width"]


def test_current_move_is_in_sight_after_changes_of_the_window(visitor: Visitor) -> None:
    """Moves that were played below another tab, and a turned phone."""
    visitor.new_game("pinch", (9, 9), pie=False)
    visitor.tab("analysis")
    visitor.load(" ".join(f"{column}{row}" for row in (1, 4, 7) for column in "ABCDEFGHJ"))
    visitor.press("Home")
    visitor.click("E5")
    visitor.press("ArrowUp")
    visitor.press("End")
    visitor.tab("game")
    for size in (WIDE, LANDSCAPE, PHONE, WIDE):
        visitor.page.set_viewport_size(size)
        for part, area in (("#move-list [aria-current]", "#move-list"), (".tree .here", ".tree")):
            shown = visitor.page.locator(part)
            visitor.wait_for(lambda: is_within(shown, visitor.page.locator(area)))  # noqa: B023
    expect(visitor.page.locator("#move-list [aria-current]")).to_have_text("27. J7")


def test_variation_becomes_the_main_line(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.click("A1", "B2")
    visitor.press("ArrowLeft")
    promote = visitor.page.get_by_role("button", name="Promote to main line")
    expect(promote).to_be_hidden()
    visitor.click("C3", "D4")
    promote.click()
    expect(promote).to_be_hidden()
    visitor.press("Home", "End")
    visitor.expect_stones("A1 D4", "C3")


def test_moves_are_listed_as_text(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.click("A1", "B2", "C3")
    moves = visitor.page.locator("#move-list button")
    expect(moves).to_have_text(["1. A1", "2. B2", "3. C3"])
    moves.nth(1).click()
    visitor.expect_stones("A1", "B2")
    expect(moves.nth(1)).to_have_attribute("aria-current", "step")
    expect(visitor.page.locator(".tree")).to_be_hidden()  # no variations


def test_listed_move_keeps_the_focus(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.click("A1", "B2", "C3")
    move = visitor.page.locator("#move-list button").nth(1)
    move.focus()
    visitor.page.locator("#comment").evaluate(
        "(each) => { each.value = 'good'; each.dispatchEvent(new Event('change')); }"
    )
    visitor.settle()
    expect(move).to_be_focused()


def test_arrow_keys_step_after_a_click_on_a_tab(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.click("A1", "B2")
    visitor.expect_stones("A1", "B2")
    visitor.tab("analysis")
    visitor.press("ArrowLeft")
    visitor.expect_stones("A1")
    expect(visitor.page.locator("#panel-analysis")).to_be_visible()


def test_copy_that_the_browser_forbids_is_reported(visitor: Visitor) -> None:
    """By a page from another machine, which has no clipboard."""
    visitor.page.evaluate(
        """() => {
          Object.defineProperty(navigator, "clipboard", { value: undefined });
          document.execCommand = () => false;
        }"""
    )
    visitor.do("save")
    visitor.page.locator("[data-copy=text]").click()
    expect(visitor.page.locator("#save-dialog")).to_contain_text("Failed: this browser")
    is_free = "document.dispatchEvent(new ClipboardEvent('copy', { cancelable: true }))"
    assert visitor.page.evaluate(is_free)


def test_saving_and_loading(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 4), pie=False)
    visitor.click("A1", "B2")
    visitor.do("save")
    record = visitor.saved("sgf")
    assert record.startswith(b"(;")
    assert b"<svg" in visitor.saved("svg")
    assert visitor.saved("png").startswith(b"\x89PNG")
    assert b"A B C D E" in visitor.saved("text")
    visitor.page.locator("[data-copy=text]").click()
    expect(visitor.page.locator("#save-dialog")).to_contain_text("Copied.")
    copied = visitor.page.evaluate("navigator.clipboard.readText()")
    assert "A B C D E" in copied
    visitor.press("Escape")
    visitor.new_game("capture-go", (5, 5))
    visitor.page.locator("body").click(position={"x": 5, "y": 790})
    visitor.do("load")
    dialog = visitor.page.locator("#load-dialog")
    dialog.locator("input[type=file]").set_input_files(
        {"name": "game.sgf", "mimeType": "text/plain", "buffer": record}
    )
    expect(dialog.locator("textarea")).to_have_value(re.compile("FF"))
    dialog.locator("button[type=submit]").click()
    visitor.expect_stones("A1", "B2")


def test_console_command_can_be_canceled(visitor: Visitor) -> None:
    visitor.tab("console")
    line = visitor.page.locator("#gtp")
    busy = visitor.page.locator("#console-busy")
    expect(busy).to_be_hidden()
    line.fill("pinchtp-perft 9")
    line.press("Enter")
    expect(busy).to_be_visible()
    line.fill("name")
    line.press("Enter")
    expect(visitor.page.locator("#notices")).to_contain_text("Another command is running")
    expect(line).to_have_value("name")
    busy.get_by_role("button", name="Cancel").click()
    expect(busy).to_be_hidden()
    line.fill("name")
    line.press("Enter")
    expect(visitor.page.locator("#traffic")).to_contain_text("= pinchtp")


def test_console_completes_answers_and_shows_traffic(visitor: Visitor) -> None:
    visitor.tab("console")
    line = visitor.page.locator("#gtp")
    line.fill("name")
    line.press("Enter")
    log = visitor.page.locator("#traffic")
    expect(log).to_contain_text("= pinchtp")
    line.press_sequentially("showb")
    expect(visitor.page.locator("#completions")).to_contain_text("showboard")
    line.press("Tab")
    expect(line).to_have_value("showboard ")
    line.press("Enter")
    expect(log).to_contain_text("A B C D")
    line.press("ArrowUp")
    expect(line).to_have_value("showboard")
    line.fill("boardsize")
    visitor.page.get_by_role("button", name="What does boardsize do?").click()
    expect(log.locator(".sent").last).to_have_text("help boardsize")
    line.fill("no_such_command")
    line.press("Enter")
    expect(log.locator(".refused")).to_contain_text("unknown command")
    visitor.page.locator("#watch").check()
    visitor.press("a")
    expect(log.locator(".sent").filter(has_text="analyze").first).to_be_attached()
    visitor.press("a")


def test_link_holds_the_game(visitor: Visitor) -> None:
    visitor.new_game("pinch", (9, 9))
    visitor.click("E5", "C3")
    page = visitor.page
    visitor.do("save")
    page.locator("[data-copy=link]").click()
    expect(page.locator("#save-dialog")).to_contain_text("Copied.")
    address = page.evaluate("navigator.clipboard.readText()")
    assert address.endswith("#game=pinch;9x9;e5.c3")
    page.keyboard.press("Escape")
    visitor.new_game("capture-go", (9, 9))
    page.goto(address)
    expect(page.locator("h1")).to_contain_text("Pinch 9")
    visitor.expect_stones(black="E5", white="C3")
    assert "#" not in page.url
    page.goto(f"{page.url}#game=pinch;9x9;e5.e5")
    expect(page.locator("#notices")).to_contain_text("move 2, 'e5': E5 is occupied")


def test_copies_where_the_browser_offers_no_clipboard(visitor: Visitor) -> None:
    """As on a page from another machine."""
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.click("A1")
    visitor.page.evaluate("window.board = navigator.clipboard")
    visitor.page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    visitor.do("save")
    visitor.page.locator("[data-copy=sgf]").click()
    expect(visitor.page.locator("#save-dialog [role=status]")).to_have_text("Copied.")
    assert "B[ae]" in visitor.page.evaluate("window.board.readText()")
