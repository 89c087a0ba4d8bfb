"""The board in Chromium: games, sizes, positions and rules to begin with."""

import re
from pathlib import Path
from typing import Any

import pytest
from board.page import ENGINE, WIDE, Visitor
from playwright.sync_api import expect

pytestmark = pytest.mark.slow


def test_options_sizes_and_handicap_come_from_the_registry(visitor: Visitor) -> None:
    visitor.new_game("capture-go", (7, 6), crosscut=True)
    expect(visitor.page.locator("#board .stones .stone")).to_have_count(4)
    expect(visitor.page.locator("h1")).to_have_text(re.compile("First Capture Go 7.6"))
    visitor.do("new")
    dialog = visitor.page.locator("#new-game-dialog")
    dialog.locator('[value="bushka"]').check()
    expect(dialog.locator("[name=columns]")).to_have_count(0)
    expect(dialog.locator("[name=pie]")).to_have_count(0)


def test_levels_have_a_skill_and_then_a_rating(visitor: Visitor) -> None:
    visitor.do("new")
    levels = visitor.page.locator("#new-game-dialog [name=white-level] option", has_text="Elo")
    expect(levels.first).to_have_text(re.compile(r"^Level 1, beginner, about \d+ Elo$"))
    expect(levels.last).to_have_text(re.compile(r"^Level 20, expert, about \d+ Elo$"))


@pytest.mark.parametrize("size", [(4, 4), (4, 12), (25, 4)])
def test_board_names_the_players_of_edges(visitor: Visitor, size: tuple[int, int]) -> None:
    visitor.new_game("pinch", size)
    words = visitor.page.locator("#board .goal-words")
    expect(words).to_have_count(2)
    board = visitor.page.locator("#board .points").bounding_box()
    assert board
    for each in words.all():
        box = each.bounding_box()
        assert box
        assert board["x"] <= box["x"]
        assert box["x"] + box["width"] <= board["x"] + board["width"]


def test_size_that_is_no_size_is_refused_by_the_dialog(visitor: Visitor) -> None:
    visitor.do("new")
    dialog = visitor.page.locator("#new-game-dialog")
    dialog.locator("[name=columns]").fill("99")
    dialog.locator("button[type=submit]").click()
    assert dialog.locator("[name=columns]").evaluate("(field) => !field.validity.valid")
    expect(dialog).to_be_visible()


