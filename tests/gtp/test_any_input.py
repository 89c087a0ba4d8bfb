"""Anything at all as input: the server answers in step, and the game stays in order."""

from clients import ask, filled_pipe, server, split_answers
from hypothesis import example, given
from hypothesis import strategies as st

from pinchtp.gtp.arguments import BYTE_ORDER_MARK
from pinchtp.gtp.commands import COMMANDS
from pinchtp.gtp.input import InputReader

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
    with filled_pipe(data) as reading:
        lines = list(InputReader(reading))
    answers = []
    ends = False
    for _, answer in server().answers(lines):
        answers += split_answers(str(answer))
        assert "internal error" not in answers[-1]
        ends = answer.ends
    commands = sum(map(holds_a_command, lines))
    assert len(answers) <= commands if ends else len(answers) == commands
