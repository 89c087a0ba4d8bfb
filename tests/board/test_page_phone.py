"""The board in Chromium on a phone, and in windows of all widths."""

import pytest
from board.page import COVERED, ENGINE, LANDSCAPE, PHONE, TABLET, TIMEOUT, WIDE, Visitor
from playwright.sync_api import Locator, ViewportSize, expect

pytestmark = pytest.mark.slow

HEIGHT = "(each) => each.getBoundingClientRect().height"


def test_tap_plays_on_a_phone(phone: Visitor) -> None:
    phone.new_game("pinch", (5, 5))
    phone.tap("C3")
    phone.expect_stones("C3")
    phone.new_game("pinch", (19, 19))
    phone.tap("D4")
    phone.expect_status("Tap D4 again")
    phone.tap("D4")
    phone.expect_stones("D4")
    phone.tap("E4")
    phone.action("confirm").tap()
    phone.expect_stones("D4", "E4")


def test_buttons_below_the_board_stand_in_one_row(phone: Visitor) -> None:
    """Those of a swap, and those of a puzzle before and after a mistake."""
    rows = """() => new Set([...document.querySelectorAll("#actions button")]
      .map((each) => each.getBoundingClientRect().top)).size"""
    phone.page.set_viewport_size({"width": 375, "height": 812})
    phone.new_game("pinch", (5, 5), pie=True)
    phone.point("C3").tap()
    expect(phone.action("swap")).to_be_visible()
    phone.settle()
    assert phone.page.evaluate(rows) == 1
    phone.do("puzzles")
    phone.page.locator("[name=puzzle-board]").select_option(label="Pinch 7\N{MULTIPLICATION SIGN}7")
    phone.page.locator("#puzzles-dialog .row button").first.tap()
    expect(phone.action("answer")).to_be_visible()
    assert phone.page.evaluate(rows) == 1
    phone.point(phone.legal[0]).tap()
    expect(phone.action("try-again")).to_be_visible()
    phone.settle()
    assert phone.page.evaluate(rows) == 1


def test_notice_covers_no_board_and_no_buttons(phone: Visitor) -> None:
    covered = """(selector) => {
      const notice = document.querySelector("#notices .notice").getBoundingClientRect();
      return [...document.querySelectorAll(selector)].map((each) => each.getBoundingClientRect())
        .filter((each) => each.bottom > notice.top && each.top < notice.bottom).length;
    }"""
    phone.set_notice_time(10 * TIMEOUT)
    phone.new_game("pinch", (5, 5), pie=False)
    phone.tap("C3", "A1")
    phone.expect_stones("C3", "A1")
    phone.tap("C3")
    expect(phone.page.locator("#notices")).to_contain_text("C3 is occupied")
    assert phone.page.evaluate(covered, "#actions button, #board svg") == 0
    assert phone.page.evaluate(covered, "header") == 1
    phone.new_game("bushka")
    expect(phone.page.locator("#notices")).to_contain_text("Game saved.")
    assert phone.page.evaluate(covered, "#board svg, .player .symbol") == 0
    phone.page.locator("#menu-button").click()


def test_notices_come_one_at_a_time(phone: Visitor) -> None:
    phone.set_notice_time(10 * TIMEOUT)
    phone.new_game("pinch", (5, 5), pie=False)
    phone.tap("C3")
    phone.load("(;FF[4]GM[1]SZ[5];B[cc](;W[dd])(;W[zz]))")
    shown = phone.page.locator("#notices .notice:visible")
    for text, more in (("Variations kept", "2 more"), ("GM[1]", "1 more"), ("Game saved.", "")):
        expect(shown).to_have_count(1)
        expect(shown).to_contain_text(text)
        expect(shown.locator(".more")).to_have_text(more)
        shown.get_by_role("button", name="Dismiss").tap()
    expect(shown).to_have_count(0)


