"""First Capture Go in the core compared with the reference, and properties of its rules."""

from __future__ import annotations

import random

import boards
import pytest
from core.test_solved import mover_wins
from reference.base import Color, Point, chains, read_diagram
from reference.capture_go import CaptureGo
from rulebook.test_capture_go import ATARI, CAPTURES, LOSING, SUICIDES, VALUES

from pinchtp import _core
from pinchtp.games.notation import coordinates, point

GAME = "capture-go"
SIZES = [(2, 2), (2, 3), (3, 2), (3, 3), (4, 3), (4, 4), (5, 4), (6, 6), (7, 7)]
# Around the limit between the board layouts, and the extremes.
LARGE_SIZES = [(9, 9), (13, 13), (14, 14), (14, 15), (15, 14), (15, 15), (25, 2), (2, 25)]


def assert_same(core: _core.Position, book: CaptureGo) -> None:
    """Asserts that all observable properties of the two positions agree."""
    assert boards.core_stones(core) == book.stones()
    assert (None if core.result is None else boards.RESULTS[core.result]) == book.winner
    assert [boards.rulebook_move(move) for move in core.legal_moves()] == book.moves()
    assert boards.COLORS[core.to_move] == book.to_move
    assert core.swap_open == book.swap_open
    assert [coordinates(stone) for stone in boards.noted(core, "atari", core.to_move)] == sorted(
        book.atari(), key=lambda stone: (stone[1], stone[0])
    )


def choose(rng: random.Random, core: _core.Position) -> int:
    """Returns a random move: a swap at even odds, a pass rarely."""
    moves = core.legal_moves()
    if core.swap_open and rng.random() < 0.5:
        return _core.SWAP
    return rng.choice(moves if rng.random() < 0.01 or len(moves) == 1 else moves[:-1])


