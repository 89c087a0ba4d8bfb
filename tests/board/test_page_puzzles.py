"""The board in Chromium: the puzzles that come with it."""

import re
from pathlib import Path

import pytest
from board.page import ENGINE, Visitor, Wire
from board.visits import Board
from playwright.sync_api import Browser, expect

from pinchtp.board.puzzles import Puzzle, load_puzzles
from pinchtp.games.notation import coordinates

pytestmark = pytest.mark.slow


def easiest(size: int = 9) -> Puzzle:
    """Returns the puzzle of Pinch that the page shows first."""
    alike = (each for each in load_puzzles().values() if each.game == "pinch")
    return min((each for each in alike if side(each) == size), key=lambda each: each.level)


def side(puzzle: Puzzle) -> int:
    return len(puzzle.position.split()[0].split("/"))


def wrong_moves(puzzle: Puzzle) -> list[str]:
    """Returns points whose moves do not solve it."""
    session = puzzle.session()
    right = session.parse(puzzle.line[0])
    return [point(puzzle, each) for each in session.position.legal_moves() if each not in right]


def begin(visitor: Visitor) -> None:
    """Opens the first puzzle for beginners."""
    visitor.do("puzzles")
    visitor.page.get_by_role("button", name="Next puzzle: beginner").click()
    visitor.expect_status("Find the only move that wins.")


def point(puzzle: Puzzle, move: int) -> str:
    x, y = coordinates(move)
    notation = puzzle.session().game.notation
    return notation.columns[x] + notation.row_label(y)


def test_puzzle_is_tried_solved_and_remembered(visitor: Visitor) -> None:
    page = visitor.page
    puzzle = easiest()
    visitor.do("puzzles")
    row = page.locator("#puzzles-dialog .row").first
    expect(row).to_contain_text("Beginner0 of")
    visitor.press("Escape")
    begin(visitor)
    said = page.locator("#status")
    expect(page.locator("#winrate-graph")).to_be_hidden()
    visitor.click(wrong_moves(puzzle)[0])
    expect(said).to_contain_text("Wrong: after")
    visitor.do("answer")
    expect(said).to_contain_text(f"Only {puzzle.line[0]} wins")
    numbered = page.locator("#board .numbered:not([display])")
    expect(numbered.filter(has_text=str(len(puzzle.line)))).to_have_count(1)  # the whole line
    expect(visitor.action("next-puzzle")).to_have_class("main")
    visitor.do("try-again")
    visitor.click(puzzle.line[0])
    expect(said).to_contain_text(f"Correct: {puzzle.line[0]} wins")
    expect(visitor.action("next-puzzle")).to_have_class("main")
    visitor.do("next-puzzle")
    expect(said).to_contain_text("Find the only move that wins.")
    visitor.reload()
    visitor.do("puzzles")
    expect(row).to_contain_text("Beginner1 of")
    visitor.press("Escape")
    visitor.do("library")
    expect(page.locator("#library-dialog")).to_contain_text("No saved games yet")


def test_point_after_a_wrong_one_is_the_next_try(visitor: Visitor) -> None:
    puzzle = easiest()
    begin(visitor)
    for wrong in wrong_moves(puzzle)[:2]:
        visitor.click(wrong)
        visitor.expect_status(f"Wrong: after {wrong} the opponent wins")
    visitor.click(puzzle.line[0])
    visitor.expect_status("Correct")
    visitor.click(wrong_moves(puzzle)[0])
    expect(visitor.page.locator("#notices")).to_contain_text("below the board")


def test_new_game_after_a_first_puzzle_is_against_the_engine(visitor: Visitor) -> None:
    begin(visitor)
    visitor.do("new")
    white = visitor.page.locator("#new-game-dialog [name=white-player]")
    expect(white).to_have_value(ENGINE)


