"""Failing engines, foreign engines, engine limits, and restarts of the server."""

import json
import random
import signal
import sys
from pathlib import Path

import psutil
import pytest
from board.visits import Board, Found, Visit, engine, script
from clients import PATIENCE
from processes import wait_for

FAULTS = {
    "dies": "exit status 3: out of luck",
    "hangs": "did not respond",
    "floods": "did not respond",
    "lies": "not legal",
    "talks": "not legal",
}


def play_on(visit: Visit, moves: int) -> Found:
    """Plays moves of a human, each with the engine's reply."""
    source = random.Random(1)
    for _ in range(moves):
        number = visit.state["number"]
        at = source.choice([point for point in visit.state["legal"]["points"] if point > 20])
        visit.ask("play", "state", at=at)
        state = visit.until(
            lambda state, number=number: state["number"] == number + 2 or bool(state["result"])  # type: ignore[misc]
        )
    return state


def engines_of(board: Board) -> list[psutil.Process]:
    """Returns our engines that a server has started."""
    children = psutil.Process(board.process.pid).children(recursive=True)
    return [each for each in children if "--game" in each.cmdline()]


def test_foreign_engine_plays_and_hints(tmp_path: Path) -> None:
    with Board(tmp_path, "--engine", script()) as board, board.visit() as visit:
        visit.new_game("pinch", 7, players={"white": {"engine": 0}}, options={"pie": False})
        play_on(visit, 3)
        assert visit.moves()[1::2] == ["A1", "B1", "C1"]
        visit.ask("undo", "state")
        play_on(visit, 1)
        assert visit.moves()[5] == "C1"
        hint = visit.ask("ask-hint", "hint")
        assert hint["move"]["text"] == "D1"
        visit.ask("undo", "state")
        visit.send("analyze", on=True)
        assert "does not analyze" in visit.wait("notice")["text"]


@pytest.mark.parametrize("fault", FAULTS)
def test_failing_engine_is_restarted(tmp_path: Path, fault: str) -> None:
    command = script(fault, tmp_path / "flag")
    waits = ["--patience", "2"] if FAULTS[fault] == "did not respond" else []
    with Board(tmp_path / "data", "--engine", command, *waits) as board:
        with board.visit() as visit:
            visit.new_game("pinch", 7, players={"white": {"engine": 0}}, options={"pie": False})
            play_on(visit, 4)
            assert (tmp_path / "flag").exists()
            assert len(visit.notices) == 1
            assert FAULTS[fault] in visit.notices[0]
            assert "position restored" in visit.notices[0]
            assert visit.moves()[1::2] == ["A1", "B1", "C1", "D1"]
        assert board.stop() == ""


@pytest.mark.slow
def test_refusing_engine_is_not_restarted(tmp_path: Path) -> None:
    """Neither for a board that it does not play on nor for lack of analysis."""
    with Board(tmp_path, "--engine", script()) as board, board.visit() as visit:
        visit.new_game("pinch", 7, players={"white": {"engine": 0}}, options={"pie": False})
        play_on(visit, 1)
        engines = psutil.Process(board.process.pid).children(recursive=True)
        visit.new_game("pinch", (7, 5), players={"white": {"engine": 0}}, options={"pie": False})
        visit.send("play", at=30)
        visit.wait("notice")
        visit.until(lambda state: not state["live"])
        visit.new_game("pinch", 7, players={"white": {"engine": 0}}, options={"pie": False})
        visit.send("analyze", on=True)
        visit.wait("notice")
        play_on(visit, 1)
        assert visit.notices == [
            "first_point.sh takes 'boardsize 7 5' for 7x7: play on a square board",
            "first_point.sh does not analyze",
        ]
        assert psutil.Process(board.process.pid).children(recursive=True) == engines


def test_engine_failing_twice_pauses_the_game(tmp_path: Path) -> None:
    command = script("always", tmp_path / "flag")
    with Board(tmp_path / "data", "--engine", command) as board, board.visit() as visit:
        visit.new_game("pinch", 7, players={"white": {"engine": 0}}, options={"pie": False})
        visit.ask("play", "state", at=30)
        visit.until(lambda state: state["number"] == 2)
        visit.ask("play", "state", at=25)
        state = visit.until(lambda state: not state["live"])
        assert "stopped until it is needed again" in visit.notices[-1]
        assert "resume" in state["can"]
        visit.ask("play", "state", at=18)  # the visitor moves for the engine
        visit.ask("set-players", "state", players={})
        visit.ask("play", "state", at=17)


def test_killed_engine_is_restarted_mid_game(tmp_path: Path) -> None:
    haste = "from pinchtp.board.engines import table_engine; table_engine.TIMEOUT = 3.0"
    with Board(tmp_path, patch=haste) as board, board.visit() as visit:
        visit.new_game("pinch", 9, players={"white": engine(visits=20)}, options={"pie": False})
        play_on(visit, 2)
        for _ in range(2):
            for each in engines_of(board):
                each.kill()
            play_on(visit, 1)
        assert len(visit.notices) == 2
        assert "signal 9" in visit.notices[0]
        visit.send("analyze", on=True)
        visit.wait("analysis")
        engines = engines_of(board)
        assert len(engines) == 1
        engines[0].send_signal(signal.SIGSTOP)  # it hangs while it analyzes
        assert "sent nothing" in visit.wait("notice")["text"]
        visit.wait("analysis")


