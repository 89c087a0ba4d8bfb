"""Solved boards, by plain exhaustive search over the core."""

from __future__ import annotations

import pytest

from pinchtp import _core
from pinchtp.games.notation import point


def mover_wins(position: _core.Position, known: dict[_core.Position, bool]) -> bool:
    """Whether the color to move wins against any defence; the game has no draws."""
    if position not in known:
        mover = position.to_move
        known[position] = any(
            child.result == mover or (child.result is None and not mover_wins(child, known))
            for child in map(position.play, position.legal_moves())
        )
    return known[position]


def opening_winners(width: int, height: int) -> str:
    """Returns the winner after each opening without a swap, rows from the top: B, W and slashes."""
    start = _core.new_position("pinch", width, height, pie=False)
    known: dict[_core.Position, bool] = {}
    rows = [
        "".join("W" if mover_wins(start.play(point(x, y)), known) else "B" for x in range(width))
        for y in reversed(range(height))
    ]
    return "/".join(rows)


@pytest.mark.parametrize(
    ("width", "height", "winners"),
    [
        (2, 2, "BB/BB"),
        (3, 2, "BBB/BBB"),
        (2, 3, "WW/BB/WW"),
        (3, 3, "WBW/BBB/WBW"),
        (4, 3, "BBBB/BBBB/BBBB"),
    ],
)
def test_each_opening_has_its_winner(width: int, height: int, winners: str) -> None:
    assert opening_winners(width, height) == winners


@pytest.mark.parametrize(("width", "height"), [(2, 2), (3, 2), (2, 3), (3, 3)])
def test_second_player_wins_with_pie_rule(width: int, height: int) -> None:
    start = _core.new_position("pinch", width, height, pie=True)
    assert all(mover_wins(start.play(move), {}) for move in start.legal_moves())
