"""Engines driven over many games: their life, commands, boards, and moves with winrates."""

import sys
from pathlib import Path
from threading import Event, Timer
from typing import Any

import pytest
from clients import FOLDER, PATIENCE
from duels import PROGRAM

from pinchtp.client import EngineDied, ProtocolError
from pinchtp.client.analysis_lines import has_candidates
from pinchtp.client.engine import EngineProcess, Stopped
from pinchtp.client.option_commands import NODES, PONDER
from pinchtp.games import Color


def driven(command: str, **options: Any) -> EngineProcess:
    """An engine that was not started; options are those of EngineProcess."""
    return EngineProcess(command, start_timeout=PATIENCE, timeout=PATIENCE, **options)


def player(name: str, **options: Any) -> EngineProcess:
    """An engine of `engines.players`."""
    return driven(f"{sys.executable} -S -E {FOLDER / 'engines' / 'start.py'} {name}", **options)


def scripted(tmp_path: Path, answers: dict[str, str]) -> EngineProcess:
    """An engine that gives these answers by command name, and `= ` to all others."""
    script = tmp_path / "scripted.py"
    script.write_text(
        f"import sys\nanswers = {answers!r}\nfor line in sys.stdin:\n"
        "  print(answers.get(line.split()[0], '= '), end='\\n\\n', flush=True)\n"
    )
    return driven(f"{sys.executable} -S -E {script}")


# --- life and commands


def test_start_after_kill_starts_another_process() -> None:
    with player("FixedOrder") as engine:
        assert engine.client is None
        engine.start()
        assert engine.name == "FixedOrder"
        first = engine.client
        engine.new_game(None, 5, 5)
        assert engine.client is first
        engine.kill()
        engine.kill()
        engine.start()
        assert engine.version == "1"
        assert engine.client is not first
    assert engine.client is None


def test_close_asks_to_quit() -> None:
    with player("SavesAtEnd") as engine:
        engine.start()
    assert engine.stderr == "saved\n"
    engine.close()


def test_exception_kills_at_once() -> None:
    engine = player("SavesAtEnd")
    engine.start()
    with pytest.raises(KeyboardInterrupt), engine:
        raise KeyboardInterrupt
    assert engine.stderr == ""


def test_start_after_failure_tries_again(tmp_path: Path) -> None:
    script = tmp_path / "later.py"
    with driven(f"{sys.executable} -S -E {script}") as engine:
        for _ in range(2):
            with pytest.raises(EngineDied, match="ended with exit status 2"):
                engine.new_game(None, 5, 5)
            engine.kill()
        script.write_text("for _ in iter(input, 'quit'): print('= later\\n', flush=True)")
        engine.start()
        assert engine.name == "later"


def test_process_has_folder_and_environment(tmp_path: Path) -> None:
    code = "import os\nfor _ in iter(input, 'quit'): "
    code += "print('=', os.getcwd(), os.environ['COLOR'] + '\\n', flush=True)"
    (tmp_path / "where.py").write_text(code)
    command = f"{sys.executable} -S -E where.py"
    with driven(command, folder=str(tmp_path), env={"COLOR": "red"}) as engine:
        engine.start()
        assert engine.name == f"{tmp_path} red"


def test_startup_commands_are_sent_once_per_start() -> None:
    with player("FixedOrder", startup=("komi 5", "time_settings 1 2 3")) as engine:
        engine.start()
        lines = engine.transcript.lines()
        assert "> komi 5" in lines
        assert lines.index("> komi 5") < lines.index("> time_settings 1 2 3")
        for _ in range(2):
            engine.new_game(None, 5, 5)
            assert "> komi 5" not in engine.transcript.lines()


def test_rejected_startup_command_is_sent_again_at_next_start() -> None:
    with player("FixedOrder", startup=("dance",)) as engine:
        for _ in range(2):
            with pytest.raises(ProtocolError, match="rejected 'dance': unknown command"):
                engine.start()


def test_known_command_is_asked_once() -> None:
    with player("ListsNothing") as engine:
        engine.new_game(None, 5, 5)
        assert engine.knows("time_left")
        assert not engine.knows("final_score")
        assert engine.knows("time_left")
        asked = [line for line in engine.transcript.lines() if "known_command" in line]
        assert len(asked) == len(set(asked))


def test_new_game_on_rectangle_uses_known_command() -> None:
    with player("FixedOrder") as engine:
        with pytest.raises(ProtocolError, match="rejected 'boardsize 7 5': unacceptable size"):
            engine.new_game(None, 7, 5)
        assert engine.knows("boardsize")
    with driven(PROGRAM) as engine:
        engine.new_game(None, 7, 5)
        assert "> rectangular_boardsize 7 5" in engine.transcript.lines()


@pytest.mark.parametrize(("width", "height", "square"), [(7, 5, "7x7"), (5, 7, "5x5")])
def test_new_game_on_square_for_rectangle_is_rejected(width: int, height: int, square: str) -> None:
    with player("TakesFirstSize") as engine:
        with pytest.raises(
            ProtocolError,
            match=f"takes 'boardsize {width} {height}' for {square}: play on a square board",
        ):
            engine.new_game(None, width, height)
        engine.new_game(None, 7, 7)


def test_new_game_on_rectangle_by_boardsize_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    with driven(f"{PROGRAM} --no-files") as engine:
        monkeypatch.setattr(engine, "knows", lambda _: False)
        for width, height in ((7, 5), (5, 7)):
            engine.new_game(None, width, height)
            assert f"> boardsize {width} {height}" in engine.transcript.lines()
            assert engine.ask("pinchtp-history") == ""


