"""The reference implementation of Bushka, rule by rule."""

import random

import pytest
from bushka_boards import board, squares
from reference.base import Point, opponent
from reference.bushka import (
    BACK_RANK,
    SQUARES,
    Bushka,
    BushkaMove,
    exists,
    read_square,
    row,
    square_name,
)


def texts(position: Bushka) -> set[str]:
    moves = position.moves()
    found = {position.text(move) for move in moves}
    assert len(found) == len(moves)
    return found


def captures(position: Bushka) -> dict[str, set[str]]:
    """Returns the texts of all legal moves with the names of the taken squares."""
    return {
        position.text(move): {square_name(square) for square in move.taken}
        for move in position.moves()
    }


def assert_captures(position: Bushka, expected: dict[str, set[str]]) -> None:
    """Asserts that these are the captures. expected: empty: no move takes a piece."""
    found = captures(position)
    if expected:
        assert found == expected
    else:
        assert all(not taken for taken in found.values())


def play_line(position: Bushka, line: str) -> Bushka:
    for text in line.split():
        position = position.play(position.parse(text))
    return position


# -- board and interface --


def test_board_has_50_squares_in_9_rows() -> None:
    assert len(SQUARES) == 50
    rows = [sum(row(square) == r for square in SQUARES) for r in range(4, -5, -1)]
    assert rows == [6, 5, 6, 5, 6, 5, 6, 5, 6]
    white_back = {square_name(square) for square in SQUARES if row(square) == 4}
    black_back = {square_name(square) for square in SQUARES if row(square) == -4}
    assert white_back == {"e1", "f2", "g3", "h4", "i5", "j6"}
    assert black_back == {"a5", "b6", "c7", "d8", "e9", "f0"}


def test_square_names_are_read_back() -> None:
    assert read_square("e1") == (4, 0)
    assert read_square("a5") == (0, 4)
    assert read_square("f0") == (5, 9)
    assert all(read_square(square_name(square)) == square for square in SQUARES)
    for name in ["a1", "e0", "k5", "e", "e10", "j7", "5e"]:
        with pytest.raises(ValueError, match=r"square|board"):
            read_square(name)


def test_each_side_starts_with_17_men_on_3_rows() -> None:
    stones = Bushka().stones()
    for color, rows in [("white", (4, 3, 2)), ("black", (-4, -3, -2))]:
        men = {square for square, owner in stones.items() if owner == color}
        assert len(men) == 17
        assert men == {square for square in SQUARES if row(square) in rows}
    assert Bushka().kings() == set()


def mirror(square: Point) -> Point:
    """Exchanges the two kinds of lines and keeps the rows."""
    return 9 - square[1], 9 - square[0]


def test_opening_moves_are_mirrored_pairs() -> None:
    moves = Bushka().moves()
    assert len(moves) == 26
    assert moves == sorted(moves, key=lambda move: (move.origin, move.target))
    assert all(not move.taken for move in moves)
    assert all(exists(mirror(square)) for square in SQUARES)
    pairs = {
        frozenset({move, BushkaMove(mirror(move.origin), mirror(move.target))}) for move in moves
    }
    assert all(pair <= set(moves) for pair in pairs)
    assert len(pairs) == 13


def test_illegal_moves_are_rejected() -> None:
    start = Bushka()
    for move in [
        BushkaMove(read_square("e1"), read_square("e5")),
        BushkaMove(read_square("c5"), read_square("d5")),
        BushkaMove(read_square("e4"), read_square("e5")),
    ]:
        with pytest.raises(ValueError, match="not legal"):
            start.play(move)
        with pytest.raises(ValueError, match="not legal"):
            start.text(move)


# -- R1 to R8: ordinary moves --


def test_r2_no_move_loses() -> None:
    blocked = board("b5", "b6 a5")
    assert blocked.winner == "black"
    assert blocked.moves() == []
    assert board("", "b6").winner == "black"
    assert board("b6", "", kings="b6", to_move="black").winner == "white"


def test_r4_man_moves_forward_along_lines() -> None:
    assert texts(board("e5", "f0")) == {"e56", "ed5"}
    assert texts(board("e1", "f6", to_move="black")) == {"f65", "fg6"}