@pytest.mark.parametrize(
    "size",
    [WIDE, {"width": 1000, "height": 600}, TABLET, PHONE, LANDSCAPE],
    ids=["wide", "small", "tablet", "phone", "landscape"],
)
def test_notice_covers_no_buttons_and_no_titles(visitor: Visitor, size: ViewportSize) -> None:
    visitor.page.set_viewport_size(size)
    visitor.set_notice_time(10 * TIMEOUT)
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.click("C3")
    visitor.new_game("bushka")
    expect(visitor.page.locator("#notices")).to_contain_text("Game saved.")
    assert visitor.page.evaluate(COVERED, "#notices .notice") == []
    for dialog in ("setup", "invite", "new", "rules"):
        visitor.do(dialog)
        expect(visitor.page.locator("dialog #notices .notice")).to_be_in_viewport(ratio=1)
        assert visitor.page.evaluate(COVERED, "#notices .notice") == [], dialog
        visitor.press("Escape")


def test_buttons_of_dialogs_stay_in_their_rows(visitor: Visitor) -> None:
    """The close button is next to the title, and Cancel next to the button that submits."""
    for size in (WIDE, PHONE):
        visitor.page.set_viewport_size(size)
        visitor.load("(" + ";" * 5000 + "[")  # its error is as wide as the dialog
        expect(visitor.page.locator("dialog .wrong")).to_contain_text("invalid SGF")
        for row in ("header > :is(h2, button)", "footer button"):
            first, last = visitor.page.locator(f"dialog {row}").all()
            here, there = first.bounding_box(), last.bounding_box()
            assert here
            assert there
            assert here["x"] + here["width"] <= there["x"], (row, size)
            assert abs(here["y"] + here["height"] / 2 - there["y"] - there["height"] / 2) < 4, row
        visitor.press("Escape")


def test_title_is_whole_in_a_narrow_window(visitor: Visitor) -> None:
    height = visitor.page.locator("body > header").evaluate(HEIGHT)
    visitor.new_game("pinch-relocate", (17, 17))
    for width in (1000, 1100, 1199, 1280, 1366):
        visitor.page.set_viewport_size({"width": width, "height": 800})
        title = visitor.page.locator("#game-title")
        assert title.evaluate("(each) => each.scrollWidth <= each.clientWidth"), width
        assert visitor.page.locator("body > header").evaluate(HEIGHT) == height, width


def test_level_has_its_own_line(phone: Visitor) -> None:
    """Also beside a clock on the narrowest phone."""
    phone.page.set_viewport_size({"width": 320, "height": 568})
    phone.new_game("pinch", (5, 5), white="0", strength="Level 20", time="600+5")
    name = phone.page.locator('[data-color="white"] .name')
    expect(name).to_have_text("pinchtp · Level 20")
    expect(name.locator(".dot")).to_be_hidden()
    level = name.locator(".strength")
    expect(level).to_be_in_viewport(ratio=1)
    assert level.evaluate("(each) => each.scrollWidth <= each.clientWidth")
    for line in (name.locator(".who"), level):
        assert line.evaluate(HEIGHT) < 20


def test_invitation_has_no_empty_footer(phone: Visitor) -> None:
    phone.do("invite")
    expect(phone.page.locator("#invite-dialog footer")).to_be_hidden()


def test_links_of_an_invitation_are_readable(phone: Visitor) -> None:
    phone.do("invite")
    phone.page.get_by_role("button", name="Create links").click()
    link = phone.page.get_by_label("Link to play", exact=True).bounding_box()
    assert link
    assert link["width"] > 200


def test_page_fits_the_window(visitor: Visitor) -> None:
    """With the widest buttons: those of two engines."""
    visitor.new_game("pinch", (9, 9), black=ENGINE, white=ENGINE)
    expect(visitor.action("watch-pace")).to_be_visible()
    for size in (WIDE, TABLET, PHONE, {"width": 320, "height": 640}, {"width": 320, "height": 568}):
        visitor.page.set_viewport_size(size)
        for tab in ("game", "analysis", "review", "console"):
            visitor.tab(tab)
            width = visitor.page.evaluate("document.documentElement.scrollWidth")
            assert width <= size["width"], tab


def test_dialog_contents_fit(visitor: Visitor) -> None:
    too_wide = """() => {
      const body = document.querySelector("dialog .body"), { right } = body.getBoundingClientRect();
      return [...body.querySelectorAll("*")].filter((each) => each.checkVisibility())
        .filter((each) => each.getBoundingClientRect().right > right + 1)
        .map((each) => each.outerHTML);
    }"""
    for size in (PHONE, {"width": 320, "height": 640}):
        visitor.page.set_viewport_size(size)
        for action in ("new", "players", "setup", "load", "save", "shortcuts"):
            visitor.open_dialog(action)
            dialog = visitor.page.locator("dialog[open]")
            if action == "new":
                dialog.locator("[name=white-level]").select_option("seconds")
                dialog.locator("[name=time]").select_option("custom")
            assert visitor.page.evaluate(too_wide) == [], action
            visitor.press("Escape")
            expect(dialog).to_have_count(0)


