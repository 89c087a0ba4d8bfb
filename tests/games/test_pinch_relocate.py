"""Pinch with relocation over GTP: multi-step moves in commands, diagrams and records."""

import re
from typing import Any

import clients
import pytest
from clients import ask, board, observed, say
from record_games import from_sgf

from pinchtp.games import GAMES
from pinchtp.gtp.server import Server
from pinchtp.records.errors import RecordError
from pinchtp.records.sgf import to_sgf

# Black's B4 lifts B5 and C4; the first of them, placed on D2, lifts the black D1.
TANGLE = "XO.../..O../..X../...../...XO b"
TURN = ("B4", "D2", "A1", "E5")
AFTER_TURN = "X...X/.X.../..X../...O./O...O w"


def server(size: int = 5, **settings: Any) -> Server:
    return clients.server(size, game="pinch-relocate", visits=50, **settings)


def tangle(**settings: Any) -> Server:
    engine = server(**settings)
    say(engine, f"pinchtp-loadboard {TANGLE}")
    return engine


def refusal(engine: Server, line: str) -> str:
    """Returns the explanation of a failure."""
    before = observed(engine)
    answer = engine.answer(line)
    assert answer is not None
    assert str(answer).startswith("? illegal move\n")
    assert observed(engine) == before
    return answer.detail


def test_complete_move() -> None:
    engine = tangle()
    say(engine, f"play b {','.join(TURN).lower()}")
    assert board(engine) == AFTER_TURN
    assert say(engine, "pinchtp-history") == f"b {','.join(TURN)}"
    say(engine, "undo")
    assert board(engine) == TANGLE


@pytest.mark.parametrize(
    ("turn", "why"),
    [
        ("b4,d2,a1", "the turn continues after A1"),
        ("b4,d2,a1,e5,e4", "the turn is over before E4"),
        ("b4,c4,d2,a1", "C4 is banned for this move"),  # lifted in this turn
        ("b4,d2,d1,a1", "D1 is banned for this move"),
        ("b4,d2,a1,b4", "B4 is occupied"),
        ("b4,swap", "this game is played without the pie rule"),
    ],
)
def test_invalid_turn_changes_nothing(turn: str, why: str) -> None:
    assert why in refusal(tangle(), f"play b {turn}")


def test_steps_one_by_one() -> None:
    engine = tangle()
    for at, part in enumerate(TURN):
        assert say(engine, "gogui-rules_side_to_move") == "black"
        assert part in say(engine, "gogui-rules_legal_moves").split()
        say(engine, f"play b {part}")
        assert say(engine, "pinchtp-history") == (
            f"b {','.join(TURN)}"
            if at == len(TURN) - 1
            else " ".join(f"b {made}" for made in TURN[: at + 1])
        )
    assert board(engine) == AFTER_TURN


def test_undo_goes_by_steps() -> None:
    engine = tangle()
    boards = [board(engine)]
    for part in TURN:
        say(engine, f"play b {part}")
        boards.append(board(engine))
    assert boards[1:4] == [f"{TANGLE} +B4", f"{TANGLE} +B4,D2", f"{TANGLE} +B4,D2,A1"]
    for before in reversed(boards[:-1]):
        say(engine, "undo")
        assert board(engine) == before
    assert ask(engine, "undo") == "? cannot undo"


def test_remaining_steps_in_one_command() -> None:
    engine = tangle()
    say(engine, "play b b4")
    say(engine, "play b d2,a1,e5")
    assert board(engine) == AFTER_TURN
    say(engine, "undo")
    assert board(engine) == f"{TANGLE} +B4"


def test_opponent_cannot_move_during_turn() -> None:
    engine = tangle()
    say(engine, "play b b4")
    assert refusal(engine, "play w e4") == "it is black's turn"
    assert ask(engine, "genmove w") == "? it is black's turn"
    assert say(engine, "all_legal w") == ""


def test_diagram_shows_incomplete_turn() -> None:
    engine = tangle()
    say(engine, "play b b4")
    say(engine, "play b d2")
    lines = say(engine, "showboard").split("\n")
    assert "  5 o X - . . . o 5" in lines
    assert "  4 o .(X)- . . o 4" in lines
    assert "  1 o . . . - O o 1" in lines
    assert lines[-2:] == ["Turn so far: black B4,D2", "To be put down: O X"]
    again = server()
    say(again, f"pinchtp-loadboard {board(engine)}")
    assert say(again, "showboard") == say(engine, "showboard")


