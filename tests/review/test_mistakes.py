"""Winrate losses, their names, and the worst moves."""

from dataclasses import dataclass

import pytest

from pinchtp.games import Color
from pinchtp.games.winrate import Winrate
from pinchtp.review.mistakes import mark, winrate_loss, worst


@dataclass
class Move:
    loss: float | None


def test_mark_follows_the_loss() -> None:
    losses = (None, 0.0, 0.049, 0.05, 0.1, 0.2, 1.0)
    names = ["", "", "", "inaccuracy", "mistake", "blunder", "blunder"]
    assert [mark(loss) for loss in losses] == names


@pytest.mark.parametrize(
    ("after", "loss"),
    [
        (Winrate(0.6, Color.BLACK), 0.3),
        (Winrate(0.6, Color.WHITE), 0.1),
        (Winrate(0.2, Color.BLACK), 0),
    ],
)
def test_loss_belongs_to_the_mover(after: Winrate, loss: float) -> None:
    before = Winrate(0.7, Color.WHITE)
    assert winrate_loss(Color.WHITE, "A1", "B2", before, after) == pytest.approx(loss)


def test_own_choice_of_the_engine_loses_nothing() -> None:
    before, after = Winrate(0.7, Color.WHITE), Winrate(0.9, Color.BLACK)
    assert winrate_loss(Color.WHITE, "a1", "A1", before, after) == 0
    assert winrate_loss(Color.WHITE, "A1", "", before, after) == pytest.approx(0.6)


def test_worst_moves_are_sorted_and_limited() -> None:
    moves = [Move(each) for each in (0.04, 0.3, None, 0.06, 0.3, 0.9)]
    assert worst(moves, most=3) == [moves[5], moves[1], moves[4]]
    assert worst(moves[:1]) == []
