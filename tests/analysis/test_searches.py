"""`pinchtp analysis`: several searches at a time, their order, reports and ends."""

import json
import time
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest
from analysis.program import LONG, MOVES, SMALL, KeptAnswers, Live, run
from clients import bounded

from pinchtp._core import Position
from pinchtp.analysis.command import act
from pinchtp.analysis.engine import AnalysisEngine
from pinchtp.analysis.queries import read_query
from pinchtp.games.session import Session
from pinchtp.player.settings import Settings


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


def test_first_report_has_its_own_time(live: Live) -> None:
    query = {"boardXSize": 19, "boardYSize": 19, "maxTime": 2}
    for first, every in ((0.05, None), (0.05, 0.3), (0.3, 0.05)):
        fields = {} if every is None else {"reportDuringSearchEvery": every}
        began = time.monotonic()
        live.send(id="a", **query, firstReportDuringSearchAfter=first, **fields)
        arrived = []
        while live.receive()["isDuringSearch"]:
            arrived.append(time.monotonic() - began)
        assert arrived
        assert arrived[0] >= first
        assert every is not None or len(arrived) == 1


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

        def __neg__(self) -> "Priority":
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
