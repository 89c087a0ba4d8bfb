"""Playouts of First Capture Go, distributed exactly like random legal moves."""

import random
from collections import Counter, defaultdict

import boards
import pytest
from core.test_playouts import MOVES, RESULT, assert_alike, chi_squared_limit, rulebook_playouts

from pinchtp import _core

GAME = "capture-go"
Ending = tuple[int, int, int]  # number of moves, result, whether there was a swap


def endings(
    position: _core.Position, known: dict[_core.Position, dict[Ending, float]]
) -> dict[Ending, float]:
    """Returns the probabilities of endings by random moves, with a pass only if necessary."""
    if position.result is not None:
        return {(0, position.result, position.swapped): 1.0}
    if position not in known:
        moves = position.legal_moves()
        chosen = moves[:-1] or moves
        found: dict[Ending, float] = defaultdict(float)
        for move in chosen:
            for (length, *rest), chance in endings(position.play(move), known).items():
                found[length + 1, *rest] += chance / len(chosen)
        known[position] = dict(found)
    return known[position]


def check_endings(position: _core.Position, count: int) -> None:
    """Chi-squared test of playouts against exact probabilities; rare endings pooled."""
    expected = endings(position, {})
    played = Counter(map(tuple, position.playouts(count, seed=11)[:, 1:].tolist()))
    assert played.keys() <= expected.keys()
    common = [ending for ending, chance in expected.items() if chance * count >= 10]
    rare = 1 - sum(expected[ending] for ending in common)
    cells = [(played[ending], expected[ending] * count) for ending in common]
    if rare * count >= 10:
        cells.append((count - sum(played[ending] for ending in common), rare * count))
    statistic = sum((seen - wanted) ** 2 / wanted for seen, wanted in cells)
    assert statistic < chi_squared_limit(max(len(cells) - 1, 1))


@pytest.mark.parametrize("pie", [False, True])
@pytest.mark.parametrize(
    ("width", "height", "crosscut"),
    [
        (2, 2, False),
        (3, 2, False),
        (2, 4, False),
        (4, 2, True),
        (5, 2, True),
        (3, 3, False),
        (3, 4, True),
    ],
)
def test_endings_have_exact_probabilities(
    width: int, height: int, crosscut: bool, pie: bool
) -> None:
    check_endings(_core.new_position(GAME, width, height, pie=pie, crosscut=crosscut), 100_000)


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(5, 2), (4, 3)])
def test_endings_on_larger_boards(width: int, height: int) -> None:
    check_endings(_core.new_position(GAME, width, height, pie=False), 1_000_000)


@pytest.mark.parametrize("to_move", ["black", "white"])
@pytest.mark.parametrize(
    "text",
    [
        "x . x .\n. x x .\nx x . o\n. . o .",  # suicides for both sides
        ". x . x\nx . x .\n. x . x\nx . x .",  # only suicides for White
        ". o . .\no x . .\n. . x o\n. . o .",
        "o . o o\no o . x\n. o x x\no x . x",
    ],
)
def test_endings_with_many_suicides(text: str, to_move: str) -> None:
    check_endings(boards.drawn(GAME, text, to_move)[0], 100_000)


@pytest.mark.parametrize(("width", "height"), [(15, 2), (2, 18), (16, 3)])
def test_endings_on_large_board_layout(width: int, height: int) -> None:
    """Late in a game, so that all endings can be enumerated."""
    rng = random.Random(f"{width}x{height}")
    for _ in range(3):
        position = _core.new_position(GAME, width, height, pie=False)
        while len(position.legal_moves()) > 11:  # with the pass
            position = position.play(rng.choice(quiet_moves(position)))
        check_endings(position, 50_000)


def quiet_moves(position: _core.Position) -> list[int]:
    """Returns the placements that do not end the game."""
    moves = position.legal_moves()
    return [move for move in moves if position.play(move).result is None]


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(6, 6), (3, 16)])
def test_playouts_are_distributed_like_reference(width: int, height: int) -> None:
    ours = _core.new_position(GAME, width, height, pie=False).playouts(20_000, seed=3)
    theirs = rulebook_playouts(GAME, width, height, 200)
    for column in (MOVES, RESULT):
        assert_alike(ours[:, column], theirs[:, column])
    error = theirs[:, MOVES].std() / len(theirs) ** 0.5
    assert theirs[:, MOVES].mean() == pytest.approx(ours[:, MOVES].mean(), abs=5 * error)


@pytest.mark.parametrize(
    ("size", "count", "mean", "error"), [(9, 50_000, 47.97, 0.04), (19, 5_000, 167.1, 0.6)]
)
def test_mean_lengths_equal_flood_fill_program(
    size: int, count: int, mean: float, error: float
) -> None:
    """Means and standard errors are of a program that counts liberties after every stone."""
    moves = _core.new_position(GAME, size, size, pie=False).playouts(count, seed=5)[:, MOVES]
    assert abs(moves.mean() - mean) < 5 * (error**2 + moves.var() / count) ** 0.5


def test_finished_game_has_no_playouts() -> None:
    finished = _core.new_position(GAME, 9, 9, pie=True).play(_core.PASS)
    assert finished.playouts(3).shape == (0, 4)
