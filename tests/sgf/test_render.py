"""Pictures of boards: as text, and read back."""

from __future__ import annotations

from pathlib import Path

import pytest
from boards import random_game

from pinchtp.games import GAMES, Color
from pinchtp.games.notation import parse_move
from pinchtp.games.session import Session
from pinchtp.render import (
    PictureError,
    board_line,
    board_text,
    read_board,
    rows,
    standing,
)

PINCH = GAMES["pinch"]
PICTURES = Path(__file__).parents[2] / "tools" / "pictures.py"

SIZES = [(2, 2), (3, 5), (5, 4), (9, 9), (25, 25), (2, 25)]
EACH_SIZE = pytest.mark.parametrize(
    ("width", "height"), SIZES, ids=[f"{width}x{height}" for width, height in SIZES]
)


def new(width: int = 5, height: int = 5, moves: str = "", *, pie: bool = True) -> Session:
    session = Session(PINCH, width, height, pie=pie)
    for text in moves.split():
        session.play(session.to_move, parse_move(text, session.position))
    return session


# --- text


def test_the_board_as_text() -> None:
    session = new(5, 4, "b4 c4 d2 c3 e1 e2")
    assert (
        board_text(session)
        == """\
      A B C D E
      x x x x x
  4 o . X O . . o 4
  3 o . . O . . o 3
  2 o . . . X(O)o 2
  1 o . . . . X o 1
      x x x x x
      A B C D E
Pinch 5x4, move 7: black to move
Black (X) joins top and bottom, White (O) left and right
Last move: white E2"""
    )


def test_a_win_as_text() -> None:
    assert (
        board_text(new(3, 3, "b1 a1 b2 a3 b3", pie=False))
        == """\
      A B C
      x x x
  3 o O(%). o 3
  2 o . % . o 2
  1 o O % . o 1
      x x x
      A B C
Pinch 3x3, move 5: black has won, chain %
Black (X) joins top and bottom, White (O) left and right
Last move: black B3"""
    )


def test_no_comment_sign_in_a_picture() -> None:
    """It would end the picture where it is sent back as an argument."""
    for session in random_game("pinch", 6, 6, 1):
        assert "#" not in board_text(session)


def test_a_swap_as_text() -> None:
    assert board_text(new(5, 5, "c3")).endswith("Last move: black C3\nWhite may swap")
    text = board_text(new(5, 5, "c3 swap"))
    assert text.split("\n")[1] == "      o o o o o"
    assert text.split("\n")[4] == "  3 x . . O . . x 3"
    assert text.endswith("Last move: white swap\nThe colors were swapped")


def test_a_resignation_as_text() -> None:
    session = new(5, 5, "c3 d4")
    session.resign(Color.WHITE)
    assert "black to move, but white has resigned, black wins" in board_text(session)


def test_rows() -> None:
    assert rows(new(3, 2, "a1 c2").position) == ["..O", "X.."]


def test_one_line() -> None:
    assert board_line(new(3, 2)) == ".../... b"
    assert board_line(new(3, 2, "a1")) == ".../X.. w swap-open"
    assert board_line(new(3, 2, "a1", pie=False)) == ".../X.. w"
    assert board_line(new(3, 2, "a1 swap")) == ".../O.. b swapped"
    assert board_line(new(3, 2, "a1 swap c2")) == "..X/O.. w swapped"


def test_how_a_game_stands() -> None:
    assert standing(new()) == "Black to move"
    assert standing(new(2, 2, "a1 b2 a2", pie=False)) == "Black wins: top and bottom are joined"
    assert standing(new(2, 2, "a1 swap b2 a2")) == "White wins: top and bottom are joined"
    session = new()
    session.resign(Color.BLACK)
    assert standing(session) == "White wins: black has resigned"


# --- pictures read back


def assert_shows(text: str, session: Session) -> None:
    """The text is read as the session's position."""
    shown, position = read_board(text, PINCH), session.position
    assert (shown.width, shown.height) == (position.width, position.height)
    assert shown.cells == position.cells()
    assert shown.to_move == position.to_move
    assert shown.swapped == position.swapped
    assert shown.swap_open == position.swap_open
    assert shown.resigned == session.resigned