def test_board_stays_where_it_is_while_a_game_is_played(phone: Visitor) -> None:
    """For either side to move, and when a swap is possible."""
    phone.new_game("pinch", (5, 5), white=ENGINE, strength="Level 2", pie=True)
    board = phone.page.locator("#board svg")
    place = board.bounding_box()
    for point in ("A1", "E5"):
        expect(phone.page.locator("#board .points .legal").first).to_be_attached()
        phone.point(point if point in phone.legal else phone.legal[0]).tap()
        assert board.bounding_box() == place
        swapped = phone.page.get_by_text("White has swapped")
        answer = phone.page.locator("#board .stones .stone").nth(1).or_(swapped)
        expect(answer.first).to_be_attached()
        assert board.bounding_box() == place


@pytest.mark.parametrize("game", ["pinch-relocate", "capture-go"])
def test_board_beside_its_panels_stays_when_the_introduction_ends(
    visitor: Visitor, game: str
) -> None:
    """Also while a swap is offered."""
    board = visitor.page.locator("#board svg")
    for width in (900, 950, 1000, 1100, 1200, 1280):
        visitor.page.set_viewport_size({"width": width, "height": 700})
        visitor.new_game(game, (9, 9))
        visitor.expect_status("win")
        place = board.bounding_box()
        for point in ("C3", "G7", "C7", "G3"):
            visitor.click(point)
            visitor.settle()
            assert board.bounding_box() == place, (width, point)
        assert len(visitor.page.locator("#status").inner_text()) < 20


def test_long_names_move_no_board(visitor: Visitor) -> None:
    """Sentences shorten them; the strips of the players have them whole."""
    visitor.page.set_viewport_size({"width": 1280, "height": 720})
    visitor.new_game("pinch", (5, 5))
    board = visitor.page.locator("#board svg")
    place = board.bounding_box()
    name = "W" * 64
    visitor.do("players")
    dialog = visitor.page.locator("#players-dialog")
    for color in ("black", "white"):
        dialog.locator(f"[name={color}-name]").fill(name)
    dialog.locator("button[type=submit]").click()
    strip = visitor.page.locator('[data-color="white"]')
    expect(strip.locator(".name")).to_have_attribute("title", name)
    visitor.click("C3")
    visitor.expect_status(f"{'W' * 23}… (White) joins")
    assert board.bounding_box() == place
    visitor.page.set_viewport_size(LANDSCAPE)
    assert strip.evaluate(HEIGHT) < 64
    visitor.resign()
    visitor.expect_status(f"{'W' * 23}… won.")


def test_whole_menu_is_seen(phone: Visitor) -> None:
    """It drops down from one button, in one row with the title."""
    for width in (390, 320):
        phone.page.set_viewport_size({"width": width, "height": 844})
        header = phone.page.locator("body > header").bounding_box()
        assert header
        assert header["height"] < 60
        phone.page.locator("#menu-button").click()
        buttons = phone.page.locator("#menu button:visible").all()
        assert len(buttons) == 10
        for button in buttons:
            box = button.bounding_box()
            assert box
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
        phone.press("Escape")
        expect(phone.page.locator("#menu")).to_be_hidden()


def test_board_is_as_wide_as_a_phone_and_stays_in_sight(phone: Visitor) -> None:
    phone.new_game("pinch", (9, 9))
    board = phone.page.locator("#board .live-board")
    box = board.bounding_box()
    assert box
    assert box["width"] == PHONE["width"]
    phone.tab("analysis")
    phone.page.locator("#live").check()
    row = phone.page.locator("#candidates tbody tr").first
    expect(row).to_be_visible()
    row.scroll_into_view_if_needed()
    phone.page.evaluate("scrollBy(0, 300)")
    box = board.bounding_box()
    assert box
    assert box["y"] >= 0
    assert box["y"] + box["height"] < PHONE["height"]


