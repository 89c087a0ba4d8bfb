"""Games replayed for the browser."""

import random

import pytest

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


def test_replay_keeps_no_history(monkeypatch: pytest.MonkeyPatch) -> None:
    made = board()
    monkeypatch.setattr(Session, "play", None)
    assert [len(each) for each in made.replay(["B2", "swap", "Z9", "C3"]).changes] == [1, 1, 0, 1]


@pytest.mark.parametrize("game", GAMES)
def test_replay_ends_where_a_session_does(game: str) -> None:
    session = Session(GAMES[game], *GAMES[game].size)
    rng = random.Random(1)
    made = ReplayBoard(session.copy())
    texts: list[str] = []
    while not session.is_over and len(texts) < 60:
        moves: list[int] = []
        position = session.position
        while position.mid_turn or not moves:
            moves.append(rng.choice(position.legal_moves()))
            position = position.play(moves[-1])
        texts.append(session.format(moves))
        session.play(session.to_move, *moves)
    assert made.replay(texts).final == session.position.cells()


def test_replay_ends_within_a_turn() -> None:
    """The player of the turn failed after two of its parts."""
    session = Session(GAMES["pinch-relocate"], 8, 8)
    made = ReplayBoard(session.copy())
    rng = random.Random(1)
    while not (turn := session.last_turn) or not turn.after.mid_turn or len(turn.moves) < 2:
        session.play(session.to_move, rng.choice(session.position.legal_moves()))
    texts = [session.game.notation.format(turn.before, turn.moves) for turn in session.turns()]
    assert made.replay(texts).final == session.position.cells()
