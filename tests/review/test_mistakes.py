"""Winrate losses, their names, and the worst moves."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from pinchtp.games import Color
from pinchtp.review.mistakes import mark, winrate_loss, worst


@dataclass
class Move:
    loss: float | None


def test_mark_follows_the_loss() -> None:
    losses = (None, 0.0, 0.049, 0.05, 0.1, 0.2, 1.0)
    names = ["", "", "", "inaccuracy", "mistake", "blunder", "blunder"]
    assert [mark(loss) for loss in losses] == names


def test_loss_is_of_the_mover_whoever_moves_next() -> None:
    assert winrate_loss(Color.WHITE, 0.7, Color.BLACK, 0.6) == pytest.approx(0.3)
    assert winrate_loss(Color.WHITE, 0.7, Color.WHITE, 0.6) == pytest.approx(0.1)
    assert winrate_loss(Color.BLACK, 0.2, Color.WHITE, 0.3) == 0


def test_worst_moves_are_sorted_and_limited() -> None:
    moves = [Move(each) for each in (0.04, 0.3, None, 0.06, 0.3, 0.9)]
    assert worst(moves, most=3) == [moves[5], moves[1], moves[4]]
    assert worst(moves[:1]) == []
