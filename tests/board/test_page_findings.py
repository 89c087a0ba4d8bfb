"""The board in Chromium: hints, lines, reviews and overlays belong to their position and game."""

from pathlib import Path

import pytest
from board.page import ENGINE, Visitor
from board.visits import Board, script
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.slow

HINT = "#board .hint circle:not([display])"
CANDIDATE = "#board .candidate:not([display])"


def load(visitor: Visitor, text: str) -> None:
    """Loads a game or a position by its dialog."""
    visitor.load(text)
    expect(visitor.page.locator("#load-dialog")).to_have_count(0)


def test_game_without_a_search_has_no_winrates(visitor: Visitor) -> None:
    visitor.new_game("pinch", (2, 2), pie=False)
    visitor.click("A1", "B1", "A2")
    visitor.expect_status("Black wins")
    expect(visitor.page.locator("#winrate-graph")).to_be_hidden()
    visitor.do("save")
    assert b"winrate" not in visitor.saved("sgf")


def test_review_ends_with_its_game(visitor: Visitor) -> None:
    visitor.new_game("pinch", (3, 3), pie=False)
    visitor.click("A1", "B2", "A3")
    visitor.review_by_tab()
    expect(visitor.page.locator("#mistakes button").first).to_be_visible()
    visitor.new_game("pinch", (3, 3), pie=False)
    expect(visitor.page.locator("#mistakes button")).to_have_count(0)
    expect(visitor.page.locator("#review-said")).not_to_contain_text("reviewed")


def test_review_names_a_resignation(visitor: Visitor) -> None:
    visitor.new_game("pinch", (4, 4), pie=False)
    visitor.click("B2")
    visitor.expect_stones("B2")
    visitor.click("A1")
    visitor.expect_stones("B2", "A1")
    visitor.resign()
    visitor.review_by_tab()
    visitor.page.locator("#mistakes button", has_text="3. Black resigns").wait_for()


def test_hint_shows_the_color_of_a_lifted_stone(visitor: Visitor) -> None:
    visitor.new_game("pinch-relocate", (5, 5), pie=False)
    visitor.click("B3", "C3", "C2")
    visitor.expect_stones("B3 C2")
    visitor.do("hint")
    expect(visitor.page.locator(HINT)).to_have_count(1)
    expect(visitor.page.locator(HINT)).to_have_class("white")
    visitor.do("cancel")
    visitor.expect_stones("B3", "C3")
    expect(visitor.page.locator(HINT)).to_have_count(0)


