"""The board in Chromium: teaching, ratings, and games between engines."""

import pytest
from board.page import ENGINE, Visitor
from board.test_page_moments import RECORD, seen
from playwright.sync_api import expect

pytestmark = pytest.mark.slow


def test_teaching_points_out_a_blunder_and_takes_it_back(visitor: Visitor) -> None:
    visitor.new_game("pinch", (4, 4), pie=False, white=ENGINE, strength=200)
    visitor.tab("game")
    visitor.page.locator("#teach").check()
    board = visitor.page.locator("#board svg")
    size = board.bounding_box()
    visitor.click("A1")  # a corner loses
    take_back = visitor.action("take-back")
    expect(take_back).to_be_visible()
    assert board.bounding_box() == size
    visitor.click("B2")
    expect(visitor.page.locator("#notices")).to_contain_text("take your move back or play on")
    visitor.do("show-reply")
    numbered = visitor.page.locator("#board .numbered:not([display])")
    expect(numbered.first).to_be_attached()
    expect(visitor.action("show-reply")).to_have_attribute("aria-pressed", "true")
    visitor.do("show-reply")
    expect(numbered).to_have_count(0)
    take_back.click()
    visitor.expect_stones()


def test_rated_game_has_a_graph_once_it_is_over(visitor: Visitor) -> None:
    """It showed the weak opponent's opinion, and that during the game."""
    visitor.new_game("pinch", (5, 5), white=ENGINE, strength="Level 5", pie=False)
    visitor.click("C3")
    expect(visitor.page.locator("#board .stones .stone")).to_have_count(2)
    expect(visitor.page.locator("#winrate-graph")).to_be_hidden()
    expect(visitor.page.locator("#move-text")).not_to_contain_text("%")
    visitor.resign()
    expect(visitor.page.locator("#winrate-graph .graph-dot:not([display])")).to_have_count(4)


def test_rating_change_survives_a_reload(visitor: Visitor) -> None:
    visitor.new_game("pinch", (3, 3), white=ENGINE, strength="Level 5", pie=False)
    visitor.resign()
    expect(visitor.page.locator("#status strong")).to_have_text("You lost.")
    visitor.expect_status("about that of level")
    visitor.tab("game")
    expect(visitor.page.locator("#rating")).to_contain_text("1 game")
    visitor.reload()
    visitor.expect_status("about that of level")


def test_finished_game_has_no_level_of_the_next_one(visitor: Visitor) -> None:
    """A puzzle of a game lost to level 3 was shown as one against level 1."""
    visitor.new_game("pinch", (3, 3), white=ENGINE, strength="Adaptive", pie=False)
    visitor.click("A1")
    white = visitor.page.locator('.player[data-color="white"] .name')
    expect(white).to_contain_text("Level 3")
    expect(visitor.action("hint")).to_be_visible()  # the engine has answered
    visitor.resign()
    visitor.expect_status("The opponent played at level 3.")
    visitor.press("ArrowLeft")
    expect(visitor.action("resume")).to_be_visible()
    expect(white).to_have_text("pinchtp")


def test_teacher_says_that_a_strong_first_stone_is_swapped(visitor: Visitor) -> None:
    visitor.new_game("pinch", (9, 9), white=ENGINE, strength=200)
    visitor.tab("game")
    visitor.page.locator("#teach").check()
    visitor.click("E5")
    visitor.expect_status("White would swap.")


def test_teacher_rating_and_adaptive_level_are_at_the_game(visitor: Visitor) -> None:
    for part in ("#teach", "#rating", "#adaptive"):
        expect(visitor.page.locator(part)).to_be_visible()
    expect(visitor.page.locator("#rating")).to_contain_text("rating")
    expect(visitor.page.locator("#adaptive")).to_contain_text("now at level 3")
    visitor.tab("review")
    expect(visitor.page.locator("#teach")).to_be_hidden()


def test_game_plays_itself(visitor: Visitor) -> None:
    replay = visitor.page.locator("[data-action=autoplay]")
    visitor.new_game("pinch", (4, 4), pie=False)
    expect(replay).to_be_disabled()
    visitor.click("A1", "D4", "B2")
    visitor.press("Home")
    visitor.expect_stones()
    visitor.page.locator("#pace").select_option("0.5")
    replay.click()
    visitor.expect_stones("A1 B2", "D4")
    expect(replay).to_have_attribute("aria-pressed", "false")


def test_two_engines_play_at_a_visible_pace(visitor: Visitor) -> None:
    pace = visitor.page.locator("#watch-pace")
    visitor.new_game("pinch", (6, 6), black=ENGINE, white=ENGINE, strength=1, pie=False)
    visitor.page.evaluate(RECORD)
    pace.select_option("0.5")
    expect(visitor.page.locator("#board .stones .stone").nth(5)).to_be_attached()
    visitor.wait_until("() => window.seen.length > 2")
    (began, _, first), *_, (ended, _, last) = seen(visitor)
    assert (ended - began) / (last - first) > 100  # milliseconds; stones may come together
    pace.select_option("0")
    expect(visitor.page.locator("#status.over")).to_be_attached()
    visitor.expect_status("wins")
    expect(pace).to_have_count(0)
