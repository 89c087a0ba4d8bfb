"""Reviews of games by our engine."""

import pytest
from boards import session_after

from pinchtp.engine.engine import analyze
from pinchtp.engine.own import own_engines
from pinchtp.games import GAMES, Color
from pinchtp.games.session import Session
from pinchtp.player.player import Limits
from pinchtp.player.settings import Settings
from pinchtp.review.review import GameReview, review


def reviewed(session: Session, jobs: int = 2) -> GameReview:
    return review(session, own_engines(Settings(memory=64), jobs), Limits(visits=400))


def test_best_play_of_a_solved_game_loses_nothing() -> None:
    """B2 wins on 3x3 without the pie rule (pinchtp solve --size 3 --no-pie --each)."""
    found = reviewed(session_after("pinch", "b2 a1 b1 a2 b3", 3, 3, pie=False))
    assert [move.text for move in found.moves] == ["B2", "A1", "B1", "A2", "B3"]
    assert found.start.winrate == 1
    assert [move.loss for move in found.moves] == [0, 0, 0, 0, 0]
    assert [move.black for move in found.moves] == [1, 1, 1, 1, 1]
    assert found.worst() == []
    assert found.turning_point(Color.WHITE) is None


def test_turning_point_is_the_last_move_that_gave_up_the_game() -> None:
    """A1 loses, C2 and A2 return the gift, B1 too; all proven."""
    found = reviewed(session_after("pinch", "a1 b3 c1 c2 b1 a2", 3, 3, pie=False))
    assert [move.loss for move in found.moves] == [1, 0, 0, 1, 1, 1]
    assert found.turning_point(Color.BLACK) is found.moves[4]
    assert found.turning_point(Color.WHITE) is found.moves[5]
    assert found.worst() == [found.moves[at] for at in (0, 3, 4, 5)]
    assert found.mean_loss(Color.BLACK) == pytest.approx(2 / 3)


def test_review_does_not_depend_on_the_number_of_jobs() -> None:
    session = session_after("pinch", "c3 b4 d2 d3 a2", 6, 6)
    one, two = (reviewed(session, jobs) for jobs in (1, 2))
    assert [move.after for move in one.moves] == [move.after for move in two.moves]


def test_swap_and_resignation_are_reviewed() -> None:
    session = session_after("pinch", "b2 swap", 4, 4)
    session.resign(Color.BLACK)
    found = reviewed(session)
    assert [(move.number, move.text) for move in found.moves] == [(1, "B2"), (2, "swap")]
    assert found.mean_loss(Color.WHITE) == found.moves[1].loss


@pytest.mark.parametrize("name", GAMES)
def test_multi_step_moves_count_once(name: str) -> None:
    session = session_after(name, "", *((10, 10) if name == "bushka" else (5, 5)))
    for at in range(8):
        legal = session.position.legal_moves()
        session.play(session.to_move, legal[at * 5 % len(legal)])
        while session.position.mid_turn:
            session.play(session.to_move, session.position.legal_moves()[0])
        if session.is_over:
            break
    found = review(session, own_engines(Settings(memory=64), 1), Limits(visits=20))
    assert len(found.moves) == len(session.turns())
    assert all(0 <= move.loss <= 1 and 0 <= move.black <= 1 for move in found.moves)


def test_progress_counts_evaluations() -> None:
    """A resignation and a pass after it need none."""
    seen: list[tuple[int, int]] = []
    session = session_after("pinch", "c3 b4", 9, 9)
    session.resign(Color.BLACK)
    session.play(Color.WHITE, *session.parse("pass"))
    engines = own_engines(Settings(memory=64), 1)
    review(session, engines, Limits(seconds=0.25), lambda *counts: seen.append(counts))
    assert seen == sorted(seen)
    assert 0 <= seen[0][0] <= seen[-1][0] <= 3
    assert {total for _, total in seen} == {3}


def test_evaluation_of_a_finished_game_is_its_result() -> None:
    session = session_after("pinch", "a1 b2 a2", 2, 2, pie=False)
    (engine,) = own_engines(Settings(memory=64), 1)
    found = analyze(engine, session, Limits(visits=1))
    assert found is not None
    assert (found.winrate, found.visits, found.pv) == (0, 0, ())
