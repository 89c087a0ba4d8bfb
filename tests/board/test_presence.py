"""Limits of live analysis: pauses while idle, preemption by waiting visitors."""

from pathlib import Path

import pytest
from board.visits import Board, Visit, engine


def wait_for_pause(visit: Visit) -> None:
    """Waits until analysis is paused and checks that reports stop."""
    visit.until(lambda state: state["analysis_paused"])
    assert "analyze" in visit.state["tasks"]
    for _ in range(100):  # some are already sent
        try:
            visit.wait("analysis", timeout=0.7)
        except TimeoutError:
            return
    pytest.fail("reports do not stop")


def test_analysis_pauses_without_input(tmp_path: Path) -> None:
    with Board(tmp_path, "--idle", "0.03") as board, board.visit() as visit:
        visit.send("analyze", on=True)
        wait_for_pause(visit)
        visit.send("set-visible", visible=True)
        visit.wait("analysis")
        assert not visit.state["analysis_paused"]


def test_analysis_pauses_while_hidden(visit: Visit) -> None:
    visit.send("analyze", on=True)
    visit.wait("analysis")
    visit.send("set-visible", visible=False)
    wait_for_pause(visit)
    visit.send("set-visible", visible=True)
    visit.wait("analysis")


def test_second_page_keeps_analysis_running(server: Board, visit: Visit) -> None:
    with server.visit(visit.cookie) as second:
        visit.send("analyze", on=True)
        visit.wait("analysis")
        visit.send("set-visible", visible=False)
        first = second.wait("analysis")
        second.wait("analysis", where=lambda each: each["visits"] > first["visits"])
        assert not second.state["analysis_paused"]
    wait_for_pause(visit)


def test_guest_does_not_keep_analysis_running(server: Board, visit: Visit) -> None:
    visit.ask("load", "state", text="(;SZ[5]RU[pinch];B[cc])")  # a game in play has no analysis
    path = visit.ask("invite", "invitation", color="white", id=1)["watcher"]["address"]
    visit.send("analyze", on=True)
    visit.wait("analysis")
    with Visit(server, visit.cookie, path=path) as guest:
        assert guest.state["tasks"] == []
        visit.send("set-visible", visible=False)
        wait_for_pause(visit)
        guest.send("set-visible", visible=True)
        wait_for_pause(visit)
        assert not guest.state["analysis_paused"]


def test_analysis_is_preempted_by_a_waiting_visitor(tmp_path: Path) -> None:
    with Board(tmp_path, "--engines", "1") as board, board.visit() as one, board.visit() as other:
        one.send("analyze", on=True)
        one.wait("analysis")
        other.new_game("pinch", 5, players={"white": engine(visits=20)}, options={"pie": False})
        other.ask("play", "state", at=12)
        other.until(lambda state: state["number"] == 2)
        one.wait("notice", where=lambda each: "is queued" in each["text"])
        one.wait("analysis")  # its turn again
