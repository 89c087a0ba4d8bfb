"""Pinch with relocation in the core: the rules text, and what no other game has."""

import pytest
from boards import assert_same, core_move, core_stones, drawn
from core.test_playouts import MOVES, RESULT
from reference.base import Point
from rulebook.test_pinch_relocate import (
    OPPONENT_WINS,
    REPEATING,
    REPETITION,
)

from pinchtp import _core

GAME = "pinch-relocate"


def played(position: _core.Position, *parts: Point) -> _core.Position:
    for part in parts:
        position = position.play(core_move(part))
    return position


def test_remaining_steps_are_part_of_position() -> None:
    """The same stones and side to move, but different waiting stones or banned points."""
    one, two = (
        played(drawn(GAME, text)[0], (1, 1))
        for text in ("x o . .\n. . . .\n. . . .", "x o x .\n. . . .\n. . . .")
    )
    assert one.hash128 != two.hash128
    left = played(drawn(GAME, "x o . .\n. . x .\n. . . .")[0], (1, 1))
    right = played(drawn(GAME, "x . . .\n. . x .\n. . . .")[0], (1, 1))
    assert core_stones(left) == core_stones(right)
    assert left.hash128 != right.hash128


def test_third_occurrence_draws() -> None:
    """Our decision, since the text does not cover it. Positions within a turn do not count."""
    core, book, _ = drawn(GAME, REPETITION, "white")
    begin = core
    for _ in range(2):
        for part in [part for turn in REPEATING for part in turn]:
            assert_same(core, book)
            assert core.result is None
            core = played(core, part)
            book = book.play_part(part)
        assert core == begin
    assert_same(core, book)
    assert core.result == 2


# -- playouts --


def test_playout_completes_turn_first() -> None:
    """A white stone waits; one of its four points connects White."""
    between = played(drawn(GAME, OPPONENT_WINS)[0], (1, 1))
    assert len(between.legal_moves()) == 4
    games = between.playouts(10_000, seed=1)
    at_once = games[games[:, MOVES] == 1]
    assert (at_once[:, RESULT] == 1).all()
    assert len(at_once) / len(games) == pytest.approx(0.25, abs=0.026)  # six standard deviations
