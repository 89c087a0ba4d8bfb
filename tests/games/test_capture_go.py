"""First Capture Go over GTP: features that other games do not have."""

import re
from typing import Any

import clients
import pytest
from clients import ask, board, observed, say

from pinchtp._core import Proof, Solver
from pinchtp.games import GAMES
from pinchtp.games.notation import parse_move
from pinchtp.gtp.server import Server


def server(size: int = 9, **settings: Any) -> Server:
    return clients.server(size, game="capture-go", visits=50, **settings)


def test_captured_stone_leaves_the_board() -> None:
    engine = server(5)
    say(engine, "gogui-play_sequence b a2 w a1 b c3 w e5 b b1")
    assert board(engine) == "....O/...../..X../X..../O.... b +B1"
    assert "  1  *.(%). . .   1" in say(engine, "showboard")


def test_reason_names_suicide() -> None:
    engine = server(5, pie=False)
    say(engine, "gogui-play_sequence b a2 w c3 b b1")
    (answer,) = engine.answers(["play w a1"])
    assert str(answer[1]).startswith("? illegal move")
    assert "no liberty" in answer[1].reason


def test_atari_is_reported() -> None:
    engine = server()
    say(engine, "gogui-play_sequence b a1 w a2 b e5 w j9")
    assert say(engine, "pinchtp-atari") == "A1"
    assert say(engine, "pinchtp-atari w") == ""
    assert "Atari: black A1" in say(engine, "showboard")
    assert "TRIANGLE A1" in say(engine, "gogui-rules_board_gfx")
    say(engine, f"pinchtp-loadboard {say(engine, 'pinchtp-printboard')}")
    assert say(engine, "pinchtp-atari b") == "A1"


def test_end_is_explained() -> None:
    engine = server(5)
    assert "Black (X), White (O): the first capture wins, a pass loses" in say(engine, "showboard")
    say(engine, "gogui-play_sequence b a2 w a1 b pass")
    assert say(engine, "gogui-rules_final_result") == "White wins: Black has passed"
    say(engine, "undo")
    say(engine, "play b b1")
    assert say(engine, "gogui-rules_final_result") == "Black wins: Black made the first capture"


def test_swap_map_has_stones_only() -> None:
    """A pass is legal as the first move, but it is not a stone to swap."""
    shown = say(server(3, pie=True), "pinchtp-swap_map 10")
    assert shown.count("LABEL") == 9


@pytest.mark.parametrize("size", [(4, 4), (5, 4), (5, 2), (2, 5), (25, 2)])
def test_swap_map_crosscut_agrees_with_solver(size: tuple[int, int]) -> None:
    """Symmetries of a crosscut are different positions, and the first stone may capture."""
    engine = clients.server(*size, game="capture-go", crosscut=True, pie=True)
    labels = re.findall(r"LABEL (\S+) (\d+)", say(engine, "pinchtp-swap_map 20000"))
    start = GAMES["capture-go"].start(*size, crosscut=True)
    solver = Solver(start)
    assert labels
    for name, winrate in labels:
        after = start.play(parse_move(name, start))
        is_over = after.result is not None
        lost = after.result == 1 if is_over else solver.solve(after).value is Proof.WIN
        assert winrate == ("0" if lost else "100"), name


def test_clear_board_keeps_the_crosscut() -> None:
    engine = server(6, crosscut=True)
    assert board(engine) == "....../....../..OX../..XO../....../...... b"
    say(engine, "play b a1")
    say(engine, "clear_board")
    assert board(engine) == "....../....../..OX../..XO../....../...... b"


FIXED = {
    2: "C3 G7",
    4: "C3 G7 C7 G3",
}


@pytest.mark.parametrize(("number", "points"), FIXED.items())
def test_fixed_handicap(number: int, points: str) -> None:
    engine = server()
    assert say(engine, f"fixed_handicap {number}") == points
    assert sorted(say(engine, "pinchtp-legal").split() + points.split()) == sorted(
        [f"{column}{row}" for column in "ABCDEFGHJ" for row in range(1, 10)] + ["pass"]
    )
    assert say(engine, "gogui-rules_side_to_move") == "white"


def test_fixed_handicap_on_large_board() -> None:
    engine = server(19)
    assert say(engine, "fixed_handicap 9") == "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"


@pytest.mark.parametrize(("size", "number"), [(9, 1), (9, 10), (7, 5), (8, 5), (6, 2)])
def test_unsupported_fixed_handicap_fails(size: int, number: int) -> None:
    assert ask(server(size), f"fixed_handicap {number}") == "? invalid number of stones"


def test_place_free_handicap() -> None:
    engine = server(5)
    points = say(engine, "place_free_handicap 3").split()
    assert len(set(points)) == 3
    assert board(engine).count("X") == 3
    assert board(engine).endswith(" w")
    assert ask(engine, "place_free_handicap 3") == "? board not empty"


def test_set_free_handicap() -> None:
    engine = server(5)
    say(engine, "set_free_handicap a1 C3")
    assert board(engine) == "...../...../..X../...../X.... w"


@pytest.mark.parametrize("vertices", ["a1 a1", "a1 k9", "pass"])
def test_invalid_free_handicap_fails(vertices: str) -> None:
    engine = server(5)
    assert ask(engine, f"set_free_handicap {vertices}") == "? bad vertex list"
    assert board(engine) == "...../...../...../...../..... b"


def test_pinch_has_no_handicap() -> None:
    assert ask(clients.server(), "fixed_handicap 2") == "? unknown command"


@pytest.mark.parametrize(
    "line", ["set_free_handicap a1 a2 b1 b2", "set_position b a1 b a2 b b1 b b2"]
)
def test_setup_without_liberties_fails(line: str) -> None:
    engine = server(2)
    before = observed(engine)
    assert ask(engine, line).startswith(("? bad vertex list", "? cannot set up"))
    assert observed(engine) == before