def test_gogui_shows_incomplete_turn() -> None:
    engine = tangle()
    say(engine, "play b b4")
    say(engine, "play b d2")
    shown = say(engine, "gogui-rules_board_gfx").split("\n")
    assert "CIRCLE D1 C4 B5" in shown
    assert "SQUARE B4 D2" in shown
    assert "TEXT Black puts down a white stone, then black" in shown
    assert {line for line in shown if line.startswith("LABEL")} >= {
        "LABEL D1 x",
        "LABEL C4 x",
        "LABEL B5 x",
    }
    assert say(engine, "gogui-rules_captured_count") == "0 0"
    say(engine, "play b a1,e5")
    shown = say(engine, "gogui-rules_board_gfx").split("\n")
    assert "MARK B4 D2 A1 E5" in shown
    assert not any(line.startswith(("TEXT", "LABEL", "SQUARE")) for line in shown)


def test_stone_without_point_is_counted_as_captured() -> None:
    engine = server(2, pie=False)
    say(engine, "pinchtp-loadboard OX/.O b")
    say(engine, "play b a1")
    assert say(engine, "gogui-rules_captured_count") == "0 2"


def test_genmove_returns_complete_moves() -> None:
    engine, again = tangle(seed=3), tangle()
    say(engine, "play b b4")
    turn = say(engine, "genmove b")
    assert turn.count(",") >= 1
    say(again, f"play b B4,{turn}")
    assert board(again) == board(engine)
    assert board(engine).endswith(" w")


def test_genmove_by_steps() -> None:
    engine, again = tangle(seed=3, move_parts=True), tangle()
    say(engine, "play b b4")
    say(again, "play b b4")
    parts = 0
    while say(engine, "gogui-rules_side_to_move") == "black":
        part = say(engine, "genmove b")
        assert re.fullmatch("[A-E][1-5]", part)
        say(again, f"play b {part}")
        assert board(again) == board(engine)
        parts += 1
    assert parts >= 2


@pytest.mark.parametrize("parts", [False, True])
def test_engines_play_to_the_end(parts: bool) -> None:
    """A second program that receives the responses has the same game."""
    engine, again = server(4, seed=1, move_parts=parts), server(4)
    turns = []
    while say(engine, "winner") == "none":
        color = say(engine, "gogui-rules_side_to_move")
        turns.append(say(engine, f"genmove {color}"))
        say(again, f"play {color} {turns[-1]}")
    assert board(again) == board(engine)
    assert any("," in turn for turn in turns) != parts


# --- records


def test_turn_is_one_move_of_record() -> None:
    engine = tangle()
    say(engine, f"play b {','.join(TURN)}")
    say(engine, "play w c1")
    session = engine.engine.session
    text = to_sgf(session).replace("\n", "")
    assert ";B[bb]MV[B4,D2,A1,E5];" in text
    assert text.endswith(";W[ce])")
    record = from_sgf(text.encode(), session.game, pie=True)
    again = server().engine.session
    for before, history in [(1, 0), (2, 4), (3, 5), (None, 5)]:
        record.load_into(again, before)
        assert [turn.move for turn in again.history] == [
            turn.move for turn in session.history[:history]
        ]


def test_record_contains_incomplete_turn() -> None:
    engine = tangle()
    say(engine, "play b b4")
    say(engine, "play b d2")
    say(engine, "play w resign")
    session = engine.engine.session
    text = to_sgf(session)
    again = server().engine.session
    from_sgf(text.encode(), session.game, pie=True).load_into(again)
    assert again.turns() == session.turns()
    assert again.winner == session.winner
    assert "B[bb]MV[B4,D2]\n;" in text


def test_record_errors_count_turns() -> None:
    start = "(;SZ[5]AB[aa][cc][de]AW[ba][cb][ee]PL[B]"
    with pytest.raises(RecordError, match="move 2: it is white's turn"):
        from_sgf(f"{start};B[bbddaeea];B[ce])".encode(), GAMES["pinch-relocate"], pie=True)
    with pytest.raises(RecordError, match="move 1: C4 is banned"):
        from_sgf(f"{start};B[bbcb])".encode(), GAMES["pinch-relocate"], pie=True)


def test_sgf_steps_are_not_read_as_pass() -> None:
    """Earlier records wrote a turn to Q19 and T1 on 19x19 as B[pass]."""
    engine = server(19)
    say(engine, "gogui-setup b p18 w p19")
    say(engine, "play b q19,t1")
    session = engine.engine.session
    text = to_sgf(session)
    earlier = text.partition(";B[")[0] + ";B[pass])"
    for record in (text, earlier):
        again = server().engine.session
        from_sgf(record.encode(), session.game, pie=True).load_into(again)
        assert again.turns() == session.turns()
