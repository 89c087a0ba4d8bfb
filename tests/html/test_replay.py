"""Games replayed for the browser."""

from __future__ import annotations

from pinchtp.games import GAMES
from pinchtp.games.session import Session
from pinchtp.html.replay import ReplayBoard


def board(game: str = "pinch", width: int = 5, height: int = 4) -> ReplayBoard:
    return ReplayBoard(Session(GAMES[game], width, height))


def test_replay_does_not_depend_on_earlier_ones() -> None:
    made = board()
    first = made.replay(["B2", "swap", "C3"])
    assert made.replay(["A1"]).changes == (((0, 1),),)
    assert made.replay(["B2", "swap", "C3"]) == first
