"""Anything at all as input: the server answers in step, and the game stays in order."""

from __future__ import annotations

import os

from clients import ask, ask_all, observed, server, split_answers
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pinchtp._core import PASS, SWAP
from pinchtp.gtp.arguments import BYTE_ORDER_MARK
from pinchtp.gtp.commands import COMMANDS
from pinchtp.gtp.input import InputReader
from pinchtp.gtp.server import Server

FRAGMENTS = [
    # Not what counts for hours, or solves for a minute.
    *(name for name in COMMANDS if "perft" not in name and "solve" not in name),
    *("b", "white", "C3", "d4", "pass", "swap", "resign", "0", "1", "5", "26", "-1", "6.5", "7 "),
    *" \t\n\r#=?\x00\x7f\x85\u2028\ud800",
]
PIECES = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=6), max_size=8)
TEXT = PIECES.map(" ".join) | PIECES.map("".join)
LINES = st.lists(TEXT, max_size=12).map("\n".join)


def holds_a_command(line: str) -> bool:
    """Returns whether a line has more than a comment, blanks and control characters."""
    before_comment = line.removeprefix(BYTE_ORDER_MARK).partition("#")[0]
    return any(ord(sign) > 32 and ord(sign) != 127 for sign in before_comment)


@given(TEXT)
def test_any_text_on_one_line(line: str) -> None:
    engine = server()
    answer = engine.answer(line)
    assert (answer is not None) == holds_a_command(line)
    text = str(answer or "")
    assert len(split_answers(text)) == holds_a_command(line)
    assert "internal error" not in text
    assert ask(engine, "protocol_version") == "= 2"


@example(BYTE_ORDER_MARK.encode())
@given(LINES.map(lambda text: text.encode("utf-8", "surrogatepass")) | st.binary())
def test_any_bytes_keep_in_step(data: bytes) -> None:
    """Every command line gets one response, up to a `quit`."""
    reading, writing = os.pipe()
    try:
        os.write(writing, data)
        os.close(writing)
        lines = list(InputReader(reading))
    finally:
        os.close(reading)
    answers = []
    ends = False
    for _, answer in server().answers(lines):
        answers += split_answers(str(answer))
        assert "internal error" not in answers[-1]
        ends = answer.ends
    commands = sum(map(holds_a_command, lines))
    assert len(answers) <= commands if ends else len(answers) == commands


# --- sequences of commands


COLORS = st.sampled_from(["{to_move}", "{to_move}", "b", "White"])  # the first: whose turn it is
VERTICES = st.builds("{}{}".format, st.sampled_from("ABCDabcdez"), st.integers(0, 4))
SMALL = st.integers(-1, 9)
FORWARD = st.one_of(
    st.builds("play {} {}".format, COLORS, VERTICES),
    st.builds("genmove {}".format, COLORS),
)
BACK = st.one_of(st.just("undo"), st.builds("gg-undo {}".format, st.integers(0, 9)))
SPECIAL = st.builds(
    "play {} {}".format, COLORS, st.sampled_from(["pass", "swap", "swap-pieces", "PASS"])
)
RARE = st.one_of(
    st.sampled_from(["play w resign", "swap", "clear_board", "final_score", "reg_genmove b"]),
    st.builds("boardsize {} {}".format, st.integers(1, 5), st.integers(1, 5)),
    st.builds("time_settings {} {} {}".format, SMALL, SMALL, SMALL),
    st.builds("time_left {} {} {}".format, COLORS, SMALL, SMALL),
)
COMMAND_LINES = st.sampled_from([FORWARD] * 14 + [SPECIAL] * 3 + [BACK, RARE]).flatmap(
    lambda lines: lines
)


def assert_sound(engine: Server) -> None:
    """The history leads from the start to the position, and ends where the game does."""
    session = engine.engine.session
    position = session.start
    for turn in session.history:
        over = position.result is not None
        if turn.move is None or (over and turn.move == PASS):
            break
        assert position.is_legal(turn.move)
        assert turn.color == position.to_move
        assert turn.move != SWAP or position.swap_open
        position = position.play(turn.move)
        assert position == turn.position
    assert session.position == position
    ended = session.history[len(session.moves) :]
    assert all(turn.move == PASS for turn in ended[session.resigned is not None :])
    assert session.is_over == (position.result is not None or session.resigned is not None)


@settings(max_examples=150)
@given(st.lists(COMMAND_LINES, min_size=10, max_size=60))
def test_commands_in_any_order(lines: list[str]) -> None:
    engine = server(4, 3)
    for line in lines:
        before = observed(engine)
        answer = ask(engine, line.format(to_move=engine.engine.session.to_move))
        assert "internal error" not in answer
        if answer.startswith("?"):
            assert observed(engine) == before
        assert_sound(engine)
    session = engine.engine.session
    assert ask(engine, f"gg-undo {len(session.history)}") == "= "
    new = server(session.start.width, session.start.height)
    assert [ask(engine, each) for each in ("showboard", "all_legal", "winner")] == ask_all(
        new, "showboard", "all_legal", "winner"
    )
    assert ask(engine, "undo") == "? cannot undo"
