"""Pinch with relocation: the core compared with the reference, step by step, and the rules text."""

from __future__ import annotations

import random
from typing import Any

import captures
import numpy as np
import pytest
from boards import COLORS, core_move
from captures import core_position
from core.test_playouts import MOVES, RESULT
from reference.base import Color, Point, read_diagram
from reference.pinch_relocate import PinchRelocate
from rulebook.test_pinch_relocate import (
    LAST_POINT,
    ONE_CAPTURE,
    OPPONENT_WINS,
    REPEATING,
    REPETITION,
    TURNS,
)

from pinchtp import _core
from pinchtp.games.notation import coordinates

GAME = "pinch-relocate"
SIZES = [(2, 2), (2, 3), (3, 2), (3, 3), (4, 4), (5, 4), (3, 7), (6, 6), (9, 9)]
# Around the limit between the board layouts, and the extremes.
SLOW_SIZES = [(13, 13), (14, 14), (14, 15), (15, 14), (19, 19), (25, 2), (2, 25), (25, 25)]


def assert_same(core: _core.Position, book: PinchRelocate) -> None:
    captures.assert_same(core, book)
    assert core.mid_turn == bool(book.waiting)
    assert [COLORS[color] for _, color, _ in core.notes] == list(book.waiting)
    assert {name for name, *_ in core.notes} <= {"lifted"}
    swap = [_core.SWAP] if book.swap_open and book.winner is None else []
    assert core.legal_moves() == [core_move(part) for part in book.parts()] + swap
    barred = set(book.empty_points()) - set(book.parts()) if book.waiting else set()
    assert captures.banned(core) == barred


def play_random_game(rng: random.Random, core: _core.Position, book: Any) -> int:
    """Returns the number of steps of the longest turn."""
    assert_same(core, book)
    longest = parts = 0
    while core.result is None:
        parts = parts + 1 if core.mid_turn else 1
        longest = max(longest, parts)
        # A swap is rare among many moves: take it in half of the games that allow it.
        swap = core.swap_open and rng.random() < 0.5
        move = _core.SWAP if swap else rng.choice(core.legal_moves())
        core = core.play(move)
        is_part = move != _core.SWAP
        book = book.play_part(coordinates(move)) if is_part else book.play("swap")
        assert_same(core, book)
    return longest


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_core_equals_reference(width: int, height: int) -> None:
    rng = random.Random(f"{width}x{height}")
    for _ in range(max(1, 200 // (width * height))):
        pie = rng.random() < 0.7
        play_random_game(rng, *captures.start(GAME, width, height, pie=pie))


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), SLOW_SIZES)
def test_core_equals_reference_on_large_boards(width: int, height: int) -> None:
    rng = random.Random(f"{width}x{height}")
    play_random_game(rng, *captures.start(GAME, width, height))


@pytest.mark.slow
@pytest.mark.parametrize("games", [100, pytest.param(1000, marks=pytest.mark.nightly)])
def test_core_equals_reference_in_many_games(games: int) -> None:
    rng = random.Random(1000)
    longest = 0
    for _ in range(games):
        width, height = rng.randint(2, 8), rng.randint(2, 8)
        pair = captures.start(GAME, width, height, pie=rng.random() < 0.5)
        longest = max(longest, play_random_game(rng, *pair))
    assert longest > 8


