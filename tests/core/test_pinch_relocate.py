"""Pinch with relocation in the core: the rules text, and what no other game has."""

from __future__ import annotations

import random

import captures
import numpy as np
import pytest
from boards import core_move, core_stones
from captures import core_position
from core.test_playouts import MOVES, RESULT
from reference.base import Color, Point, read_diagram
from reference.pinch_relocate import PinchRelocate
from rulebook.test_pinch_relocate import (
    LAST_POINT,
    ONE_CAPTURE,
    OPPONENT_WINS,
    REPEATING,
    REPETITION,
    TURNS,
)

from pinchtp import _core

GAME = "pinch-relocate"


def test_long_turns_equal_reference() -> None:
    """One stone on a board of mostly alternating stones causes many steps of both colors."""
    rng = random.Random(9)
    longest = 0
    for _ in range(20):
        size = 7
        cells = [0 if rng.random() < 0.4 else 1 + (i + i // size) % 2 for i in range(size * size)]
        pair = captures.from_cells(GAME, size, size, cells, "black")
        longest = max(longest, captures.play_random_game(rng, *pair))
    assert longest > 8


def test_banned_points_cannot_be_set_up() -> None:
    with pytest.raises(ValueError, match="only stones"):
        _core.set_up(GAME, 3, 3, bytes([5]) + bytes(8), 0)


# -- the rules text --


def played(position: _core.Position, *parts: Point) -> _core.Position:
    for part in parts:
        position = position.play(core_move(part))
    return position


def from_diagram(text: str, to_move: Color = "black") -> tuple[_core.Position, PinchRelocate]:
    """Returns a diagram's position in core and reference."""
    diagram = read_diagram(text)
    size = diagram.width, diagram.height
    stones = {"black": diagram.black, "white": diagram.white}
    book = PinchRelocate(*size, pie=False, to_move=to_move, **stones)
    return core_position(GAME, text.replace("*", "."), to_move), book


@pytest.mark.parametrize(("text", "parts"), TURNS)
def test_examples_of_the_rules_hold(text: str, parts: tuple[Point, ...]) -> None:
    core, book = from_diagram(text)
    for part in parts:
        captures.assert_same(core, book)
        core, book = played(core, part), book.play_part(part)
    captures.assert_same(core, book)
    assert not core.mid_turn


def test_vacated_point_is_illegal() -> None:
    before, _ = from_diagram(ONE_CAPTURE)
    between = played(before, (1, 1))
    assert between.hash128 != before.hash128
    with pytest.raises(ValueError, match="illegal move"):
        between.play(core_move((1, 2)))


def test_remaining_steps_are_part_of_position() -> None:
    """The same stones and side to move, but different waiting stones or banned points."""
    one, two = (
        played(core_position(GAME, text), (1, 1))
        for text in ("x o . .\n. . . .\n. . . .", "x o x .\n. . . .\n. . . .")
    )
    assert one.hash128 != two.hash128
    left = played(core_position(GAME, "x o . .\n. . x .\n. . . ."), (1, 1))
    right = played(core_position(GAME, "x . . .\n. . x .\n. . . ."), (1, 1))
    assert core_stones(left) == core_stones(right)
    assert left.hash128 != right.hash128


def test_full_set_up_board_draws() -> None:
    full = played(from_diagram(LAST_POINT)[0], (3, 0))
    assert _core.set_up(GAME, 4, 3, full.cells(), 1).result == full.result == 2


def test_third_occurrence_draws() -> None:
    """Our decision, since the text does not cover it. Positions within a turn do not count."""
    core, book = from_diagram(REPETITION, "white")
    begin = core
    for _ in range(2):
        for part in [part for turn in REPEATING for part in turn]:
            captures.assert_same(core, book)
            assert core.result is None
            core, book = played(core, part), book.play_part(part)
        assert core == begin
    captures.assert_same(core, book)
    assert core.result == 2


@pytest.mark.parametrize("size", [(2, 2), (3, 2), (2, 3), (3, 3)])
def test_search_proofs_are_correct(size: tuple[int, int]) -> None:
    exact = captures.exact_results(_core.new_position(GAME, *size, pie=False))
    captures.assert_search_proves(exact, min(100, len(exact) // 4))


# -- random games --


def test_playout_completes_turn_first() -> None:
    """A white stone waits; one of its four points connects White."""
    between = played(from_diagram(OPPONENT_WINS)[0], (1, 1))
    assert len(between.legal_moves()) == 4
    games = between.playouts(10_000, seed=1)
    at_once = games[games[:, MOVES] == 1]
    assert (at_once[:, RESULT] == 1).all()
    assert len(at_once) / len(games) == pytest.approx(0.25, abs=0.026)  # six standard deviations


def test_random_games_on_13x13() -> None:
    """The reference gave a mean length of 146.9 turns, +-1.3, in 60 games."""
    games = _core.new_position(GAME, 13, 13, pie=False).playouts(20_000, seed=1)
    assert games[:, MOVES].mean() == pytest.approx(146, abs=1)
    assert np.isin(games[:, RESULT], (0, 1, 2)).all()
