"""GoGui's commands: a ruler that agrees with the rulebook, graphics, sequences, analysis."""

import random
import re
from collections.abc import Callable
from time import process_time
from typing import Any

import pytest
from clients import ask, ask_all, observed, say, server

from pinchtp.games import GAMES, Color
from pinchtp.games.history import PlayedMove
from pinchtp.games.notation import COLUMNS, parse_move
from pinchtp.gtp.commands import COMMANDS
from pinchtp.gtp.server import Server

PINCH = GAMES["pinch"]

QUESTIONS = [
    "gogui-rules_board",
    "gogui-rules_board_size",
    "gogui-rules_captured_count",
    "gogui-rules_side_to_move",
    "gogui-rules_legal_moves",
    "gogui-rules_final_result",
]


def play_all(engine: Server, texts: str) -> Server:
    """Plays moves in turn for the side to move."""
    for text in texts.split():
        say(engine, f"play {engine.engine.session.to_move} {text}")
    return engine


def vertex(x: int, y: int) -> str:
    return f"{COLUMNS[x]}{y + 1}"


# --- the rules; test_gogui_games.py compares them with the rulebook


def test_resigned_game_is_over() -> None:
    engine = play_all(server(), "c3 d4 resign")
    assert say(engine, "gogui-rules_legal_moves") == ""
    assert say(engine, "gogui-rules_final_result") == "White wins: Black has resigned"


def test_game_id_names_the_game() -> None:
    assert say(server(), "gogui-rules_game_id") == "Pinch"


def test_rectangular_board_is_shown_in_a_square() -> None:
    engine = play_all(server(4, 2), "a1 d2")
    assert say(engine, "gogui-rules_board_size") == "4"
    assert say(engine, "gogui-rules_board") == "? ? ? ?\n? ? ? ?\n. . . O\nX . . ."
    engine = play_all(server(2, 3), "a1 b3")
    assert say(engine, "gogui-rules_board") == ". O ?\n. . ?\nX . ?"


def test_stones_that_leave_the_board_are_counted() -> None:
    """Games that remove stones: Black's C1 removes White's C2 and B1."""
    engine = server(3)
    session = engine.engine.session
    before = PINCH.set_up(3, 3, bytes([1, 2, 0, 0, 0, 2, 0, 0, 0]), Color.BLACK)
    after = PINCH.set_up(3, 3, bytes([1, 0, 1, 0, 0, 0, 0, 0, 0]), Color.WHITE)
    session.load(before, [PlayedMove(Color.BLACK, parse_move("c1", before), after)])
    assert say(engine, "gogui-rules_captured_count") == "0 2"
    assert graphics(engine)["CIRCLE"] == ["B1", "C2"]
    assert graphics(engine)["MARK"] == ["C1"]


def test_play_out_of_turn_is_illegal() -> None:
    """GoGui sends each computer move to its ruler twice."""
    engine = play_all(server(), "c3")
    assert ask(engine, "play b c3") == "? illegal move"
    assert ask(engine, "play b d3") == "? illegal move"


# --- graphics


def graphics(engine: Server) -> dict[str, Any]:
    """The graphics, each line once: `colors` of points, points of CIRCLE and MARK, TEXT."""
    found: dict[str, Any] = {"colors": {}, "CIRCLE": [], "MARK": [], "LABEL": [], "TEXT": ""}
    for line in filter(None, say(engine, "gogui-rules_board_gfx").split("\n")):
        word, rest = line.split(" ", 1)
        if word == "COLOR":
            color, *points = rest.split()
            assert re.fullmatch("#[0-9a-f]{6}", color)
            assert not found["colors"].keys() & set(points), "two colors for a point"
            found["colors"].update(dict.fromkeys(points, color))
        else:
            assert not found[word], "GoGui opens a window for a second TEXT"
            found[word] = rest if word == "TEXT" else rest.split()
    return found


@pytest.mark.parametrize(("width", "height"), [(5, 5), (6, 3), (2, 2), (2, 4)])
@pytest.mark.parametrize("swapped", [False, True])
def test_edges_are_colored_by_their_owners(width: int, height: int, swapped: bool) -> None:
    engine = play_all(server(width, height), "a1 swap" if swapped else "a1 b1")
    colors = graphics(engine)["colors"]
    corners = {vertex(x, y) for x in (0, width - 1) for y in (0, height - 1)}
    top_bottom = {vertex(x, y) for x in range(width) for y in (0, height - 1)} - corners
    left_right = {vertex(x, y) for x in (0, width - 1) for y in range(height)} - corners
    square = range(max(width, height))
    missing = {vertex(x, y) for x in square for y in square if x >= width or y >= height}
    assert colors.keys() == corners | top_bottom | left_right | missing
    parts = (corners, missing, top_bottom, left_right)
    groups = [{colors[point] for point in group} for group in parts]
    assert all(len(group) <= 1 for group in groups)
    first, second = (brightness(group) for group in groups[2:])
    if first is not None and second is not None:
        assert (first > second) == swapped


