"""Engine jobs, derived from the table and the visitor's requests."""

import pytest

from pinchtp.board.engines.jobs import (
    ConsoleTask,
    HintTask,
    LiveAnalysisTask,
    PendingRequests,
    ReviewTask,
    plan_jobs,
)
from pinchtp.board.protocol.players import PlayerChoice, Players, Strength
from pinchtp.board.rating import Ratings
from pinchtp.board.table import Table
from pinchtp.games import Color

HUMANS = Players()
AGAINST_AN_ENGINE = Players(white=PlayerChoice(engine=0, level=Strength(visits=20)))


def jobs(
    table: Table, pending: PendingRequests | None = None, *, is_watched: bool = True
) -> list[str]:
    """Returns the kinds of the jobs."""
    found = plan_jobs(table, pending or PendingRequests(), Ratings(), is_watched=is_watched)
    return [job.task.kind for job in found]


@pytest.fixture
def table() -> Table:
    """A game of a human against an engine."""
    made = Table()
    made.players = AGAINST_AN_ENGINE
    return made


def test_engine_moves_on_its_turn_in_a_live_game(table: Table) -> None:
    assert jobs(table) == []
    table.play_text("c3")
    assert jobs(table) == ["move"]
    table.live = False
    assert jobs(table) == []
    table.live = True
    table.resign(table.to_move)
    assert jobs(table) == ["chart"]  # at full strength, after the game
    table.show(table.tree.root)
    assert jobs(table) == ["chart"]


def test_move_job_changes_with_the_players(table: Table) -> None:
    table.play_text("c3")
    (job,) = plan_jobs(table, PendingRequests(), Ratings(), is_watched=True)
    assert plan_jobs(table, PendingRequests(), Ratings(), is_watched=False) == [job]
    table.players = Players(white=PlayerChoice(engine=0, level=Strength(visits=30)))
    assert plan_jobs(table, PendingRequests(), Ratings(), is_watched=True) != [job]


def test_opponent_waits_for_the_teacher(table: Table) -> None:
    table.teach = True
    assert jobs(table) == ["expect"]
    table.play_text("c3")
    table.judge_last()
    assert jobs(table) == ["teach"]
    table.forget_lesson()
    assert jobs(table) == ["move"]


def test_teacher_rests_in_a_game_with_a_friend() -> None:
    table = Table()
    table.players = HUMANS
    table.teach = True
    table.friend = Color.WHITE
    assert jobs(table) == []
    table.play_text("c3")
    table.judge_last()
    assert jobs(table) == []


def test_analysis_follows_the_board_and_pauses_unwatched(table: Table) -> None:
    pending = PendingRequests()
    pending.add(LiveAnalysisTask(), table, 0)
    (before,) = plan_jobs(table, pending, Ratings(), is_watched=True)
    table.players = HUMANS
    table.play_text("c3")
    pending.drop_obsolete(table)
    (after,) = plan_jobs(table, pending, Ratings(), is_watched=True)
    assert (before.node, after.node) == (table.tree.root, table.node)
    assert jobs(table, pending, is_watched=False) == []
    assert pending.list_kinds() == ["analyze"]


def test_requests_about_other_positions_are_dropped(table: Table) -> None:
    pending = PendingRequests()
    for task in (HintTask(), ReviewTask(100), ConsoleTask("name", 1, 10.0)):
        pending.add(task, table, 0)
    table.play_text("c3")
    pending.drop_obsolete(table)
    assert pending.list_kinds() == ["review", "console"]
    table.rematch()
    pending.drop_obsolete(table)
    assert not list(pending)
