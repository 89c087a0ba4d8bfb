"""Bushka over GTP: features that other games do not have."""

import bushka_boards as boards
import pytest
from bushka_boards import AMBIGUOUS, at
from clients import ask, observed, server
from gtp.test_gogui import say
from gtp.test_gogui_games import picture_of
from reference.bushka import SQUARES

from pinchtp.games import GAMES, Color
from pinchtp.games.notation import format_move
from pinchtp.games.session import IllegalMove, Session
from pinchtp.gtp.server import Server


@pytest.fixture
def engine() -> Server:
    return server(10, game="bushka")


def reason(engine: Server, line: str) -> str:
    """Returns the explanation of a failure."""
    answer = engine.answer(line)
    assert answer is not None
    assert not answer.ok
    return answer.reason.removeprefix(f"{line}: ")


def test_showboard_names_colors(engine: Server) -> None:
    lines = say(engine, "showboard").split("\n")
    assert lines[-1] == "Black (X, king B), White (O, king W): who cannot move loses"
    assert lines[-2] == "Bushka 10x10, move 1: white to move"


def during_capture(*parts: str) -> Session:
    """Returns a game during Black's capture: d5, e4, then d3 or e3."""
    session = Session(GAMES["bushka"], 10, 10)
    session.set_up(boards.set_up(AMBIGUOUS))
    for part in parts:
        session.play(Color.BLACK, at(part))
    return session


def test_turn_is_played_whole_or_by_steps() -> None:
    session = during_capture()
    for parts in (("d5", "e4"), ("d5", "e4", "d3", "e4")):
        with pytest.raises(IllegalMove, match=r"^the turn (continues after|is over before) E4$"):
            session.play(Color.BLACK, *map(at, parts))
    assert not session.history
    session.play(Color.BLACK, *map(at, ("d5", "e4", "d3")))
    assert session.to_move is Color.WHITE


def test_captured_points_are_victims_only() -> None:
    session = during_capture("d5", "e4", "d3")
    assert set(session.captured_points()) == {at("d3"), at("f4")}
    assert session.prisoners() == (0, 2)


def test_resignation_keeps_incomplete_turn() -> None:
    session = during_capture("d5", "e4")
    session.resign(Color.BLACK)
    first, last = session.turns()
    assert (first.before, first.moves) == (session.start, (at("d5"), at("e4")))
    assert (last.before, last.after) == (first.after, first.after)
    assert first.after == session.position


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("play b e4", "illegal move (it is white's turn)"),
        ("play b e3", "illegal move (it is white's turn)"),
        ("play w e64", "illegal move (e64 is not legal: legal moves start from e1, d2, "),
        ("play w e36", "illegal move (e36 is not legal; from e3: ed3, e34)"),
        ("e36", "unknown command (e36 is not legal; from e3: ed3, e34)"),
        ("play w pass", "illegal move (passing is not allowed here)"),
        ("play w z9", "syntax error (invalid move 'z9': use the published notation such as e64"),
        ("boardsize 9", "unacceptable size (Bushka is played on 10x10)"),
        ("boardsize 26", "unacceptable size (sizes are 2..25)"),
        ("swap", "cannot swap: this game is played without the pie rule"),
        ("fixed_handicap 2", "unknown command ('fixed_handicap': Bushka has no such command)"),
        ("pinchtp-swap_map", "unknown command ('pinchtp-swap_map': Bushka has no such command)"),
    ],
)
def test_failures_are_explained(engine: Server, line: str, message: str) -> None:
    before = observed(engine)
    assert reason(engine, line).startswith(message)
    assert observed(engine) == before


def test_game_without_required_option_fails() -> None:
    engine = server(5, game="capture-go", pie=True)
    before = observed(engine)
    assert ask(engine, "pinchtp-game bushka") == (
        "? cannot change the game: Bushka has no pie rule"
    )
    assert observed(engine) == before


def test_pinchtp_legal_lists_playable_moves(engine: Server) -> None:
    listed = say(engine, "pinchtp-legal").split()
    assert "e34" in listed
    for text in listed:
        say(engine, f"play w {text}")
        assert f"Last move: white {text}\n" in say(engine, "showboard") + "\n"
        say(engine, "undo")


def test_turn_by_steps(engine: Server) -> None:
    """Steps are shown in the board's labels, returned as GTP vertices, undone one by one."""
    say(engine, "play w J6")
    assert "Turn so far: white i6" in say(engine, "showboard")
    assert say(engine, "pinchtp-history") == "w J6"
    assert say(engine, "pinchtp-legal") == "G6"
    say(engine, "play w G6")
    assert "Last move: white ig6" in say(engine, "showboard")
    say(engine, "undo")
    say(engine, "undo")
    assert say(engine, "pinchtp-history") == ""


def test_genmove_rest_of_turn_is_read_back(engine: Server) -> None:
    say(engine, f"pinchtp-loadboard {picture_of(AMBIGUOUS)}")
    say(engine, "play b d5")
    rest = say(engine, "genmove b")
    assert rest in ("e4-d3", "e4-e3", "e4-f4", "e4-f5")
    after = say(engine, "pinchtp-printboard")
    say(engine, "undo")
    say(engine, f"play b {rest}")
    assert say(engine, "pinchtp-printboard") == after


def test_ambiguous_capture_lists_candidates(engine: Server) -> None:
    say(engine, f"pinchtp-loadboard {picture_of(AMBIGUOUS)}")
    assert ask(engine, "play b d5e4x") == (
        "? ambiguous move: d5e4x fits d5e4x[d3,f4], d5e4x[e3,f5]"
    )
    say(engine, "play b d5e4x[d3,f4]")
    assert say(engine, "pinchtp-history") == "b d5e4x[d3,f4]"
    assert say(engine, "gogui-rules_captured_count") == "0 2"


def test_blocked_player_loses(engine: Server) -> None:
    say(engine, f"pinchtp-loadboard {picture_of(boards.board('e5', 'e7'))}")
    say(engine, "play w e56x")
    assert say(engine, "winner") == "white"
    assert say(engine, "gogui-rules_final_result") == "White wins: Black cannot move"
    assert "White has won" in say(engine, "showboard")


def test_kings_round_trip(engine: Server) -> None:
    book = boards.board("e5 f6", "e7 d8", kings="f6 d8")
    say(engine, f"pinchtp-loadboard {picture_of(book)}")
    line = say(engine, "pinchtp-printboard")
    say(engine, "clear_board")
    say(engine, f"pinchtp-loadboard {line}")
    assert say(engine, "pinchtp-printboard") == line
    assert line.count("W") == line.count("B") == 1


def test_only_squares_have_winrates(engine: Server) -> None:
    shown = say(engine, "pinchtp-ownership").split("\n")
    labelled = {line.split()[1] for line in shown if line.startswith("LABEL")}
    assert labelled == {format_move(boards.code(square)) for square in SQUARES}