def test_play_measures_lag() -> None:
    with player("FixedOrder") as engine:
        engine.new_game(None, 5, 5)
        assert engine.lag == 0.0
        engine.play(Color.BLACK, "C3")
        assert 0 < engine.lag < PATIENCE
        assert engine.waited >= engine.lag


# --- moves


@pytest.mark.parametrize(
    ("explanation", "winrate"),
    [
        ("D4: win rate 54.20 %, 100 visits, expects D4 E5", 0.542),
        ("winrate: 54.2%", 0.542),
        ("Win rate 0.542", 0.542),
        ("winrate=0.542 visits=7", 0.542),
        ("win rate 5420", None),
        ("win rate ...", None),
        ("because it exists", None),
        ("", None),
    ],
)
def test_genmove_with_explanation_has_winrate(
    tmp_path: Path, explanation: str, winrate: float | None
) -> None:
    answers = {
        "list_commands": "= gomill-explain_last_move\nlz-genmove_analyze",
        "genmove": "= D4",
        "gomill-explain_last_move": f"= {explanation}",
    }
    with scripted(tmp_path, answers) as engine:
        engine.new_game(None, 5, 5)
        reply = engine.genmove(Color.BLACK, PATIENCE, evaluate=True)
        assert reply.move == "D4"
        assert reply.winrate == (None if winrate is None else pytest.approx(winrate))
        assert engine.genmove(Color.BLACK, PATIENCE, evaluate=False).winrate is None


@pytest.mark.parametrize(
    ("answer", "winrate"),
    [
        ("info move D4 visits 9 winrate 0.6 pv D4\nplay D4", 0.6),
        ("info move D4 winrate 0.1 pv D4\ninfo move D4 winrate 0.6 pv D4\nplay D4", 0.6),
        ("info move D3 winrate 0.1 pv D4 info move d4 visits 2 winrate 0.6 pv D4\nplay D4", 0.6),
        ("info move D4 visits 2 pv D4 info move D3 winrate 0.1 pv D3\nplay D4", None),
        ("info move D4 winrate 0.6 pv D4\ninfo move D3 winrate 0.1 pv D3\nplay D4", 0.6),
        ("info move D4 winrate 60 pv D4\nplay D4", None),
        ("play D4", None),
    ],
)
def test_genmove_analyze_has_last_winrate(
    tmp_path: Path, answer: str, winrate: float | None
) -> None:
    answers = {"list_commands": "= kata-genmove_analyze", "kata-genmove_analyze": f"= \n{answer}"}
    with scripted(tmp_path, answers) as engine:
        engine.new_game(None, 5, 5)
        reply = engine.genmove(Color.WHITE, PATIENCE, evaluate=True)
        assert (reply.move, reply.winrate) == ("D4", winrate)
        assert "> kata-genmove_analyze w 20" in engine.transcript.lines()


@pytest.mark.parametrize("answer", ["info move D4 winrate 0.6 pv D4", "play", "D4"])
def test_genmove_analyze_without_move_is_protocol_error(tmp_path: Path, answer: str) -> None:
    answers = {"list_commands": "= kata-genmove_analyze", "kata-genmove_analyze": f"= \n{answer}"}
    with scripted(tmp_path, answers) as engine:
        engine.new_game(None, 5, 5)
        with pytest.raises(
            ProtocolError, match=r"ended its analysis without a move|returned no move"
        ):
            engine.genmove(Color.WHITE, PATIENCE, evaluate=True)


# --- options, stops, analysis


@pytest.mark.parametrize(
    ("commands", "sent"),
    [
        ("pinchtp-param\nkata-set-param", "pinchtp-param visits 7"),
        ("kata-set-param", "kata-set-param maxVisits 7"),
        ("lz-setoption", "lz-setoption name visits value 7"),
    ],
)
def test_set_option_uses_best_known_command(tmp_path: Path, commands: str, sent: str) -> None:
    with scripted(tmp_path, {"list_commands": f"= {commands}"}) as engine:
        engine.start()
        engine.set_option(NODES, 7)
        assert f"> {sent}" in engine.transcript.lines()


def test_set_option_unknown_is_protocol_error(tmp_path: Path) -> None:
    with scripted(tmp_path, {"list_commands": "= play"}) as engine:
        engine.start()
        assert not engine.try_option(PONDER, "true")
        with pytest.raises(
            ProtocolError, match=r"does not support option 'ponder' \(needs one of: pin"
        ):
            engine.set_option(PONDER, "true")


def test_stop_ends_genmove_and_kills_hung_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pinchtp.client.engine.STOP_TIMEOUT", 0.2)
    stop = Event()
    with player("HangsAtGenmove", should_stop=stop.is_set) as engine:
        engine.start()
        Timer(0.2, stop.set).start()
        with pytest.raises(Stopped):
            engine.genmove(Color.BLACK, PATIENCE)
        assert not engine.is_running


def test_analyze_ends_when_enough_was_seen() -> None:
    with driven(f"{PROGRAM} --size 5 --no-files") as engine:
        engine.new_game(None, 5, 5)
        lines: list[str] = []

        def seen(line: str, scale: float) -> bool:
            assert scale == 1
            lines.append(line)
            return len(lines) < 2

        engine.stream_analysis(Color.BLACK, seen)
        assert len(lines) == 2
        assert has_candidates(lines[-1])
        assert engine.ask("name") == "pinchtp"
