"""A short form of tests/long/fuzz: its corpus of past faults, and some random inputs."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from clients import FOLDER, engine_settings
from fuzz import pipes, rates, run, sessions, traces
from fuzz.cases import CASES, Case, case
from fuzz.commands import tally
from fuzz.pipes import Talk
from fuzz.run import CORPUS, corpus, inputs
from fuzz.sessions import Fault, Play
from fuzz.source import Source
from fuzz.targets import TARGETS

from pinchtp.games import GAMES, Color
from pinchtp.games.session import Session
from pinchtp.gtp import GtpError
from pinchtp.gtp.engine import GtpEngine
from pinchtp.match.record import DRAW, GameRecord, MoveRecord, ScheduledGame, Termination
from pinchtp.player.player import Limits, Player

RANDOM = {
    "sessions": 40,
    "boards": 10,
    "scripts": 40,
    "pipes": 1,
    "traces": 6,
    "rulebook": 1,
    "levels": 3,
    "swaps": 2,
    "searches": 30,
    "memory": 1,
    "stores": 2,
    "viewers": 10,
    "endings": 2,
    "queries": 200,
}
"""Inputs; of the others more."""


def test_every_target_has_a_corpus() -> None:
    assert {path.name for path in CORPUS.iterdir()} == set(TARGETS)
    assert all(map(corpus, TARGETS))


@pytest.mark.parametrize("name", TARGETS)
def test_target_survives_all_inputs(name: str) -> None:
    for data in islice(inputs(name, seed=7), len(corpus(name)) + RANDOM.get(name, 1000)):
        TARGETS[name](data)


def test_cases_have_every_board_thin_ones_first() -> None:
    sizes = [(each.width, each.height) for each in CASES if each.game == "pinch"]
    assert len(set(sizes)) == 24 * 24
    assert sizes[:2] == [(2, 2)] * 2  # with a swap and without
    assert [min(size) for size in sizes] == sorted(min(size) for size in sizes)
    assert {each.game for each in CASES} == set(GAMES)


def test_case_too_small_for_its_rules_gets_a_larger_board() -> None:
    chosen = [case(Source(bytes([3, pie, 1, 0, 1]))) for pie in (0, 1)]  # a crosscut on 2x2
    assert all(each.exists and each.rules["crosscut"] for each in chosen)
    assert not Case("capture-go", 2, 2, {"pie": False, "crosscut": True}).exists


def test_fuzz_sessions_play_moves() -> None:
    """They would hold nothing if all of their lines were refused."""
    made = accepted = 0
    for data in islice(inputs("sessions", seed=3), 20):
        source = Source(data)
        play = Play(engine_settings(size=(5, 4), visits=8, memory=1, files=False))
        play.run(source)
        made += len(play.server.engine.session.history)
        accepted += play.accepted
    assert made > 20
    assert accepted > 100


@pytest.fixture
def play() -> Play:
    """A session of two moves."""
    settings = engine_settings(size=(5, 5), pie=False, visits=8, memory=1, files=False)
    play = Play(settings)
    play.send("play b a1")
    return play


def half_made(session: Session, *arguments: object, **more: object) -> None:
    session.resign(session.to_move)
    raise GtpError("syntax error")


def broken(session: Session, *arguments: object, **more: object) -> None:
    raise ZeroDivisionError


def forgetful(session: Session, *arguments: object, **more: object) -> None:
    session.history.append(session.history[-1])


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (half_made, "a refusal has changed something"),
        (broken, "internal error"),
        (forgetful, "an illegal move in the history"),
    ],
)
def test_fuzzer_finds_a_wrong_play(
    play: Play, monkeypatch: pytest.MonkeyPatch, wrong: Callable[..., None], reason: str
) -> None:
    monkeypatch.setattr(Session, "play", wrong)
    monkeypatch.setattr(Session, "restore", lambda session, saved: None)
    with pytest.raises(Fault, match=reason):
        play.send("play w b2")


class Equal:  # noqa: PLW1641  (never hashed)
    """An object that equals every position, and has no moves."""

    result = None
    to_move = 0

    def __eq__(self, other: object) -> bool:
        return True

    def legal_moves(self) -> list[int]:
        return []


def refused(text: str, session: Session) -> None:
    raise ValueError(text)


@pytest.mark.parametrize(
    ("name", "wrong", "reason"),
    [
        ("load_position", refused, "what it prints is refused"),
        ("load_position", lambda text, session: (session.start, []), "another position"),
        ("set_up_again", lambda position: Equal(), "equal positions with other moves"),
    ],
)
def test_fuzzer_finds_an_unprintable_position(
    play: Play, monkeypatch: pytest.MonkeyPatch, name: str, wrong: Any, reason: str
) -> None:
    monkeypatch.setattr(sessions, name, wrong)
    with pytest.raises(Fault, match=reason):
        play.send("play w b2")


def test_fuzzer_finds_a_winrate_without_search(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    comment = "winrate 50.00 %, 1 visits"
    monkeypatch.setattr(GtpEngine, "_comment", lambda engine, report, moves: comment)
    with pytest.raises(Fault, match="a winrate without a search"):
        play.send("genmove w")


def test_fuzzer_finds_an_endless_search(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(player: Player, session: Session, *limits: object) -> Iterator[object]:
        while True:
            yield player.search(session, Limits(visits=1))

    monkeypatch.setattr(Player, "search_reports", endless)
    monkeypatch.setattr(sessions, "ENDLESS", 0.3)
    with pytest.raises(Fault, match="no end"):
        play.send("genmove_analyze w 1")


def talk(script: str) -> Talk:
    """Returns a connection to a shell that runs a script for each line."""
    return Talk(program=["sh", "-c", f"while read -r line; do {script}; done; exit $line"])


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("printf '= \\n'", "no end"),
        ("printf '=7 \\n\\n'", "another id"),
        ("printf '!\\n\\n'", "badly framed"),
        ("printf '? internal error: X\\n\\n'", "internal error"),
        ("exit 3", "it ended"),
    ],
)
def test_fuzzer_finds_a_wrong_response(
    monkeypatch: pytest.MonkeyPatch, script: str, reason: str
) -> None:
    monkeypatch.setattr(pipes, "DEADLINE", 1.0)
    with talk(script) as child, pytest.raises(Fault, match=reason):
        child.say("name")


def test_fuzzer_finds_output_on_stderr() -> None:
    with talk("printf '= \\n\\n'; echo oh >&2") as child:
        assert child.say("name") == "= "
        with pytest.raises(Fault, match="it ended with status 0: 'oh"):
            child.finish()


def test_fuzzer_finds_a_changed_response_to_a_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    class WrongTalk(Talk):
        def finish(self) -> str:
            return super().finish().replace("pinchtp", "other")

    monkeypatch.setattr(traces, "Talk", WrongTalk)
    data = next(bytes([i]) for i, name in enumerate(traces.TRACES) if name == "gogui-probe")
    with pytest.raises(Fault, match="another answer"):
        TARGETS["traces"](data)


def record(
    winner: Color | Any, termination: Termination, winrate: float | None = None
) -> GameRecord:
    moves = tuple(MoveRecord(color, "a1", winrate=winrate) for color in (*Color, *Color))
    return GameRecord(
        ScheduledGame(("a", "b"), 0), moves=moves, winner=winner, termination=termination
    )


@pytest.mark.parametrize(
    ("played", "reason"),
    [
        (record(Color.BLACK, Termination.DIED), "a game went wrong"),
        (record(DRAW, Termination.AGREED), "a draw in a game without draws"),
        (record(Color.WHITE, Termination.RULES, 0.5), "a winrate without a search"),
    ],
)
def test_fuzzer_finds_a_wrong_game_between_levels(
    monkeypatch: pytest.MonkeyPatch, played: GameRecord, reason: str
) -> None:
    monkeypatch.setattr(rates, "duel", lambda *arguments, **more: played)
    with pytest.raises(Fault, match=reason):
        TARGETS["levels"](b"")


def test_fuzzer_finds_a_number_out_of_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "AGREE", -1.0)
    monkeypatch.setattr(rates, "SWAP_VISITS", 10)
    with pytest.raises(Fault, match="winrates of Black that disagree"):
        TARGETS["swaps"](b"")
    monkeypatch.setattr(rates, "NODE_BYTES", 1 << 30)
    with pytest.raises(Fault, match="more nodes than fit the memory"):
        TARGETS["searches"](b"")


def test_run_keeps_one_input_per_kind_of_fault(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(data: bytes) -> None:
        tally["commands"] += 1
        raise ValueError("first" if data == b"\0\0" else "second")

    monkeypatch.setitem(TARGETS, "boards", failing)
    assert run.run_random("boards", 0.2, 0, tmp_path) == 2
    assert (tmp_path / "boards-1").read_bytes() == b"\0\0"
    assert len(list(tmp_path.glob("*.txt"))) == 2
    assert " commands, 2 kinds of faults" in capsys.readouterr().out


@pytest.mark.parametrize("target", ["lines", "pipes"])
def test_fuzzer_runs_as_a_program(target: str, tmp_path: Path) -> None:
    tool = FOLDER / "long" / "fuzz" / "run.py"
    command = [sys.executable, tool, target, "--random", "--seconds", "1", "--faults", tmp_path]
    subprocess.run(command, check=True, capture_output=True)