def test_hint_goes_after_take_back(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.click("C3")
    visitor.expect_stones("C3")
    visitor.do("hint")
    expect(visitor.page.locator(HINT)).to_have_count(1)
    visitor.do("undo")
    visitor.expect_stones()
    expect(visitor.page.locator(HINT)).to_have_count(0)


def test_hint_looks_unlike_a_stone(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.do("hint")
    hint = visitor.page.locator(HINT)
    visitor.click(hint.get_attribute("data-vertex") or "")
    stone = visitor.page.locator("#board .stone .disc")
    expect(stone).to_be_visible()
    visitor.do("hint")
    look = """(each) => {
      const { fill, fillOpacity, strokeDasharray } = getComputedStyle(each);
      return [fill, Number(fillOpacity), strokeDasharray !== "none"];
    }"""
    (drawn, opacity, is_dashed), other = hint.evaluate(look), stone.evaluate(look)
    assert (is_dashed, other[2]) == (True, False)
    assert opacity < 0.5 < other[1]
    assert drawn != other[0]


def test_hint_leaves_the_candidates(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.press("a")
    expect(visitor.page.locator(CANDIDATE).first).to_be_attached()
    visitor.do("hint")
    expect(visitor.page.locator(HINT)).to_have_count(1)
    expect(visitor.page.locator(CANDIDATE).first).to_be_attached()
    expect(visitor.page.locator("#board .numbered:not([display])")).to_have_count(0)


def test_line_on_hover_shows_its_flips(visitor: Visitor) -> None:
    visitor.new_game("pinch", (3, 3), pie=False)
    load(visitor, "OXO/XO./OXO b")
    visitor.press("a")
    visitor.tab("analysis")
    visitor.page.locator("#candidates tbody tr").first.hover()
    expect(visitor.page.locator('#board .numbered.black[data-vertex="C2"]')).to_be_visible()
    flipped = visitor.page.locator("#board .variation .flipped.black:not([display])")
    expect(flipped).to_have_count(3)  # B2, C1 and C3


def test_click_selects_another_man(visitor: Visitor) -> None:
    visitor.new_game("bushka")
    origin = visitor.page.locator("#board .choice .origin")
    visitor.click("e3")
    visitor.expect_status("Choose a destination")
    first = origin.get_attribute("cx")
    visitor.click("d2")
    visitor.wait_until(
        "(first) => document.querySelector('#board .choice .origin').getAttribute('cx') !== first",
        first,
    )
    visitor.expect_status("Choose a destination")
    expect(visitor.page.locator("#notices")).to_be_empty()
    visitor.click("d3")
    visitor.expect_status("Black to move")


def test_set_up_after_a_swap_shows_its_sides(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=True)
    visitor.click("C3")
    visitor.do("swap")
    visitor.expect_status("White has swapped")
    visitor.do("setup")
    dialog = visitor.page.locator("#set-up-dialog")
    shown = dialog.locator("polygon").first.get_attribute("class")
    dialog.locator("button[type=submit]").click()
    expect(dialog).to_have_count(0)
    visitor.expect_stones("", "C3")
    expect(visitor.page.locator("#board polygon").first).to_have_class(shown or "")


def test_swap_map_is_offered_in_the_opening(visitor: Visitor) -> None:
    visitor.new_game("pinch", (4, 4), pie=True)
    visitor.tab("analysis")
    visitor.page.locator("#live").check()
    swap_map = visitor.page.locator("#drawn option").filter(has_text="Swap Map")
    expect(swap_map).to_be_attached()
    visitor.click("B2")
    expect(swap_map).to_have_count(0)


def test_pass_that_loses_asks(visitor: Visitor) -> None:
    visitor.new_game("capture-go", (5, 5))
    visitor.click("C3")
    visitor.do("pass")
    dialog = visitor.page.locator("#pass-dialog")
    expect(dialog).to_contain_text("A pass loses this game")
    visitor.press("Escape")
    visitor.expect_status("White to move")
    visitor.do("pass")
    dialog.locator("button[type=submit]").click()
    visitor.expect_status("Black wins")


def test_engines_of_one_program_have_different_names(browser: Browser, tmp_path: Path) -> None:
    arguments = ("--engine", script(), "--engine", script())
    with Board(tmp_path, *arguments) as server, Visitor(browser, server) as visitor:
        visitor.new_game("pinch", (3, 3), black=ENGINE, white="1", pie=False)
        names = visitor.page.locator("#players .name")
        expect(names).to_contain_text(["first_point.sh 1", "first_point.sh 2"])


def test_analysis_speaks_for_black_throughout(visitor: Visitor) -> None:
    """White's best move has the lowest of the numbers, which are Black's winrates."""
    visitor.new_game("pinch", (3, 3), pie=False)
    load(visitor, "OX./OO./OXO w")  # White wins by C2
    visitor.press("a")
    visitor.tab("analysis")
    best = visitor.page.locator("#candidates tbody tr").first.locator("td").nth(1)
    expect(best).to_have_text("0%")
    expect(visitor.page.locator("#board .candidate.best .rate")).to_have_text("0")
    expect(visitor.page.locator("#analysis-summary")).to_contain_text("Black's winrate 0%")
    expect(visitor.page.locator("#legend")).to_contain_text("Black's winrate")


def test_swap_offer_names_the_players(visitor: Visitor) -> None:
    visitor.new_game("pinch", (4, 4), black=ENGINE, strength=5, pie=True)
    visitor.expect_status("becomes white, you join ↕ top and bottom, and pinchtp (Black) joins ↔")


def test_new_game_begins_without_help(visitor: Visitor) -> None:
    """A game with analysis or an overlay from the game before was rated, or silently was not."""
    visitor.new_game("pinch", (5, 5), white=ENGINE, pie=False)
    drawn = visitor.overlays()
    expect(drawn.locator("option").filter(has_text="Winning chances")).to_be_attached()
    drawn.select_option("pinchtp-connection")
    visitor.new_game("pinch", (6, 6), white=ENGINE, pie=False)
    expect(drawn).to_have_value("none")
    expect(visitor.page.locator("#live")).not_to_be_checked()
    visitor.resign()
    visitor.expect_status("rating")
