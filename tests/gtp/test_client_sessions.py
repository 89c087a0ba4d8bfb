"""Every recorded client session gets the recorded answers, in-process and through pipes."""

from collections.abc import Sequence

import pytest
from clients import Program, server, split_answers
from sessions import FILES, NAMES, SIZE, Replay, replay

from pinchtp.gtp.commands import COMMANDS


@pytest.fixture(params=NAMES)
def session(request: pytest.FixtureRequest) -> Replay:
    return replay(request.param, COMMANDS)


def assert_as_recorded(session: Replay, answers: Sequence[str]) -> None:
    """Every answer that does not depend on the program is literally the recorded one."""
    lines = [step.line for step in session.steps if step.name]
    assert len(answers) == len(lines)
    for line, answer, expected in zip(lines, answers, session.expected, strict=True):
        if expected is not None:
            assert (line, answer) == (line, expected)


def test_every_client_is_here() -> None:
    recorded = "adapter gogui-player gogui-probe gogui-ruler gomill-black gomill-white regress"
    recorded += " sabaki server terminal twogtp-engine-a twogtp-engine-b bridge"
    assert set(NAMES) == set(recorded.split())


@pytest.mark.parametrize("name", NAMES)
def test_replay_uses_every_answer(name: str) -> None:
    """Counted in the file itself: a misread session would agree with anything."""
    lines = (FILES / f"{name}.txt").read_text().splitlines()
    session = replay(name, COMMANDS)
    answers = sum(line.startswith(("< =", "< ?")) for line in lines)
    assert len(session.expected) + len(session.left_out) == answers > 0


def test_only_commands_for_gogui_are_left_out(session: Replay) -> None:
    assert all(name.startswith("gogui-") for name in session.left_out)


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_line_by_line(session: Replay, end: str) -> None:
    engine = server(SIZE)
    answers = [engine.answer(step.line + end) for step in session.steps]
    assert_as_recorded(session, split_answers("".join(map(str, filter(None, answers)))))


PROGRAMS = pytest.mark.parametrize("session", ["gogui-probe", "sabaki"], indirect=True)


@PROGRAMS
def test_program_line_by_line(session: Replay) -> None:
    with Program("--size", str(SIZE)) as program:
        answers = []
        for step in session.steps:
            program.send(f"{step.line}\n".encode())
            if step.name:
                answers.append(program.answer())
        program.close_input()
        assert program.rest() == ""
        assert program.ended() == (0, "")
    assert_as_recorded(session, answers)


@PROGRAMS
def test_program_pipelined(session: Replay) -> None:
    """A client may send a whole game before it reads anything; here its lines end in CRLF."""
    with Program("--size", str(SIZE)) as program:
        program.send(session.text("\r\n"))
        program.close_input()
        answers = split_answers(program.rest())
        assert program.ended() == (0, "")
    assert_as_recorded(session, answers)