def test_puzzles_explain_no_rules(visitor: Visitor) -> None:
    """The note covered the position."""
    visitor.set_cookie("notes", "")
    visitor.reload()
    begin(visitor)
    visitor.click(wrong_moves(easiest())[0])
    visitor.expect_status("Wrong: after")
    visitor.do("answer")
    visitor.expect_status("wins:")
    expect(visitor.page.locator(".rule-note")).to_be_hidden()
    assert not [each for each in visitor.context.cookies() if each.get("name") == "pinchtp_seen"]


def test_puzzles_are_of_the_game_on_the_board(visitor: Visitor) -> None:
    chosen = visitor.page.locator("[name=puzzle-board]")
    for game, size, name in (
        ("pinch", (7, 7), "Pinch 7.7"),
        ("pinch-relocate", (9, 9), "Pinch with relocation 6.6"),
        ("bushka", None, "All boards"),
    ):
        visitor.new_game(game, size)
        visitor.reload()  # the choice of a visitor stays
        visitor.do("puzzles")
        expect(chosen.locator("option:checked")).to_have_text(re.compile(name))
        visitor.press("Escape")


def test_puzzle_is_still_posed_after_a_reload(visitor: Visitor) -> None:
    """Before the first try and after it."""
    puzzle = easiest()
    begin(visitor)
    visitor.reload()
    visitor.expect_status("Find the only move that wins.")
    visitor.click(puzzle.line[0])
    visitor.reload()
    visitor.expect_status(f"Correct: {puzzle.line[0]} wins")
    visitor.do("leave-puzzle")
    visitor.reload()
    visitor.settle()
    expect(visitor.action("leave-puzzle")).to_have_count(0)


def test_puzzles_come_between_a_game_and_its_review(visitor: Visitor) -> None:
    """Opened without a notice over them, and left for the reviewed game."""
    lose(visitor)
    begin(visitor)
    expect(visitor.page.locator("#notices .notice")).to_have_count(0)
    visitor.do("leave-puzzle")
    visitor.expect_status("Black wins")
    expect(visitor.page.locator("#own-worst button", has_text="8. White E1")).to_be_visible()


def test_mistake_of_a_stored_game_is_a_puzzle(visitor: Visitor) -> None:
    lose(visitor)
    visitor.new_game("pinch", (7, 7))
    visitor.do("puzzles")
    dialog = visitor.page.locator("#puzzles-dialog")
    dialog.locator("button", has_text="8. White E1: find a better move").click()
    visitor.expect_status("White played E1. Find a better move")
    expect(dialog).to_have_count(0)
    visitor.click("A5")
    visitor.expect_status("Well done: A5 costs 0%")


def test_solved_mistake_is_marked_in_all_lists(visitor: Visitor) -> None:
    lose(visitor)
    own = visitor.page.locator("#own-worst button", has_text="8. White E1")
    expect(own).not_to_contain_text("✓")
    own.click()
    visitor.expect_status("Find a better move")
    visitor.click("A5")
    visitor.expect_status("Well done")
    expect(visitor.action("leave-puzzle")).to_have_class("main")
    expect(visitor.action("try-again")).to_have_count(0)
    visitor.do("leave-puzzle")
    expect(own).to_contain_text("✓")
    visitor.new_game("bushka")
    visitor.do("puzzles")
    listed = visitor.page.locator("#puzzles-dialog .worst button", has_text="8. White E1")
    expect(listed).to_contain_text("✓")


def test_puzzle_has_one_player(visitor: Visitor) -> None:
    begin(visitor)
    names = visitor.page.locator("#players .name")
    assert sorted(names.all_text_contents()) in (["Black", "You (White)"], ["White", "You (Black)"])


def test_mistake_is_still_a_puzzle_after_a_reload(visitor: Visitor) -> None:
    lose(visitor)
    visitor.page.locator("#own-worst button", has_text="8. White E1").click()
    visitor.expect_status("Find a better move")
    visitor.reload()
    visitor.expect_status("White played E1. Find a better move")
    visitor.click("D1")
    visitor.expect_status("Still a blunder: D1 costs")
    visitor.reload()
    visitor.expect_status("Still a blunder: D1 costs")
    visitor.do("leave-puzzle")
    visitor.expect_status("Black wins")
    visitor.reload()
    visitor.expect_status("Black wins")


