"""Engines that are kept over many games, and what is understood of what they say."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from duels import DEADLINES, FILLER, PATIENCE, player, rules

from pinchtp.client import EngineDied, ProtocolError
from pinchtp.client.identity import binary_hash
from pinchtp.games import Color
from pinchtp.match.engine_spec import EngineSpec
from pinchtp.match.game.match_engine import MatchEngine, Score
from pinchtp.match.record import DRAW


def controller(engine: str, *arguments: object, **options: Any) -> MatchEngine:
    return MatchEngine(player(engine, *arguments, **options), deadlines=DEADLINES)


def scripted(tmp_path: Path, answers: dict[str, str]) -> MatchEngine:
    """An engine that gives these answers by command name, and `= ` to all others."""
    script = tmp_path / "scripted.py"
    script.write_text(
        f"import sys\nanswers = {answers!r}\nfor line in sys.stdin:\n"
        "  print(answers.get(line.split()[0], '= '), end='\\n\\n', flush=True)\n"
    )
    spec = EngineSpec("scripted", f"{sys.executable} -S -E {script}")
    return MatchEngine(spec, deadlines=DEADLINES)


# --- life


def test_an_engine_starts_when_it_is_needed_and_again_after_its_end() -> None:
    with controller("Filler") as engine:
        assert engine.client is None
        assert engine.identity.name == "Filler"
        first = engine.client
        engine.begin(rules())
        assert engine.client is first
        engine.kill()
        engine.kill()
        assert engine.identity.version == "1"
        assert engine.client is not first
    assert engine.client is None


def test_engines_are_asked_to_quit() -> None:
    with controller("SavesAtEnd") as engine:
        engine.identity  # noqa: B018  (starts it)
    assert engine.stderr == "saved\n"
    engine.close()


def test_engines_are_not_waited_for_when_something_is_wrong() -> None:
    engine = controller("SavesAtEnd")
    engine.identity  # noqa: B018  (starts it)
    with pytest.raises(KeyboardInterrupt), engine:
        raise KeyboardInterrupt
    assert engine.stderr == ""


def test_an_engine_that_does_not_start_can_be_tried_again(tmp_path: Path) -> None:
    script = tmp_path / "later.py"
    spec = EngineSpec("later", f"{sys.executable} -S -E {script}")
    with MatchEngine(spec, deadlines=DEADLINES) as engine:
        for _ in range(2):
            with pytest.raises(EngineDied, match="ended with exit status 2"):
                engine.begin(rules())
            engine.kill()
        script.write_text("for _ in iter(input, 'quit'): print('= later\\n', flush=True)")
        assert engine.identity.name == "later"


def test_where_and_with_what_an_engine_runs(tmp_path: Path) -> None:
    code = "import os\nfor _ in iter(input, 'quit'): "
    code += "print('=', os.getcwd(), os.environ['COLOR'] + '\\n', flush=True)"
    (tmp_path / "where.py").write_text(code)
    spec = EngineSpec(
        "x", f"{sys.executable} -S -E where.py", folder=str(tmp_path), environment={"COLOR": "red"}
    )
    with MatchEngine(spec, deadlines=DEADLINES) as engine:
        assert engine.identity.name == f"{tmp_path} red"


def test_startup_commands_are_sent_once_for_each_start() -> None:
    with controller("Filler", startup=("komi 5", "time_settings 1 2 3")) as engine:
        engine.identity  # noqa: B018  (starts it)
        lines = engine.transcript.lines()
        assert "> komi 5" in lines
        assert lines.index("> komi 5") < lines.index("> time_settings 1 2 3")
        for _ in range(2):
            engine.begin(rules())
            assert "> komi 5" not in engine.transcript.lines()


def test_a_command_may_be_known_without_being_listed() -> None:
    with controller("ListsNothing") as engine:
        engine.begin(rules())
        assert engine.knows("time_left")
        assert not engine.knows("final_score")
        assert engine.knows("time_left")
        asked = [line for line in engine.transcript.lines() if "known_command" in line]
        assert len(asked) == len(set(asked))


# --- what it is


def test_a_changed_program_has_another_hash(tmp_path: Path) -> None:
    program, net = tmp_path / "engine", tmp_path / "net.bin"
    program.write_bytes(b"1")
    net.write_bytes(b"2")
    command = f"{program} --net {net} --fast"
    first = binary_hash(command)
    assert len(first) == 16
    assert binary_hash(f"./engine --net {net}", str(tmp_path)) == first
    assert binary_hash(str(program)) != first
    net.write_bytes(b"3")
    os.utime(net, (0, 0))
    assert binary_hash(command) != first
    parts = [hashlib.sha256(data).digest() for data in (b"1", b"3")]
    assert binary_hash(command) == hashlib.sha256(b"".join(parts)).hexdigest()[:16]


def test_arguments_that_are_no_files_do_not_matter() -> None:
    plain = binary_hash("/bin/sh")
    assert binary_hash(f"/bin/sh -c '{'x' * 5000}' /no/such/file /") == plain


def test_a_program_is_found_as_it_is_when_it_is_started(tmp_path: Path) -> None:
    program = tmp_path / "engine"
    program.write_bytes(b"#!/bin/sh\n")
    program.chmod(0o755)
    by_path = binary_hash("engine", env={"PATH": str(tmp_path)})
    assert by_path == binary_hash([str(program)])


# --- what it says


@pytest.mark.parametrize(
    ("text", "winner"),
    [
        ("B+R", Color.BLACK),
        ("W+3.5", Color.WHITE),
        ("b+", Color.BLACK),
        ("W+0.5 (lower bound: W+1)", Color.WHITE),
        ("B+Resign", Color.BLACK),
        ("0", DRAW),
        ("0.0", DRAW),
        ("Draw", DRAW),
        ("?", None),
        ("Black wins", None),
        ("01", None),
    ],
)
def test_scores_are_understood(text: str, winner: str | None) -> None:
    assert Score.read(text) == Score(text, winner)


@pytest.mark.parametrize(
    ("explanation", "winrate"),
    [
        ("D4: win rate 54.20 %, 100 visits, expects D4 E5", 0.542),
        ("winrate: 54.2%", 0.542),
        ("Win rate 0.542", 0.542),
        ("winrate=0.542 visits=7", 0.542),
        ("win rate 5420", None),
        ("win rate ...", None),
        ("because it is there", None),
        ("", None),
    ],
)
def test_explanations_tell_evaluations(
    tmp_path: Path, explanation: str, winrate: float | None
) -> None:
    answers = {
        "list_commands": "= gomill-explain_last_move\nlz-genmove_analyze",
        "genmove": "= D4",
        "gomill-explain_last_move": f"= {explanation}",
    }
    with scripted(tmp_path, answers) as engine:
        engine.begin(rules())
        reply = engine.genmove(Color.BLACK, PATIENCE, evaluate=True)
        assert reply.text == "D4"
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
def test_analyses_tell_evaluations(tmp_path: Path, answer: str, winrate: float | None) -> None:
    answers = {"list_commands": "= kata-genmove_analyze", "kata-genmove_analyze": f"= \n{answer}"}
    with scripted(tmp_path, answers) as engine:
        engine.begin(rules())
        reply = engine.genmove(Color.WHITE, PATIENCE, evaluate=True)
        assert (reply.text, reply.winrate) == ("D4", winrate)
        assert "> kata-genmove_analyze w 20" in engine.transcript.lines()


@pytest.mark.parametrize("answer", ["info move D4 winrate 0.6 pv D4", "play", "D4"])
def test_an_analysis_has_to_end_with_a_move(tmp_path: Path, answer: str) -> None:
    answers = {"list_commands": "= kata-genmove_analyze", "kata-genmove_analyze": f"= \n{answer}"}
    with scripted(tmp_path, answers) as engine:
        engine.begin(rules())
        with pytest.raises(
            ProtocolError, match=r"ended an analysis with|answered genmove with nothing"
        ):
            engine.genmove(Color.WHITE, PATIENCE, evaluate=True)


def test_rectangles_are_asked_for_as_the_engine_knows_them() -> None:
    wide = rules().__class__("x", 7, 5, referee=False)
    with controller("Filler") as engine:
        with pytest.raises(ProtocolError, match="refused 'boardsize 7 5': unacceptable size"):
            engine.begin(wide)
        assert engine.knows("boardsize")
    spec = EngineSpec("pinchtp", f"{sys.executable} -P -m pinchtp")
    with MatchEngine(spec, deadlines=DEADLINES) as engine:
        engine.begin(wide)
        assert "> rectangular_boardsize 7 5" in engine.transcript.lines()


def test_commands_without_thought_measure_the_lag() -> None:
    with MatchEngine(FILLER, deadlines=DEADLINES) as engine:
        engine.begin(rules())
        assert engine.lag == 0.0
        engine.play(Color.BLACK, "C3")
        assert 0 < engine.lag < PATIENCE
        assert engine.waited >= engine.lag
