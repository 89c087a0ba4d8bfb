"""Counts of sequences and positions by the reference (table by tools/perft.py)."""

import json
from pathlib import Path
from time import monotonic
from typing import Any

import boards
import pytest

from pinchtp import _core
from pinchtp.games import GAMES

TABLE = json.loads((Path(__file__).parents[1] / "data" / "perft.json").read_text())


def start(row: dict[str, Any]) -> _core.Position:
    options = {option: row[option] for option in ("pie", "crosscut") if option in row}
    return _core.new_position(row["game"], row["width"], row["height"], **options)


def name(row: dict[str, Any]) -> str:
    options = ("" if row["pie"] else "-no-pie") + ("-crosscut" if row.get("crosscut") else "")
    return f"{row['game']}-{row['width']}x{row['height']}{options}"


def divide(row: dict[str, Any], depth: int) -> str:
    """Formats the core's count for each first move, to find the wrong one."""
    position = start(row)
    lines = [
        f"{boards.rulebook_move(move)}: {position.play(move).perft(depth - 1)}"
        for move in position.legal_moves()
    ]
    return "\n".join(lines)


@pytest.mark.parametrize("row", TABLE, ids=name)
def test_numbers_of_sequences_equal_reference(row: dict[str, Any]) -> None:
    for depth, expected in enumerate(row["sequences"], start=1):
        assert start(row).perft(depth) == expected, divide(row, depth)


@pytest.mark.parametrize("row", TABLE, ids=name)
def test_numbers_of_positions_equal_reference(row: dict[str, Any]) -> None:
    for depth, expected in enumerate(row["distinct"], start=1):
        assert start(row).perft(depth, distinct=True) == expected


def test_depth_zero() -> None:
    position = _core.new_position("pinch", 9, 9, pie=True)
    assert position.perft(0) == 1
    assert position.perft(0, distinct=True) == 0


@pytest.mark.parametrize("game", GAMES)
def test_count_respects_memory_limit(game: str) -> None:
    position = _core.new_position(game, *GAMES[game].size)
    with pytest.raises(MemoryError):
        position.perft(625, True, memory_mb=8)


@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_count_can_be_stopped(game: str, distinct: bool) -> None:
    """Including within multi-step moves."""
    position = _core.new_position(game, *GAMES[game].size)
    for _ in range(6):
        position = position.play(position.legal_moves()[len(position.legal_moves()) // 2])
    until = monotonic() + 0.2
    assert position.perft(20, distinct, should_stop=lambda: monotonic() > until) is None
    assert monotonic() < until + 10


@pytest.mark.parametrize("depth", [-1, 1001])
def test_invalid_depths_are_rejected(depth: int) -> None:
    with pytest.raises(ValueError, match="depth"):
        _core.new_position("pinch", 2, 2).perft(depth)
