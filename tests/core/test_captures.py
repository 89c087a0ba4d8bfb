"""The Pinch games with captures: the core compared with the reference, step by step."""

from __future__ import annotations

import random
from typing import Any

import captures
import numpy as np
import pytest
from boards import core_move
from core.test_playouts import FIRST, MOVES, RESULT, SWAPPED, assert_alike
from reference import GAMES

from pinchtp import _core

SIZES = [(2, 2), (2, 3), (3, 2), (3, 3), (4, 4), (5, 4), (3, 7), (6, 6), (9, 9)]
# Around the limit between the board layouts, and the extremes.
SLOW_SIZES = [(13, 13), (14, 14), (14, 15), (15, 14), (19, 19), (25, 2), (2, 25), (25, 25)]
ALL_GAMES = pytest.mark.parametrize("game", ["pinch-remove", "pinch-relocate"])


@ALL_GAMES
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_core_equals_reference(game: str, width: int, height: int) -> None:
    rng = random.Random(f"{width}x{height}")
    for _ in range(max(1, 200 // (width * height))):
        pie = rng.random() < 0.7
        captures.play_random_game(rng, *captures.start(game, width, height, pie=pie))


@pytest.mark.slow
@ALL_GAMES
@pytest.mark.parametrize(("width", "height"), SLOW_SIZES)
def test_core_equals_reference_on_large_boards(game: str, width: int, height: int) -> None:
    rng = random.Random(f"{width}x{height}")
    captures.play_random_game(rng, *captures.start(game, width, height))


@pytest.mark.slow
@ALL_GAMES
@pytest.mark.parametrize("games", [100, pytest.param(1000, marks=pytest.mark.nightly)])
def test_core_equals_reference_in_many_games(game: str, games: int) -> None:
    rng = random.Random(1000)
    longest = 0
    for _ in range(games):
        width, height = rng.randint(2, 8), rng.randint(2, 8)
        pair = captures.start(game, width, height, pie=rng.random() < 0.5)
        longest = max(longest, captures.play_random_game(rng, *pair))
    assert longest > 8 or game == "pinch-remove"


@ALL_GAMES
def test_set_up_positions_equal_reference(game: str) -> None:
    """Including unreachable ones: crowded boards, checkerboards, full boards."""
    rng = random.Random(8)
    for _ in range(150):
        width, height = rng.randint(2, 6), rng.randint(2, 6)
        share = rng.choice([0.5, 0.8, 1])
        cells = [rng.choice((1, 2)) if rng.random() < share else 0 for _ in range(width * height)]
        pair = captures.from_cells(game, width, height, cells, rng.choice(("black", "white")))
        captures.play_random_game(rng, *pair)


@ALL_GAMES
def test_set_up_equals_play(game: str) -> None:
    """Any position at the start of a turn equals its set-up copy."""
    rng = random.Random(3)
    for width, height in [(3, 3), (5, 5), (9, 7), (16, 15)]:
        position = _core.new_position(game, width, height, pie=True)
        while position.result is None:
            position = position.play(rng.choice(position.legal_moves()))
            if position.mid_turn:
                continue
            again = _core.set_up(
                game, width, height, position.cells(), position.to_move, swapped=position.swapped
            )
            assert (again.hash128 == position.hash128) is not position.swap_open
            assert again.result == position.result
            if position.result is None and not position.swap_open:
                assert again.legal_moves() == position.legal_moves()


@ALL_GAMES
@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (bytes(8), "do not fit"),
        (bytes([3]) + bytes(8), "only stones"),
        (bytes([255]) + bytes(8), "only stones"),
        (bytes([6]) + bytes(8), "-1 to 5"),
    ],
)
def test_invalid_setup_is_rejected(game: str, cells: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _core.set_up(game, 3, 3, cells, 0)


# -- random games --


def rulebook_playouts(game: str, width: int, height: int, count: int) -> np.ndarray:
    """Plays random games in the reference, step by step, in the format of the core's playouts."""
    rng = random.Random(1)
    rows = []
    for _ in range(count):
        position: Any = GAMES[game](width, height)
        first = None
        swapped = False
        while position.winner is None:
            parts = position.parts() if hasattr(position, "parts") else position.moves()
            moves = [*parts, "swap"] if position.swap_open and "swap" not in parts else parts
            move = rng.choice(moves)
            first = first or move
            swapped |= move == "swap"
            is_part = hasattr(position, "parts") and move != "swap"
            position = position.play_part(move) if is_part else position.play(move)
        result = ("black", "white", "draw").index(position.winner)
        rows.append((core_move(first), position.moves_played, result, swapped))
    return np.array(rows)


@ALL_GAMES
@pytest.mark.parametrize(
    ("width", "height", "count"),
    [(2, 2, 1_000), (3, 2, 1_000), (3, 3, 500), pytest.param(4, 4, 2_000, marks=pytest.mark.slow)],
)
def test_playouts_are_distributed_like_reference(
    game: str, width: int, height: int, count: int
) -> None:
    ours = _core.new_position(game, width, height, pie=True).playouts(20_000, seed=3)
    theirs = rulebook_playouts(game, width, height, count)
    for column in (FIRST, MOVES, RESULT, SWAPPED):
        assert_alike(ours[:, column], theirs[:, column])
    # Winner and length together, which detects a winner of the wrong color.
    assert_alike(ours[:, MOVES] * 4 + ours[:, RESULT], theirs[:, MOVES] * 4 + theirs[:, RESULT])


@ALL_GAMES
@pytest.mark.parametrize("size", [5, 13])
def test_first_placements_are_uniform(game: str, size: int) -> None:
    captures.assert_first_placements_uniform(_core.new_position(game, size, size, pie=True))


@ALL_GAMES
def test_instruction_sets_play_same_games(game: str) -> None:
    for width, height in [(13, 13), (14, 5), (19, 19)]:
        games = [
            _core.new_position(game, width, height, pie=True, instruction_set=each).playouts(
                200, seed=7
            )
            for each in _core.instruction_sets()
        ]
        for others in games[1:]:
            assert np.array_equal(games[0], others)
