"""Board diagrams as text."""

from boards import pinch

from pinchtp.games import GAMES, Color
from pinchtp.games.notation import parse_move
from pinchtp.games.session import Session
from pinchtp.render.text import board_text, rows, status_text

PINCH = GAMES["pinch"]


def test_diagram_shows_the_game_in_progress() -> None:
    session = pinch(5, 4, "b4 c4 d2 c3 e1 e2")
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


def test_diagram_marks_the_winning_chain() -> None:
    assert (
        board_text(pinch(3, 3, "b1 a1 b2 a3 b3", pie=False))
        == """\
      A B C
      x x x
  3 o O(%). o 3
  2 o . % . o 2
  1 o O % . o 1
      x x x
      A B C
Pinch 3x3 after move 5. Black has won: top and bottom are joined, chain %
Black (X) joins top and bottom, White (O) left and right
Last move: black B3"""
    )


def test_diagram_shows_the_swap() -> None:
    assert board_text(pinch(5, 5, "c3")).endswith("Last move: black C3\nWhite may swap")
    text = board_text(pinch(5, 5, "c3 swap"))
    assert text.split("\n")[1] == "      o o o o o"
    assert text.split("\n")[4] == "  3 x . . O . . x 3"
    assert text.endswith("Last move: white swap\nThe colors were swapped")


def test_diagram_names_the_resignation() -> None:
    session = pinch(5, 5, "c3 d4")
    session.resign(Color.WHITE)
    assert "move 2. White resigned: Black has won" in board_text(session)


def test_rows_are_listed_from_the_top() -> None:
    assert rows(pinch(3, 2, "a1 c2").position) == ["..O", "X.."]


def test_status_text() -> None:
    assert status_text(pinch()) == "Black to move"
    assert (
        status_text(pinch(2, 2, "a1 b2 a2", pie=False)) == "Black wins: top and bottom are joined"
    )
    assert status_text(pinch(2, 2, "a1 swap b2 a2")) == "White wins: top and bottom are joined"
    session = pinch()
    session.resign(Color.BLACK)
    assert status_text(session) == "White wins: Black has resigned"


def test_board_text_marks_and_names_captures() -> None:
    lines = board_text(pinch(5, 5, "d3 d2 e2", pie=False)).split("\n")
    assert lines[5] == "  2 o . . .*X(X)o 2"
    assert lines[-1] == "Last move: black E2, flips D2"
    session = Session(GAMES["pinch-remove"], 5, 5, pie=False)
    for text in ["d3", "d2", "e2"]:
        session.play(session.to_move, parse_move(text, session.position))
    lines = board_text(session).split("\n")
    assert lines[5] == "  2 o . . .*-(X)o 2"
    assert lines[-1] == "Last move: black E2, captures D2"
