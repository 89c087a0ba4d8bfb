"""The reference implementation of Pinch with relocation, rule by rule."""

import random
from collections.abc import Hashable
from dataclasses import replace
from functools import partial

import pytest
from reference.base import Point, drawn, from_diagram, opponent, picture
from reference.pinch_relocate import PinchRelocate

position = partial(from_diagram, PinchRelocate)


def random_turn(before: PinchRelocate, rng: random.Random) -> list[PinchRelocate]:
    """Returns the positions after each step of a random turn."""
    steps = [before.play_part(rng.choice(before.parts()))]
    while steps[-1].waiting:
        steps.append(steps[-1].play_part(rng.choice(steps[-1].parts())))
    return steps


# -- the interface --


def test_moves_are_complete() -> None:
    start = PinchRelocate(2, 2)
    assert start.moves() == [((0, 0),), ((1, 0),), ((0, 1),), ((1, 1),)]
    assert start.play(((0, 0),)).moves() == [((1, 0),), ((0, 1),), ((1, 1),), "swap"]


ONE_CAPTURE = """
    x o . .
    . * . .
    . o . .
"""
"""Black plays at the marked point (1, 1) and lifts the stone above it."""


@pytest.mark.parametrize(
    "move",
    [
        (),
        "pass",
        ((1, 0),),  # occupied
        ((4, 4),),  # off the board
        ((1, 1),),  # too few parts
        ((1, 1), (3, 2), (3, 1)),  # too many
        ((0, 0), (3, 2)),  # nothing captured, too many
        ((1, 1), (1, 2)),  # onto the vacated point
    ],
)
def test_illegal_moves_are_rejected(move: tuple[Point, ...]) -> None:
    before = position(ONE_CAPTURE)
    assert move not in before.moves()
    with pytest.raises(ValueError, match=r"legal|parts|not a move"):
        before.play(move)


# -- L1 to L4 --


def test_captured_stone_moves_and_keeps_color() -> None:
    after = position(ONE_CAPTURE).play(((1, 1), (3, 2)))
    assert picture(after) == drawn("x . . o\n. x . .\n. o . .")
    assert after.to_move == "white"


def test_steps_keep_side_to_move() -> None:
    before = position(ONE_CAPTURE)
    between = before.play_part((1, 1))
    assert picture(between) == drawn("x . . .\n. x . .\n. o . .")
    assert between.to_move == "black"
    assert between.waiting == ("white",)
    assert between.moves() == [(point,) for point in between.parts()]
    assert between.key() != before.key()
    after = between.play_part((3, 2))
    assert after == before.play(((1, 1), (3, 2)))
    assert after == between.play(((3, 2),))
    assert (after.waiting, after.changed) == ((), frozenset())


def test_changed_point_may_not_change_again() -> None:
    """Not the vacated (1, 2); not (0, 1) and (2, 1), which would pinch the stone just placed."""
    before = position(ONE_CAPTURE)
    parts = [(0, 0), (2, 0), (3, 0), (3, 1), (2, 2), (3, 2)]
    assert before.play_part((1, 1)).parts() == parts
    assert [move for move in before.moves() if move[0] == (1, 1)] == [((1, 1), p) for p in parts]


LIFTS_OWN_STONE = """
    x o . . .
    . * . . .
    . . . x o
    . . . . .
"""


def test_placed_stone_may_lift_own_stones() -> None:
    before = position(LIFTS_OWN_STONE)
    # The white stone from (1, 3) goes to (3, 2): with (4, 1) it pinches Black's (3, 1).
    between = before.play_part((1, 2)).play_part((3, 2))
    assert picture(between) == drawn(
        """
        x . . . .
        . x . o .
        . . . . o
        . . . . .
        """
    )
    assert between.to_move == "black"
    assert between.waiting == ("black",)
    assert (3, 1) not in between.parts()
    assert (1, 3) not in between.parts()
    # Black's stone may go to points without a capture, and where it captures White's (4, 1), but
    # not where it would capture (3, 2), which was empty when the turn began.
    after = between.play_part((2, 3))
    assert after.to_move == "white"
    assert after.stones()[(2, 3)] == "black"


