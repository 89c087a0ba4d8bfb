"""Memory and run time of every command are bounded, and interrupts stop it."""

from pathlib import Path
from time import process_time

import psutil
import pytest
from clients import InterruptedScript, Program, ask, observed, server

from pinchtp.games.session import MOST_MOVES
from pinchtp.gtp.input import MAX_LINE
from pinchtp.gtp.server import Server

MEGABYTES = 1 << 20

# Black's first stone captures many, in one of billions of ways to put them down again.
MANY_CAPTURES = "/".join(["XO.OX" * 5, "O.X.O" * 5] * 12 + ["." * 25]) + " b"


def relocation() -> Server:
    engine = server(25, game="pinch-relocate", memory=1)
    assert ask(engine, f"pinchtp-loadboard {MANY_CAPTURES}") == "= "
    return engine


def test_all_turns_of_a_board_with_many_captures() -> None:
    engine = relocation()
    before = observed(engine)
    assert ask(engine, "pinchtp-legal turns") == "? out of memory"
    engine.engine.attention = InterruptedScript()
    assert ask(engine, "pinchtp-legal turns") == "? interrupted"
    assert observed(engine) == before


def test_game_length_is_limited() -> None:
    engine = server(3, 3)
    assert ask(engine, "gogui-play_sequence b a1 w resign") == "= "
    passes = "b pass " * (MOST_MOVES - 2)
    assert ask(engine, f"gogui-play_sequence {passes}") == "= "
    for line in ["play b pass", "gogui-play_sequence b pass", "genmove b"]:
        assert ask(engine, line) == "? illegal move", line
    assert ask(engine, "undo") == "= "
    assert ask(engine, "play w pass") == "= "


def test_longest_game_survives_its_record(tmp_path: Path) -> None:
    """It took 11 s when each pass went through all others to find the resignation."""
    engine = server(3, 3, files=True)
    passes = "b pass " * (MOST_MOVES - 2)
    began = process_time()
    assert ask(engine, f"gogui-play_sequence b a1 w resign {passes}") == "= "
    assert ask(engine, f"printsgf {tmp_path / 'long.sgf'}") == "= "
    before = ask(engine, "pinchtp-history")
    assert ask(engine, f"loadsgf {tmp_path / 'long.sgf'}") == "= "
    assert ask(engine, "pinchtp-history") == before
    assert ask(engine, "winner") == "= black"
    assert process_time() - began < 4  # 0.7 on a quiet machine


def test_last_turn_is_completed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pinchtp.games.session.MOST_MOVES", 1)
    engine = server(4, game="pinch-relocate")
    assert ask(engine, "pinchtp-loadboard .XO./.OX./..../.... b") == "= "
    answer = ask(engine, "genmove b")
    assert answer.startswith("= ")
    assert not engine.engine.session.position.mid_turn
    assert ask(engine, "genmove w") == "? illegal move"
    assert ask(engine, "undo") == "= "


def test_too_long_sequence_is_rejected() -> None:
    engine = server(3, 3)
    before = observed(engine)
    assert ask(engine, "gogui-play_sequence " + "b a1 " * (MOST_MOVES + 1)) == "? syntax error"
    assert observed(engine) == before


def test_interrupted_handicap_is_placed_quickly() -> None:
    """200 stones took a minute."""
    engine = server(25, game="capture-go", visits=None)
    engine.engine.attention = InterruptedScript()
    began = process_time()
    answer = ask(engine, "place_free_handicap 200")
    assert len(set(answer.split()[1:])) == 200
    assert process_time() - began < 20


@pytest.mark.parametrize(
    "line",
    [
        "gogui-play_sequence " + "b a1 " * (MAX_LINE // 5 - 10),
        "set_position " + "b a1 " * (MAX_LINE // 5 - 10),
        "lz-analyze b 1 " + "interval 1 " * (MAX_LINE // 11 - 10),
        "pinchtp-loadboard " + "X/" * (MAX_LINE // 2 - 20),
        "x" * (2 * MAX_LINE),
        "loadsgf a" + " " * 40_000 + "b",
        "time_settings " + "9" * 500_000 + " 1 1",
    ],
    ids=lambda line: line[:12],
)
def test_long_lines_take_little_memory_and_time(line: str) -> None:
    with Program("--memory", "16", "--no-files") as program:
        assert program.ask("name") == "= pinchtp"
        before = resident(program.pid)
        began = used(program.pid)
        assert program.ask(line).startswith("?")
        assert program.ask("name") == "= pinchtp"
        assert used(program.pid) - began < 10
        assert resident(program.pid) - before < 64 * MEGABYTES


def resident(pid: int) -> int:
    """The most memory that a process has ever had, in bytes."""
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        (line,) = [line for line in status if line.startswith("VmHWM:")]
    return int(line.split()[1]) << 10


def used(pid: int) -> float:
    """Returns the seconds of processor time that a process has used."""
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)
