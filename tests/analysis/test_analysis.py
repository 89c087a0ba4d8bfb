"""`pinchtp analysis`, driven as its clients drive it."""

from __future__ import annotations

import errno
import json
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any
from unittest.mock import patch

import pytest
from clients import FOLDER, PATIENCE, PROGRAM, bounded
from clients import run as run_program

from pinchtp._core import Position
from pinchtp.analysis import output
from pinchtp.analysis.command import act
from pinchtp.analysis.engine import AnalysisEngine
from pinchtp.analysis.output import AnswerWriter
from pinchtp.analysis.queries import NAMES, read_query
from pinchtp.engine import evaluator
from pinchtp.games.session import Session
from pinchtp.player.settings import Settings

MOVES = [["B", "E5"], ["W", "C3"], ["B", "D6"], ["W", "F4"]]
SMALL = {"boardXSize": 5, "boardYSize": 5, "maxVisits": 20}


def run(*requests: dict[str, Any] | str, options: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """Returns the answers to lines of input, until the program ends by itself."""
    text = "\n".join(each if isinstance(each, str) else json.dumps(each) for each in requests)
    done = subprocess.run(
        [*PROGRAM, "analysis", *options],
        input=text + "\n",
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def answers() -> dict[int, dict[str, Any]]:
    """The answers for each turn of a game, by turn."""
    query = {
        "id": "g",
        "moves": MOVES,
        "boardXSize": 9,
        "boardYSize": 7,
        "analyzeTurns": [0, 1, 4],
        "maxVisits": 60,
        "includePolicy": True,
        "includeOwnership": True,
        "includePVVisits": True,
    }
    found = run(query)
    assert {each["id"] for each in found} == {"g"}
    assert not any(each["isDuringSearch"] for each in found)
    return {each["turnNumber"]: each for each in found}


def test_each_turn_has_one_answer(answers: dict[int, dict[str, Any]]) -> None:
    assert sorted(answers) == [0, 1, 4]
    assert [answers[turn]["rootInfo"]["currentPlayer"] for turn in (0, 1, 4)] == ["B", "W", "B"]


def test_moves_have_the_names_of_katago(answers: dict[int, dict[str, Any]]) -> None:
    for each in answers.values():
        visits = sum(move["visits"] for move in each["moveInfos"])
        assert visits >= each["rootInfo"]["visits"] - 60
        for order, move in enumerate(each["moveInfos"]):
            assert move["order"] == order
            assert move["pv"][0] == move["move"]
            assert len(move["pvVisits"]) == len(move["pv"])
            assert move["utility"] == pytest.approx(2 * move["winrate"] - 1, abs=2e-6)
            assert 0 <= move["prior"] <= 1


def test_policy_and_ownership_are_rows_from_the_top(answers: dict[int, dict[str, Any]]) -> None:
    last = answers[4]
    policy = last["policy"]
    assert len(policy) == 9 * 7 + 1
    taken = [(4, 5), (2, 3), (3, 6), (5, 4)]  # column from 0 and row from 1, as in MOVES
    for x, row in taken:
        assert policy[(7 - row) * 9 + x] == -1
    assert policy[-1] == -1  # no swap any more
    assert sum(prior for prior in policy if prior >= 0) == pytest.approx(1, abs=1e-3)
    assert len(last["ownership"]) == 9 * 7
    assert all(-1 <= value <= 1 for value in last["ownership"])
    assert answers[1]["policy"][-1] >= 0  # the swap


def test_winrates_are_those_of_black_or_as_set() -> None:
    query = {"id": "b", "moves": MOVES[:3], **SMALL, "boardXSize": 9, "boardYSize": 9}
    found = run(
        query,
        {**query, "id": "w", "overrideSettings": {"reportAnalysisWinratesAs": "WHITE"}},
        {**query, "id": "s", "overrideSettings": {"reportAnalysisWinratesAs": "SIDETOMOVE"}},
    )
    by_id = {each["id"]: each for each in found}
    black, white, side = (by_id[name]["moveInfos"][0] for name in "bws")
    assert white["winrate"] == side["winrate"]
    assert black["winrate"] == pytest.approx(1 - white["winrate"], abs=2e-6)
    assert black["lcb"] == pytest.approx(1 - white["lcb"], abs=2e-6)


def test_katrain_is_answered() -> None:
    """The fields that its engine.py sends, all of them."""
    query = {
        "rules": "japanese",
        "priority": 0,
        "analyzeTurns": [2],
        "maxVisits": 30,
        "komi": 6.5,
        "boardXSize": 9,
        "boardYSize": 9,
        "includeOwnership": True,
        "includeMovesOwnership": True,
        "includePolicy": True,
        "initialStones": [],
        "initialPlayer": "B",
        "moves": MOVES[:2],
        "overrideSettings": {"wideRootNoise": 0.04, "maxTime": 8.0},
        "_kt_continuous": False,
        "id": "QUERY:1",
        "avoidMoves": [
            {"moves": ["A1", "A2"], "player": player, "untilDepth": 1} for player in "BW"
        ],
    }
    found = run(query, {"action": "terminate", "terminateId": "QUERY:0", "id": "QUERY:2"})
    warning, *rest = found
    assert warning["field"] == "_kt_continuous"
    by_id = {each["id"]: each for each in rest}
    assert by_id["QUERY:2"]["action"] == "terminate"
    best = by_id["QUERY:1"]["moveInfos"][0]
    assert best["visits"] > 0
    for each in (best, by_id["QUERY:1"]["rootInfo"]):
        assert each["scoreLead"] == 0  # KaTrain fails without (katrain/core/game_node.py)
    assert not {"A1", "A2"} & {move["move"] for move in by_id["QUERY:1"]["moveInfos"]}


def test_command_line_of_katago_starts_it() -> None:
    katago = "-config F -model F -analysis-threads 2 -override-config a=b -quit-without-waiting"
    done = run_program("analysis", *katago.split(), sent=b'{"id":"1","action":"query_version"}\n')
    assert (done.returncode, done.stdout.count("query_version")) == (0, 1)
    assert sorted(line.split()[2] for line in done.stderr.splitlines()) == [
        "-config",
        "-model",
        "-override-config",
    ]


def test_setup_and_rules_are_accepted() -> None:
    found = run(
        {"id": "1", **SMALL, "initialStones": [["B", "C3"], ["W", "D4"]], "initialPlayer": "W"},
        {
            "id": "2",
            **SMALL,
            "rules": {"pie": False},
            "moves": [["B", "C3"]],
            "includePolicy": True,
        },
        {"id": "3", "game": "bushka", "maxVisits": 50, "includePolicy": True},
        {"id": "4", **SMALL, "game": "pinch-relocate", "moves": RELOCATION, "maxVisits": 50},
        {"id": "5", "game": "capture-go", **SMALL, "rules": {"scoring": "AREA", "ko": "SIMPLE"}},
    )
    by_id = {each["id"]: each for each in found}
    assert by_id["1"]["rootInfo"]["currentPlayer"] == "W"
    assert by_id["2"]["policy"][-1] == -1
    assert "policy" not in by_id["3"]
    assert "," in by_id["4"]["moveInfos"][0]["move"] or by_id["4"]["turnNumber"] == len(RELOCATION)
    assert by_id["5"]["rootInfo"]["visits"] >= 1


RELOCATION = [["B", "B2"], ["W", "swap"], ["B", "B3"], ["W", "C2"], ["B", "D4"], ["W", "D3"]]


def test_finished_game_has_a_result_and_owners_and_no_moves() -> None:
    moves = [["B", "B2"], ["W", "A1"], ["B", "B1"], ["W", "C3"], ["B", "B3"]]
    query = {"moves": moves, "boardXSize": 3, "boardYSize": 3, "includeOwnership": True}
    (found,) = run({"id": "e", **query})
    assert found["moveInfos"] == []
    assert found["rootInfo"]["winrate"] == 1
    assert found["ownership"] == [0, 1, -1, 0, 1, 0, -1, 1, 0]


# Wrong requests, with the field of the error and a part of its text.
WRONG: list[tuple[Any, str | None, str]] = [
    ("{", None, "Could not parse input line as JSON"),
    ("[]", "id", "an object with a string id"),
    ({"id": 5}, "id", "an object with a string id"),
    ({"id": "a", "maxVisits": "x"}, "maxVisits", "got `str`"),
    ({"id": "a", "maxVisits": 0}, "maxVisits", ">= 1"),
    ({"id": "a", "boardXSize": 26}, "boardXSize", "<= 25"),
    ({"id": "a", "game": "go"}, "game", "no game 'go'; there are pinch"),
    ({"id": "a", "rules": {"pie": 3}}, "rules", "pie"),
    ({"id": "a", "moves": [["B", "E5"], ["B", "E6"]]}, "moves", "Illegal move 2: B E6"),
    ({"id": "a", "moves": [["X", "E5"]]}, "moves", "invalid color 'X'"),
    ({"id": "a", "analyzeTurns": [1]}, "analyzeTurns", "turn 1: there are 0 moves"),
    ({"id": "a", "analyzeTurns": []}, "analyzeTurns", "give at least one turn"),
    ({"id": "a", "priorities": [1, 2]}, "priorities", "one priority for each"),
    ({"id": "a", "initialStones": [["B", "Z9"]]}, "initialStones", ""),
    ({"id": "a", "overrideSettings": {"foo": 1}}, "overrideSettings", "no setting 'foo'"),
    ({"id": "a", "overrideSettings": {"maxTime": -1}}, "overrideSettings", "> 0"),
    (
        {"id": "a", "avoidMoves": [{"player": "B", "moves": ["C3"], "untilDepth": 2}]},
        "avoidMoves",
        "only untilDepth 1",
    ),
    (
        {"id": "a", "allowMoves": [{"player": "B", "moves": ["pass"], "untilDepth": 1}]},
        "allowMoves",
        "no legal move is left",
    ),
    ({"id": "a", "action": "dance"}, "action", "no action 'dance'; there are query_version"),
    ({"id": "a", "action": "terminate"}, "terminateId", "give the id"),
    ({"id": "a", "action": "terminate_all", "turnNumbers": [[]]}, "turnNumbers", "list of"),
]


@pytest.fixture(scope="module")
def errors() -> list[dict[str, Any]]:
    """The answers to WRONG, by one program."""
    found = run(*(request for request, _, _ in WRONG))
    assert len(found) == len(WRONG)
    return found


@pytest.mark.parametrize(
    ("place", "field", "text"), [(at, *row[1:]) for at, row in enumerate(WRONG)]
)
def test_errors_name_the_field(
    errors: list[dict[str, Any]], place: int, field: str | None, text: str
) -> None:
    assert text in errors[place]["error"]
    assert errors[place].get("field") == field


def test_actions_are_answered() -> None:
    found = run(
        {"id": "v", "action": "query_version"},
        {"id": "m", "action": "query_models"},
        {"id": "c", "action": "clear_cache"},
        {"id": "t", "action": "terminate_all"},
    )
    assert [each["id"] for each in found] == ["v", "m", "c", "t"]
    assert found[0]["version"]
    assert {each["game"] for each in found[1]["models"]} >= {"pinch", "capture-go"}


class Live:
    """A running program."""

    def __init__(self, *options: str) -> None:
        self.process = subprocess.Popen(
            [*PROGRAM, "analysis", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def send(self, **request_: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(request_) + "\n")
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found


@pytest.fixture
def live() -> Iterator[Live]:
    live = Live("--jobs", "1")
    with bounded(live.process):
        yield live
    assert live.process.stdin is not None
    assert live.process.stdout is not None
    live.process.stdin.close()
    assert live.process.wait(20) == 0
    live.process.stdout.close()


def test_reports_come_during_the_search_until_terminated(live: Live) -> None:
    live.send(id="a", boardXSize=19, boardYSize=19, maxVisits=10**8, reportDuringSearchEvery=0.05)
    first, second = live.receive(), live.receive()
    assert first["isDuringSearch"]
    assert second["rootInfo"]["visits"] >= first["rootInfo"]["visits"]
    live.send(id="t", action="terminate", terminateId="a")
    found = live.receive()
    while found["id"] == "a" and found["isDuringSearch"]:
        found = live.receive()
    ends = [found, live.receive()]
    while any(each.get("isDuringSearch") for each in ends):
        ends = [*[each for each in ends if not each.get("isDuringSearch")], live.receive()]
    assert {each["id"] for each in ends} == {"a", "t"}


class KeptAnswers(AnswerWriter):
    """Keeps the answers instead of writing them."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[dict[str, Any]] = []

    def send(self, answer: dict[str, Any]) -> None:
        self.sent.append(answer)


def test_network_judges_a_position_once_for_all_its_reports(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evaluate = Position.evaluate
    evaluated = []

    def counting(position: Position, *arguments: Any) -> Any:
        evaluated.append(position)
        return evaluate(position, *arguments)

    monkeypatch.setattr(Position, "evaluate", counting)
    kept = KeptAnswers()
    engine = AnalysisEngine(Settings(), 1, kept)
    query = {"id": "a", "maxTime": 0.3, "reportDuringSearchEvery": 0.02, "includePolicy": True}
    engine.add(read_query(query, "pinch"))
    engine.close(finish=True)
    assert len(kept.sent) > 2
    assert len({str(each["policy"]) for each in kept.sent}) == 1
    assert len(evaluated) == 1


def test_priority_comes_first_and_dropped_turns_have_no_results(live: Live) -> None:
    live.send(id="long", boardXSize=19, boardYSize=19, maxVisits=10**8)
    live.send(id="low", maxVisits=5)
    live.send(id="high", maxVisits=5, priority=3)
    live.send(id="never", maxVisits=5, moves=MOVES, analyzeTurns=[0, 1], priority=-1)
    live.send(id="t1", action="terminate", terminateId="never", turnNumbers=[1])
    answers = [live.receive(), live.receive()]
    assert {"never", "t1"} == {each["id"] for each in answers}
    assert any(each.get("noResults") and each["turnNumber"] == 1 for each in answers)
    live.send(id="t2", action="terminate", terminateId="long")
    order = [live.receive()["id"] for _ in range(5)]
    assert [each for each in order if each in ("high", "low", "never")] == ["high", "low", "never"]


def test_results_repeat_whatever_the_order() -> None:
    queries = [
        {"id": str(turn), "moves": MOVES[:turn], "boardXSize": 9, "boardYSize": 9, "maxVisits": 40}
        for turn in range(5)
    ]
    one = {each["id"]: each for each in run(*queries, options=("--jobs", "1"))}
    two = {each["id"]: each for each in run(*reversed(queries), options=("--jobs", "2"))}
    assert one == two


def test_many_queries_with_repeated_ids_are_all_answered() -> None:
    count = 3000
    lines = [json.dumps({**SMALL, "id": str(n % 10), "maxVisits": 1}) for n in range(count)]
    lines[::100] = ["{broken"] * (count // 100)
    found = run(*lines)
    assert len(found) == count
    assert sum("error" in each for each in found) == count // 100


def test_overlong_line_is_refused_and_the_next_is_answered() -> None:
    error, found = run('{"id": "x", "game": "' + "a" * (3 << 20) + '"}', {"id": "n", **SMALL})
    assert "at most" in error["error"]
    assert found["id"] == "n"


@pytest.mark.parametrize(
    "line", ['{"id":"x","rules":{"pie":@}}', '{"id":"x","action":"query_version","a":@}', "@"]
)
def test_deeply_nested_lines_are_refused(line: str) -> None:
    """And the next line is answered."""
    depths = (40, 960, 990, 1010, 100_000)
    *errors, found = run(
        *(line.replace("@", "[" * depth + "]" * depth) for depth in depths),
        {"id": "n", **SMALL},
    )
    assert len(errors) == len(depths)
    assert all("JSON" in each["error"] for each in errors)
    assert found["id"] == "n"


def test_end_of_the_reader_ends_the_searches() -> None:
    query = b'{"id": "x", "maxVisits": 2000, "boardXSize": 9, "boardYSize": 9}\n'
    with subprocess.Popen(
        [*PROGRAM, "analysis"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write(query * 5000)  # minutes of searches
        program.stdin.close()
        with bounded(program):
            assert program.stdout.readline()
        program.stdout.close()
        assert program.wait(PATIENCE) == 0


LONG = {"boardXSize": 19, "boardYSize": 19, "maxTime": 600}


def test_search_ends_when_the_client_is_gone() -> None:
    program = Live()
    assert program.process.stdin is not None
    assert program.process.stdout is not None
    program.send(id="a", **LONG, reportDuringSearchEvery=0.01)
    program.receive()
    program.send(id="b", **LONG)
    program.process.stdin.close()
    program.process.stdout.close()
    assert program.process.wait(PATIENCE) == 0


@pytest.mark.parametrize("interval", [0, 0.005])
def test_interrupt_ends_it_with_a_full_pipe(interval: float) -> None:
    program = Live()
    assert program.process.stdin is not None
    assert program.process.stdout is not None
    program.send(id="a", **LONG, reportDuringSearchEvery=0.01)
    program.receive()
    for _ in range(300):  # more answers than a pipe holds
        program.send(id="m", action="query_models")
    time.sleep(0.5)
    program.process.send_signal(signal.SIGINT)
    time.sleep(interval)
    program.process.send_signal(signal.SIGINT)
    assert program.process.wait(10) == 130
    program.process.stdin.close()
    program.process.stdout.close()


def test_full_disk_is_reported() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("Linux has a disk that is always full")
    queries = "".join(json.dumps({"id": str(n), **SMALL}) + "\n" for n in range(500))
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*PROGRAM, "analysis"],
            input=queries,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == "pinchtp: standard output: No space left on device\n"


def test_full_disk_ends_a_full_queue(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(descriptor: int, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(evaluator, "MOST_WAITING", 3)
    monkeypatch.setattr(output, "write", fail)
    writer = AnswerWriter()
    engine = AnalysisEngine(Settings(), 2, writer)
    adding = Thread(
        target=engine.add, args=[read_query({"id": "a", "analyzeTurns": [0] * 500}, "pinch")]
    )
    adding.start()
    adding.join(PATIENCE)
    assert not adding.is_alive()
    engine.close(finish=True)
    assert writer.status == 1
    assert capfd.readouterr().err.count("No space left") == 1


def test_answer_without_memory_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Cramped(KeptAnswers):
        def send(self, answer: dict[str, Any]) -> None:
            if "moveInfos" in answer or (answer["id"] == "b" and self.sent):
                raise MemoryError
            super().send(answer)

    kept = Cramped()
    engine = AnalysisEngine(Settings(), 1, kept)
    for name in "ab":
        engine.add(read_query({"id": name, **SMALL}, "pinch"))
    engine.close(finish=True)
    assert kept.sent == [{"error": "out of memory", "id": "a", "turnNumber": 0}]
    assert kept.status == 1  # the answer to b was lost


def test_many_turns_are_terminated_in_linear_time() -> None:
    kept = KeptAnswers()
    count = 20_000
    engine = AnalysisEngine(Settings(), 1, kept)
    engine.add(read_query({"id": "long", **LONG}, "pinch"))
    engine.add(read_query({"id": "a", "analyzeTurns": [0] * count}, "pinch"))
    start = time.monotonic()
    turns = [*range(1, count + 1)]
    act({"id": "t", "action": "terminate_all", "turnNumbers": turns}, engine, kept, Settings())
    assert time.monotonic() - start < 1
    engine.close(finish=False)
    assert len(kept.sent) == count + 2


def test_terminate_without_a_match_compares_no_tasks() -> None:
    class Priority(int):
        compared = 0

        def __neg__(self) -> Priority:
            return self

        def __lt__(self, other: int) -> bool:
            Priority.compared += 1
            return int(self) < int(other)

    engine = AnalysisEngine(Settings(), 1, KeptAnswers())
    engine.add(read_query({"id": "long", **LONG}, "pinch"))
    query = read_query({"id": "a", "analyzeTurns": [0] * 100}, "pinch")
    query.priorities = [Priority(each) for each in range(100)]
    engine.add(query)
    Priority.compared = 0
    engine.terminate("b")
    assert Priority.compared == 0
    engine.close(finish=False)


def test_game_of_a_query_is_played_once() -> None:
    moves = [["BW"[at % 2], f"{'ABCDE'[at % 5]}{at // 5 + 1}"] for at in range(10)]
    raw = {"id": "a", **SMALL, "rules": {"pie": False}, "moves": moves}
    query = read_query({**raw, "analyzeTurns": list(range(11))}, "pinch")
    kept = KeptAnswers()
    engine = AnalysisEngine(Settings(), 1, kept)
    with patch.object(Session, "parse", autospec=True, side_effect=Session.parse) as parse:
        engine.add(query)
        engine.close(finish=True)
    assert len(kept.sent) == 11
    assert parse.call_count == 10


def test_thread_that_does_not_start_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unstarted(Thread):
        def start(self) -> None:
            if self.name == "evaluator-1":
                raise RuntimeError("can't start new thread")
            super().start()

    monkeypatch.setattr(evaluator, "Thread", Unstarted)
    with pytest.raises(ValueError, match="cannot start 2 threads, only 1; give fewer --jobs"):
        AnalysisEngine(Settings(), 2, AnswerWriter())


def test_quit_without_waiting_drops_the_queue() -> None:
    found = run(
        *({"id": "x", "boardXSize": 19, "boardYSize": 19, "maxVisits": 10**8} for _ in range(5)),
        options=("--quit-without-waiting", "--jobs", "1"),
    )
    assert len(found) == 5
    assert sum(each.get("noResults", False) for each in found) >= 4


def shape(value: Any) -> Any:
    """Returns the keys of a value, and the types of the rest."""
    if isinstance(value, dict):
        return {key: shape(each) for key, each in value.items()}
    if isinstance(value, list):
        return [shape(each) for each in value[:1]]
    return type(value)


def test_session_of_the_guide_is_true() -> None:
    text = (FOLDER.parent / "pinchtp" / "analysis" / "README.md").read_text("utf-8")
    query, answer = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.S))
    (found,) = run(query)
    assert shape(found) == shape(answer)
    assert found["moveInfos"][0]["move"] == answer["moveInfos"][0]["move"]


def test_guide_lists_all_fields() -> None:
    text = (FOLDER.parent / "pinchtp" / "analysis" / "README.md").read_text("utf-8")
    silent = {"whiteHandicapBonus", "includeOwnershipStdev", "includeMovesOwnershipStdev"}
    assert [name for name in sorted(NAMES - silent) if f"`{name}`" not in text] == []