def brightness(colors: set[str]) -> int | None:
    return int(colors.pop()[1:3], 16) if colors else None


def test_winning_chain_is_colored() -> None:
    engine = play_all(server(), "b1 d1 b2 d2 b3 d3 b4 d4 b5")
    shown = graphics(engine)
    chain = {shown["colors"][f"B{row}"] for row in range(1, 6)}
    assert len(chain) == 1
    others = {color for at, color in shown["colors"].items() if at[0] != "B"}
    assert not chain & others
    assert shown["TEXT"] == "Black wins: top and bottom are joined"


def test_status_text_offers_the_swap() -> None:
    engine = server()
    assert graphics(engine)["TEXT"] == ""
    play_all(engine, "c3")
    assert graphics(engine)["TEXT"] == "White may swap: a pass exchanges the colors"
    play_all(engine, "pass")
    assert graphics(engine)["TEXT"] == "Swapped: white joins top and bottom, black left and right"
    play_all(engine, "d4")
    assert graphics(engine)["TEXT"] == ""
    say(engine, "clear_board")
    play_all(engine, "c3 d4")
    assert graphics(engine)["TEXT"] == ""


def test_board_gfx_bushka_blackens_missing_points() -> None:
    """GoGui draws the whole 10x10 grid, half of which are squares."""
    engine = server(10, game="bushka")
    rows = [row.split() for row in reversed(say(engine, "gogui-rules_board").split("\n"))]
    missing = {vertex(x, y) for y, row in enumerate(rows) for x, at in enumerate(row) if at == "?"}
    assert len(missing) == 50
    assert graphics(engine)["colors"] == dict.fromkeys(missing, "#000000")


@pytest.mark.parametrize("game", ["pinch", "pinch-remove", "pinch-relocate", "capture-go"])
def test_board_gfx_open_swap_labels_the_stone(game: str) -> None:
    """GoGui clears a TEXT while a person is to move, but no LABEL."""
    engine = play_all(server(game=game, pie=True), "c3")
    assert "LABEL C3 swap" in say(engine, "gogui-rules_board_gfx").split("\n")
    for answer in ("pass", "d4"):
        play_all(engine, answer)
        assert graphics(engine)["LABEL"] == []
        say(engine, "undo")
    unswappable = play_all(server(game=game, pie=False), "c3")
    assert graphics(unswappable)["LABEL"] == []
    assert graphics(unswappable)["MARK"] == ["C3"]


def test_graphics_show_resignation_and_pass() -> None:
    engine = play_all(server(), "c3 b2 resign")
    shown = graphics(engine)
    assert shown["MARK"] == ["B2"]
    assert shown["TEXT"] == "White wins: Black has resigned"
    play_all(engine, "pass pass")
    assert graphics(engine) == shown


# --- sequences


def test_sequence_equals_its_plays() -> None:
    one_by_one = play_all(server(), "c3 pass b2 d4 e5")
    at_once = server()
    say(at_once, "gogui-play_sequence b C3 w PASS black b2  W d4   BLACK E5")
    assert observed(at_once) == observed(one_by_one)
    say(at_once, "gogui-play_sequence")
    assert observed(at_once) == observed(one_by_one)


@pytest.mark.parametrize(
    ("moves", "why"),
    [
        ("b c3 w c3", "illegal move"),
        ("b c3 w d4 w e5", "illegal move"),
        ("w c3", "illegal move"),
        ("b c3 w f9", "illegal move"),
        ("b c3 w d4 b swap", "illegal move"),
        ("b c3 w resign b d4", "illegal move"),
        ("b c3 w i5", "syntax error"),
        ("b c3 w", "syntax error"),
        ("b c3 d4", "syntax error"),
        ("c3", "syntax error"),
        ("b", "syntax error"),
        ("b c3 empty d4", "syntax error"),
    ],
)
@pytest.mark.parametrize("before", ["", "a1 pass"])
def test_rejected_sequence_changes_nothing(before: str, moves: str, why: str) -> None:
    engine = play_all(server(), before)
    known = observed(engine)
    assert ask(engine, f"gogui-play_sequence {moves}") == f"? {why}"
    assert observed(engine) == known


