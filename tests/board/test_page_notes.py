"""The board in Chromium: notes on rules where they first come up."""

import pytest
from board.page import COVERED, Visitor
from playwright.sync_api import Locator, expect

pytestmark = pytest.mark.slow


@pytest.fixture
def newcomer(visitor: Visitor) -> Visitor:
    """A visitor who gets notes; the other tests turn them off."""
    visitor.set_cookie("notes", "")
    visitor.reload()
    return visitor


def note(visitor: Visitor) -> Locator:
    return visitor.page.locator(".rule-note p")


def ringed(visitor: Visitor) -> set[str]:
    """Returns the points that a note is about."""
    rings = visitor.page.locator("#board .noted circle:not([display])")
    return set(rings.evaluate_all("(all) => all.map((each) => each.dataset.vertex)"))


def enter(visitor: Visitor, moves: str) -> None:
    """Loads moves, which brings up no notes."""
    visitor.load(moves)
    dialog = visitor.page.locator("#load-dialog")
    expect(dialog).to_have_count(0)
    expect(visitor.page.locator("#move-list li")).to_have_count(len(moves.split()))
    expect(note(visitor)).to_be_hidden()


@pytest.mark.parametrize(
    ("game", "moves", "expected"),
    [
        ("pinch", "C3 C4 | B4", "Until the next move: C4"),
        ("pinch", "D1 D2 B5 E2 E1 | C1", "stone flips: D1; cascade: E1; rows and: C1 D1 D2 E1 E2"),
        ("pinch", "B1 E5 A2 | A1", "This stone stays: A1"),
        ("pinch", "A1 E5 A2 E4 | A3", "not diagonally: A1 A2 A3"),
        ("pinch", "A1 E5 A2 E4 A3 D5 | A4", "joins Black's sides: A5; not diagonally: A1 A2 A3 A4"),
        ("pinch-remove", "C3 C4 | B4", "leaves the board: C4; Nobody may play: C4"),
        ("pinch-relocate", "C3 C4 | B4", "on other points: C4"),
        ("capture-go", "C3 A1 | B1", "one free point left: A1"),
        ("capture-go", "B1 A1 | A2", "first capture wins: A1"),
        ("bushka", "g4 g6 b6 e6 h6 f6", "Captured by approach: c6 d6 e6"),
    ],
)
def test_rule_is_explained_where_it_comes_up(
    newcomer: Visitor, game: str, moves: str, expected: str
) -> None:
    """expected: words of a note and its points, for each note."""
    size, options = (None, {}) if game == "bushka" else ((5, 5), {"pie": False})
    newcomer.new_game(game, size, **options)
    before, _, made = moves.rpartition(" | ")
    if before:
        enter(newcomer, before)
    newcomer.click(*made.split())
    for words, points in (each.split(": ") for each in expected.split("; ")):
        expect(note(newcomer)).to_contain_text(words)
        assert ringed(newcomer) == set(points.split())
        newcomer.page.get_by_role("button", name="Got it").click()
    expect(note(newcomer)).to_be_hidden()
    assert not ringed(newcomer)


def test_no_note_covers_a_win(newcomer: Visitor) -> None:
    newcomer.new_game("pinch", (5, 5), pie=False)
    enter(newcomer, "A1 E5 A2 E4 A3 D5 A4")
    newcomer.click("D4")  # the note on the threat of A5
    expect(note(newcomer)).to_be_visible()
    newcomer.click("A5")
    newcomer.expect_status("Black wins")
    expect(note(newcomer)).to_be_hidden()


def test_swap_is_explained(newcomer: Visitor) -> None:
    newcomer.new_game("pinch", (5, 5))
    newcomer.click("C3")
    newcomer.do("swap")
    expect(note(newcomer)).to_contain_text("White swapped: this stone has White's color now")
    assert ringed(newcomer) == {"C3"}


def test_note_appears_once(newcomer: Visitor) -> None:
    newcomer.new_game("pinch", (5, 5), pie=False)
    newcomer.click("C3", "C4", "B4")
    expect(note(newcomer)).to_be_visible()
    newcomer.click("E1")
    newcomer.expect_stones("C3 C4 B4", "E1")
    expect(note(newcomer)).to_be_visible()
    newcomer.click("E5")
    expect(note(newcomer)).to_be_hidden()
    newcomer.reload()
    newcomer.new_game("pinch", (5, 5), pie=False)
    newcomer.click("C3", "C4", "B4")
    newcomer.expect_stones("C3 C4 B4")
    expect(note(newcomer)).to_be_hidden()
    newcomer.do("settings")
    newcomer.page.get_by_role("button", name="Show all notes again").click()
    newcomer.press("Escape")
    newcomer.new_game("pinch", (5, 5), pie=False)
    newcomer.click("C3", "C4", "B4")
    expect(note(newcomer)).to_be_visible()


@pytest.mark.parametrize(
    "window",
    [
        (375, 667),
        (667, 375),
        (844, 390),
        (820, 1180),
        (900, 600),
        (1000, 700),
        (1280, 800),
        (1366, 768),
    ],
)
def test_note_leaves_the_board_and_buttons_free(newcomer: Visitor, window: tuple[int, int]) -> None:
    width, height = window
    newcomer.page.set_viewport_size({"width": width, "height": height})
    newcomer.new_game("pinch", (9, 9), pie=False)
    newcomer.click("J1", "J9", "C3", "C4")  # the first two end the introduction below the board
    before = newcomer.page.locator("#board svg").bounding_box()
    newcomer.click("B4")
    expect(note(newcomer)).to_be_visible()
    board = newcomer.page.locator("#board svg").bounding_box()
    box = newcomer.page.locator(".rule-note").bounding_box()
    assert board == before
    assert newcomer.page.evaluate(COVERED, ".rule-note") == []
    assert board
    assert box
    is_below = box["y"] >= board["y"] + board["height"]
    is_right = box["x"] >= board["x"] + board["width"]
    assert is_below == (height > width)
    assert is_right == (width > height)
    assert box["x"] + box["width"] <= width
    assert box["y"] + box["height"] < height + 1  # pages scroll by whole pixels


def test_notes_are_turned_off_and_on(newcomer: Visitor) -> None:
    newcomer.new_game("pinch", (5, 5), pie=False)
    newcomer.click("C3", "C4", "B4")
    newcomer.page.get_by_role("button", name="Turn notes off").click()
    expect(note(newcomer)).to_be_hidden()
    newcomer.do("settings")
    notes = newcomer.page.locator("#settings-dialog [name=notes]")
    expect(notes).to_have_value("off")
    newcomer.press("Escape")
    newcomer.new_game("pinch", (5, 5), pie=False)
    enter(newcomer, "B1 E5 A2")
    newcomer.click("A1")
    newcomer.expect_stones("B1 A2", "E5 A1")
    expect(note(newcomer)).to_be_hidden()
    newcomer.do("settings")
    notes.select_option("")
    newcomer.press("Escape")
    newcomer.do("undo")
    newcomer.expect_stones("B1 A2", "E5")
    newcomer.click("A1")
    expect(note(newcomer)).to_contain_text("This stone stays")