def test_missing_engine_program_is_reported(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.touch(mode=0o700)
    data = tmp_path / "data"
    with Board(data, "--engine", str(program)) as board, board.visit() as visit:
        program.unlink()
        visit.ask("play", "state", at=30)
        assert "No such file" in visit.wait("notice")["text"]
        visit.until(lambda state: not state["live"])


def last_line(folder: Path) -> Found:
    """Returns the last complete line of the only saved table."""
    (file,) = folder.glob("*.jsonl")
    lines, _, _ = file.read_text("utf-8").rpartition("\n")
    found: Found = json.loads(lines.splitlines()[-1])
    return found


@pytest.mark.parametrize("kill", [False, True])
def test_restarted_server_restores_the_game(tmp_path: Path, kill: bool) -> None:
    with Board(tmp_path) as board:
        with board.visit() as visit:
            visit.new_game("bushka", players={"black": engine(visits=20)}, time={"main": 300})
            turn = visit.state["legal"]["turns"][0]
            for part in turn["parts"]:
                visit.ask("play", "state", at=part)
            visit.until(lambda state: state["number"] == 2)
            visit.send("comment", node=1, text="a fine move")
            tree = visit.wait("tree", where=lambda tree: tree["nodes"][1]["comment"] != "")
            visit.send("play", at=visit.state["legal"]["points"][0])
            before = visit.until(lambda state: state["chosen"] != [])
            wait_for(lambda: last_line(tmp_path)["chosen"])
            board.stop(kill=kill)
        board.start()
        with board.visit(visit.cookie) as again:
            for field in ("board", "node", "chosen", "players", "options", "live", "to_move"):
                assert again.state[field] == before[field], field
            assert again.seen["tree"] == tree
            assert again.state["clocks"]["white"]["left"] <= 300
            again.ask("play", "state", at=again.state["legal"]["points"][0])
            again.until(lambda state: state["number"] == 4)


def test_damaged_save_is_set_aside_and_the_rest_opens(tmp_path: Path) -> None:
    with Board(tmp_path) as board:
        with board.visit() as visit:
            for _ in range(2):  # the second one puts the first in the library
                visit.new_game("pinch", 5, options={})
                visit.ask("play", "state", at=12)
        board.stop()
        (file,) = tmp_path.glob("*.jsonl")
        kept = file.read_bytes()
        (stored,) = tmp_path.glob("*.games/*.json")
        stored.with_name(f"{0:016x}.json").write_bytes(stored.read_bytes().replace(b"p", b"\xff"))
        wrongs = (
            b"{}",
            kept.split(b"\n")[0][:-20],
            kept.replace(b'"moves":[', b'"moves":[999,'),
            kept.replace(b'"moves":[', b'"moves":[12345678901234567890,'),
            kept.replace(b'"options":{', b'"options":{"width":3,'),
            kept.replace(b'"name":"', b'"name":"\xff', 1),
            b"\xff",
        )
        for wrong in wrongs:
            assert wrong != kept
            file.write_bytes(wrong)
            board.start()
            assert board.get("/", Cookie=visit.cookie).status == 200
            with board.visit(visit.cookie) as again:
                assert again.state["number"] == 0
                again.wait("notice", where=lambda notice: "set aside" in notice["text"])
                (game,) = again.ask("ask-games", "games", id=1)["games"]
                assert game["id"] == stored.stem
            assert "incompatible" not in board.stop()
        assert {each.read_bytes() for each in tmp_path.glob("*.damaged")} == set(wrongs)
        assert len(list(tmp_path.glob("*.games/*.damaged"))) == 1


def test_engines_stay_within_their_limit(tmp_path: Path) -> None:
    """Two visitors share one process, which follows the position of each."""
    with Board(tmp_path, "--engines", "1") as board, board.visit() as one, board.visit() as other:
        for visit in (one, other):
            visit.new_game("pinch", 7, players={"white": engine(visits=20)}, options={"pie": False})
        for _ in range(2):
            play_on(one, 1)
            play_on(other, 1)
            running = engines_of(board)
            assert len(running) == 1
        assert one.notices == other.notices == []


def test_engine_above_its_memory_limit_is_killed(tmp_path: Path) -> None:
    command = f"{sys.executable} -c 'import sys; x = bytes([1]) * (200 << 20); sys.stdin.read()'"
    arguments = ("--engine", command, "--memory", "100")
    with Board(tmp_path, *arguments) as board, board.visit() as visit:
        visit.ask("play", "state", at=30)
        assert "exceeded its memory limit" in visit.wait("notice", timeout=PATIENCE)["text"]


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_signal_ends_server_and_engines(tmp_path: Path, sent: signal.Signals) -> None:
    with Board(tmp_path) as board:
        with board.visit() as visit:
            visit.new_game("pinch", 5)
            visit.send("analyze", on=True)
            visit.wait("analysis")
            visit.ask("play", "state", at=12)
            children = psutil.Process(board.process.pid).children(recursive=True)
            assert children
            board.process.send_signal(sent)
            _, said = board.process.communicate(timeout=PATIENCE)
        assert (board.process.returncode, said) == (0, "")
        _, alive = psutil.wait_procs(children, timeout=PATIENCE)
        assert alive == []
        board.start()
        with board.visit(visit.cookie) as again:
            assert again.moves() == ["C3"]


MUTE = """\
while read -r name rest; do
  case $name in
    list_commands) printf '= name\\nboardsize\\nclear_board\\nplay\\nundo\\nanalyze\\n\\n' ;;
    ?*) printf '= \\n\\n' ;;
  esac
done
"""


def test_empty_analysis_is_reported_once(tmp_path: Path) -> None:
    """The request is not repeated."""
    program = tmp_path / "mute.sh"
    program.write_text(MUTE)
    with Board(tmp_path / "data", "--engine", f"bash {program}") as board, board.visit() as visit:
        visit.send("analyze", on=True)
        assert "sent nothing before it ended its analysis" in visit.wait("notice")["text"]
        assert "stopped until it is needed" in visit.wait("notice")["text"]
        visit.until(lambda state: "analyze" not in state["tasks"])