def test_lifted_stone_may_not_capture_placed_stone() -> None:
    between = position(
        """
        x o . x .
        . * . . .
        . . . x o
        . . . . .
        """
    )
    between = between.play_part((1, 2)).play_part((3, 2))
    assert between.waiting == ("black",)
    # Next to White's new stone on (3, 2), below Black's (3, 3): it would complete a pinch.
    assert (2, 2) not in between.parts()
    assert (4, 2) not in between.parts()
    with pytest.raises(ValueError, match="not legal"):
        between.play_part((2, 2))


THREE_STONES_WAIT = """
    . x . . . .
    x o . . . .
    o * . . . .
    x . . x o .
    . . . . . .
"""


def test_queue_is_first_in_first_out() -> None:
    before = position(THREE_STONES_WAIT)
    # Two white stones are lifted; the first one placed lifts a black one, which has to wait.
    first = before.play_part((1, 2))
    assert first.waiting == ("white", "white")
    second = first.play_part((3, 2))
    assert second.waiting == ("white", "black")
    third = second.play_part((5, 4))
    assert third.stones()[(5, 4)] == "white"
    assert third.waiting == ("black",)
    after = third.play_part((5, 0))
    assert picture(after) == drawn(
        """
        . x . . . o
        x . . . . .
        . x . o . .
        x . . . o .
        . . . . . x
        """
    )
    assert after == before.play(((1, 2), (3, 2), (5, 4), (5, 0)))
    assert after.to_move == "white"


def test_only_placed_stone_captures() -> None:
    """A stone played into a pinch stays; only the placed stone captures."""
    after = position("o * . .\n. o . .\n. . . .").play(((1, 2),))
    assert picture(after) == drawn("o x . .\n. o . .\n. . . .")


# -- L5 and L6 --


NO_POINT = "o x\n* o"
ONE_POINT_FOR_TWO = "o x x\n* o ."
OPPONENT_WINS = "o . o\n. * .\nx o ."
CONNECTS_AT_THE_END = "x x .\no * .\n. x ."
CONNECTS_FOR_A_WHILE = """
    x x . .
    o * . .
    . x x .
    . o x .
"""
LAST_POINT = "x o x x\no x o o\no o x *"


def test_stone_without_legal_point_leaves() -> None:
    before = position(NO_POINT)
    assert before.moves() == [((0, 0),)]
    after = before.play(((0, 0),))
    assert picture(after) == drawn(". x\nx .")
    assert after.to_move == "white"
    assert after.winner is None


def test_stone_left_without_point_leaves() -> None:
    # (2, 0) is the only point that neither changed nor is occupied.
    before = position(ONE_POINT_FOR_TWO)
    after = before.play(((0, 0), (2, 0)))
    assert picture(after) == drawn(". x x\nx . o")
    assert after.to_move == "white"


def test_mover_may_make_opponent_win() -> None:
    before = position(OPPONENT_WINS)
    after = before.play(((1, 1), (1, 2)))
    assert picture(after) == drawn("o o o\n. x .\nx . .")
    assert after.winner == "white"
    assert after.winning_chain() == {(0, 2), (1, 2), (2, 2)}
    assert after.moves() == []
    assert after.parts() == []


def test_connection_counts_at_end_of_turn() -> None:
    between = position(CONNECTS_AT_THE_END).play_part((1, 1))
    assert between.connection("black")
    assert between.winner is None
    assert between.winning_chain() == set()
    after = between.play_part((0, 0))
    assert after.winner == "black"
    assert after.winning_chain() == {(0, 2), (1, 2), (1, 1), (1, 0)}


def test_connection_within_turn_may_break() -> None:
    before = position(CONNECTS_FOR_A_WHILE)
    between = before.play_part((1, 2))
    assert between.connection("black")
    # The white stone from (0, 2) goes to (0, 1) and pinches, with (1, 0), a link of the chain.
    between = between.play_part((0, 1))
    assert between.waiting == ("black",)
    after = between.play_part((3, 3))
    assert picture(after) == drawn(
        """
        x x . x
        . x . .
        o . x .
        . o x .
        """
    )
    assert after.winner is None
    assert after.to_move == "white"


def test_full_board_without_connection_draws() -> None:
    before = position(LAST_POINT)
    after = before.play(((3, 0),))
    assert after.winner == "draw"
    assert after.winning_chain() == set()
    assert after.moves() == []
    with pytest.raises(ValueError, match="not legal"):
        after.play(((3, 0),))


