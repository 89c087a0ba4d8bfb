"""Playouts of the core: uniform, and distributed like random games of the reference."""

import random
from typing import Any

import boards
import numpy as np
import pytest
from core.test_equals_reference import STONE_GAMES

from pinchtp import _core

FIRST, MOVES, RESULT, SWAPPED = range(4)
CAPTURING = ["pinch-remove", "pinch-relocate"]


def chi_squared_limit(degrees: int) -> float:
    """Returns the bound of chi-squared at one in a million (Wilson and Hilferty)."""
    z = 4.75
    return float(degrees * (1 - 2 / (9 * degrees) + z * (2 / (9 * degrees)) ** 0.5) ** 3)


def assert_alike(ours: np.ndarray, theirs: np.ndarray) -> None:
    """Asserts that two samples have the same distribution: chi-squared, rare values pooled."""
    values = np.unique(np.concatenate([ours, theirs]))
    table = np.array([[np.sum(sample == value) for value in values] for sample in (ours, theirs)])
    rare = table.sum(axis=0) < 20
    if rare.any():
        table = np.column_stack([table[:, ~rare], table[:, rare].sum(axis=1)])
    table = table[:, table.sum(axis=0) > 0]
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
    statistic = float(((table - expected) ** 2 / expected).sum())
    assert statistic < chi_squared_limit(max(table.shape[1] - 1, 1))


def rulebook_playouts(game: str, width: int, height: int, count: int) -> np.ndarray:
    """Plays random games in the reference, in the format of the core's playouts.

    In First Capture Go players pass only if they have no other move.
    """
    rng = random.Random(1)
    rows = []
    for _ in range(count):
        book: Any = boards.RULEBOOK[game](width, height)
        moves: list[int] = []
        turns = 0
        while book.winner is None:
            legal = boards.rulebook_steps(book)
            if game == "capture-go":
                legal = legal[:-1] or legal
            moves.append(rng.choice(legal))
            book = boards.play_step(book, moves[-1])
            turns += not getattr(book, "waiting", ())
        rows.append((moves[0], turns, boards.RESULTS.index(book.winner), _core.SWAP in moves))
    return np.array(rows)


@pytest.mark.parametrize(
    ("game", "width", "height", "count"),
    [
        *(("pinch", *size, 4_000) for size in [(2, 2), (3, 2)]),
        ("pinch", 4, 4, 1_500),
        *((game, *size, 1_000) for game in CAPTURING for size in [(2, 2), (3, 2)]),
        *((game, 3, 3, 500) for game in CAPTURING),
        *(pytest.param(game, 4, 4, 2_000, marks=pytest.mark.slow) for game in CAPTURING),
    ],
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


def played_out(start: _core.Position, rng: random.Random) -> tuple[int, int]:
    """Plays a random game move by move; returns its length and result."""
    position = start
    moves = 0
    while position.result is None:
        position = position.play(rng.choice(position.legal_moves()))
        moves += 1
    return moves, position.result


@pytest.mark.parametrize(("width", "height"), [(7, 7), (10, 4), (3, 16)])
def test_playouts_are_distributed_like_single_moves(width: int, height: int) -> None:
    """Board sizes whose playouts check the edges several times."""
    rng = random.Random(1)
    start = _core.new_position("pinch", width, height, pie=True)
    ours = start.playouts(20_000, seed=5)
    theirs = np.array([played_out(start, rng) for _ in range(1_500)])
    assert_alike(ours[:, MOVES], theirs[:, 0])
    assert_alike(ours[:, MOVES] * 4 + ours[:, RESULT], theirs[:, 0] * 4 + theirs[:, 1])


def assert_first_placements_uniform(position: _core.Position) -> None:
    """Asserts that playouts choose every legal point first with equal probability."""
    played = position.playouts(50_000, seed=1)
    legal = [move for move in position.legal_moves() if move < _core.PASS]
    counts = np.bincount(played[:, FIRST], minlength=32 * 32)
    assert counts[legal].sum() == len(played)
    expected = len(played) / len(legal)
    statistic = float(((counts[legal] - expected) ** 2 / expected).sum())
    assert statistic < chi_squared_limit(len(legal) - 1)


@pytest.mark.parametrize("game", STONE_GAMES)
@pytest.mark.parametrize("size", [5, 9, 13, 15])
def test_first_placements_are_uniform(game: str, size: int) -> None:
    assert_first_placements_uniform(_core.new_position(game, size, size))


@pytest.mark.parametrize("game", STONE_GAMES)
def test_first_placements_are_uniform_within_a_game(game: str) -> None:
    rng = random.Random(4)
    position = _core.new_position(game, 6, 5)
    for _ in range(9):
        position = position.play(rng.choice(position.legal_moves()))
        while position.mid_turn:
            position = position.play(rng.choice(position.legal_moves()))
    assert position.result is None
    assert_first_placements_uniform(position)


def test_first_placements_avoid_banned_points() -> None:
    text = "x * . .\n. x . .\n. . . .\no . . ."
    assert_first_placements_uniform(boards.drawn_with_bans(text, "white")[0])


def test_swap_has_probability_of_other_moves() -> None:
    swaps = (
        _core.new_position("pinch", 3, 3, pie=True)
        .play(0)
        .playouts(90_000, seed=2)[:, SWAPPED]
        .mean()
    )
    assert swaps == pytest.approx(1 / 9, abs=0.006)  # six standard deviations


@pytest.mark.parametrize(
    ("game", "mean", "error", "results"),
    [
        ("pinch-remove", 224, 1.5, (0, 1)),
        # The reference gave a mean length of 146.9 turns, +-1.3, in 60 games.
        ("pinch-relocate", 146, 1, (0, 1, 2)),
    ],
)
def test_mean_length_of_13x13_games(
    game: str, mean: float, error: float, results: tuple[int, ...]
) -> None:
    played = _core.new_position(game, 13, 13, pie=False).playouts(20_000, seed=1)
    assert played[:, MOVES].mean() == pytest.approx(mean, abs=error)
    assert np.isin(played[:, RESULT], results).all()


@pytest.mark.parametrize(
    "size", [*range(2, 14), *(pytest.param(size, marks=pytest.mark.slow) for size in range(14, 26))]
)
def test_playouts_have_no_draws(size: int) -> None:
    """A full board has exactly one connected player."""
    played = _core.new_position("pinch", size, size, pie=True).playouts(100_000, seed=size)
    assert len(played) == 100_000
    assert np.isin(played[:, RESULT], (0, 1)).all()
    assert (played[:, MOVES] <= size * size + 1).all()
    assert (played[:, MOVES] >= 2 * size - 1).all()  # the shortest win: the first side's own row


def test_playouts_of_full_boards() -> None:
    """The first player has the larger half of an odd board, and so of its corners."""
    games = 90_000
    won = _core.fill_board(3, 3, games, seed=1)
    assert abs(won / games - 5 / 9) < 4 * (5 / 9 * 4 / 9 / games) ** 0.5
    assert _core.fill_board(3, 3, games, seed=1) == won
    with pytest.raises(ValueError, match="size"):
        _core.fill_board(1, 3, 1)