def test_r4_man_on_the_far_rank_becomes_king() -> None:
    after = play_line(board("d7", "i6"), "d78")
    assert after.kings() == squares("d8")
    assert after.stones()[read_square("d8")] == "white"
    assert after.to_move == "black"
    after = play_line(board("e9", "h5", kings="e9", to_move="black"), "h54")
    assert after.kings() == squares("h4 e9")


def test_r4_own_back_rank_does_not_promote() -> None:
    after = play_line(board("e2 e3", "f0"), "e24")
    assert after.kings() == set()


def test_r5_king_moves_any_distance_along_lines() -> None:
    position = board("e5 g5", "f0", kings="e5")
    assert texts(position) == {
        *("e51", "e52", "e53", "e54", "e56", "e57", "e58", "e59"),
        *("ea5", "eb5", "ec5", "ed5", "ef5"),
        *("g56", "gf5"),
    }


def test_r6_r7_any_front_may_move() -> None:
    position = board("e2 e3 e4 e6", "f0")
    assert {text for text in texts(position) if text.startswith("e") and text[2] == "5"} == {
        "e25",
        "e35",
        "e45",
    }
    after = play_line(position, "e35")
    assert after.white_men == squares("e2 e4 e5 e6")
    # Kings are never part of a phalanx.
    position = board("e2 e3 e4", "f0", kings="e3")
    assert "e25" not in texts(position)
    assert "e45" in texts(position)


def test_r7_phalanx_stays_on_its_line() -> None:
    assert texts(board("e5 e6", "f0")) == {"e57", "e67", "ed5", "ed6"}


def test_r8_only_front_man_promotes() -> None:
    after = play_line(board("d5 d6 d7", "i6"), "d58")
    assert after.white_kings == squares("d8")
    assert after.white_men == squares("d6 d7")


# -- R9 to R11: phalanx captures --


# All captures with what they take, empty if there is none; for the core as well.
PHALANX_CAPTURES: list[tuple[Bushka, dict[str, set[str]]]] = [
    # All contiguous enemy men after the first.
    (board("e1 e2", "e4 e5 e6"), {"e1x3": {"e4", "e5", "e6"}}),
    # A gap ends it.
    (board("e1 e2", "e4 e5 e7"), {"e1x3": {"e4", "e5"}}),
    # A king ends it, and stays.
    (board("e1 e2", "e4 e5 e6", kings="e5"), {"e1x3": {"e4"}}),
    # An own piece ends it.
    (board("e1 e2 e5", "e4 e6"), {"e1x3": {"e4"}}),
    # The edge ends it.
    (board("e5 e6", "e8 e9"), {"e5x7": {"e8", "e9"}}),
    # A king is taken alone.
    (board("e1 e2", "e4 e5", kings="e4"), {"e1x3": {"e4"}}),
    # R10: the mover chooses the tail.
    (board("e1 e2 e3", "e5"), {"e1x4": {"e5"}, "e2x4": {"e5"}}),
    # Backward, along a letter and along a digit.
    (board("e5 e6", "e3"), {"e6x4": {"e3"}}),
    (board("e5 f5", "h5"), {"exg5": {"h5"}}),
    (board("e5 f5", "c5 b5", to_move="white"), {"fxd5": {"c5", "b5"}}),
    # Black alike.
    (board("e4 e3", "e6 e7 e8", to_move="black"), {"e8x5": {"e4", "e3"}, "e7x5": {"e4", "e3"}}),
    # A king after the head does not make a phalanx; the man captures alone.
    (board("e1 e2", "e4 e5", kings="e1"), {"e23x": {"e4"}}),
    # R11: the most pieces; a king counts one, ties are free.
    (board("e1 e2 h4 h5", "e4 e5 h7"), {"e1x3": {"e4", "e5"}}),
    (board("e1 e2 h4 h5", "e4 h7", kings="h7"), {"e1x3": {"e4"}, "h4x6": {"h7"}}),
    # R3: before a piece capture that takes more.
    (board("e1 e2 g5", "e4 g7 f6"), {"e1x3": {"e4"}}),
    # The square of the head's step must be vacant.
    (board("e1 e2", "e3 e4"), {}),
]


@pytest.mark.parametrize(("position", "expected"), PHALANX_CAPTURES)
def test_phalanx_captures(position: Bushka, expected: dict[str, set[str]]) -> None:
    assert_captures(position, expected)


