"""Set-up positions: stones, position strings, and commands that show them."""

import pytest
from clients import GAMES_BEFORE, after, ask, board, observed, refuse, say, server

from pinchtp._core import PASS, Position
from pinchtp.games import Color
from pinchtp.games.notation import format_move
from pinchtp.gtp.server import Server

STONES = "b C3 w b2 B d4"

BEFORE = pytest.mark.parametrize("before", GAMES_BEFORE.values(), ids=GAMES_BEFORE.keys())


def position(engine: Server) -> Position:
    return engine.engine.session.position


# --- stones


@pytest.mark.parametrize("name", ["gogui-setup", "set_position"])
def test_stones_are_set_up(name: str) -> None:
    engine = server()
    say(engine, f"{name} {STONES}")
    assert board(engine) == "...../...X./..X../.O.../..... b"
    assert say(engine, "pinchtp-history") == ""
    refuse(engine, "undo", "cannot undo")
    refuse(engine, "play w a1", "illegal move")
    say(engine, "play b a1")
    assert ask(engine, "swap").startswith("? cannot swap")


@pytest.mark.parametrize("name", ["gogui-setup", "set_position"])
@pytest.mark.parametrize(
    ("stones", "why"),
    [
        ("b", "syntax error"),
        ("c3", "syntax error"),
        ("b c3 d4", "syntax error"),
        ("b c3 w", "syntax error"),
        ("empty c3", "syntax error"),
        ("b i5", "syntax error"),
        ("b c3 w C3", "cannot set up: C3 is given twice"),
        ("b c3 b c3", "cannot set up: c3 is given twice"),
        ("b f1", "cannot set up: f1 is not a point of the board"),
        ("b a6", "cannot set up: a6 is not a point of the board"),
        ("b z25", "cannot set up: z25 is not a point of the board"),
        ("b a99", "cannot set up: a99 is not a point of the board"),
        ("b pass", "cannot set up: pass is not a point of the board"),
        ("b swap", "cannot set up: swap is not a point of the board"),
    ],
)
def test_invalid_stones(name: str, stones: str, why: str) -> None:
    refuse(server(), f"{name} {stones}", why)


def test_points_outside_bushkas_board() -> None:
    refuse(
        server(10, game="bushka"),
        "set_position w e5 b a1",
        "cannot set up: a1 is not a point of the board",
    )


def test_stones_of_bushka_are_set_up_by_their_squares() -> None:
    gtp = server(10, game="bushka")
    say(gtp, "set_position w j6 b b6")
    assert ask(gtp, "pinchtp-legal") == "= ji6"
    say(gtp, "set_position w K6 b B6")  # as GoGui sends them
    assert ask(gtp, "pinchtp-legal") == "= ji6"
    refuse(gtp, "set_position w e5 b pass", "syntax error")


def test_setup_player_may_precede_stones() -> None:
    engine = server(3)
    say(engine, "gogui-setup_player w")
    say(engine, "gogui-setup b a1")


def test_setup_may_be_finished_game() -> None:
    engine = server(3, 3)
    say(engine, "gogui-setup b a1 b a2 b a3")
    assert say(engine, "winner") == "black"
    assert say(engine, "gogui-rules_legal_moves") == ""
    say(engine, "play b pass")


@pytest.mark.parametrize("before", list(GAMES_BEFORE.values())[1:], ids=list(GAMES_BEFORE)[1:])
def test_gogui_setup_needs_empty_board(before: str) -> None:
    engine = after(before)
    refuse(engine, "gogui-setup b a1", "cannot set up: the board is not empty")
    say(engine, "clear_board")
    say(engine, "gogui-setup b a1")
    refuse(engine, "gogui-setup b b1", "cannot set up: the board is not empty")


@BEFORE
def test_set_position_replaces_any_game(before: str) -> None:
    engine = after(before)
    say(engine, f"set_position {STONES}")
    assert board(engine) == "...../...X./..X../.O.../..... b"
    say(engine, "set_position")
    assert board(engine) == board(server())
    say(engine, "gogui-play_sequence b c3 w swap")


def test_setup_without_stones_changes_nothing() -> None:
    engine = server()
    before = observed(engine)
    say(engine, "gogui-setup")
    assert observed(engine) == before


