"""The reference implementation of Pinch with removal."""

import random
from collections.abc import Hashable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import pytest
from reference.base import (
    Color,
    Point,
    drawn,
    from_diagram,
    opponent,
    picture,
    read_diagram,
)
from reference.pinch_remove import PinchRemove, PinchRemoveMove

position = partial(from_diagram, PinchRemove)


class Node(NamedTuple):
    position: PinchRemove
    next_keys: list[Hashable]


Graph = dict[Hashable, Node]


def all_positions(height: int, width: int) -> Graph:
    """Returns every position reachable without a swap, including final ones, without history."""
    start = PinchRemove(width, height, pie=False)
    graph: Graph = {}
    to_visit = [start]
    while to_visit:
        position = to_visit.pop()
        if position.key() in graph:
            continue
        following = [replace(position.play(move), history=()) for move in position.moves()]
        graph[position.key()] = Node(position, [after.key() for after in following])
        to_visit.extend(following)
    return graph


def cyclic_part(graph: Graph) -> set[Hashable]:
    """Returns the positions on cycles, by removing positions without successors."""
    left = set(graph)
    while True:
        dead_ends = {key for key in left if not left.intersection(graph[key].next_keys)}
        if not dead_ends:
            return left
        left -= dead_ends


SMALL_BOARDS = [(2, 2), (2, 3), (3, 2), (3, 3)]


@pytest.fixture(scope="module")
def graphs() -> dict[tuple[int, int], Graph]:
    return {(height, width): all_positions(height, width) for height, width in SMALL_BOARDS}


# -- rules --


# A placement (*), what it leaves, and the points that are banned then; for the core as well.
CAPTURES: list[tuple[str, Color, str, set[Point]]] = [
    ("x o\n. *", "black", "x .\n. x", {(1, 1)}),
    # A stone played into an old pinch stays.
    ("o *\n. o", "black", "o x\n. o", set()),
    # Both o's are pinched by the new x and the old one.
    ("o x\n* o", "black", ". x\nx .", {(0, 1), (1, 0)}),
    # No chain: in the flip game all three flip, here only the stone pinched by the placed one.
    (
        """
        . x o . .
        . . o x .
        . x o . .
        . . * . .
        """,
        "black",
        """
        . x o . .
        . . o x .
        . x . . .
        . . x . .
        """,
        {(2, 1)},
    ),
    # At most four stones.
    (
        """
        . . . . .
        . . o x .
        . o * o .
        . x o x .
        . . . . .
        """,
        "black",
        """
        . . . . .
        . . . x .
        . . x . .
        . x . x .
        . . . . .
        """,
        {(2, 3), (1, 2), (3, 2), (2, 1)},
    ),
    # White captures alike.
    ("o x\n. *", "white", "o .\n. o", {(1, 1)}),
    # A pair in one line is not a pinch.
    (". . .\nx o *\n. . .", "black", ". . .\nx o x\n. . .", set()),
]


@pytest.mark.parametrize(("text", "to_move", "result", "banned"), CAPTURES)
def test_pinched_stones_leave_and_ban_their_points(
    text: str, to_move: Color, result: str, banned: set[Point]
) -> None:
    before = position(text, to_move)
    (point,) = read_diagram(text).marked
    after = before.play(point)
    assert picture(after) == drawn(result)
    assert after.banned == banned
    assert after.to_move == opponent(to_move)


def test_ban_lasts_one_move() -> None:
    after = position("x o . .\n. * . .\n. . . .\n. . . .").play((1, 2))
    assert after.banned == {(1, 3)}
    assert (1, 3) not in after.moves()
    with pytest.raises(ValueError, match="not legal"):
        after.play((1, 3))
    elsewhere = after.play((3, 0))
    assert (1, 3) in elsewhere.moves()  # never banned for the captor
    assert (1, 3) in elsewhere.play((3, 3)).moves()  # and after that not for the other


def test_bans_are_part_of_the_position() -> None:
    after = position("x o . .\n. * . .\n. . . .\n. . . .").play((1, 2))
    assert after.key() != replace(after, banned=frozenset()).key()
    assert after.repetition_key() != replace(after, banned=frozenset()).repetition_key()


