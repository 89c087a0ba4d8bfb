"""The core compared with the reference, position by position, and its own guarantees."""

from __future__ import annotations

import random
import subprocess
import sys

import boards
import numpy as np
import pytest
from captures import core_position
from clients import FOLDER
from reference.base import Color, Point, read_diagram
from rulebook.test_pinch import CONNECTIONS, FLIPS

from pinchtp import _core
from pinchtp.games.notation import coordinates

SIZES = [(2, 2), (2, 3), (3, 2), (3, 3), (4, 4), (5, 4), (7, 7), (9, 9), (11, 11), (13, 13)]
# Around the limit between the board layouts, and the extremes.
SLOW_SIZES = [
    *((14, 14), (14, 15), (15, 14), (15, 15), (19, 19)),
    *((22, 22), (22, 23), (23, 22), (25, 2), (2, 25), (25, 25)),
]


def play_random_game(rng: random.Random, width: int, height: int) -> None:
    """Plays a random game in core and reference, compared at each ply."""
    core, book = boards.pair("pinch", width, height, pie=rng.random() < 0.7)
    boards.assert_same(core, book)
    while core.result is None:
        moves = core.legal_moves()
        # A swap is rare among many moves: take it in half of the games that allow it.
        move = _core.SWAP if core.swap_open and rng.random() < 0.5 else rng.choice(moves)
        core, book = core.play(move), book.play(boards.rulebook_move(move))
        boards.assert_same(core, book)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_core_equals_reference(width: int, height: int) -> None:
    rng = random.Random(f"{width}x{height}")
    for _ in range(max(1, 120 // (width * height))):
        play_random_game(rng, width, height)


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), SLOW_SIZES)
def test_core_equals_reference_on_large_boards(width: int, height: int) -> None:
    play_random_game(random.Random(f"{width}x{height}"), width, height)


@pytest.mark.slow
def test_core_equals_reference_at_every_size() -> None:
    rng = random.Random(25)
    for size in range(2, 26):
        play_random_game(rng, size, rng.randint(2, 25))


@pytest.mark.parametrize(("text", "to_move", "result"), FLIPS)
def test_examples_of_flips_hold(text: str, to_move: Color, result: str) -> None:
    (placed,) = read_diagram(text).marked
    after = core_position("pinch", text.replace("*", "."), to_move).play(boards.core_move(placed))
    assert after.cells() == core_position("pinch", result).cells()


@pytest.mark.parametrize(("text", "winner", "chain"), CONNECTIONS)
def test_examples_of_connections_hold(text: str, winner: Color | None, chain: set[Point]) -> None:
    position = core_position("pinch", text)
    assert position.result == (None if winner is None else boards.COLORS.index(winner))
    assert {coordinates(move) for move in position.winning_chain} == chain


def test_games_with_many_flips_equal_reference() -> None:
    """Games on long, thin boards are long and have many flips, over thousands of plies."""
    rng = random.Random(5)
    for _ in range(20):
        play_random_game(rng, 6, 4)


@pytest.mark.parametrize("size", [(1, 9), (9, 1), (26, 9), (9, 26), (0, 0), (-3, 9)])
def test_sizes_out_of_range_are_rejected(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="unacceptable size"):
        _core.new_position("pinch", *size, pie=True)


def test_unknown_names_are_rejected() -> None:
    with pytest.raises(ValueError, match="unknown game"):
        _core.new_position("chess", 9, 9)
    with pytest.raises(ValueError, match="unknown instruction set"):
        _core.new_position("pinch", 9, 9, pie=True, instruction_set="mmx")


@pytest.mark.parametrize("move", [-1, 9, 9 * 32, 32 * 32, _core.PASS, _core.SWAP, 5000, 2**40])
def test_moves_outside_board_are_illegal(move: int) -> None:
    position = _core.new_position("pinch", 9, 9, pie=True)
    assert not position.is_legal(move)
    with pytest.raises(ValueError, match="illegal move"):
        position.play(move)


def test_is_legal_agrees_with_legal_moves() -> None:
    position = _core.new_position("pinch", 5, 4, pie=True).play(33)
    legal = {move for move in range(32 * 32 + 10) if position.is_legal(move)}
    assert legal == set(position.legal_moves())


def test_play_does_not_change_position() -> None:
    position = _core.new_position("pinch", 5, 5, pie=True)
    before = position.board.copy()
    position.play(0)
    assert np.array_equal(position.board, before)


def test_arrays_have_documented_shape() -> None:
    position = _core.new_position("pinch", 4, 3, pie=True).play(33)  # B2
    assert position.board.shape == position.legal_mask.shape == (3, 4)
    assert position.board.dtype == np.int8
    assert position.legal_mask.dtype == np.bool_
    assert position.board[1, 1] == 1
    assert position.cells() == position.board.tobytes()
    assert np.array_equal(position.legal_mask, position.board == 0)


def test_equal_positions_are_equal_and_hash_alike() -> None:
    start = _core.new_position("pinch", 5, 5, pie=True)
    one = start.play(0).play(1).play(2)
    other = start.play(2).play(1).play(0)
    assert one == other
    assert hash(one) == hash(other)
    assert one != start
    assert start != _core.new_position("pinch", 5, 4, pie=True)