@pytest.mark.parametrize("stones", ["", "b c3", STONES])
def test_side_to_move_is_set(stones: str) -> None:
    engine = server()
    say(engine, f"gogui-setup {stones}")
    rows = board(engine).removesuffix(" b")
    for color in "wwbwb":
        say(engine, f"gogui-setup_player {color}")
        assert board(engine) == f"{rows} {color}"
    say(engine, "gogui-setup_player white")
    say(engine, "play w a1")
    refuse(engine, "gogui-setup_player b", "cannot set up: a move was made")
    refuse(engine, "gogui-setup_player w", "cannot set up: a move was made")
    refuse(engine, "gogui-setup_player", "syntax error")
    refuse(engine, "gogui-setup_player purple", "syntax error")


def test_black_to_move_keeps_swap() -> None:
    engine = server()
    say(engine, "gogui-setup_player b")
    say(engine, "gogui-play_sequence b c3 w swap")


def test_new_game_after_setup() -> None:
    engine = server()
    say(engine, f"set_position {STONES}")
    say(engine, "clear_board")
    assert board(engine) == board(server())
    say(engine, "gogui-play_sequence b c3 w swap")


def test_engine_plays_from_setup() -> None:
    engine = server()
    say(engine, "set_position b b1 b b2 b b3 b b4 w d1 w d2 w d3")
    assert say(engine, "genmove b") == "B5"
    assert say(engine, "winner") == "black"


# --- position strings


@BEFORE
def test_position_replaces_any_game(before: str) -> None:
    shown = after(before)
    for other in GAMES_BEFORE.values():
        engine = after(other, 5, 5)
        say(engine, f"pinchtp-loadboard {board(shown)}")
        assert board(engine) == board(shown)
        assert say(engine, "winner") == say(shown, "winner")
        assert say(engine, "pinchtp-legal") == say(shown, "pinchtp-legal")


def test_open_swap_can_be_played() -> None:
    engine = server(9)
    say(engine, "pinchtp-loadboard .../X.. w swap-open")
    assert say(engine, "pinchtp-history") == "b A1"
    say(engine, "swap")
    assert board(engine) == ".../O.. b swapped"


def test_position_brings_its_size_but_no_pie() -> None:
    engine = server(9)
    say(engine, "pinchtp-loadboard ..../..X./.... w")
    assert ask(engine, "swap").startswith("? cannot swap")
    say(engine, "clear_board")
    assert board(engine) == "..../..../.... b"
    say(engine, "gogui-play_sequence b a1 w swap")


def test_loaded_empty_board_is_new_game() -> None:
    engine = server(9)
    say(engine, "pinchtp-loadboard .../...")
    say(engine, "gogui-play_sequence b a1 w swap")


def test_clocks_are_unchanged() -> None:
    engine = after("b c3")
    say(engine, "time_left b 17 3")
    clock = engine.engine.session.clock(Color.BLACK)
    say(engine, "pinchtp-loadboard .../...")
    assert engine.engine.session.clock(Color.BLACK) == clock


@BEFORE
def test_wrong_position_is_refused(before: str) -> None:
    engine = after(before)
    why = "cannot load board: row 1, column A: '\\udcff'; expected one of . X O"
    refuse(engine, "pinchtp-loadboard \udcff", why)
    refuse(engine, "pinchtp-loadboard", "syntax error")


# --- shown positions


@BEFORE
def test_legal_moves_as_text(before: str) -> None:
    engine = after(before)
    session = engine.engine.session
    legal = [] if session.is_over else session.position.legal_moves()
    assert say(engine, "pinchtp-legal") == " ".join(map(format_move, legal))


def test_swap_is_legal_move() -> None:
    assert say(after("b c3"), "pinchtp-legal").endswith("E5 swap")


@BEFORE
def test_history_replays_game(before: str) -> None:
    engine = after(before)
    history = say(engine, "pinchtp-history")
    assert history.split() == [
        word if word in ("b", "w", "swap", "resign") else word.upper() for word in before.split()
    ]
    again = after(history)
    assert observed(again) == observed(engine)
    for passing in ("b", "w") * engine.engine.session.is_over:
        say(engine, f"play {passing} pass")
    assert observed(after(say(engine, "pinchtp-history"))) == observed(engine)


@BEFORE
def test_svg_of_any_game(before: str) -> None:
    engine = after(before)
    known = observed(engine)
    text = say(engine, "pinchtp-svg")
    assert text.startswith("<svg ")
    assert text.endswith("</svg>")
    assert observed(engine) == known
    refuse(engine, "pinchtp-svg picture.svg", "syntax error")


def test_history_contains_late_passes() -> None:
    engine = after("b c3 w resign b pass")
    assert engine.engine.session.history[-1].move == PASS
    assert say(engine, "pinchtp-history") == "b C3 w resign b pass"
