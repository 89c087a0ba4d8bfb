"""Batches of games as arrays, against single games."""

from typing import Any

import numpy as np
import pytest

import pinchtp
from pinchtp.games import GAMES


@pytest.mark.parametrize("name", GAMES)
def test_batch_agrees_with_single_games(name: str) -> None:
    size = None if name == "bushka" else (5, 4)
    batch = pinchtp.Batch(name, size, count=8)
    games = [pinchtp.Game(name, size) for _ in range(8)]
    rng = np.random.default_rng(1)
    for _ in range(400):
        mask = batch.legal_mask()
        assert (mask == [game.action_mask() for game in games]).all()
        assert (batch.boards() == [game.board for game in games]).all()
        assert batch.is_over().tolist() == [game.is_over for game in games]
        for game, result, mover in zip(games, batch.results(), batch.to_move(), strict=True):
            assert game.is_over or game.to_move == mover
            assert game.winner == (result if result < 2 else None)
        actions = batch.random_actions(rng)
        assert ((actions == -1) == batch.is_over()).all()
        if batch.is_over().all():
            break
        for game, action in zip(games, actions, strict=True):
            if action >= 0:
                game.play_action(action)
        batch.play(actions)
    assert batch.is_over().any()


def test_restart_takes_numbers_or_bools() -> None:
    batch = pinchtp.Batch(size=3, count=2)
    batch.play([0, 4])
    before = batch.boards()
    wrong: list[Any] = [[5], [-1], [0.5], ["x"], True, [True], [True] * 3, None, 0, "x", [[0, 1]]]
    for each in wrong:
        with pytest.raises(ValueError, match="give numbers from 0 to 1, or 2 bools"):
            batch.restart(each)
        assert (batch.boards() == before).all()
    batch.restart([])
    assert (batch.boards() == before).all()
    batch.restart([False, True])
    assert batch.boards()[1].max() == 0
    batch.restart([0])
    assert batch.boards().max() == 0


def test_wrong_generator_is_named() -> None:
    with pytest.raises(ValueError, match=r"rng: 3: give numpy.random.default_rng\(\)"):
        pinchtp.Batch(size=3, count=2).random_actions(3)  # type: ignore[arg-type]


def test_planes_lie_as_the_board() -> None:
    """Own and enemy stones are where they are, whoever moves, on a board that is not square."""
    game = pinchtp.Game("pinch", (6, 4), moves="b1 f4 c2")
    for each in (game, pinchtp.Game("pinch", (6, 4), moves="b1 f4 c2 a3")):
        batch = pinchtp.Batch.of([each])
        planes = dict(zip(batch.plane_names, batch.planes()[0], strict=True))
        mover = int(each.to_move)
        assert ((planes["own stones"] > 0) == (each.board == 1 + mover)).all()
        assert ((planes["opponent's stones"] > 0) == (each.board == 2 - mover)).all()


def test_illegal_action_changes_nothing() -> None:
    batch = pinchtp.Batch(size=3, count=2)
    batch.play([0, 4])
    before = batch.boards()
    wrong: list[tuple[Any, str]] = [
        ([1, 4], r"actions\[1\]: 4: give an action of legal_mask\(\)"),
        ([1, 99], r"actions\[1\]: 99: give -1 to 10"),
        ([-2, 1], r"actions\[0\]: -2: give -1 to 10"),
        (np.array([1, 2**64 - 1], np.uint64), r"actions\[1\]: 18446744073709551615: give -1 to 10"),
        ([[1], [1, 2]], "inhomogeneous"),
    ]
    for each in ([1], [1, 2, 3], [[1, 2]], 3, [], [1.9, 2.2], [1.0, 2.0], ["1", "2"], "ab"):
        wrong.append((each, "give an integer for each of the 2 games"))
    for each in ([True, False], None, [None, 1], [2**70, 1]):
        wrong.append((each, "give an integer for each of the 2 games"))
    for actions, message in wrong:
        with pytest.raises(ValueError, match=message):
            batch.play(actions)
        assert (batch.boards() == before).all()
    game = pinchtp.Game(size=3)
    with pytest.raises(pinchtp.IllegalMove, match="action 10 is not legal"):
        game.play_action(10)


def test_random_actions_are_uniform() -> None:
    batch = pinchtp.Batch.of([pinchtp.Game(size=3, moves="b2")] * 9000)
    counts = np.bincount(
        batch.random_actions(np.random.default_rng(1)), minlength=11
    )  # 9 points, pass, swap
    assert counts[4] == counts[9] == 0  # the stone, the pass
    legal = np.delete(counts, [4, 9])
    assert (abs(legal - 1000) < 150).all()


def test_restart_begins_chosen_games_again() -> None:
    batch = pinchtp.Batch(size=3, count=3)
    batch.play([0, 1, 2])
    batch.restart([False, True, False])
    batch.restart([2])
    assert batch.boards().any(axis=(1, 2)).tolist() == [True, False, False]


def test_batch_of_different_games_is_refused() -> None:
    with pytest.raises(ValueError, match=r"game 1 is Game\('pinch', size=5\)"):
        pinchtp.Batch.of([pinchtp.Game(size=3), pinchtp.Game(size=5)])
    with pytest.raises(ValueError, match="at least one game"):
        pinchtp.Batch.of([])
    with pytest.raises(ValueError, match="count: 0: give an integer from 1 to 1000000"):
        pinchtp.Batch(count=0)


def test_batch_takes_games_over_by_the_rules_alone() -> None:
    """A position does not show a resignation."""
    over = pinchtp.Game(size=3, pie=False, moves="b2 a1 b1 c3 b3")
    resigned = pinchtp.Game(size=3, moves="b2 resign")
    assert pinchtp.Batch.of([over]).results().tolist() == [0]
    with pytest.raises(ValueError, match=r"games\[1\] was resigned: undo\(\) that, or"):
        pinchtp.Batch.of([over, resigned])
    resigned.undo()
    assert pinchtp.Batch.of([over, resigned]).is_over().tolist() == [True, False]
