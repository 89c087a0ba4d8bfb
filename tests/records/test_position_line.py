"""Position strings: a printed one loads as the same position, however the game ended."""

import random
from collections import Counter

import pytest
from boards import pinch
from clients import ask, server
from record_games import random_session

from pinchtp._core import PASS
from pinchtp.games import GAMES, Color
from pinchtp.games.game import RuleValue
from pinchtp.games.notation import parse_move
from pinchtp.games.session import Session
from pinchtp.gtp.server import Server
from pinchtp.records.errors import RecordError
from pinchtp.records.position_line import (
    NOT_SHOWN,
    ParsedPosition,
    load_position,
    parse_position,
    position_line,
)

PINCH = GAMES["pinch"]
EACH_GAME = pytest.mark.parametrize("name", GAMES)
GAMES_EACH = 80
KINDS = {
    "pinch": {"won", "resigned", "swap open", "swapped"},
    "pinch-remove": {"won", "resigned", "swap open", "swapped"},
    "pinch-relocate": {"won", "resigned", "swap open", "swapped", "mid-turn"},
    "capture-go": {"won", "resigned", "swap open", "swapped", "passed", "crosscut"},
    "bushka": {"won", "resigned", "mid-turn"},
}


def started(name: str, width: int = 4, height: int = 4) -> Server:
    game = GAMES[name]
    size = game.size if game.smallest == game.largest else (width, height)
    return server(*size, game=name)


def printed(engine: Server) -> str:
    return ask(engine, "pinchtp-printboard").removeprefix("= ")


def test_position_is_printed_as_one_line() -> None:
    assert position_line(pinch(3, 2)) == ".../... b"
    assert position_line(pinch(3, 2, "a1")) == ".../X.. w swap-open"
    assert position_line(pinch(3, 2, "a1", pie=False)) == ".../X.. w"
    assert position_line(pinch(3, 2, "a1 swap")) == ".../O.. b swapped"
    assert position_line(pinch(3, 2, "a1 swap c2")) == "..X/O.. w swapped"


@EACH_GAME
def test_printed_position_is_loaded(name: str) -> None:
    """Under any options of either program, within turns, and after any end."""
    rng = random.Random(name)
    met: Counter[str] = Counter()
    for _ in range(GAMES_EACH):
        session = random_session(GAMES[name], rng)
        line = position_line(session)
        assert_loaded(line, session, dict(session.options))
        assert_loaded(line, session, {})
        met.update(kinds(session))
    assert set(met) == KINDS[name]


def kinds(session: Session) -> set[str]:
    """Returns the properties of a position other than its stones."""
    position = session.position
    found = {
        "mid-turn": position.mid_turn,
        "swap open": position.swap_open,
        "swapped": position.swapped,
        "passed": PASS in session.moves[-1:],
        "resigned": session.resigned is not None,
        "crosscut": bool(position.options.get("crosscut")),
        "won": position.result is not None,
    }
    return {kind for kind, is_so in found.items() if is_so}


def assert_loaded(line: str, session: Session, options: dict[str, RuleValue]) -> None:
    """A reader with those options comes to the same position, and prints it so again."""
    game = session.game
    start, history = load_position(line, Session(game, *game.size, **options))
    again = Session.at(game, start, history)
    assert position_line(again) == line
    assert state(again) == state(session), line
    if again.position.options == session.position.options:
        assert again.position.hash128 == session.position.hash128


def state(session: Session) -> tuple[object, ...]:
    position = session.position
    return (
        position.cells(),
        None if session.is_over else session.to_move,
        position.legal_moves(),
        (position.swapped, position.swap_open, position.mid_turn),
        (position.result, session.resigned, session.winner, session.is_over),
        position.notes,
        position.winning_chain,
    )


def test_win_by_capture_is_loaded() -> None:
    shown, loaded = started("capture-go", 3, 3), started("capture-go", 3, 3)
    ask(shown, "gogui-play_sequence b a1 w a2 b c3 w b1")
    line = printed(shown)
    assert line == "..X/O../X.. w +B1"
    assert ask(loaded, f"pinchtp-loadboard {line}") == "= "
    assert ask(loaded, "winner") == "= white"


def test_swap_beside_crosscut_is_loaded() -> None:
    for crosscut in (True, False):
        engine = server(8, 8, game="capture-go", crosscut=True, pie=True)
        ask(engine, "play b c1")
        line = ask(engine, "pinchtp-printboard").removeprefix("= ")
        assert line.endswith("..X..... w swap-open")
        loaded = server(9, 9, game="capture-go", crosscut=crosscut, pie=crosscut)
        assert ask(loaded, f"pinchtp-loadboard {line}") == "= "
        assert ask(loaded, "pinchtp-printboard") == f"= {line}"
        assert ask(loaded, "play w swap") == "= "


REPETITIONS = {  # a position, and moves that lead back to it
    "pinch-remove": ("X-./.XO/X-. w", "A2 C1 B1 C3 C2 B2 B3 A1 C2 C1 B1 B2"),
    "pinch-relocate": ("XX./X.X/O.O w", "C3 B1,B2 A1,C2,B3,C1 A2"),
    "bushka": (
        "?????B????/????...???/???.....??/??.......?/?........./"
        ".........?/?.......??/??.....???/???...????/????W????? w",
        "e12 f09 e21 f90",
    ),
}


