"""First Capture Go in the core compared with the reference, and properties of its rules."""

import random

import boards
import pytest
from reference.base import Color, Point, chains
from reference.capture_go import CaptureGo
from rulebook.test_capture_go import ATARI

from pinchtp import _core
from pinchtp.games.notation import coordinates, point

GAME = "capture-go"


# -- set-up positions --


def random_book(rng: random.Random, width: int, height: int) -> CaptureGo:
    """Returns random stones, with or without liberties."""
    density = rng.uniform(0.2, 0.9)
    stones: dict[str, set[tuple[int, int]]] = {"black": set(), "white": set()}
    for x in range(width):
        for y in range(height):
            if rng.random() < density:
                stones[rng.choice(boards.COLORS)].add((x, y))
    return CaptureGo(
        width,
        height,
        black=frozenset(stones["black"]),
        white=frozenset(stones["white"]),
        to_move=rng.choice(("black", "white")),
    )


def has_dead_group(book: CaptureGo) -> bool:
    occupied = book.black | book.white
    return any(
        not book.liberties(group, occupied)
        for stones in (book.black, book.white)
        for group in chains(stones)
    )


@pytest.mark.parametrize(("width", "height"), [(3, 3), (4, 4), (5, 4), (7, 7), (3, 15)])
def test_set_up_positions_equal_reference(width: int, height: int) -> None:
    """Same legal moves, ataris and captures; rejected if a group has no liberty."""
    rng = random.Random(f"{width}x{height}")
    compared = 0
    while compared < 40:
        book = random_book(rng, width, height)
        if has_dead_group(book):
            with pytest.raises(ValueError, match="a group has no liberty"):
                boards.set_up(GAME, book)
            continue
        core = boards.set_up(GAME, book)
        boards.assert_same(core, book)
        for move in core.legal_moves():
            after = core.play(move)
            expected = book.play(boards.rulebook_move(move))
            assert boards.core_stones(after) == expected.stones()
            assert (after.result is None) == (expected.winner is None)
        compared += 1


def test_handicap_equals_reference() -> None:
    """It is set up: black stones, and White to move."""
    handicap = _core.set_up(GAME, 5, 5, bytes([1, 1]) + bytes(23), 1)
    book = CaptureGo(5, 5, handicap=2).play((0, 0)).play((1, 0))
    boards.assert_same(handicap, book)


# -- the rules, one by one --


def test_winning_chain_surrounds_captured_stones() -> None:
    before, _, (move,) = boards.drawn(GAME, "x . x .\nx o * .\n. x . x")
    assert before.winning_chain == []
    around = [point(1, 0), point(0, 1), point(2, 1)]
    before, _, (move,) = boards.drawn(GAME, "x x . .\nx o * .\n. x . x")
    assert before.play(move).winning_chain == [*around, point(1, 2)]
    assert before.play(_core.PASS).winning_chain == []


def test_pass_without_legal_point() -> None:
    position, _, _ = boards.drawn(GAME, ". x .\nx x x\n. x .", "white")
    assert position.legal_moves() == [_core.PASS]
    assert position.playouts(5)[:, 1:].tolist() == [[1, 0, 0]] * 5


@pytest.mark.parametrize(("text", "stones"), ATARI)
def test_atari_of_either_color(text: str, stones: dict[Color, set[Point]]) -> None:
    position, _, _ = boards.drawn(GAME, text)
    exchanged = bytes((0, 2, 1)[cell] for cell in position.cells())
    swapped = _core.set_up(GAME, 3, 3, exchanged, 0, swapped=True)
    for color, points in enumerate(stones.values()):
        noted = boards.noted(position, "atari", color)
        assert {coordinates(each) for each in noted} == points
        assert boards.noted(swapped, "atari", 1 - color) == noted


@pytest.mark.parametrize(("width", "height"), [(4, 4), (6, 4), (5, 5), (9, 9), (2, 4), (25, 25)])
def test_crosscut_equals_reference(width: int, height: int) -> None:
    core, book = boards.pair(GAME, width, height, crosscut=True, pie=False)
    boards.assert_same(core, book)
    assert len(core.legal_moves()) == width * height - 4 + 1


@pytest.mark.parametrize(("width", "height"), [(2, 2), (2, 3), (3, 2), (3, 3)])
def test_crosscut_needs_side_of_4(width: int, height: int) -> None:
    """Smaller boards leave one of the four stones without a liberty."""
    with pytest.raises(ValueError, match="a crosscut needs a side of 4"):
        _core.new_position(GAME, width, height, crosscut=True, pie=True)


def test_captured_stones_are_part_of_position() -> None:
    """The reference's key agrees, though the remaining stones are the same."""
    left, _, (at_left,) = boards.drawn(GAME, "o x .\n* . x\n. . .")
    right, _, (at_right,) = boards.drawn(GAME, ". x o\nx . *\n. . .")
    assert left.play(at_left).cells() == right.play(at_right).cells()
    assert left.play(at_left) != right.play(at_right)
