"""The reference implementation of Pinch."""

import random
from collections.abc import Hashable, Iterator
from functools import partial
from itertools import product

import pytest
from reference.base import Color, Point, drawn, from_diagram, opponent, picture, read_diagram
from reference.pinch import Pinch, PinchMove
from reference.pinch_family import pinches

position = partial(from_diagram, Pinch)


def unfinished_positions(height: int, width: int) -> list[Pinch]:
    """Returns every reachable position before a win, without swaps, including the empty board."""
    empty = Pinch(width, height, pie=False)
    found: dict[Hashable, Pinch] = {(empty.black, empty.white): empty}
    to_visit = [empty]
    while to_visit:
        position = to_visit.pop()
        for move in position.moves():
            after = position.play(move)
            stones = (after.black, after.white)
            if after.winner is None and stones not in found:
                found[stones] = after
                to_visit.append(after)
    return list(found.values())


def random_game(start: Pinch, seed: int) -> Iterator[tuple[Pinch, PinchMove, Pinch]]:
    """Yields every turn of a random game: the position before, the move, the position after."""
    rng = random.Random(seed)
    before = start
    while before.winner is None:
        move = rng.choice(before.moves())
        after = before.play(move)
        yield before, move, after
        before = after


def has_checkerboard(position: Pinch) -> bool:
    stones = position.stones()
    for x, y in position.points():
        square = [stones.get(p) for p in [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]]
        if square in (["black", "white"] * 2, ["white", "black"] * 2):
            return True
    return False


# -- terms, sides, the interface --


def test_moves_are_empty_points_in_order() -> None:
    start = Pinch(3, 2)
    assert start.moves() == [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]
    assert start.play((1, 1)).moves() == [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), "swap"]


def test_positions_do_not_change() -> None:
    start = Pinch(3, 3)
    key = start.key()
    start.play((1, 1))
    assert start.key() == key
    assert start.stones() == {}


@pytest.mark.parametrize("move", [(1, 1), (3, 0), (0, -1), "swap", "pass"])
def test_illegal_moves_are_rejected(move: PinchMove) -> None:
    before = Pinch(3, 3, pie=False).play((1, 1))
    with pytest.raises(ValueError, match="not legal"):
        before.play(move)


def test_finished_game_has_no_moves() -> None:
    over = position(". o\n. .").play((0, 0)).play((1, 0)).play((0, 1))
    assert over.winner is not None
    assert over.moves() == []
    with pytest.raises(ValueError, match="not legal"):
        over.play((0, 0))


# A position with its winner and winning chain; for the core as well.
CONNECTIONS: list[tuple[str, Color | None, set[Point]]] = [
    (". x .\n. x .\n. x .", "black", {(1, 0), (1, 1), (1, 2)}),
    ("o o o\n. . .\n. . .", "white", {(0, 2), (1, 2), (2, 2)}),
    ("x x x\n. . .\n. . .", None, set()),
    (". o .\n. o .\n. o .", None, set()),
    (". x .\nx . .\nx . .", None, set()),  # diagonal steps do not connect
    ("x . .\nx . .\nx . x", "black", {(0, 0), (0, 1), (0, 2)}),  # only the winning chain
    ("x o o\nx x o\n. x o", "black", {(1, 0), (0, 1), (1, 1), (0, 2)}),
]


@pytest.mark.parametrize(("text", "winner", "chain"), CONNECTIONS)
def test_connected_color_wins_by_its_chain(
    text: str, winner: Color | None, chain: set[Point]
) -> None:
    board = position(text)
    assert board.winner == winner
    assert board.winning_chain() == chain


# -- pie rule --


def test_swap_needs_move_2() -> None:
    start = Pinch(4, 4)
    assert not start.swap_open
    second = start.play((0, 0)).play((1, 0))
    assert not second.swap_open
    assert "swap" not in second.moves()


def test_swap_exchanges_winning_sides() -> None:
    swapped = Pinch(3, 3).play((1, 0)).play("swap")
    white = swapped.play((0, 2)).play((1, 1)).play((0, 0)).play((1, 2))
    assert white.winner == "white"
    assert white.winning_chain() == {(1, 0), (1, 1), (1, 2)}
    black = swapped.play((0, 1)).play((0, 0)).play((1, 1)).play((2, 0)).play((2, 1))
    assert black.winner == "black"


def test_swap_makes_different_position() -> None:
    swapped = Pinch(3, 3).play((1, 1)).play("swap")
    same_stones = Pinch(3, 3, pie=False, white=frozenset({(1, 1)}), to_move="black")
    assert swapped.stones() == same_stones.stones()
    assert swapped.to_move == same_stones.to_move
    assert swapped.key() != same_stones.key()


def test_open_swap_makes_different_position() -> None:
    assert Pinch(3, 3).play((1, 1)).key() != Pinch(3, 3, pie=False).play((1, 1)).key()


@pytest.mark.parametrize("seed", range(10))
def test_swapped_game_equals_game_with_labels_exchanged(seed: int) -> None:
    """The same points played with and without a swap give the same game with labels exchanged."""
    plain = Pinch(4, 5, pie=False)
    pie = Pinch(4, 5)
    rng = random.Random(seed)
    first = rng.choice(plain.points())
    plain = plain.play(first)
    pie = pie.play(first).play("swap")
    while plain.winner is None:
        assert pie.to_move == opponent(plain.to_move)
        assert pie.moves() == plain.moves()
        point = rng.choice(plain.moves())
        plain = plain.play(point)
        pie = pie.play(point)
        assert pie.stones() == {p: opponent(color) for p, color in plain.stones().items()}
    assert pie.winner is not None
    assert pie.winner != plain.winner


