"""Many positions on several engines: order, priorities, errors and the end."""

from threading import Event, Lock

import pytest
from boards import pinch
from clients import PATIENCE

from pinchtp.client import EngineError
from pinchtp.engine.analysis import Analysis
from pinchtp.engine.evaluator import Evaluator, evaluate_all
from pinchtp.engine.own import OwnEngine, own_engines
from pinchtp.games.session import Session
from pinchtp.player.player import Limits
from pinchtp.player.settings import Settings

GAMES = ("", "a1", "b2 a1", "b2 a1 b1 a2 b3")  # the last one is over


def sessions() -> list[Session]:
    return [pinch(3, 3, moves, pie=False) for moves in GAMES]


def evaluated(jobs: int) -> list[Analysis]:
    return evaluate_all(own_engines(Settings(memory=64), jobs), sessions(), Limits(visits=100))


def test_results_have_the_order_of_positions() -> None:
    assert [len(analysis.candidates) > 0 for analysis in evaluated(2)] == [True] * 3 + [False]
    assert evaluated(2)[-1] == Analysis.of_result(sessions()[-1])


def test_results_do_not_depend_on_the_number_of_engines() -> None:
    assert evaluated(1) == evaluated(3)


class BrokenEngine(OwnEngine):
    """An engine that fails."""

    def analyze(self, *arguments: object, **options: object) -> None:
        raise EngineError("broken")


def test_failure_of_an_engine_ends_the_evaluation() -> None:
    with pytest.raises(EngineError, match="broken"):
        evaluate_all([BrokenEngine(Settings(memory=16))], sessions(), Limits(visits=100))


def test_tasks_are_taken_by_priority_and_dropped_by_choice() -> None:
    begun = Event()
    go_on = Event()
    lock = Lock()
    done: list[str] = []

    def work(engine: OwnEngine, task: str) -> None:
        begun.set()
        go_on.wait(PATIENCE)
        with lock:
            done.append(task)

    evaluator = Evaluator(own_engines(Settings(memory=16), 1), work)
    evaluator.add("first")
    assert begun.wait(PATIENCE)
    for task, priority in (("low", -1), ("dropped", 5), ("normal", 0), ("high", 9)):
        evaluator.add(task, priority)
    assert evaluator.drop(lambda task: task in ("dropped", "first")) == (["dropped"], ["first"])
    go_on.set()
    evaluator.close()
    assert done == ["first", "high", "normal", "low"]