def test_illegal_move_of_a_sequence_is_named() -> None:
    answer = server().answer("gogui-play_sequence b c3 w d4 b d4 w e5")
    assert answer is not None
    assert answer.detail == "move 3, black d4: D4 is occupied"


def test_all_legal_omits_the_pass() -> None:
    engine = server(2, game="capture-go")
    assert say(engine, "all_legal") == "A1 B1 A2 B2"
    assert "pass" in say(engine, "pinchtp-legal")


def whole_game(size: int, seed: int) -> str:
    """A random game as the arguments of gogui-play_sequence."""
    engine = server(size)
    session = engine.engine.session
    rng = random.Random(seed)
    while not session.is_over:
        session.play(session.to_move, rng.choice(session.position.legal_moves()))
    return say(engine, "pinchtp-history")


def fastest(action: Callable[[], object], times: int = 5) -> float:
    """Seconds of processor time that it takes at best: other programs only ever add to that."""
    took = []
    for _ in range(times):
        began = process_time()
        action()
        took.append(process_time() - began)
    return min(took)


def test_long_sequence_is_played_quickly() -> None:
    moves = whole_game(25, 1)
    assert len(moves.split()) > 600
    engine = server(25)

    def replay() -> None:
        say(engine, "clear_board")
        say(engine, f"gogui-play_sequence {moves}")

    assert fastest(replay) < 0.1
    assert say(engine, "pinchtp-history") == moves
    assert say(engine, "winner") != "none"
    known = observed(engine)
    for extra in ("b a1", "w nonsense"):
        assert ask(engine, f"gogui-play_sequence w pass {extra}").startswith("? ")
        assert observed(engine) == known


# --- speed


def test_legal_moves_are_cheap() -> None:
    engine = play_all(server(19), "k10 d4")
    assert fastest(lambda: say(engine, "gogui-rules_legal_moves"), 20) < 0.001


def test_ply_of_a_referee_is_quick() -> None:
    """clear_board, a game of 150 moves, and six questions."""
    moves = next(
        moves
        for seed in range(100)
        if len(moves := re.findall(r"[bw] \S+", whole_game(19, seed))) > 150
    )[:150]
    engine = server(19)

    def ply() -> None:
        say(engine, "clear_board")
        for move in moves:
            say(engine, f"play {move}")
        for question in QUESTIONS:
            say(engine, question)

    assert fastest(ply) < 0.03


# --- analysis, and what only has to succeed

# Types of GoGui's manual, and what its wildcards stand for here.
TYPES = """
    bwboard cboard dboard eplist gfx hpstring hstring none param plist pspairs pstring sboard string
    var varb varc varp varpo varw
"""
WILDCARDS = {"%m": "b", "%c": "b", "%s": "1", "%p": "c3", "%P": "c3 d4"}


def test_analyze_commands_are_of_the_registry() -> None:
    lines = say(server(), "gogui-analyze_commands").split("\n")
    assert lines == [line for command in COMMANDS.values() for line in command.analyze]
    labels = [line.split("/")[1] for line in lines]
    assert len(labels) >= 8
    assert len(set(labels)) == len(labels), "GoGui drops the second command with a label"


@pytest.mark.parametrize(
    "line", [line for command in COMMANDS.values() for line in command.analyze]
)
def test_analyze_commands_are_real(line: str) -> None:
    kind, label, text = line.split("/")
    assert kind in TYPES.split()
    assert label.strip()
    for wildcard, value in WILDCARDS.items():
        text = text.replace(wildcard, value)
    assert "%" not in text
    name = text.split()[0]
    assert line in COMMANDS[name].analyze
    engine = server(4)
    before = observed(engine)
    assert ask(engine, text).startswith("= ") or name == "final_score"
    assert observed(engine) == before, "GoGui would not know of a change"


def test_title_warns_of_a_different_size() -> None:
    """GoGui 1.4 has no rulers: its board starts as 19x19."""
    engine = server(9)
    assert ask_all(engine, "gogui-title", "boardsize 19", "gogui-title", "boardsize 9") == [
        "= ",
        "= ",
        "= The board is 19x19, but pinchtp was started with --size 9: choose it in Game > Board "
        "Size",
        "= ",
    ]
    engine.engine.settings.size = None
    assert ask_all(engine, "boardsize 19", "gogui-title") == ["= ", "= "]


def test_gogui_titles_change_nothing() -> None:
    engine = play_all(server(), "c3")
    before = observed(engine)
    for line in ("gogui-title", "gogui-version 1.6.0-f5e4b6a8", "gogui-interrupt"):
        assert ask(engine, line) == "= "
    assert ask_all(engine, "gogui-version", "gogui-title x") == ["? syntax error"] * 2
    assert observed(engine) == before