# The parts of Black's turns above, for the core.
TURNS: list[tuple[str, tuple[Point, ...]]] = [
    (ONE_CAPTURE, ((1, 1), (3, 2))),
    (LIFTS_OWN_STONE, ((1, 2), (3, 2), (2, 3))),
    (THREE_STONES_WAIT, ((1, 2), (3, 2), (5, 4), (5, 0))),
    (NO_POINT, ((0, 0),)),
    (ONE_POINT_FOR_TWO, ((0, 0), (2, 0))),
    (OPPONENT_WINS, ((1, 1), (1, 2))),
    (CONNECTS_AT_THE_END, ((1, 1), (0, 0))),
    (CONNECTS_FOR_A_WHILE, ((1, 2), (0, 1), (3, 3))),
    (LAST_POINT, ((3, 0),)),
]


# -- games --


@pytest.mark.parametrize("seed", range(12))
def test_random_games(seed: int) -> None:
    rng = random.Random(seed)
    width, height = [(2, 2), (3, 3), (4, 4), (5, 3), (6, 6), (7, 7)][seed % 6]
    before = PinchRelocate(width, height)
    turns = 0
    while before.winner is None and turns < 500:
        turns += 1
        if before.swap_open and rng.random() < 0.5:
            before = before.play("swap")
            continue
        steps = random_turn(before, rng)
        changes: dict[Point, int] = {}
        previous = before
        for step in steps:
            for point in before.points():
                was = previous.stones().get(point)
                now = step.stones().get(point)
                if was != now:
                    assert None in (was, now)  # stones keep their colors
                    changes[point] = changes.get(point, 0) + 1
            previous = step
        assert set(changes.values()) == {1}  # single status change
        for step in steps[:-1]:
            assert step.to_move == before.to_move
            assert step.winner is None
        after = steps[-1]
        assert after.to_move == opponent(before.to_move)
        for color in ("black", "white"):
            placed = color == before.to_move
            assert len(after.stones_of(color)) <= len(before.stones_of(color)) + placed
        assert not (after.connection("black") and after.connection("white"))
        before = after
    assert before.winner in ("black", "white")


REPETITION = "x x .\nx . x\no . o"  # White to move
REPEATING: list[tuple[Point, ...]] = [
    ((2, 2),),
    ((1, 0), (1, 1)),
    ((0, 0), (2, 1), (1, 2), (2, 0)),
    ((0, 1),),
]
"""Stones leave the game as fast as they arrive. (The position comes up in play.)"""


def test_third_occurrence_draws() -> None:
    """Our decision, as in the removal game; positions within a turn do not count."""
    start = position(REPETITION, "white")
    again = start
    for _ in range(2):
        assert again.key() == start.key()
        assert again.winner is None
        for move in REPEATING:
            assert again.winner is None
            for part in move:
                again = again.play_part(part)
    assert again.key() == start.key()
    assert again.winner == "draw"
    assert again.moves() == []
    assert again.parts() == []
    assert start.winner is None


def test_complete_moves_count_occurrences_like_steps() -> None:
    again = position(REPETITION, "white")
    for move in REPEATING * 2:
        again = again.play(move)
    assert again.winner == "draw"


def test_connection_precedes_third_occurrence() -> None:
    won = position("x x .\nx . .\n. . .").play(((0, 0),))
    key = won.repetition_key()
    assert replace(won, history=(key, key)).winner == "black"


@pytest.mark.parametrize(("height", "width"), [(2, 2), (2, 3), (3, 2)])
def test_complete_moves_equal_steps(height: int, width: int) -> None:
    to_visit = [PinchRelocate(width, height, pie=False)]
    seen: set[Hashable] = set()
    while to_visit:
        before = to_visit.pop()
        if before.key() in seen:
            continue
        seen.add(before.key())
        moves = before.turns()
        assert before.moves() == moves
        assert len(moves) == len(set(moves))
        for move in moves:
            after = before.play(move)
            by_parts = before
            for point in move:
                by_parts = by_parts.play_part(point)
            assert by_parts == after
            assert after.winner != "draw"
            to_visit.append(after)
