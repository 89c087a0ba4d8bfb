"""Our engine in this process."""

import pytest
from boards import pinch

from pinchtp.engine.analysis import Analysis
from pinchtp.engine.engine import analyze
from pinchtp.engine.own import LEAST_MEMORY, OwnEngine, own_engines
from pinchtp.games import Color
from pinchtp.player.player import Limits
from pinchtp.player.settings import Settings


def test_play_returns_text_and_moves_of_a_turn() -> None:
    session = pinch(3, 3, "", pie=False)
    result = OwnEngine(Settings(memory=16, seed=1)).play(session, Limits(visits=200))
    assert (result.move, result.moves) == ("B2", session.parse("b2"))
    assert result.winrate is not None
    assert result.winrate.white() == 0


def test_engine_resigns_below_its_limit() -> None:
    settings = Settings(memory=16, seed=1, resign=0.5)
    lost = pinch(3, 3, "b2", pie=False)
    result = OwnEngine(settings).play(lost, Limits(visits=200))
    assert (result.move, result.moves) == ("resign", ())


def test_kept_tree_counts_earlier_visits() -> None:
    session = pinch(6, 6, "")
    kept = OwnEngine(Settings(memory=16, seed=1))
    fresh = own_engines(Settings(memory=16), 1)[0]
    for engine in (kept, fresh):
        analyze(engine, session, Limits(visits=100))
    again = [analyze(engine, session, Limits(visits=10)) for engine in (kept, fresh)]
    assert [each is not None and each.visits for each in again] == [100, 10]


def test_few_visits_take_little_memory() -> None:
    (engine,) = own_engines(Settings(memory=1000), 1)
    analyze(engine, pinch(4, 4, ""), Limits(visits=10))
    assert engine.settings.memory == LEAST_MEMORY
    analyze(engine, pinch(4, 4, ""), Limits(seconds=0.01))
    assert engine.settings.memory == 1000


def test_analysis_of_a_finished_game_is_its_result() -> None:
    session = pinch(3, 3, "b2 a1 b1 a2 b3", pie=False)
    analysis = analyze(OwnEngine(Settings(memory=16)), session, Limits())
    assert analysis == Analysis.of_result(session)
    assert analysis.winrate.black() == 1
    assert (analysis.pv, analysis.line(session)) == ((), [])


@pytest.mark.parametrize("color", Color)
def test_owners_are_for_black(color: Color) -> None:
    session = pinch(3, 3, "b2 a1" if color is Color.BLACK else "b2 a1 a2", pie=False)
    assert session.to_move == color
    analysis = analyze(
        OwnEngine(Settings(memory=16, seed=1)), session, Limits(visits=50), ownership=True
    )
    assert analysis is not None
    assert analysis.owners is not None
    assert analysis.owners[1][1] > 0.5