def restart(server: Board, visitor: Visitor) -> None:
    """Restarts the server, to which the page reconnects."""
    server.stop()
    expect(visitor.page.locator("#connection")).to_contain_text("Connection lost")
    server.start()
    visitor.wait_for_connection()


def test_puzzles_outlast_a_restart_of_the_server(browser: Browser, tmp_path: Path) -> None:
    with Board(tmp_path) as server, Visitor(browser, server) as visitor:
        begin(visitor)
        restart(server, visitor)
        visitor.click(easiest().line[0])
        visitor.expect_status("Correct")
        lose(visitor, taken_back="E5")  # so that the restart changes the ids of later moves
        visitor.page.locator("#own-worst button", has_text="8. White E1").click()
        visitor.expect_status("Find a better move")
        restart(server, visitor)
        visitor.click("A5")
        visitor.expect_status("Well done")
        visitor.do("leave-puzzle")
        visitor.expect_status("Black wins")
        visitor.check()


@pytest.mark.parametrize("is_reload", [True, False])
def test_try_counts_although_its_page_was_lost(
    browser: Browser, server: Board, *, is_reload: bool
) -> None:
    """The requests of the try are lost with the page, or with its connection."""

    def fail(wire: Wire, visitor: Visitor, request: str, move: str, said: str) -> None:
        """Loses the page after a try."""
        wire.lost.append(request)
        visitor.click(move)
        visitor.expect_status(said)
        wire.lost.clear()
        if is_reload:
            visitor.reload()
        else:
            wire.cut()
            wire.mend()

    with Visitor(browser, server) as visitor:
        wire = Wire(visitor)
        begin(visitor)
        fail(wire, visitor, "mark-solved", easiest().line[0], "Correct")
        visitor.expect_status("Correct")
        visitor.do("puzzles")
        row = visitor.page.locator("#puzzles-dialog .row").first
        expect(row).to_contain_text("Beginner1 of")
        visitor.press("Escape")
        lose(visitor)
        visitor.page.locator("#own-worst button", has_text="8. White E1").click()
        visitor.expect_status("Find a better move")
        fail(wire, visitor, "judge-move", "A5", "Evaluating")
        visitor.expect_status("Well done")
        visitor.check()


def test_puzzle_opened_during_an_animation_is_posed(visitor: Visitor) -> None:
    begin(visitor)
    visitor.page.emulate_media(reduced_motion="no-preference")
    visitor.hold_animation()
    visitor.click(wrong_moves(easiest())[0])
    visitor.expect_status("Wrong: after")
    tried = visitor.stones()
    visitor.do("next-puzzle")
    visitor.expect_status("Find the only move that wins.")
    assert visitor.stones() != tried
    expect(visitor.action("next-puzzle")).to_be_visible()


def test_first_stone_of_a_puzzle_is_not_swapped(visitor: Visitor) -> None:
    visitor.new_game("pinch", (9, 9))  # on small boards every first stone loses
    visitor.click("E5")
    visitor.do("swap")
    visitor.resign()
    visitor.review()
    visitor.page.locator("#own-worst button", has_text="1. Black E5").click()
    visitor.click("D5")
    visitor.expect_status("Still a")
    expect(visitor.action("try-again")).to_be_visible()
    expect(visitor.action("swap")).to_have_count(0)


def lose(visitor: Visitor, *, taken_back: str = "") -> None:
    """Plays a game to its end, and reviews it; White's E1 leaves A5 to Black.

    taken_back: a first move that is taken back.
    """
    visitor.new_game("pinch", (5, 5), pie=False)
    if taken_back:
        visitor.click(taken_back)
        visitor.do("undo")
    visitor.click("A1", "B5", "A2", "C5", "A3", "D5", "A4", "E1", "A5")
    visitor.review()
