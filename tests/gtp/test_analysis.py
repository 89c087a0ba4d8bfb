"""Analysis streams, interrupts, pondering, and the search's findings shown on the board."""

import os
import re
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from clients import engine_settings

from pinchtp.games import Color
from pinchtp.games.notation import parse_move
from pinchtp.games.session import Session
from pinchtp.gtp import analysis
from pinchtp.gtp.analysis import KATAGO, AnalysisRequest
from pinchtp.gtp.engine import GtpEngine
from pinchtp.gtp.input import InputReader, ScriptInput
from pinchtp.gtp.server import Server
from pinchtp.player.player import Limits

INFO = re.compile(
    r"info move (\S+) visits (\d+) winrate (\S+) prior (\S+) lcb (\S+) order (\d+) "
    r"pv ((?:[A-HJ-Z]\d+|pass)(?: (?:[A-HJ-Z]\d+|pass))*)"
)


class InputAfter:
    """InputState that reports input after a number of looks."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def is_waiting(self) -> bool:
        self.looks -= 1
        return self.looks < 0

    def is_cancelled(self) -> bool:
        return self.is_waiting()

    def is_interrupted(self) -> bool:
        return self.is_waiting()


def make_server(**settings: object) -> Server:
    values = {"size": (7, 7), "time": 0.05, **settings}
    return Server(GtpEngine(engine_settings(**values)))


def lines_of(server: Server, command: str, looks: int = 100) -> list[str]:
    """Returns the lines of a stream that ends after a number of looks for input."""
    server.engine.attention = InputAfter(looks)
    text = str(server.answer(command))
    assert text.startswith("= \n"), text
    assert text.endswith("\n\n")
    return text[3:-2].split("\n")


class FakeClock:
    """A clock that advances by the time used, and a player that uses all of its time."""

    def __init__(self) -> None:
        self.now, self.thought = 0.0, 0.0
        self.steps: list[int] = []

    def search(self, session: Session, limits: Limits, step: int) -> SimpleNamespace:
        self.steps.append(step)
        self.now += limits.seconds
        self.thought += limits.seconds
        return SimpleNamespace(winrate=0.5)

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.mark.parametrize(("writing", "period"), [(0.0, 0.1), (0.03, 0.1), (0.12, 0.17)])
def test_lines_come_at_their_interval(
    monkeypatch: pytest.MonkeyPatch, writing: float, period: float
) -> None:
    """However long it takes to write one; but half of the interval is searched."""
    clock = FakeClock()
    server = make_server()
    monkeypatch.setattr(analysis, "monotonic", lambda: clock.now)
    monkeypatch.setattr(analysis, "sleep", clock.sleep)
    monkeypatch.setattr(analysis, "info_line", lambda *_: clock.sleep(writing) or "")
    monkeypatch.setattr(server.engine.player, "search", clock.search)
    server.engine.attention = InputAfter(100)
    asked = AnalysisRequest(interval=0.1)
    count = len(list(analysis._lines_until_input(server.engine, asked, [], KATAGO)))
    assert count > 20
    assert clock.now == pytest.approx(count * period, abs=0.2)
    assert clock.thought >= 0.49 * count * 0.1
    assert clock.steps == list(range(count))  # each with other random numbers


@pytest.mark.parametrize("command", ["lz-analyze", "kata-analyze", "analyze"])
def test_analysis_lines_follow_the_grammar(command: str) -> None:
    server = make_server()
    lines = lines_of(server, f"{command} b 1")
    assert len(lines) > 2
    for line in lines:
        infos = INFO.findall(line)
        assert " ".join(INFO.sub("", line).split()) == ""
        assert [int(info[5]) for info in infos] == list(range(len(infos)))
        for move, _, winrate, prior, lcb, _, pv in infos:
            assert pv.split()[0] == move
            scale = 10_000 if command.startswith("lz") else 1
            assert ("." in winrate) == (scale == 1)
            assert 0 <= float(lcb) <= float(winrate) <= scale
            assert 0 <= float(prior) <= scale
    visits = [sum(int(info[1]) for info in INFO.findall(line)) for line in lines]
    assert visits == sorted(visits)
    assert visits[-1] > visits[0]


def test_analysis_leaves_the_game_alone() -> None:
    server = make_server()
    before = str(server.answer("showboard"))
    lines_of(server, "kata-analyze 1")
    assert str(server.answer("showboard")) == before


def test_principal_variations_can_be_played() -> None:
    server = make_server()
    for _, _, _, _, _, _, pv in INFO.findall(lines_of(server, "lz-analyze b 3")[-1]):
        position = server.engine.session.position
        for text in pv.split():
            position = position.play(parse_move(text, position))


def test_maxmoves_and_minmoves() -> None:
    server = make_server()
    # The first report may come before more than one move has visits.
    counts = [len(INFO.findall(x)) for x in lines_of(server, "kata-analyze 1 maxmoves 2")]
    assert max(counts) == 2
    assert all(len(INFO.findall(x)) == 49 for x in lines_of(server, "lz-analyze b 1 minmoves 49"))


def test_avoid_and_allow() -> None:
    server = make_server()
    only = lines_of(server, "kata-analyze b 1 allow b d4,e5 1")
    assert {info[0] for line in only for info in INFO.findall(line)} <= {"D4", "E5"}
    others = lines_of(server, "kata-analyze b 1 minmoves 49 avoid b d4 1 avoid w e5 1")
    shown = {info[0] for line in others for info in INFO.findall(line)}
    assert "D4" not in shown
    assert len(shown) == 48


def test_first_steps_can_be_avoided_and_allowed() -> None:
    server = make_server(game="bushka", size=None)
    session = server.engine.session

    def reported(command: str) -> set[int]:
        texts = re.findall(r"info move (\S+)", " ".join(lines_of(server, command)))
        return {session.parse(text)[0] for text in texts}

    [first] = session.parse("g5")
    assert reported("kata-analyze w 1 allow w g5 1") == {first}
    others = reported("kata-analyze w 1 avoid w g5 1")
    assert others
    assert first not in others


@pytest.mark.parametrize(
    ("words", "response"),
    [
        ("avoid w zz 1", "syntax error"),
        (
            "allow w g56 1",
            "cannot restrict moves: g56: only the first step of a move can be restricted: give g5",
        ),
        (
            "avoid w e3-e4 1",
            "cannot restrict moves: e3-e4: only the first step of a move can be restricted: "
            "give e3",
        ),
        ("allow w pass 1", "cannot restrict moves: no legal move is left"),
    ],
)
def test_restriction_that_cannot_be_kept_is_refused(words: str, response: str) -> None:
    server = make_server(game="bushka", size=None)
    assert str(server.answer(f"kata-analyze w 1 {words}")) == f"? {response}\n\n"


def test_restriction_to_a_point_off_the_board_is_refused() -> None:
    answer = str(make_server().answer("kata-analyze b 1 avoid b d4,z9 1"))
    assert answer == "? cannot restrict moves: Z9 is not on the 7x7 board\n\n"


@pytest.mark.parametrize(
    "command",
    ["kata-search_analyze", "kata-search_analyze_cancellable", "lz-genmove_analyze"],
)
def test_played_move_is_first_candidate(command: str) -> None:
    """Its second step is searched after the first, and found to be another one."""
    server = make_server(
        game="pinch-relocate", size=(5, 5), visits=40, seed=3, time=None, network="none"
    )
    for move in ("b c2", "w e4", "b d4", "w e1", "b d3", "w e5", "b a5", "w c1"):
        server.answer(f"play {move}")
    search, played, move = lines_of(server, f"{command} b 1000", looks=10**6)
    assert search.startswith("info move B1,E2 ")
    assert move == "play B1,E3"
    assert played.startswith("info move B1,E3 ")
    assert " pv B1,E3" in played


def test_ownership_and_root_info() -> None:
    server = make_server(size=(5, 4), network="none", seed=1)
    for move in ("b c1", "w a4", "b c2", "w e4"):
        server.answer(f"play {move}")
    line = lines_of(server, "kata-analyze 5 ownership true rootInfo true")[-1]
    _, _, after = line.partition(" rootInfo visits ")
    assert float(after.split()[2]) > 0.5
    values = [float(value) for value in line.partition(" ownership ")[2].split()]
    assert len(values) == 20
    assert all(-1 <= value <= 1 for value in values)
    # Rows from the top: A4 is White's, C1 is Black's.
    assert values[0] < -0.5
    assert values[15 + 2] > 0.5
    server.answer("play b d1")
    line = lines_of(server, "kata-analyze 5 ownership true")[-1]
    values = [float(value) for value in line.partition(" ownership ")[2].split()]
    assert values[0] > 0.5
    assert values[15 + 2] < -0.5


def test_analysis_reports_a_swap_as_pass() -> None:
    server = make_server(size=(3, 3))
    server.answer("play b b2")
    assert INFO.findall(lines_of(server, "kata-analyze w 2")[-1])[0][0] == "pass"


def test_analysis_of_solved_position_runs_until_input() -> None:
    server = make_server(size=(2, 2), pie=False)
    began = time.monotonic()
    lines = lines_of(server, "lz-analyze b 2", looks=50)
    assert time.monotonic() - began >= 0.06
    assert len(lines) < 20
    assert INFO.findall(lines[-1])[0][2] == "10000"


@pytest.mark.parametrize(
    "command",
    [
        "lz-analyze w 10",
        "kata-analyze b 10 frobnicate true",
        "kata-analyze b 10 avoid b",
        "kata-analyze b 10 ownership maybe",
        "analyze x 10",
        "kata-genmove_analyze w",
        "kata-search_analyze w",
        "kata-search_cancellable w",
        "kata-analyze b 10 allow b z9 1",
    ],
)
def test_invalid_arguments_start_no_stream(command: str) -> None:
    answer = make_server().answer(command)
    assert answer is not None
    assert not answer.ok


@pytest.mark.parametrize("command", ["lz-genmove_analyze", "kata-genmove_analyze"])
def test_genmove_analyze_plays(command: str) -> None:
    server = make_server(time=0.3)
    *infos, last = lines_of(server, f"{command} b 2", looks=10**6)
    assert len(infos) > 2
    assert all(INFO.match(line) for line in infos)
    move = last.removeprefix("play ")
    history = server.engine.session.history
    assert [turn.move for turn in history] == [parse_move(move, server.engine.session.start)]
    assert history[0].winrate is not None


def test_genmove_analyze_without_color_plays_for_side_to_move() -> None:
    server = make_server(visits=20)
    answer = str(server.answer("kata-genmove_analyze 20"))
    assert re.search(r"^play \S+$", answer, re.M)
    assert server.engine.session.to_move == Color.WHITE


def test_search_analyze_leaves_the_board() -> None:
    server = make_server(visits=20)
    *infos, last = lines_of(server, "kata-search_analyze 2", looks=10**6)
    assert INFO.match(infos[-1])
    assert last == f"play {infos[-1].split()[2]}"
    assert not server.engine.session.history


def test_pv_visits_match_the_variation() -> None:
    server = make_server(visits=300)
    for game in ("pinch", "pinch-relocate"):
        server.answer(f"pinchtp-game {game}")
        server.answer("boardsize 7")
        *_, line, _ = lines_of(server, "kata-genmove_analyze 100 pvVisits true", looks=10**6)
        for info in line.split("info ")[1:]:
            given, _, visits = info.strip().partition(" pvVisits ")
            counts = list(map(int, visits.split()))
            assert len(counts) == len(given.partition(" pv ")[2].split())
            assert counts[0] == int(given.split()[3])


def test_choosing_further_steps_leaves_the_ownership_alone() -> None:
    """A line with other further steps follows the last one of the search."""
    pairs = []
    for seed in range(30):
        server = make_server(game="pinch-relocate", size=(6, 6), visits=200, seed=seed)
        for _ in range(8):
            *infos, _ = lines_of(server, "kata-genmove_analyze 10000 ownership true", looks=10**6)
            pairs += pairwise(info.partition(" ownership ")[2] for info in infos)
        if pairs:
            break
    assert pairs
    assert all(before and before == after for before, after in pairs)


def test_streams_after_the_end() -> None:
    server = make_server(size=(2, 2))
    for move in ("b a1", "w b1", "b a2"):
        server.answer(f"play {move}")
    assert str(server.answer("lz-analyze w 10")) == "= \n\n"
    assert str(server.answer("kata-genmove_analyze w 10")) == "= \nplay pass\n\n"
    assert str(server.answer("kata-search_cancellable w")) == "= \nplay pass\n\n"
    assert str(server.answer("kata-search_analyze_cancellable w")) == "= \nplay pass\n\n"


def test_interrupted_cancellable_search_prints_cancelled() -> None:
    server = make_server(time=30.0)
    assert lines_of(server, "kata-search_cancellable b", looks=3) == ["play cancelled"]
    server = make_server(time=0.02)
    (line,) = lines_of(server, "kata-search_cancellable b", looks=10**6)
    assert re.fullmatch(r"play [A-G]\d", line)
    assert not server.engine.session.history


def test_cancellable_analysis_ends_with_its_move() -> None:
    server = make_server(visits=50, time=None)
    command = "kata-search_analyze_cancellable b 100 rootInfo true"
    info, move = lines_of(server, command, looks=10**6)
    assert " rootInfo visits 50 " in info
    assert re.fullmatch(r"play [A-G]\d", move)
    last = lines_of(make_server(time=30.0), command, looks=3)[-1]
    assert last == "play cancelled"
    assert not server.engine.session.history


def test_analysis_of_script_lasts_its_first_interval() -> None:
    server = make_server(threads=1)
    server.engine.attention = ScriptInput()
    began = time.monotonic()
    (line,) = str(server.answer("kata-analyze b 20")).removeprefix("= \n").split("\n")[:-2]
    assert "info move" in line
    assert 0.2 <= time.monotonic() - began < 20


def test_search_of_script_is_not_cancelled() -> None:
    server = make_server(time=0.05)
    server.engine.attention = ScriptInput()
    assert re.fullmatch(r"= \nplay [A-G]\d\n\n", str(server.answer("kata-search_cancellable b")))


def test_interrupted_genmove_plays_a_move() -> None:
    server = make_server(time=60.0)
    server.engine.attention = InputAfter(5)
    began = time.monotonic()
    answer = server.answer("genmove b")
    assert answer is not None
    assert answer.ok
    assert time.monotonic() - began < 20
    assert len(server.engine.session.history) == 1


@pytest.fixture
def pipe() -> Iterator[tuple[InputReader, int]]:
    """A reader and the descriptor that its lines come from."""
    reading, writing = os.pipe()
    yield InputReader(reading), writing
    os.close(reading)
    os.close(writing)


def test_repeated_analysis_stops_without_delay(
    pipe: tuple[InputReader, int],
) -> None:
    reader, writing = pipe
    server = make_server()
    server.engine.attention = reader
    taken, used = [], []
    for number in range(200):
        answer = server.answer(f"{number} lz-analyze b 1000")
        assert answer is not None
        pieces = answer.pieces()
        assert next(pieces) == f"={number} \n"
        os.write(writing, b"\n")
        began = time.monotonic()
        began_use = time.process_time()
        *_, end = pieces
        taken.append(time.monotonic() - began)
        used.append(time.process_time() - began_use)
        assert end == "\n"
        assert next(reader) == ""
    # 0.02 is promised for an idle machine, where it is below 0.01; a busy one may stop for longer,
    # but uses no more of the processor.
    assert sorted(taken)[100] < 0.5
    assert sorted(used)[-2] < 0.5


def test_pondering_tree_is_reused() -> None:
    server = make_server(ponder=True, visits=200)
    answers = server.answers(["genmove b"])
    assert next(answers)[1].ok
    list(answers)  # the command is done: the engine ponders
    used = time.process_time()
    while time.process_time() - used < 0.3:
        time.sleep(0.01)
    engine = server.engine
    engine.player.stop_pondering()
    report = engine.player.search(engine.session, Limits(seconds=0))
    assert report.visits > 400
    reply = report.choices[0].move
    engine.session.play(engine.session.to_move, reply)
    assert engine.player.search(engine.session, Limits(seconds=0)).visits >= 100


def test_commands_that_leave_the_position_only_pause_pondering() -> None:
    """Such as those by which a referee asks for the winrate of the move."""
    server = make_server(ponder=True, visits=200)
    lines = ["genmove b", "gomill-explain_last_move", "# a comment", "showboard", "undo"]
    for line, thinks in zip(lines, [True, True, True, True, False], strict=True):
        list(server.answers([line]))
        assert ("pondering" in {thread.name for thread in threading.enumerate()}) == thinks


def test_engine_is_idle_without_pondering() -> None:
    server = make_server(visits=200)
    list(server.answers(["genmove b"]))
    used = time.process_time()
    time.sleep(0.1)
    assert time.process_time() - used < 0.05


def test_live_graphics(capfd: pytest.CaptureFixture[str]) -> None:
    server = make_server(live_graphics=True, size=(3, 3))
    for move in ("b a1", "w c3"):
        server.answer(f"play {move}")
    server.answer("genmove b")
    lines = capfd.readouterr().err.splitlines()
    assert lines
    assert all(re.fullmatch(r"gogui-gfx: VAR( [bw] [ABC][123])+", line) for line in lines)
    assert lines[0].split()[2] == "b"


@pytest.mark.parametrize(
    "command", ["pinchtp-visits", "pinchtp-winrates", "pinchtp-priors", "pinchtp-ownership"]
)
def test_heat_maps(command: str) -> None:
    server = make_server(network="none")
    server.answer("play b d4")
    text = str(server.answer(command))
    points = re.findall(r"COLOR #[0-9a-f]{6} ([A-G][1-7])\nLABEL \1 \S{1,4}\n", text)
    assert len(points) == len(set(points)) > 5
    assert text.count("\n") == 2 * len(points) + 1


def test_connection_chances_add_up() -> None:
    server = make_server(size=(3, 3), time=60)  # it is proven in a moment
    server.answer("play b b2")  # White swaps and wins: White owns top and bottom then
    _, black, _, white = str(server.answer("pinchtp-connection"))[2:].split()
    assert float(black) + float(white) == pytest.approx(1, abs=0.002)
    assert float(white) == 1


def test_swap_map_of_a_solved_board() -> None:
    """rules/pinch.md: on 3x3 the openings WBW/BBB/WBW win for White or Black."""
    server = make_server(size=(3, 3))
    text = str(server.answer("pinchtp-swap_map 100000"))
    rates = dict(re.findall(r"LABEL (\S+) (\d+)", text))
    corners = {"A1", "A3", "C1", "C3"}
    assert rates == {
        f"{column}{row}": "0" if f"{column}{row}" in corners else "100"
        for column in "ABC"
        for row in (1, 2, 3)
    }


FINISHED: dict[
    str, tuple[dict[str, Any], str, str]
] = {  # games that are over: options, moves, the winner
    "board": ({"size": (2, 2)}, "b a1 w b1 b a2", "black"),
    "swapped": ({"size": (2, 2)}, "b a1 w swap b b1 w b2", "white"),
    "resigned": ({"size": (5, 5)}, "b c3 w resign", "black"),
    "passed": ({"size": (5, 5), "game": "capture-go"}, "b c3 w pass", "black"),
    "passed after": ({"size": (2, 2)}, "b a1 w b1 b a2 w pass b pass", "black"),
}


@pytest.mark.parametrize("name", FINISHED)
def test_insight_after_the_end_uses_the_result(name: str) -> None:
    """gogui-statistics asks in every position of a file, the last one too, and stops at a `?`."""
    options, moves, winner = FINISHED[name]
    server = make_server(**options)
    assert str(server.answer(f"gogui-play_sequence {moves}")) == "= \n\n"
    for command in ("best_line", "visits", "winrates", "priors"):
        assert str(server.answer(f"pinchtp-{command}")) == "= \n\n"
    chances = {"black": "black 1.000 white 0.000", "white": "black 0.000 white 1.000"}
    assert str(server.answer("pinchtp-connection")) == f"= {chances[winner]}\n\n"
    value = "win" if server.engine.session.to_move == Color[winner.upper()] else "loss"
    assert str(server.answer("pinchtp-solve 1")) == f"= {value} nodes 0\n\n"
    shown = dict(re.findall(r"LABEL (\S+) (\d+)", str(server.answer("pinchtp-ownership"))))
    rows = str(server.answer("gogui-rules_board"))[2:].split()
    labels = {"X": "100", "O": "0", ".": "50"}
    size = options["size"][0]
    vertices = [f"{column}{row}" for row in range(size, 0, -1) for column in "ABCDE"[:size]]
    assert shown == {at: labels[cell] for at, cell in zip(vertices, rows, strict=True)}


def test_multi_step_moves_are_complete() -> None:
    server = make_server(game="pinch-relocate", size=(5, 5))
    server.answer("gogui-play_sequence b E1 w A3 b A2 w A5 b D4")
    session = server.engine.session
    whole = str(server.answer("pinchtp-legal turns"))[2:].split()
    pinching = parse_move("B2", session.position)  # lifts stones
    (line,) = session.line_texts([pinching])
    assert line[1] in whole
    assert line[1].startswith("B2,")
    quiet, far = parse_move("A1", session.position), parse_move("B1", session.position)
    assert session.line_texts([quiet, far, pinching]) == session.line_texts([quiet, far])
