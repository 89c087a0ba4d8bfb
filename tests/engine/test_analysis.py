"""Candidates of our search: which are shown, and their lower bounds."""

import pytest

from pinchtp.engine.analysis import Analysis, candidates, legal_line
from pinchtp.games import GAMES, Color
from pinchtp.games.session import Session
from pinchtp.player.player import Limits, Player
from pinchtp.player.settings import Settings
from pinchtp.records.reader import read_position

WON = "..X../..X../..X../..X../....."


def make(text: str) -> tuple[Session, Player]:
    session = read_position(text, Session(GAMES["pinch"], 5, 5)).session()
    return session, Player(Settings(seed=1, memory=16))


@pytest.mark.parametrize(("color", "winrate", "proof"), [("b", 1, "win"), ("w", 0, "loss")])
def test_bound_of_a_proven_move_is_its_winrate(color: str, winrate: float, proof: str) -> None:
    session, player = make(f"{WON} {color}")
    analysis = Analysis.of(session, player.search(session, Limits(visits=50)))
    assert analysis is not None
    best = analysis.best
    assert (best.proof, best.winrate, best.lcb) == (proof, winrate, winrate)


def test_bound_of_an_open_move_is_below_its_winrate() -> None:
    session, player = make("...../...../..X../...../..... w")
    for candidate in candidates(session, player.search(session, Limits(visits=50))):
        assert candidate.visits > 0
        assert candidate.lcb is not None
        assert candidate.lcb < candidate.winrate


def test_moves_without_visits_fill_up() -> None:
    session, player = make(f"{WON} b")
    report = player.search(session, Limits(visits=1))
    assert [each.move for each in candidates(session, report)] == ["C1"]
    assert [each.visits for each in candidates(session, report, 3)] == [0, 0, 0]


def test_line_stops_at_an_illegal_turn_and_at_the_end_of_the_game() -> None:
    session = Session(GAMES["capture-go"], 3, 3)
    legal = [(Color.BLACK, "A1"), (Color.WHITE, "A2")]
    assert legal_line(session, ["a1", "A2", "A2"]) == legal
    won = [*legal, (Color.BLACK, "C3"), (Color.WHITE, "B1")]
    assert legal_line(session, ["a1", "A2", "C3", "B1", "pass"]) == won