def test_r9_one_step_no_continuation() -> None:
    after = play_line(board("e1 e2", "e4 e6 c3"), "e1x3")
    assert after.white_men == squares("e2 e3")
    assert after.black_men == squares("e6 c3")
    assert after.to_move == "black"


# -- R12 to R18: piece captures --


PIECE_CAPTURES: list[tuple[Bushka, dict[str, set[str]]]] = [
    # R12: in any of the four directions; one piece only.
    (board("e5", "e7 e8"), {"e56x": {"e7"}}),
    (board("e5", "e3"), {"e54x": {"e3"}}),
    (board("e5", "g5"), {"ef5x": {"g5"}}),
    (board("e5", "c5"), {"ed5x": {"c5"}}),
    # R13: for the rest of the turn the man counts as isolated.
    (board("e4 d5", "e6 g5"), {"e4f5x": {"e6", "g5"}}),
    # R14: a king stops on the last vacant square before the first enemy piece.
    (board("e2", "e8 e9", kings="e2"), {"e27x": {"e8"}}),
    (board("e2 e6", "e8", kings="e2"), {"e67x": {"e8"}}),
    # R14: an enemy right next to it cannot be taken in that direction.
    (board("e2", "e3", kings="e2"), {}),
    # R15: any direction, a half turn included; R16: where it began counts as vacated.
    (board("e5", "e7 e4"), {"e5x": {"e4", "e7"}}),
    (board("e5", "e8 e2", kings="e5"), {"e53x": {"e2", "e8"}, "e57x": {"e2", "e8"}}),
    # R16: taken pieces block (d4) and cannot be taken twice (f5 from d5).
    (board("f3", "f5 d4 e6 c5"), {"f3d5x": {"f5", "d4", "e6", "c5"}}),
    # R17: the most pieces over all men and kings, a king counting one.
    (board("e1 h4", "e4 h6 f5", kings="e1"), {"h4g5x": {"h6", "f5"}}),
    (board("e5 h6", "e7 h8", kings="e7"), {"e56x": {"e7"}, "h67x": {"h8"}}),
    # An own king on the other side does not prevent a man's capture.
    (board("e4 e5", "e7", kings="e4"), {"e56x": {"e7"}}),
]


@pytest.mark.parametrize(("position", "expected"), PIECE_CAPTURES)
def test_piece_captures(position: Bushka, expected: dict[str, set[str]]) -> None:
    assert_captures(position, expected)


def test_r13_phalanx_capture_precedes_a_piece_capture() -> None:
    """A man with an own man at its rear has a phalanx capture, which takes precedence."""
    assert captures(board("e4 e5", "e7 e8")) == {"e4x6": {"e7", "e8"}}


def test_r16_taken_pieces_leave_after_capture() -> None:
    position = board("f3", "f5 d4 e6 c5")
    after = play_line(position, "f3d5x")
    assert after.white_men == squares("d5")
    assert after.black_men == set()
    assert after.winner == "white"  # R2: none left
    assert after.moves() == []


# -- R19 --


def test_r19_third_occurrence_draws() -> None:
    position = board("e1", "f0", kings="e1 f0")
    around = "e12 f09 e21 f90"
    once = play_line(position, around)
    assert once.key() == position.key()
    assert once.winner is None
    nearly = play_line(once, "e12 f09 e21")
    assert nearly.winner is None
    drawn = play_line(nearly, "f90")
    assert drawn.winner == "draw"
    assert drawn.moves() == []
    with pytest.raises(ValueError, match="not legal"):
        drawn.play(position.moves()[0])


# -- notation --


def test_only_ambiguous_texts_name_victims() -> None:
    position = board("d3 f4 f5 e3", "d5", to_move="black")
    assert captures(position) == {"d5e4x[d3,f4]": {"d3", "f4"}, "d5e4x[e3,f5]": {"e3", "f5"}}
    with pytest.raises(ValueError, match="fits 2"):
        position.parse("d5e4x")
    assert position.parse("d5e4x[f4,d3]") == position.parse("d5e4x[d3,f4]")
    with pytest.raises(ValueError, match="fits 0"):
        position.parse("d5e4x[d3]")
    with pytest.raises(ValueError, match="bracket"):
        position.parse("d5e4x[d3,f4")
    single = board("e5", "e7")
    assert single.parse("e56x[e7]") == single.parse("e56x")


