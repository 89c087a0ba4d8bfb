"""GTP typed at a terminal."""

from clients import run
from terminals import CTRL_C, TAB, UP, Terminal

from pinchtp.base.process import ExitStatus


def test_terminal_gets_a_welcome_and_edits_lines() -> None:
    with Terminal("--size", "5", "--visits", "10") as terminal:
        welcome = terminal.expect("pinchtp play.")
        assert "a GTP engine for Pinch 5x5" in welcome
        for word in ("genmove b", "showboard", "help"):
            assert word in welcome
        terminal.enter("protocol_version")
        terminal.expect("= 2")
        terminal.type(f"{UP}\r")
        terminal.expect("= 2")
        terminal.type(f"list_c{TAB}\r")
        terminal.expect("protocol_version")
        terminal.enter("quit")
        assert terminal.status() == ExitStatus.SUCCESS


def test_first_ctrl_c_interrupts_genmove() -> None:
    with Terminal("--size", "9", "--time", "1000", "--live-graphics") as terminal:
        terminal.enter("play b c3")
        terminal.expect("= ")
        terminal.enter("genmove w")
        terminal.expect("gogui-gfx: VAR")
        terminal.type(CTRL_C)
        terminal.expect("= ")
        terminal.enter("name")
        terminal.expect("= pinchtp")
        assert terminal.interrupt_until_end() == ExitStatus.INTERRUPTED


def test_ctrl_c_and_lines_end_an_analysis() -> None:
    with Terminal("--size", "9") as terminal:
        terminal.enter("kata-analyze 1")
        terminal.expect("info move")
        terminal.type(CTRL_C)
        terminal.enter("name")
        terminal.expect("= pinchtp")
        terminal.enter("kata-analyze 1")
        terminal.expect("info move")
        terminal.enter("version")
        terminal.expect("version")
        terminal.expect("= ")
        terminal.enter("quit")
        assert terminal.status() == ExitStatus.SUCCESS


def test_pipe_gets_no_welcome() -> None:
    done = run(sent=b"name\n")
    assert (done.stdout, done.stderr) == ("= pinchtp\n\n", "")