def test_small_phone_shows_the_first_choice_of_buttons(phone: Visitor) -> None:
    """Below the longest explanations, in sight without scrolling."""
    phone.page.set_viewport_size({"width": 375, "height": 667})
    assert bottom(phone.action("hint")) <= 667
    phone.new_game("pinch-relocate", (17, 17), black=ENGINE, strength="Level 2", pie=True)
    phone.expect_status("becomes white, you join")
    assert bottom(phone.action("swap")) <= 667
    expect(phone.page.locator("#board-size")).to_be_in_viewport(ratio=1)


def test_stone_to_be_confirmed_has_the_only_main_button(phone: Visitor) -> None:
    phone.new_game("pinch", (17, 17), pie=True)
    phone.tap("C3", "C3", "H10")
    expect(phone.action("swap")).to_be_visible()
    expect(phone.page.locator("#actions .main")).to_have_text("Play H10")


def test_board_without_coordinates_is_larger(phone: Visitor) -> None:
    pitch = """() => document.querySelector("#board .points rect").getBoundingClientRect().width"""
    before = phone.page.evaluate(pitch)
    phone.do("settings")
    phone.page.locator("[name=coordinates]").select_option("off")
    assert phone.page.evaluate(pitch) > 1.05 * before
    phone.page.locator("[name=coordinates]").select_option("")
    assert phone.page.evaluate(pitch) == before


def bottom(element: Locator) -> float:
    box = element.bounding_box()
    assert box
    return box["y"] + box["height"]


def test_settings_fit_a_phone_held_sideways(phone: Visitor) -> None:
    phone.page.set_viewport_size(LANDSCAPE)
    phone.do("settings")
    body = phone.page.locator("dialog .body")
    assert body.evaluate("(each) => each.scrollHeight <= each.clientHeight")


def test_landscape_shows_board_and_buttons(phone: Visitor) -> None:
    width, height = LANDSCAPE["width"], LANDSCAPE["height"]
    phone.page.set_viewport_size(LANDSCAPE)
    name = phone.page.locator('[data-color="white"] .name')
    expect(name).to_have_text("pinchtp · Level 3")
    assert name.evaluate("(each) => each.scrollWidth <= each.clientWidth")  # the whole name
    phone.new_game("pinch", (9, 9))
    board = phone.page.locator("#board .live-board").bounding_box()
    assert board
    assert board["height"] > height - 10
    for part in ("#menu-button", "#players", "#status", '#actions [data-action="hint"]'):
        box = phone.page.locator(part).bounding_box()
        assert box
        assert box["x"] >= board["x"] + board["width"], part
        assert box["x"] + box["width"] <= width, part
        assert box["y"] + box["height"] <= height, part
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= width
    phone.point("E5").tap()
    phone.expect_stones("E5")


@pytest.mark.parametrize("size", [WIDE, PHONE, LANDSCAPE], ids=["wide", "phone", "landscape"])
def test_new_game_dialog_fits_the_screen(visitor: Visitor, size: ViewportSize) -> None:
    """That of the game with the most options."""
    visitor.page.set_viewport_size(size)
    visitor.do("new")
    dialog = visitor.page.locator("#new-game-dialog")
    dialog.locator('[name=game][value="capture-go"]').check()
    body = dialog.locator(".body")
    assert body.evaluate("(each) => each.scrollHeight <= each.clientHeight")
    expect(dialog.locator("[name=time]")).to_be_visible()
    assert dialog.locator(".card .icon").count() == 5
    dialog.locator('[data-size="19"]').click()
    expect(dialog.locator("[name=columns]")).to_have_value("19")
    expect(dialog.locator('[data-size="17"]')).to_be_visible()


def test_touch_targets_are_large_enough(phone: Visitor) -> None:
    sizes = phone.page.locator("button:visible, select:visible").evaluate_all(
        "(all) => all.map((each) => [each.textContent, each.getBoundingClientRect().height])"
    )
    assert sizes
    assert [each for each in sizes if each[1] < 40] == []


def test_phone_has_no_shortcuts(phone: Visitor) -> None:
    phone.page.locator("#menu-button").click()
    expect(phone.page.locator("#menu [data-action=settings]")).to_be_visible()
    expect(phone.page.locator("#menu [data-action=shortcuts]")).to_be_hidden()