def test_swap_makes_different_position() -> None:
    stone = _core.new_position("pinch", 5, 5, pie=True).play(0)
    swapped = stone.play(_core.SWAP)
    assert swapped != stone
    assert swapped.board[0, 0] == 2
    assert swapped.to_move == 0
    assert swapped.swapped
    assert not swapped.swap_open


def test_swap_needs_pie_rule() -> None:
    stone = _core.new_position("pinch", 5, 5, pie=False).play(0)
    assert not stone.swap_open
    assert not stone.is_legal(_core.SWAP)


def test_finished_game_has_no_moves() -> None:
    position = _core.new_position("pinch", 2, 2, pie=True)
    for move in (0, 1, 32):
        position = position.play(move)
    assert position.result == 0
    assert position.winning_chain == [0, 32]
    assert position.legal_moves() == []
    assert not position.legal_mask.any()
    with pytest.raises(ValueError, match="illegal move"):
        position.play(33)


def test_set_up_equals_play() -> None:
    """Any position of a game equals its set-up copy, also after further moves."""
    rng = random.Random(3)
    for width, height in [(5, 5), (9, 7), (16, 15)]:
        position = _core.new_position("pinch", width, height, pie=True)
        while position.result is None:
            if position.swap_open and rng.random() < 0.5:
                position = position.play(_core.SWAP)
            position = position.play(rng.choice(position.legal_moves()[: width * height - 1]))
            again = _core.set_up(
                "pinch",
                width,
                height,
                position.cells(),
                position.to_move,
                swapped=position.swapped,
            )
            assert again.cells() == position.cells()
            assert again.result == position.result
            assert again.winning_chain == position.winning_chain
            assert not again.swap_open
            if position.result is None and not position.swap_open:
                move = rng.choice(position.legal_moves())
                assert again.play(move).cells() == position.play(move).cells()
                assert again.play(move).result == position.play(move).result


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (bytes(8), "do not fit"),
        (bytes([3]) + bytes(8), "only stones"),
        (bytes([6]) + bytes(8), "-1 to 5"),
        (bytes([1, 1, 1] + [0] * 6), None),
    ],
)
def test_invalid_setup_is_rejected(cells: bytes, message: str | None) -> None:
    if message is None:
        assert _core.set_up("pinch", 3, 3, cells, 0).result is None
    else:
        with pytest.raises(ValueError, match=message):
            _core.set_up("pinch", 3, 3, cells, 0)


def test_side_to_move_is_part_of_position() -> None:
    black, white = (_core.set_up("pinch", 3, 3, bytes(9), color) for color in (0, 1))
    assert black != white


CROWDED = [  # unreachable positions: full, or full later without a winner
    "x o\no x",
    "o x . .\nx o o .\nx x . x\n. o . .",
    "x o x\no x o\nx o .",
    "x o .\n. x o\no . x\n. . o",
]


@pytest.mark.parametrize("game", ["pinch", "pinch-remove", "pinch-relocate"])
def test_crowded_positions_terminate(game: str) -> None:
    """Playouts and searches run in a subprocess, which can be killed if they hang."""
    script = f"""
import sys
from itertools import product
sys.path[:0] = [{str(FOLDER)!r}, {str(FOLDER / "support")!r}]
from captures import core_position
from pinchtp import _core

for diagram, color in product({CROWDED!r}, ("black", "white")):
    print(diagram, color, flush=True)
    position = core_position({game!r}, diagram, color)
    rows = position.playouts(2000, seed=1)
    assert (position.result is None) == (len(rows) == 2000)
    if position.result is None:
        search = _core.Search(position, memory_mb=4)
        search.run(0.2, 2**40, 2, 1)
        assert search.report().choices
    else:
        assert position.result == 2 and not position.legal_moves()
"""
    subprocess.run([sys.executable, "-P", "-c", script], check=True, timeout=300)


def test_invalid_color_numbers() -> None:
    with pytest.raises(ValueError, match="color"):
        _core.set_up("pinch", 2, 2, bytes(4), 2)


def set_up_again(position: _core.Position) -> _core.Position:
    """Returns the same cells as a set-up position, which never has a swap."""
    return _core.set_up(
        position.game,
        position.width,
        position.height,
        position.cells(),
        position.to_move,
        swapped=position.swapped,
        options=position.options,
    )


@pytest.mark.parametrize("game", ["pinch", "pinch-remove", "pinch-relocate", "capture-go"])
def test_positions_with_and_without_a_swap_differ(game: str) -> None:
    empty = _core.new_position(game, 5, 5, pie=True)
    opened = empty.play(2 * _core.STRIDE + 2)
    assert opened.swap_open
    for position in (empty, opened):
        assert position != set_up_again(position)
        assert position.hash128 != set_up_again(position).hash128
    for after in (opened.play(_core.SWAP), opened.play(0)):
        assert after == set_up_again(after)
    assert _core.new_position(game, 5, 5, pie=False) == set_up_again(
        _core.new_position(game, 5, 5, pie=False)
    )