def test_draw_by_repetition_is_loaded() -> None:
    """The moves since the first occurrence are printed."""
    for name, (picture, cycle) in REPETITIONS.items():
        start, _ = load_position(picture, Session(GAMES[name], *GAMES[name].size))
        session = Session.at(GAMES[name], start)
        for text in cycle.split() * 2:
            session.play(session.to_move, *session.parse(text))
        assert session.is_over
        assert session.winner is None
        assert_loaded(position_line(session), session, {})


def test_pass_before_the_last_is_loaded() -> None:
    """A second one would draw."""
    start, _ = load_position("OOX/X.O b", Session(GAMES["pinch-remove"], 3, 2))
    session = Session.at(GAMES["pinch-remove"], start)
    session.play(Color.BLACK, parse_move("B1", start))
    session.play(Color.WHITE, PASS)
    assert position_line(session).endswith(" w +pass")
    assert_loaded(position_line(session), session, {})


def test_fields_against_stones_are_refused() -> None:
    engine = started("pinch")
    reason = f"? cannot load board: the position claims that black has won, {NOT_SHOWN}"
    assert ask(engine, "pinchtp-loadboard X./.. w black-won") == reason
    reason = reason.replace("that black has won", "a draw")
    assert ask(engine, "pinchtp-loadboard X./.. b drawn") == reason


@pytest.mark.parametrize(
    ("name", "picture", "why"),
    [
        ("pinch", "../.. b +a1,a1", "A1 is occupied"),
        ("pinch", "../.. b +a1,x", "'x' is not a move: use a vertex such as D4, swap or pass"),
        *(
            ("pinch", line, "a swap is possible only for White, after the first black stone")
            for line in (
                "X.O/... w swap-open",
                "X../... b swap-open",
                "O../... w swap-open",
                "X../... w swapped swap-open",
            )
        ),
        ("pinch", "X./X. w white-resigned", "white has resigned, but the game was over before"),
    ],
)
def test_impossible_position_is_refused(name: str, picture: str, why: str) -> None:
    engine = started(name)
    assert ask(engine, f"pinchtp-loadboard {picture}") == f"? cannot load board: {why}"


# --- reading


@pytest.mark.parametrize(
    "text",
    ["X.O/.../O.X", "X.O/.../O.X b", "X . O|. . .|O . X", "/X.O/ ... /\n\nO.X/ black"],
)
def test_rows_and_marks_are_read(text: str) -> None:
    shown = parse_position(text, PINCH)
    cells = bytes([2, 0, 1, 0, 0, 0, 1, 0, 2])
    assert shown == ParsedPosition(3, 3, cells, Color.BLACK)


def test_marks_after_rows_are_read() -> None:
    assert parse_position("X.O/... w", PINCH).to_move == Color.WHITE
    assert parse_position("X.O/.../white", PINCH).to_move == Color.WHITE
    assert parse_position("X.O/... w swapped", PINCH).swapped
    assert parse_position("X../.../swap-open w", PINCH).swap_open
    assert parse_position("X../... b +B1,swap", PINCH).moves == ("B1", "swap")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no row of points"),
        ("b", "no row of points"),
        ("X.O/.Q./O.X", "row 2, column B: 'Q'; expected one of . X O"),
        ("X.O/.../O.x", "row 1, column C: 'x'; expected one of . X O"),
        ("X.O/#../O.X", "row 2, column A: '#'; expected one of . X O"),
        ("X.O/(.)../O.X", "row 2, column A: '('; expected one of . X O"),
        ("%.O/.../O.X", "row 3, column A: '%'; expected one of . X O"),
        ("3 X.O/2 .../1 O.X", "row 3, column A: '3'; expected one of . X O"),
        ("X.O/../O.X", "row 2 has 2 points, row 3 has 3"),
        ("X.O/..../O.X", "row 2 has 4 points, row 3 has 3"),
        ("X.O/... b/w", "both black and white are to move"),
        ("X/.", "1x2 points: sizes are 2..25"),
        ("X.", "2x1 points: sizes are 2..25"),
        ("." * 26 + "/" + "." * 26, "row 2: more than 25 points"),
        ("/".join([".."] * 26), "2x26 points: sizes are 2..25"),
        ("/".join([".."] * 60), "line 46 is too long for a row of a board"),
        ("../" + "." * 1000, "line 2 is too long for a row of a board"),
        ("hello world", "row 1, column A: 'h'; expected one of . X O"),
    ],
)
def test_wrong_text_is_explained(text: str, message: str) -> None:
    with pytest.raises(RecordError) as error:
        parse_position(text, PINCH)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    "text", ["x" * 10**6, " " * 10**6 + ".", "1" * 10**6, "./" * 10**6, "+" + " w" * 10**6]
)
def test_absurd_text_is_refused_at_once(text: str) -> None:
    with pytest.raises(RecordError):
        parse_position(text, PINCH)


def test_moves_of_bushka_may_be_its_squares() -> None:
    gtp = server(10, game="bushka")
    ask(gtp, "set_position w j6 b b6")
    line = ask(gtp, "pinchtp-printboard").removeprefix("= ")
    assert ask(gtp, f"pinchtp-loadboard {line} +j6") == "= "
    assert ask(gtp, "pinchtp-printboard") == f"= {line} +K6"