def play_random_game(rng: random.Random, width: int, height: int) -> None:
    """Plays a random game in core and reference, compared at each ply."""
    options = {"pie": rng.random() < 0.5, "crosscut": max(width, height) > 3 and rng.random() < 0.3}
    core, book = boards.pair(GAME, width, height, **options)
    assert_same(core, book)
    while core.result is None:
        move = choose(rng, core)
        core, book = core.play(move), book.play(boards.rulebook_move(move))
        assert_same(core, book)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_core_equals_reference(width: int, height: int) -> None:
    rng = random.Random(f"{width}x{height}")
    for _ in range(max(2, 200 // (width * height))):
        play_random_game(rng, width, height)


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), LARGE_SIZES)
def test_core_equals_reference_on_large_boards(width: int, height: int) -> None:
    rng = random.Random(f"{width}x{height}")
    for _ in range(max(1, 300 // (width * height))):
        play_random_game(rng, width, height)


@pytest.mark.slow
@pytest.mark.parametrize("games", [100, pytest.param(1000, marks=pytest.mark.nightly)])
def test_core_equals_reference_in_many_games(games: int) -> None:
    rng = random.Random(1000)
    for _ in range(games):
        play_random_game(rng, rng.randint(2, 7), rng.randint(2, 7))


@pytest.mark.slow
def test_core_equals_reference_on_19x19() -> None:
    play_random_game(random.Random(19), 19, 19)


# -- set-up positions --


def cells_of(book: CaptureGo) -> bytes:
    stones = book.stones()
    sign = {None: 0, "black": 1, "white": 2}
    return bytes(sign[stones.get(each)] for each in book.points())


def set_up(book: CaptureGo) -> _core.Position:
    to_move = boards.COLORS.index(book.to_move)
    return _core.set_up(GAME, book.width, book.height, cells_of(book), to_move)


def drawn(text: str, to_move: Color = "black") -> tuple[_core.Position, CaptureGo, list[int]]:
    """Returns a diagram's position in core and reference, and its marked points."""
    diagram = read_diagram(text)
    book = CaptureGo(
        diagram.width,
        diagram.height,
        black=diagram.black,
        white=diagram.white,
        to_move=to_move,
    )
    return set_up(book), book, [point(*each) for each in diagram.marked]


def random_book(rng: random.Random, width: int, height: int) -> CaptureGo:
    """Returns random stones, with or without liberties."""
    density = rng.uniform(0.2, 0.9)
    stones: dict[str, set[tuple[int, int]]] = {"black": set(), "white": set()}
    for x in range(width):
        for y in range(height):
            if rng.random() < density:
                stones[rng.choice(boards.COLORS)].add((x, y))
    return CaptureGo(
        width,
        height,
        black=frozenset(stones["black"]),
        white=frozenset(stones["white"]),
        to_move=rng.choice(("black", "white")),
    )


def has_dead_group(book: CaptureGo) -> bool:
    occupied = book.black | book.white
    return any(
        not book.liberties(group, occupied)
        for stones in (book.black, book.white)
        for group in chains(stones)
    )


@pytest.mark.parametrize(("width", "height"), [(3, 3), (4, 4), (5, 4), (7, 7), (3, 15)])
def test_set_up_positions_equal_reference(width: int, height: int) -> None:
    """Same legal moves, ataris and captures; rejected if a group has no liberty."""
    rng = random.Random(f"{width}x{height}")
    compared = 0
    while compared < 40:
        book = random_book(rng, width, height)
        if has_dead_group(book):
            with pytest.raises(ValueError, match="a group has no liberty"):
                set_up(book)
            continue
        core = set_up(book)
        assert_same(core, book)
        for move in core.legal_moves():
            after, expected = core.play(move), book.play(boards.rulebook_move(move))
            assert boards.core_stones(after) == expected.stones()
            assert (after.result is None) == (expected.winner is None)
        compared += 1


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (bytes(8), "do not fit"),
        (bytes([3]) + bytes(8), "only stones"),
        (bytes([5]) + bytes(8), "only stones"),
        (bytes([1, 2, 0, 2, 0, 0, 0, 0, 0]), "a group has no liberty"),
        (bytes([1] * 9), "a group has no liberty"),
        (bytes([1, 2, 0, 2, 1, 0, 0, 0, 0]), "a group has no liberty"),
    ],
)
def test_invalid_setup_is_rejected(cells: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _core.set_up(GAME, 3, 3, cells, 0)


def test_set_up_equals_play() -> None:
    """A handicap is such a position: black stones, and White to move."""
    start = _core.new_position(GAME, 5, 5, pie=False)
    played = start.play(point(1, 1)).play(point(3, 3)).play(point(2, 1))
    again = _core.set_up(GAME, 5, 5, played.cells(), 1)
    assert again == played
    assert again != _core.set_up(GAME, 5, 5, played.cells(), 0)
    handicap = _core.set_up(GAME, 5, 5, bytes([1, 1]) + bytes(23), 1)
    book = CaptureGo(5, 5, handicap=2).play((0, 0)).play((1, 0))
    assert_same(handicap, book)


# -- the rules, one by one --


@pytest.mark.parametrize(("text", "to_move", "result", "captured"), CAPTURES)
def test_capture_wins(text: str, to_move: Color, result: str, captured: set[Point]) -> None:
    before, book, (move,) = drawn(text, to_move)
    after = before.play(move)
    assert_same(after, book.play(boards.rulebook_move(move)))
    assert after.result == 0
    assert after.legal_moves() == after.notes == []
    assert boards.core_stones(before).keys() - boards.core_stones(after).keys() == captured
    assert not after.is_legal(_core.PASS)
    with pytest.raises(ValueError, match="illegal move"):
        after.play(_core.PASS)


def test_winning_chain_surrounds_captured_stones() -> None:
    before, _, (move,) = drawn("x . x .\nx o * .\n. x . x")
    assert before.winning_chain == []
    around = [point(1, 0), point(0, 1), point(2, 1)]
    before, _, (move,) = drawn("x x . .\nx o * .\n. x . x")
    assert before.play(move).winning_chain == [*around, point(1, 2)]
    assert before.play(_core.PASS).winning_chain == []


@pytest.mark.parametrize(("text", "to_move"), SUICIDES)
def test_suicide_is_illegal(text: str, to_move: Color) -> None:
    position, book, (move,) = drawn(text, to_move)
    assert_same(position, book)
    assert not position.is_legal(move)
    with pytest.raises(ValueError, match="illegal move"):
        position.play(move)


def test_pass_loses() -> None:
    start = _core.new_position(GAME, 3, 3, pie=False)
    assert start.play(_core.PASS).result == 1
    assert start.play(0).play(_core.PASS).result == 0
    assert start.play(_core.PASS).legal_moves() == []


def test_pass_without_legal_point() -> None:
    position, _, _ = drawn(". x .\nx x x\n. x .", "white")
    assert position.legal_moves() == [_core.PASS]
    assert position.playouts(5)[:, 1:].tolist() == [[1, 0, 0]] * 5


@pytest.mark.parametrize(("text", "stones"), ATARI)
def test_atari_of_either_color(text: str, stones: dict[Color, set[Point]]) -> None:
    position, _, _ = drawn(text)
    exchanged = bytes((0, 2, 1)[cell] for cell in position.cells())
    swapped = _core.set_up(GAME, 3, 3, exchanged, 0, swapped=True)
    for color, points in enumerate(stones.values()):
        noted = boards.noted(position, "atari", color)
        assert {coordinates(each) for each in noted} == points
        assert boards.noted(swapped, "atari", 1 - color) == noted


@pytest.mark.parametrize(("width", "height"), [(4, 4), (6, 4), (5, 5), (9, 9), (2, 4), (25, 25)])
def test_crosscut_equals_reference(width: int, height: int) -> None:
    core, book = boards.pair(GAME, width, height, crosscut=True, pie=False)
    assert_same(core, book)
    assert len(core.legal_moves()) == width * height - 4 + 1


@pytest.mark.parametrize(("width", "height"), [(2, 2), (2, 3), (3, 2), (3, 3)])
def test_crosscut_needs_side_of_4(width: int, height: int) -> None:
    """Smaller boards leave one of the four stones without a liberty."""
    with pytest.raises(ValueError, match="a crosscut needs a side of 4"):
        _core.new_position(GAME, width, height, crosscut=True, pie=True)


def test_swap_exchanges_colors() -> None:
    stone = _core.new_position(GAME, 5, 5, pie=True).play(point(1, 2))
    assert stone.legal_moves()[-2:] == [_core.SWAP, _core.PASS]
    swapped = stone.play(_core.SWAP)
    assert boards.core_stones(swapped) == {(1, 2): "white"}
    assert swapped.to_move == 0
    assert not swapped.swap_open
    assert swapped.play(_core.PASS).result == 1


def test_captured_stones_are_part_of_position() -> None:
    """The reference's key agrees, though the remaining stones are the same."""
    left, _, (at_left,) = drawn("o x .\n* . x\n. . .")
    right, _, (at_right,) = drawn(". x o\nx . *\n. . .")
    assert left.play(at_left).cells() == right.play(at_right).cells()
    assert left.play(at_left) != right.play(at_right)


# -- solved boards --


@pytest.mark.parametrize(("height", "width", "winner"), VALUES)
def test_solved_values(height: int, width: int, winner: Color) -> None:
    start = _core.new_position(GAME, width, height, pie=False)
    assert mover_wins(start, {}) == (winner == "black")


def test_openings_on_3x3() -> None:
    """The centre and the edge middles win for Black, the corners lose."""
    start = _core.new_position(GAME, 3, 3, pie=False)
    known: dict[_core.Position, bool] = {}
    losing = [
        move
        for move in range(3 * 32)
        if start.is_legal(move) and mover_wins(start.play(move), known)
    ]
    assert losing == [point(*each) for each in LOSING]