@pytest.mark.parametrize("text", ["", "e", "e45", "e5", "xx", "e25x", "e2x5", "E25", "pass"])
def test_unmatched_texts_are_rejected(text: str) -> None:
    with pytest.raises(ValueError, match="fits 0"):
        Bushka().parse(text)


# -- published games --

MATCH_GAME = """
    f25 eg8 f46 f0x7 ih7 cxg7 g3x6 bc4 gf6 cxe6 if5 f9x6 ixg6 f86 g57 e76 g68 exg6 g45x ad5 ed3 d54x
    d23x f75 f34x f65x ji6 cd4 ih6 bd5 hg6 d76 g59 ef9x hg5x bc6 hg4 ce6
"""

FRAGMENT = board(
    "e1 e2 f4 f5 f6 g6 g3 h7 i7",
    "e6 e5 d5 d6 d7 e7 e8",
    to_move="black",
)


def test_match_game() -> None:
    position = Bushka()
    assert len(MATCH_GAME.split()) == 38
    for text in MATCH_GAME.split():
        move = position.parse(text)
        assert position.text(move) == text
        position = position.play(move)
    assert position.winner is None
    assert position.to_move == "white"


FRAGMENT_LINE = "e64 e1x3 d5e4x gxe6 e4f3x hg7 dxf7 f45 f34x f6x"


def test_published_fragment() -> None:
    taken = iter(["e4 e5", "f5 e3", "d6", "e2 g3", "g7", "f5", "f4 f7"])
    position = FRAGMENT
    for text in FRAGMENT_LINE.split():
        move = position.parse(text)
        assert position.text(move) == text
        if "x" in text:
            assert position.moves() == [move]  # "every capture in it is the only legal move"
            assert move.taken == squares(next(taken))
        else:
            assert not move.taken
        position = position.play(move)
    assert next(taken, None) is None


def test_other_line() -> None:
    position = play_line(FRAGMENT, "e64 e1x3 d5e4x gxe6 e4f3x f45 f34x f65x ef7 ixg7")
    assert captures(position)["e8f6x"] == {"e6", "g7", "f5"}
    position.play(position.parse("e8f6x"))


# -- random games --


def men_after_phalanx_step(before: Bushka, move: BushkaMove) -> set[Point]:
    """Returns the mover's men after one step of all men from the origin to the head."""
    (x, y), (to_x, to_y) = move.origin, move.target
    dx, dy = (to_x > x) - (to_x < x), (to_y > y) - (to_y < y)
    men = set(before.men(before.to_move))
    moving = []
    while (x, y) != (to_x, to_y):
        moving.append((x, y))
        x, y = x + dx, y + dy
    assert men.issuperset(moving)
    return (men - set(moving)) | {(x + dx, y + dy) for x, y in moving}


@pytest.mark.parametrize("seed", range(12))
def test_random_games(seed: int) -> None:
    rng = random.Random(seed)
    before = Bushka()
    for _ in range(150):
        moves = before.moves()
        if not moves:
            break
        assert len({before.text(move) for move in moves}) == len(set(moves)) == len(moves)
        assert all(before.parse(before.text(move)) == move for move in moves)
        assert len({bool(move.taken) for move in moves}) == 1  # capturing is compulsory
        assert len({len(move.taken) for move in moves}) == 1  # the most pieces
        move = rng.choice(moves)
        after = before.play(move)
        mover = before.to_move
        enemy = opponent(before.to_move)
        assert before.pieces(enemy) - after.pieces(enemy) == move.taken
        assert len(after.pieces(mover)) == len(before.pieces(mover))
        if move.taken:
            assert len(after.kings_of(mover)) == len(before.kings_of(mover))  # R18
            if move.origin in before.men(mover):
                assert row(move.target) != BACK_RANK[enemy]
        is_piece_capture = before.text(move).partition("[")[0].endswith("x")
        if move.origin in before.men(mover) and not is_piece_capture:
            assert after.pieces(mover) - before.kings_of(mover) == (
                men_after_phalanx_step(before, move)
            )
        assert after.to_move == enemy
        before = after