def test_swap_makes_different_position() -> None:
    swapped = PinchRemove(4, 4).play((2, 1)).play("swap")
    assert not swapped.play((0, 0)).swap_open
    without_swap = PinchRemove(4, 4, white=swapped.white)
    assert swapped.key() != without_swap.key()
    assert swapped.repetition_key() != without_swap.repetition_key()


def test_pass_needs_no_legal_point() -> None:
    assert "pass" not in PinchRemove(4, 4).moves()
    with pytest.raises(ValueError, match="not legal"):
        PinchRemove(4, 4).play("pass")
    # Black fills the last empty point; the two points this vacates are banned for White.
    stuck = position("o o x\nx * o").play((1, 0))
    assert picture(stuck) == drawn("o . x\nx x .")
    assert stuck.winner is None
    assert stuck.moves() == ["pass"]
    passed = stuck.play("pass")
    assert passed.to_move == "black"
    assert passed.stones() == stuck.stones()
    assert passed.moves() == [(2, 0), (1, 1)]  # the bans were for White's move
    assert passed.winner is None


def test_full_board_without_connection_draws() -> None:
    full = position("x o x\no x o\no x o", "white")
    filled = position("x o x\no x o\n. x o", "white").play((0, 0))
    assert filled.stones() == full.stones()
    for drawn_game in (full, filled):
        assert drawn_game.winner == "draw"
        assert drawn_game.winning_chain() == set()
        assert drawn_game.moves() == []
        with pytest.raises(ValueError, match="not legal"):
            drawn_game.play("pass")


def find_cycle(graph: Graph) -> list[tuple[PinchRemove, PinchRemoveMove]]:
    """Returns positions and moves of a cycle."""
    left = cyclic_part(graph)
    path: list[tuple[PinchRemove, PinchRemoveMove]] = []
    seen: list[Hashable] = []
    key = sorted(left, key=repr)[0]
    while key not in seen:
        node = graph[key]
        seen.append(key)
        following = dict(zip(node.next_keys, node.position.moves(), strict=True))
        next_key = sorted(left.intersection(following), key=repr)[0]
        path.append((node.position, following[next_key]))
        key = next_key
    return path[seen.index(key) :]


def test_third_occurrence_draws(graphs: dict[tuple[int, int], Graph]) -> None:
    cycle = find_cycle(graphs[3, 3])
    first = replace(cycle[0][0], history=())
    position = first
    for _ in range(2):
        assert position.winner is None
        for _, move in cycle:
            assert position.winner is None
            position = position.play(move)
    assert position.repetition_key() == first.repetition_key()
    assert position.winner == "draw"
    assert position.moves() == []
    assert first.winner is None


# -- facts --


def test_cycles_exist_from_3x3_on(graphs: dict[tuple[int, int], Graph]) -> None:
    assert [bool(cyclic_part(graphs[size])) for size in SMALL_BOARDS] == [False] * 3 + [True]


def test_reachable_full_board_has_winner(graphs: dict[tuple[int, int], Graph]) -> None:
    """Play cannot make a 2x2 checkerboard; without one, a full board has a winner."""
    for graph in graphs.values():
        for node in graph.values():
            assert node.position.winner != "draw"


def test_2x3_has_positions_without_legal_point(
    graphs: dict[tuple[int, int], Graph],
) -> None:
    stuck = [
        any(node.position.moves() == ["pass"] for node in graphs[size].values())
        for size in SMALL_BOARDS
    ]
    assert stuck == [False, True, True, True]


@pytest.mark.parametrize("seed", range(8))
def test_random_games(seed: int) -> None:
    rng = random.Random(seed)
    before = PinchRemove(*[(2, 3), (3, 3), (4, 4), (5, 3), (6, 6), (7, 7), (5, 5), (4, 6)][seed])
    while before.winner is None:
        move = rng.choice(before.moves())
        after = before.play(move)
        if move not in ("swap", "pass"):
            mover = before.to_move
            enemy = opponent(mover)
            removed = before.stones_of(enemy) - after.stones_of(enemy)
            assert len(removed) <= 4
            assert after.banned == removed
            assert after.stones_of(mover) == {*before.stones_of(mover), move}
            assert after.winner in (None, mover, "draw")
        before = after
    assert before.moves() == []
