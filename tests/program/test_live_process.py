"""The real program with a waiting user: analysis, interrupts, pondering and GoGui's questions."""

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from clients import FOLDER, PATIENCE, Program


def read_lines(program: Program, count: int) -> list[str]:
    """The first lines of an answer that is still being given."""
    while program._received.count(b"\n") < count:
        assert program._receive(time.monotonic() + 60)
    return program._received.decode().split("\n")[:count]


@pytest.mark.parametrize("command", ["lz-analyze b 5", "kata-analyze b 5", "analyze b 5"])
def test_any_line_stops_the_analysis(command: str) -> None:
    """Any line ends it immediately and is answered: an empty line, a command, quit."""
    with Program("--size", "9", "--threads", "2") as program:
        for ending in ("", "protocol_version", "7 name", "# a comment"):
            program.send(f"3 {command}\n".encode())
            head, first = read_lines(program, 2)
            assert head == "=3 "
            assert first.startswith("info move ")
            program.send(f"{ending}\n".encode())
            lines = program.answer().split("\n")
            assert lines[0] == "=3 "
            assert all(line.startswith("info move ") for line in lines[1:])
            if ending and not ending.startswith("#"):
                assert program.answer() in ("= 2", "=7 pinchtp")
        program.send(f"{command}\nquit\n".encode())
        assert program.answer().startswith("= \ninfo move ")
        assert program.answer() == "= "
        assert program.ended() == (0, "")


def test_garbage_collection_does_not_delay_a_line() -> None:
    code = (
        "import gc; from pinchtp.cli import main; "
        "main(['--size', '5', '--visits', '50', '-e', 'kata-search_analyze b 1']); "
        "print(len(gc.get_objects()))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        check=True,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        cwd=FOLDER,
    )
    objects_to_scan = int(done.stdout.split()[-1])
    assert objects_to_scan < 5000  # without exemption: 26,000


def test_end_of_input_stops_the_analysis() -> None:
    with Program("--size", "9") as program:
        program.send(b"lz-analyze b 5\n")
        read_lines(program, 2)
        program.close_input()
        assert program.rest().endswith("\n\n")
        assert program.ended() == (0, "")


def test_interrupt_returns_current_best_move() -> None:
    with Program("--size", "9", "--time", "100") as program:
        program.ask("play b d4")
        program.send(b"genmove w\n")
        time.sleep(0.2)
        program.send(b"# interrupt\n")
        assert re.fullmatch(r"= ([A-J]\d|pass)", program.answer())
        assert program.ask("name") == "= pinchtp"


def test_interrupt_before_a_search_is_ignored() -> None:
    with Program("--size", "9", "--visits", "3000") as program:
        program.send(b"# interrupt\nname\n# interrupt\n")
        assert program.answer() == "= pinchtp"
        assert program.ask("genmove b").startswith("= ")
        # The whole search was made.
        explained = program.ask("gomill-explain_last_move")
        assert " 3000 visits" in explained


def test_pondering_stops_at_input_and_at_the_end() -> None:
    with Program("--size", "9", "--visits", "500", "--ponder") as program:
        program.ask("genmove b")
        time.sleep(0.2)
        assert program.ask("name") == "= pinchtp"
        program.ask("genmove w")
        program.close_input()
        assert program.ended() == (0, "")


def test_record_is_updated_after_each_move(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    with Program("--size", "5", "--visits", "50", "--record", str(path)) as program:
        program.ask("play b c3")
        assert "B[cc]" in path.read_text()
        program.ask("play w pass")
        assert "W[]MV[swap]" in path.read_text()
        program.ask("kata-genmove_analyze b 10")
        program.ask("name")
        assert len(re.findall(r"\bB\[", path.read_text())) == 2
    with Program("-e", f"loadsgf {path}", "-e", "pinchtp-history") as program:
        history = program.rest()
    assert history.startswith("= \n\n= b C3 w swap b ")