@EACH_SIZE
def test_every_picture_is_read_back(width: int, height: int) -> None:
    for ply, session in enumerate(random_game("pinch", width, height, 7)):
        if ply % (1 + width * height // 100) and not session.is_over:
            continue  # large boards: not every one
        picture = board_text(session)
        assert_shows(picture, session)
        assert_shows(picture.replace("\n", "/"), session)
        assert_shows(picture.replace("\n", "|").strip(), session)
        assert_shows(board_line(session), session)


def test_a_resigned_game_is_read_back() -> None:
    for moves in ("", "c3", "c3 swap", "c3 d4"):
        for color in Color:
            session = new(5, 5, moves)
            session.resign(color)
            assert read_board(board_text(session), PINCH).resigned == color


@pytest.mark.parametrize(
    "text",
    [
        "X.O/.../O.X",
        "X.O/.../O.X b",
        "X . O|. . .|O . X",
        "/X.O/ ... /\n\nO.X/ black",
        "3 X.O / 2 ... / 1 O.X",
        "X.O 3 / ... 2 / O.X 1 / b",
        "A B C/X . O/. . ./O . X",
        "% . @/. . ./O .(X)",
        "xxx/oX.Oo/o...o/oO.Xo/xxx",
        "x x x/o X . O o/o . . . o/o O . X o/x x x/Last move: black C1",
        "Pinch 3x3, move 5: black to move/X.O/.../O.X",
    ],
)
def test_what_people_may_type(text: str) -> None:
    shown = read_board(text, PINCH)
    assert (shown.width, shown.height) == (3, 3)
    assert shown.cells == bytes([2, 0, 1, 0, 0, 0, 1, 0, 2])
    assert shown.to_move == Color.BLACK
    assert not shown.swapped
    assert not shown.swap_open


def test_words_after_the_rows() -> None:
    assert read_board("X.O/... w", PINCH).to_move == Color.WHITE
    assert read_board("X.O/.../white", PINCH).to_move == Color.WHITE
    assert read_board("X.O/... w swapped", PINCH).swapped
    assert read_board("X../.../swap-open w", PINCH).swap_open
    assert read_board("ooo/xX..x/x...x/ooo", PINCH).swapped
    assert read_board("X../.../The colors were swapped", PINCH).swapped


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no row of points"),
        ("b", "there is no row of points"),
        ("X.O/.Q./O.X", "row 2, column B: 'Q' is none of . X O % @"),
        ("X.O/.../O.x", "row 1, column C: 'x' is none of . X O % @"),
        ("X.O/#../O.X", "row 2, column A: '#' is none of . X O % @"),
        ("X.O/(.)../O.X", "row 2, column A: '(' is none of . X O % @"),
        ("X.O/..(X/O.X", "row 2, column C: '(' is none of . X O % @"),
        ("X.O/..X)/O.X", "row 2, column D: ')' is none of . X O % @"),
        ("X.O/../O.X", "row 2 has 2 points, row 3 has 3"),
        ("X.O/..../O.X", "row 2 has 4 points, row 3 has 3"),
        ("3 X.O/1 .../O.X", "row 2: it is numbered 1"),
        ("(X).O/.../O.(X)", "A3 and C1 are both marked as played last"),
        ("A B/X.O/.../O.X", "a line of letters is 2 points wide, the rows 3"),
        ("xx/oX.Oo/o...o/xx", "a line of edge is 2 points wide, the rows 3"),
        ("xxx/oX.Oo/o...o", "of top and bottom edge, both are needed, and alike"),
        ("xxx/oX.Oo/o...o/ooo", "of top and bottom edge, both are needed, and alike"),
        ("xxx/oX.Oo/...o/xxx", "row 1: its ends should be marked o, as edges"),
        ("xxx/xX.Ox/x...x/xxx", "row 2: its ends should be marked o, as edges"),
        ("xxx/oX.Oo/o...o/xxx/swapped", "it is not clear who joins top and bottom"),
        ("X.O/... b/w", "both black and white are said to be on move"),
        ("Pinch 3x3, move 5: black to move/X.O/...", "the picture is 3x2, but its text says"),
        ("Pinch 3x2, move 5: nonsense/X.O/...", "'nonsense' does not say whose turn it is"),
        ("Chess 3x2, move 5: black to move/X.O/...", "it shows 'Chess', but the game is Pinch"),
        ("X/.", "1x2 points; sizes are 2..25"),
        ("X.", "2x1 points; sizes are 2..25"),
        ("." * 26 + "/" + "." * 26, "row 2: more than 25 points"),
        ("/".join([".."] * 26), "2x26 points; sizes are 2..25"),
        ("/".join([".."] * 60), "line 46 is too much for a picture of a board"),
        ("../" + "." * 1000, "line 2 is too much for a picture of a board"),
        ("1" * 150 + "../..", "row 2: it is numbered 111"),
        ("hello world", "row 1, column A: 'h' is none of . X O % @"),
    ],
)
def test_what_is_wrong_is_said(text: str, message: str) -> None:
    with pytest.raises(PictureError) as error:
        read_board(text, PINCH)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("text", ["x" * 10**6, " " * 10**6 + ".", "1" * 10**6, "./" * 10**6])
def test_absurd_texts_are_refused_at_once(text: str) -> None:
    with pytest.raises(PictureError):
        read_board(text, PINCH)