def test_position_is_set_up_by_hand(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.do("setup")
    dialog = visitor.page.locator("#set-up-dialog")
    for brush, point in (("1", "B2"), ("2", "D4"), ("2", "A1"), ("2", "A1")):
        dialog.locator(f'[data-brush="{brush}"]').click()
        dialog.locator(f'[data-point="{point}"]').click()
    dialog.locator("[name=to-move]").select_option("white")
    dialog.locator("button[type=submit]").click()
    expect(dialog).to_have_count(0)
    visitor.expect_stones("B2", "D4")
    visitor.expect_status("White to move")


@pytest.mark.parametrize("game", ["pinch-relocate", "pinch-remove"])
def test_position_is_set_up_after_a_capture(visitor: Visitor, game: str) -> None:
    """During a relocation, from the position before the move; on a board with a banned point."""
    visitor.new_game(game, (5, 5), pie=False)
    visitor.click("C3", "C4", "B4")
    visitor.settle()
    visitor.do("setup")
    dialog = visitor.page.locator("#set-up-dialog")
    expect(dialog.locator("[data-brush]")).to_have_text(["Empty", "Black", "White"])
    dialog.locator("button[type=submit]").click()
    expect(dialog).to_have_count(0)
    if game == "pinch-relocate":
        visitor.expect_stones("C3", "C4")
    else:
        visitor.expect_stones("C3 B4")


def test_unloadable_text_stays_in_dialog(visitor: Visitor) -> None:
    visitor.load("<b>no game</b>")
    dialog = visitor.page.locator("#load-dialog")
    expect(dialog.locator(".wrong")).not_to_be_empty()
    expect(dialog.locator("textarea")).to_have_value("<b>no game</b>")


def drag(visitor: Visitor, onto: str = "#board", **data: Any) -> None:
    """Drags something from outside of the browser onto an element, and lets it go."""
    box = visitor.page.locator(onto).bounding_box()
    assert box
    data = {"items": [], "dragOperationsMask": 1, **data}
    session = visitor.context.new_cdp_session(visitor.page)
    for kind in ("dragEnter", "dragOver", "drop"):
        place = {"x": box["x"] + 20, "y": box["y"] + 20}
        session.send("Input.dispatchDragEvent", {"type": kind, "data": data, **place})
    session.detach()


@pytest.mark.parametrize("dialog", ["load", "new"])
def test_game_dropped_on_a_dialog_is_in_sight(
    visitor: Visitor, tmp_path: Path, dialog: str
) -> None:
    """It was loaded below the dialog, whose text stayed empty."""
    file = tmp_path / "game.sgf"
    file.write_text("(;FF[4]SZ[5];B[ae];W[bd])")
    visitor.do(dialog)
    drag(visitor, "dialog .body", files=[str(file)])
    visitor.expect_stones("A1", "B2")
    expect(visitor.page.locator("dialog")).to_have_count(0)


@pytest.mark.parametrize(
    ("charset", "encoding"),
    [("GB2312", "gbk"), ("cp936", "gbk"), ("", "latin-1"), ("", "utf-16")],
)
def test_dropped_file_is_decoded_by_its_charset(
    visitor: Visitor, tmp_path: Path, charset: str, encoding: str
) -> None:
    name = "Jürgen" if not charset else "許"
    file = tmp_path / "game.sgf"
    charset = charset and f"CA[{charset}]"
    file.write_bytes(f"(;FF[4]{charset}SZ[5]PB[{name}];B[ae];W[bd])".encode(encoding))
    drag(visitor, files=[str(file)])
    visitor.expect_stones("A1", "B2")
    expect(visitor.page.locator("#players")).to_contain_text(name)


def test_unreadable_files_show_notices(visitor: Visitor, tmp_path: Path) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    empty, folder, image = tmp_path / "empty.sgf", tmp_path / "folder", tmp_path / "image.png"
    empty.touch()
    folder.mkdir()
    image.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    notices = visitor.page.locator("#notices")
    for files, notice in (
        ([empty], "The file is empty."),
        ([folder], "Cannot read this"),
        ([empty, image], "Drop one file at a time."),
    ):
        drag(visitor, files=[str(each) for each in files])
        expect(notices).to_contain_text(notice)
    visitor.do("load")
    dialog = visitor.page.locator("#load-dialog")
    dialog.locator("[name=file]").set_input_files(empty)
    expect(dialog.locator(".wrong")).to_have_text("The file is empty.")
    drag(visitor, "#load-dialog h2", files=[str(empty), str(image)])
    expect(notices).to_contain_text("Drop one file at a time.")
    warnings = notices.locator("[data-level=warning]")
    for left in (2, 1, 0):
        warnings.get_by_label("Dismiss").first.click()  # over the dialog
        expect(warnings).to_have_count(left)
    visitor.press("Escape")
    drag(visitor, files=[str(image)])
    expect(notices).to_contain_text("this file is not a game record", ignore_case=True)
    expect(visitor.page.locator("#load-dialog")).not_to_be_visible()


def test_name_does_not_turn_what_follows(visitor: Visitor) -> None:
    drag(visitor, items=[{"mimeType": "text/plain", "data": "(;SZ[5]PB[\u202eeve];B[ae])"}])
    visitor.expect_stones("A1")
    expect(visitor.page.locator("#players")).to_contain_text("eve")
    assert "\u202e" not in visitor.page.locator("body").inner_text()


def test_print_shows_players_board_and_moves(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.click("A1")
    visitor.tab("analysis")
    visitor.point("C3").hover()
    visitor.page.emulate_media(media="print")
    for shown in ("h1", "#players", "#board > svg", "#move-list"):
        expect(visitor.page.locator(shown)).to_be_visible()
    for hidden in ("#menu", "#actions", "#tabs", "#panel-analysis", "#comment", "#board .ghost"):
        expect(visitor.page.locator(hidden)).to_be_hidden()
    expect(visitor.page.locator("button:visible")).to_have_text(["1. A1"])


def test_print_cuts_nothing_off(visitor: Visitor) -> None:
    visitor.new_game("pinch", (9, 9), pie=False)
    moves = " ".join(f"{column}{row}" for row in (1, 4, 7) for column in "ABCDEFGHJ")
    names = "PB[Maximilian Alexander of Hohenzollern-Sigmaringen]PW[Bo]"
    visitor.load(f"(;SZ[9]{names}(;B[aa])(;B[bb])(;B[cc]))")
    visitor.settle()
    visitor.load(moves)
    visitor.settle()
    visitor.page.emulate_media(media="print")
    visitor.page.set_viewport_size({"width": 600, "height": 800})
    cut = "(each) => each.scrollHeight > each.clientHeight || each.scrollWidth > each.clientWidth"
    for part in ("#move-list", ".tree", '[data-color="black"] .name'):
        assert not visitor.page.locator(part).evaluate(cut), part


def test_long_comment_is_read_without_scrolling(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    comment = visitor.page.locator("#comment")
    hidden = "(each) => Math.max(0, each.scrollHeight - each.clientHeight)"
    comment.fill("One line.\n" * 8)
    assert comment.evaluate(hidden) == 0
    comment.fill("One line.\n" * 80)
    assert comment.evaluate(hidden) > 0
    visitor.page.emulate_media(media="print")
    assert comment.evaluate(hidden) == 0


def test_new_game_is_not_for_the_players_of_a_record(visitor: Visitor) -> None:
    drag(visitor, items=[{"mimeType": "text/plain", "data": "(;SZ[5]PB[Ann]PW[Bo];B[ae])"}])
    visitor.expect_stones("A1")
    visitor.do("new")
    dialog = visitor.page.locator("#new-game-dialog")
    expect(dialog.locator("[name=black-name]")).to_have_value("")
    expect(dialog.locator("[name=white-player]")).to_have_value(ENGINE)
    expect(dialog.locator("[name=white-level] :checked")).to_have_text("Adaptive")
    visitor.press("Escape")


def test_long_sentence_does_not_move_the_board(visitor: Visitor) -> None:
    names = ("Maximilian Alexander of Hohenzollern", "Friederike of Brandenburg-Ansbach")
    visitor.new_game("pinch", (5, 5), pie=True)
    visitor.do("players")
    for color, name in zip(("black", "white"), names, strict=True):
        visitor.page.locator(f"[name={color}-name]").fill(name)
    visitor.page.locator("dialog [type=submit]").click()
    for size in (WIDE, {"width": 1000, "height": 700}, {"width": 1440, "height": 900}):
        visitor.page.set_viewport_size(size)
        visitor.press("Home")
        visitor.expect_status("Join top and bottom")
        before = visitor.page.locator("#board > svg").bounding_box()
        visitor.click("C3")
        visitor.expect_status("Play a stone, or swap")
        assert visitor.page.locator("#board > svg").bounding_box() == before, size


def test_end_of_a_game_does_not_move_the_board(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), white=ENGINE, strength="Level 1", pie=False)
    before = visitor.page.locator("#board > svg").bounding_box()
    visitor.resign()
    visitor.expect_status("Your rating is")
    assert visitor.page.locator("#board > svg").bounding_box() == before
    expect(visitor.page.locator("#status strong")).to_have_css("font-size", "24px")


def test_text_dropped_on_a_field_is_not_loaded(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    data = [{"mimeType": "text/plain", "data": "A1 B2 C3"}]
    drag(visitor, "#comment", items=data)
    expect(visitor.page.locator("#comment")).to_have_value("A1 B2 C3")
    visitor.do("rules")
    drag(visitor, "#rules-dialog", items=data)
    assert visitor.stones() == {}


@pytest.mark.parametrize("game", ["pinch-relocate", "bushka"])
def test_rules_with_examples_to_step_through(visitor: Visitor, game: str) -> None:
    visitor.do("rules")
    visitor.page.locator("#rules-game").select_option(game)
    visitor.settle()
    lessons = visitor.page.locator("#rules-text .lesson")
    expect(lessons.first).to_be_visible()
    for number in range(lessons.count()):
        lesson = lessons.nth(number)
        step = lesson.locator("[data-example=on]")
        if not step.count():
            continue
        before = lesson.locator(".stones").inner_html()
        while step.is_enabled():
            step.click()
        assert lesson.locator(".stones").inner_html() != before
        lesson.locator("[data-example=back]").click()


def test_text_is_pasted_on_the_page_itself(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.page.evaluate("navigator.clipboard.writeText('A1 B2 C3')")
    visitor.press("Control+v")
    visitor.expect_stones("A1 C3", "B2")
    visitor.page.evaluate("navigator.clipboard.writeText('no game at all')")
    visitor.press("Control+v")
    expect(visitor.page.locator("#load-dialog textarea")).to_have_value("no game at all")


def test_handicap_is_chosen_in_the_dialog(visitor: Visitor) -> None:
    visitor.do("new")
    dialog = visitor.page.locator("#new-game-dialog")
    dialog.locator('[value="capture-go"]').check()
    dialog.locator("[name=columns]").fill("9")
    dialog.locator("[name=rows]").fill("9")
    stones = dialog.locator("[name=handicap] option")
    expect(stones).to_have_text(["None", *(f"{count} handicap stones" for count in range(2, 10))])
    dialog.locator("[name=handicap]").select_option("3")
    dialog.locator("[name=white-player]").select_option("human")
    dialog.locator("button[type=submit]").click()
    expect(visitor.page.locator("#board .stones .stone.black")).to_have_count(3)
    visitor.expect_status("White to move")


@pytest.mark.parametrize("width", [999, 1000])
def test_menu_takes_one_row(visitor: Visitor, width: int) -> None:
    visitor.new_game("pinch-relocate", (13, 13))
    visitor.page.set_viewport_size({"width": width, "height": 768})
    header = visitor.page.locator("body > header").bounding_box()
    assert header
    assert header["height"] < 60
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= width