def from_cells(width: int, height: int, cells: list[int], to_move: Color) -> Any:
    points = [(i % width, i // width) for i in range(width * height)]
    return PinchRelocate(
        width,
        height,
        pie=False,
        black=frozenset(p for p, cell in zip(points, cells, strict=True) if cell == 1),
        white=frozenset(p for p, cell in zip(points, cells, strict=True) if cell == 2),
        to_move=to_move,
    )


def test_set_up_positions_equal_reference() -> None:
    """Including unreachable ones: crowded boards, checkerboards, full boards."""
    rng = random.Random(8)
    for _ in range(150):
        width, height = rng.randint(2, 6), rng.randint(2, 6)
        share = rng.choice([0.5, 0.8, 1])
        cells = [rng.choice((1, 2)) if rng.random() < share else 0 for _ in range(width * height)]
        to_move: Color = rng.choice(COLORS)
        book = from_cells(width, height, cells, to_move)
        color = COLORS.index(to_move)
        play_random_game(rng, _core.set_up(GAME, width, height, bytes(cells), color), book)


def test_long_turns_equal_reference() -> None:
    """One stone on a board of mostly alternating stones causes many steps of both colors."""
    rng = random.Random(9)
    longest = 0
    for _ in range(20):
        size = 7
        cells = [0 if rng.random() < 0.4 else 1 + (i + i // size) % 2 for i in range(size * size)]
        book = from_cells(size, size, cells, "black")
        core = _core.set_up(GAME, size, size, bytes(cells), 0)
        longest = max(longest, play_random_game(rng, core, book))
    assert longest > 8


def test_set_up_equals_play() -> None:
    """Any position at the start of a turn equals its set-up copy."""
    rng = random.Random(3)
    for width, height in [(3, 3), (5, 5), (9, 7), (16, 15)]:
        position = _core.new_position(GAME, width, height, pie=True)
        while position.result is None:
            position = position.play(rng.choice(position.legal_moves()))
            if position.mid_turn:
                continue
            again = _core.set_up(
                GAME, width, height, position.cells(), position.to_move, swapped=position.swapped
            )
            assert (again.hash128 == position.hash128) is not position.swap_open
            assert again.result == position.result
            if position.result is None and not position.swap_open:
                assert again.legal_moves() == position.legal_moves()


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (bytes(8), "do not fit"),
        (bytes([3]) + bytes(8), "only stones"),
        (bytes([5]) + bytes(8), "only stones"),
        (bytes([255]) + bytes(8), "only stones"),
        (bytes([6]) + bytes(8), "-1 to 5"),
    ],
)
def test_invalid_setup_is_rejected(cells: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _core.set_up(GAME, 3, 3, cells, 0)


# -- the rules text --


def played(position: _core.Position, *parts: Point) -> _core.Position:
    for part in parts:
        position = position.play(core_move(part))
    return position


def from_diagram(text: str, to_move: Color = "black") -> tuple[_core.Position, PinchRelocate]:
    """Returns a diagram's position in core and reference."""
    diagram = read_diagram(text)
    size = diagram.width, diagram.height
    stones = {"black": diagram.black, "white": diagram.white}
    book = PinchRelocate(*size, pie=False, to_move=to_move, **stones)
    return core_position(GAME, text.replace("*", "."), to_move), book


@pytest.mark.parametrize(("text", "parts"), TURNS)
def test_examples_of_the_rules_hold(text: str, parts: tuple[Point, ...]) -> None:
    core, book = from_diagram(text)
    for part in parts:
        assert_same(core, book)
        core, book = played(core, part), book.play_part(part)
    assert_same(core, book)
    assert not core.mid_turn


def test_vacated_point_is_illegal() -> None:
    before, _ = from_diagram(ONE_CAPTURE)
    between = played(before, (1, 1))
    assert between.hash128 != before.hash128
    with pytest.raises(ValueError, match="illegal move"):
        between.play(core_move((1, 2)))


def test_remaining_steps_are_part_of_position() -> None:
    """The same stones and side to move, but different waiting stones or banned points."""
    one, two = (
        played(core_position(GAME, text), (1, 1))
        for text in ("x o . .\n. . . .\n. . . .", "x o x .\n. . . .\n. . . .")
    )
    assert one.hash128 != two.hash128
    left = played(core_position(GAME, "x o . .\n. . x .\n. . . ."), (1, 1))
    right = played(core_position(GAME, "x . . .\n. . x .\n. . . ."), (1, 1))
    assert captures.stones(left) == captures.stones(right)
    assert left.hash128 != right.hash128


def test_full_set_up_board_draws() -> None:
    full = played(from_diagram(LAST_POINT)[0], (3, 0))
    assert _core.set_up(GAME, 4, 3, full.cells(), 1).result == full.result == 2


def test_third_occurrence_draws() -> None:
    """Our decision, since the text does not cover it. Positions within a turn do not count."""
    core, book = from_diagram(REPETITION, "white")
    begin = core
    for _ in range(2):
        for part in [part for turn in REPEATING for part in turn]:
            assert_same(core, book)
            assert core.result is None
            core, book = played(core, part), book.play_part(part)
        assert core == begin
    assert_same(core, book)
    assert core.result == 2


@pytest.mark.parametrize("size", [(2, 2), (3, 2), (2, 3), (3, 3)])
def test_search_proofs_are_correct(size: tuple[int, int]) -> None:
    exact = captures.exact_results(_core.new_position(GAME, *size, pie=False))
    captures.assert_search_proves(exact, min(100, len(exact) // 4))


# -- random games --


@pytest.mark.parametrize(
    ("width", "height", "count"),
    [(2, 2, 1_000), (3, 2, 1_000), (3, 3, 500), pytest.param(4, 4, 2_000, marks=pytest.mark.slow)],
)
def test_playouts_are_distributed_like_reference(width: int, height: int, count: int) -> None:
    captures.assert_playouts_alike(GAME, width, height, count)


@pytest.mark.parametrize("size", [5, 13])
def test_first_placements_are_uniform(size: int) -> None:
    captures.assert_first_placements_uniform(_core.new_position(GAME, size, size, pie=True))


def test_playout_completes_turn_first() -> None:
    """A white stone waits; one of its four points connects White."""
    between = played(from_diagram(OPPONENT_WINS)[0], (1, 1))
    assert len(between.legal_moves()) == 4
    games = between.playouts(10_000, seed=1)
    at_once = games[games[:, MOVES] == 1]
    assert (at_once[:, RESULT] == 1).all()
    assert len(at_once) / len(games) == pytest.approx(0.25, abs=0.026)  # six standard deviations


def test_instruction_sets_play_same_games() -> None:
    captures.assert_instruction_sets_agree(GAME)


def test_random_games_on_13x13() -> None:
    """The reference gave a mean length of 146.9 turns, +-1.3, in 60 games."""
    games = _core.new_position(GAME, 13, 13, pie=False).playouts(20_000, seed=1)
    assert games[:, MOVES].mean() == pytest.approx(146, abs=1)
    assert np.isin(games[:, RESULT], (0, 1, 2)).all()