# -- captures: the worked examples --


# A placement (*) and what it leaves; for the core as well.
FLIPS: list[tuple[str, Color, str]] = [
    # `x o / . .`, X plays below the o: the o flips.
    ("x o\n. *", "black", "x x\n. x"),
    # `o . / . o`, X plays top right: nothing happens, the pair of o's is old.
    ("o *\n. o", "black", "o x\n. o"),
    # If X later plays bottom left, both o's flip.
    ("o x\n* o", "black", "x x\nx x"),
    # If O plays bottom left instead, the x stays: the new o is not adjacent to it.
    ("o x\n* o", "white", "o x\no o"),
    # The chain diagram.
    (
        """
        . x o . .
        . . o x .
        . x o . .
        . . * . .
        """,
        "black",
        """
        . x x . .
        . . x x .
        . x x . .
        . . x . .
        """,
    ),
    # A pair in one row or one column is not a pinch.
    (". . .\nx o *\n. . .", "black", ". . .\nx o x\n. . ."),
    (". x .\n. o .\n. * .", "black", ". x .\n. o .\n. x ."),
    # Four stones.
    (
        """
        . . x . .
        . . o . .
        x o * o x
        . . o . .
        . . x . .
        """,
        "black",
        """
        . . x . .
        . . o . .
        x o x o x
        . . o . .
        . . x . .
        """,
    ),
    (
        """
        . . . . .
        . x o . .
        . o * o .
        . . o x .
        . . . . .
        """,
        "black",
        """
        . . . . .
        . x x . .
        . x x x .
        . . x x .
        . . . . .
        """,
    ),
]


@pytest.mark.parametrize(("text", "to_move", "result"), FLIPS)
def test_pinched_stones_flip(text: str, to_move: Color, result: str) -> None:
    before = position(text, to_move)
    (point,) = read_diagram(text).marked
    after = before.play(point)
    assert picture(after) == drawn(result)
    assert after.to_move == opponent(to_move)


def test_stone_played_into_pinch_stays() -> None:
    board = position("o . . .\n. o . .\n. . . .").play((1, 2))
    assert board.stones()[(1, 2)] == "black"
    board = board.play((3, 0))  # White, elsewhere
    assert board.stones()[(1, 2)] == "black"
    board = board.play((0, 0)).play((3, 1))
    assert board.stones()[(1, 2)] == "black"


def test_pinches_are_right_angles() -> None:
    own = frozenset({(0, 1), (2, 1), (1, 0)})
    assert sorted(pinches((1, 1), own)) == [((0, 1), (1, 0)), ((2, 1), (1, 0))]


def convert_one_by_one(before: Pinch, point: Point, rng: random.Random) -> set[Point]:
    """Returns the mover's stones after a move, converting single stones in a random order."""
    own = {*before.stones_of(before.to_move), point}
    enemy = set(before.stones_of(opponent(before.to_move)))
    new = {point}
    while True:
        candidates = sorted(e for e in enemy for pair in pinches(e, own) if new & set(pair))
        if not candidates:
            return own
        converted = rng.choice(candidates)
        own.add(converted)
        enemy.remove(converted)
        new.add(converted)


# -- facts --


@pytest.mark.parametrize("seed", range(6))
def test_random_games_have_no_checkerboard(seed: int) -> None:
    rng = random.Random(seed)
    size = [(2, 2), (3, 4), (5, 5), (6, 4), (7, 7), (9, 9)][seed]
    for game in range(3):
        placements = 0
        for before, move, after in random_game(Pinch(*size), 100 * seed + game):
            assert not has_checkerboard(after)
            if move == "swap":
                continue
            placements += 1
            mover = before.to_move
            # Rule P3: the order of conversions does not matter.
            assert convert_one_by_one(before, move, rng) == after.stones_of(mover)
            # The mover's own stones are never captured in the mover's turn.
            assert before.stones_of(mover) < after.stones_of(mover)
            # Only the mover can become connected.
            assert after.winner in (None, mover)
            # The number of stones never decreases.
            assert len(after.stones()) == placements
        assert after.winner in ("black", "white")  # no draws
        assert placements <= size[0] * size[1]


@pytest.mark.parametrize(("width", "height"), [(2, 2), (3, 2), (2, 4), (3, 3)])
def test_full_board_connects_exactly_one(width: int, height: int) -> None:
    points = Pinch(width, height).points()
    for colors in product([True, False], repeat=len(points)):
        black = frozenset(p for p, is_black in zip(points, colors, strict=True) if is_black)
        board = Pinch(width, height, black=black, white=frozenset(points) - black)
        connected = [bool(board.connection("black")), bool(board.connection("white"))]
        assert sum(connected) <= 1
        if not has_checkerboard(board):
            assert sum(connected) == 1


@pytest.mark.parametrize(
    ("height", "width", "count"), [(2, 2, 21), (2, 3, 171), (3, 2, 209), (3, 3, 6354)]
)
def test_reachable_unfinished_positions(height: int, width: int, count: int) -> None:
    """Rows x columns; stones only, the empty board counts, play stops at a win, no swap."""
    found = unfinished_positions(height, width)
    assert len(found) == count
    assert not any(has_checkerboard(board) for board in found)
    assert all(len(board.stones()) < width * height for board in found)  # no draws
