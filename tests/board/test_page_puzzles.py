"""The board in Chromium: the puzzles that come with it."""

from __future__ import annotations

import pytest
from board.page import Visitor
from playwright.sync_api import expect

from pinchtp.board.puzzles import Puzzle, packaged
from pinchtp.games.notation import coordinates

pytestmark = pytest.mark.slow


def easiest(grade: str) -> Puzzle:
    """Returns the puzzle that the page shows first."""
    assert grade == "beginner"
    return min(packaged().values(), key=lambda each: each.level)


def point(puzzle: Puzzle, move: int) -> str:
    x, y = coordinates(move)
    notation = puzzle.session().game.notation
    return notation.columns[x] + notation.row_label(y)


def test_a_puzzle_is_tried_solved_and_remembered(visitor: Visitor) -> None:
    page, puzzle = visitor.page, easiest("beginner")
    session = puzzle.session()
    right = session.parse(puzzle.line[0])
    wrong = next(each for each in session.position.legal_moves() if each not in right)
    visitor.do("puzzles")
    row = page.locator("#puzzles-dialog .row").first
    expect(row).to_contain_text("Beginner0 of")
    row.get_by_role("button", name="Next puzzle: beginner").click()
    said = page.locator("#status")
    expect(said).to_contain_text("to move. Find the only move that wins.")
    expect(page.locator("#winrate-graph")).to_be_hidden()
    visitor.click(point(puzzle, wrong))
    expect(said).to_contain_text("Still a mistake: after")
    visitor.do("answer")
    expect(said).to_contain_text(f"Only {puzzle.line[0]} wins")
    expect(page.locator("#board .numbered:not([display])").first).to_be_visible()
    visitor.do("try-again")
    visitor.click(*(point(puzzle, each) for each in right))
    expect(said).to_contain_text(f"Well found: {puzzle.line[0]} wins")
    visitor.do("next-puzzle")
    expect(said).to_contain_text("Find the only move that wins.")
    visitor.reload()
    visitor.do("puzzles")
    expect(row).to_contain_text("Beginner1 of")
    visitor.press("Escape")
    visitor.do("library")
    expect(page.locator("#library-dialog")).to_contain_text("No stored games yet")


def test_a_puzzle_is_still_posed_after_a_reload(visitor: Visitor) -> None:
    """Before the first try and after it, but not once the visitor has played on."""
    page, puzzle = visitor.page, easiest("beginner")
    session = puzzle.session()
    right = session.parse(puzzle.line[0])
    visitor.do("puzzles")
    page.get_by_role("button", name="Next puzzle: beginner").click()
    visitor.reload()
    said = page.locator("#status")
    expect(said).to_contain_text("Find the only move that wins.")
    visitor.click(*(point(puzzle, each) for each in right))
    visitor.reload()
    expect(said).to_contain_text(f"Well found: {puzzle.line[0]} wins")
    visitor.do("leave-puzzle")
    for text in puzzle.line[:2]:
        turn = session.parse(text)
        visitor.click(*(point(puzzle, each) for each in turn))
        session.play(session.to_move, *turn)
    visitor.reload()
    visitor.settle()
    expect(visitor.action("leave-puzzle")).to_have_count(0)
