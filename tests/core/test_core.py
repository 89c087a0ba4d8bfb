"""Positions of the core: examples of the rules of Pinch, and guarantees for all games."""

import subprocess
import sys

import numpy as np
import pytest
from clients import FOLDER

from pinchtp import _core


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


def test_play_does_not_change_position() -> None:
    position = _core.new_position("pinch", 5, 5, pie=True)
    before = position.board.copy()
    position.play(0)
    assert np.array_equal(position.board, before)


def test_board_has_documented_shape() -> None:
    position = _core.new_position("pinch", 4, 3, pie=True).play(33)  # B2
    assert position.board.shape == (3, 4)
    assert position.board.dtype == np.int8
    assert position.board[1, 1] == 1
    assert position.cells() == position.board.tobytes()


def test_equal_positions_are_equal_and_hash_alike() -> None:
    start = _core.new_position("pinch", 5, 5, pie=True)
    one = start.play(0).play(1).play(2)
    other = start.play(2).play(1).play(0)
    assert one == other
    assert hash(one) == hash(other)
    assert one != start
    assert start != _core.new_position("pinch", 5, 4, pie=True)
    assert start != object()


def test_batch_needs_a_game() -> None:
    with pytest.raises(ValueError, match="at least one game"):
        _core.PositionBatch(_core.new_position("pinch", 5, 5), 0)


@pytest.mark.parametrize(("game", "height"), [("capture-go", 5), ("pinch-remove", 5), ("pinch", 4)])
def test_batch_has_one_game_and_size(game: str, height: int) -> None:
    batch = _core.PositionBatch(_core.new_position("pinch", 5, 5), 2)
    with pytest.raises(ValueError, match="another game or size"):
        batch.set(1, _core.new_position(game, 5, height))
    batch.set(1, _core.new_position("pinch", 5, 5, pie=True).play(0))
    assert batch.position(1).board[0, 0] == 1


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
from boards import drawn
from pinchtp import _core

for diagram, color in product({CROWDED!r}, ("black", "white")):
    print(diagram, color, flush=True)
    position, *_ = drawn({game!r}, diagram, color)
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
