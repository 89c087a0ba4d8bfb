"""The reference implementation of First Capture Go."""

import random
from functools import partial

import pytest
from reference.base import Color, Point, drawn, from_diagram, opponent, picture, read_diagram
from reference.capture_go import CaptureGo, CaptureGoMove

position = partial(from_diagram, CaptureGo)


# -- the interface --


def test_no_handicap_and_no_crosscut_by_default() -> None:
    start = CaptureGo()
    assert (start.crosscut, start.handicap) == (False, 0)


def test_moves_are_points_in_board_order_then_pass() -> None:
    start = CaptureGo(3, 2)
    assert start.moves() == [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1), "pass"]
    assert start.play((1, 1)).moves() == [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), "pass"]


@pytest.mark.parametrize("move", [(1, 1), (3, 0), (0, -1), "swap"])
def test_illegal_moves_are_rejected(move: CaptureGoMove) -> None:
    with pytest.raises(ValueError, match="not legal"):
        CaptureGo(3, 3).play((1, 1)).play(move)


# -- captures, suicide, passing, atari --


# A capture (*), what it leaves, and the captured stones. These lists are for the core as well.
CAPTURES: list[tuple[str, Color, str, set[Point]]] = [
    (". x .\nx o *\n. x .", "black", ". x .\nx . x\n. x .", {(1, 1)}),
    ("o *\nx .", "black", ". x\nx .", {(0, 1)}),
    # Two groups of two stones.
    (
        "o o * o\nx x o o\n. . x x",
        "black",
        ". . x .\nx x . .\n. . x x",
        {(0, 2), (1, 2), (2, 1), (3, 1), (3, 2)},
    ),
    # Captures come before the mover's own liberties.
    ("* o x\no x .\nx . .", "black", "x . x\n. x .\nx . .", {(1, 2), (0, 1)}),
]


@pytest.mark.parametrize(("text", "to_move", "result", "captured"), CAPTURES)
def test_capture_wins(text: str, to_move: Color, result: str, captured: set[Point]) -> None:
    before = position(text, to_move)
    (point,) = read_diagram(text).marked
    after = before.play(point)
    assert after.winner == to_move
    assert picture(after) == drawn(result)
    assert after.captured == captured
    assert after.moves() == []
    assert after.atari() == set()
    with pytest.raises(ValueError, match="not legal"):
        after.play("pass")


SUICIDES: list[tuple[str, Color]] = [
    ("* o .\no . .\n. . .", "black"),
    (". o .\no * o\n. o .", "black"),
    ("x * o\no o .\n. . .", "black"),  # a group of two
    ("* x .\nx . .\n. . .", "white"),
]


@pytest.mark.parametrize(("text", "to_move"), SUICIDES)
def test_suicide_is_illegal(text: str, to_move: Color) -> None:
    before = position(text, to_move)
    (point,) = read_diagram(text).marked
    assert point not in before.moves()
    with pytest.raises(ValueError, match="not legal"):
        before.play(point)
    other = position(text, opponent(to_move))
    assert point in other.moves()


def test_pass_loses() -> None:
    start = CaptureGo(3, 3)
    assert start.play("pass").winner == "white"
    assert start.play((1, 1)).play("pass").winner == "black"
    assert start.play("pass").moves() == []


def test_pass_without_legal_point() -> None:
    before = position(". x .\nx x x\n. x .", "white")
    assert before.winner is None
    assert before.moves() == ["pass"]
    assert before.play("pass").winner == "black"


ATARI: list[tuple[str, dict[Color, set[Point]]]] = [
    (". x .\nx o .\n. x .", {"black": set(), "white": {(1, 1)}}),
    ("o . .\nx . .\n. . .", {"black": set(), "white": {(0, 2)}}),
    ("o o .\nx x o\n. . .", {"black": set(), "white": {(0, 2), (1, 2)}}),
    # Two groups share their last liberty; a black group has one as well.
    ("o . o\nx . x\n. . o", {"black": {(2, 1)}, "white": {(0, 2), (2, 0), (2, 2)}}),
    (". o .\n. o .\n. . .", {"black": set(), "white": set()}),
]


@pytest.mark.parametrize(("text", "stones"), ATARI)
def test_stones_in_atari(text: str, stones: dict[Color, set[Point]]) -> None:
    assert {color: position(text, color).atari() for color in stones} == stones


# -- options --


@pytest.mark.parametrize(
    ("size", "stones"),
    [
        ((4, 4), ". . . .\n. o x .\n. x o .\n. . . ."),
        ((6, 4), ". . . . . .\n. . o x . .\n. . x o . .\n. . . . . ."),
        ((5, 5), ". . . . .\n. . . . .\n. o x . .\n. x o . .\n. . . . ."),
    ],
)
def test_crosscut_stands_in_the_centre_and_black_begins(size: tuple[int, int], stones: str) -> None:
    start = CaptureGo(*size, crosscut=True)
    assert picture(start) == drawn(stones)
    assert start.to_move == "black"
    assert start.winner is None
    assert len(start.moves()) == size[0] * size[1] - 4 + 1


def test_crosscut_on_odd_board_covers_centre() -> None:
    start = CaptureGo(crosscut=True)
    assert start.stones() == {
        (3, 3): "black",
        (4, 3): "white",
        (3, 4): "white",
        (4, 4): "black",
    }
    assert start.play((5, 5)).stones_of("black") == {(3, 3), (4, 4), (5, 5)}


@pytest.mark.parametrize(("handicap", "blacks"), [(0, 1), (1, 1), (2, 2), (3, 3)])
def test_handicap_is_placed_by_black(handicap: int, blacks: int) -> None:
    position = CaptureGo(5, 5, handicap=handicap)
    for x in range(blacks):
        assert position.to_move == "black"
        position = position.play((x, 0))
    for color, point in [("white", (0, 4)), ("black", (1, 4)), ("white", (2, 4))]:
        assert position.to_move == color
        position = position.play(point)


def test_remaining_handicap_is_part_of_position() -> None:
    assert CaptureGo(5, 5, handicap=2).key() != CaptureGo(5, 5, handicap=3).key()
    assert CaptureGo(5, 5, handicap=0).key() == CaptureGo(5, 5).key()


def test_swap_is_for_move_2_only() -> None:
    first = CaptureGo(5, 5, pie=True).play((1, 2))
    assert first.moves()[-2:] == [(4, 4), "swap"]  # a pass would be read as a swap
    assert first.play((0, 0)).moves()[-1] == "pass"
    assert "swap" not in first.play((0, 0)).moves()


# -- facts --


@pytest.mark.parametrize("seed", range(12))
def test_first_capture_ends_every_random_game(seed: int) -> None:
    """The first capture ends the game, and draws do not occur."""
    rng = random.Random(seed)
    position = CaptureGo(*[(2, 2), (3, 3), (4, 5), (6, 6), (7, 7), (9, 9)][seed % 6])
    placements = 0
    while position.winner is None:
        moves = position.moves()
        assert moves[-1] == "pass"
        move = rng.choice(moves[:-1] or moves)
        after = position.play(move)
        if move != "pass":
            placements += 1
        assert len(after.stones()) == placements - len(after.captured)
        assert (after.winner == position.to_move) == bool(after.captured)
        if move == "pass":
            assert moves == ["pass"]
            assert after.winner == opponent(position.to_move)
        position = after
    assert position.winner in ("black", "white")
