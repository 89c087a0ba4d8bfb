"""Scores of games as engines report them."""

import pytest

from pinchtp.games import Color
from pinchtp.match.playing.engine import Score
from pinchtp.match.record import DRAW


@pytest.mark.parametrize(
    ("text", "winner"),
    [
        ("B+R", Color.BLACK),
        ("W+3.5", Color.WHITE),
        ("b+", Color.BLACK),
        ("W+0.5 (lower bound: W+1)", Color.WHITE),
        ("B+Resign", Color.BLACK),
        ("0", DRAW),
        ("0.0", DRAW),
        ("Draw", DRAW),
        ("?", None),
        ("Black wins", None),
        ("01", None),
    ],
)
def test_score_of_text_names_winner(text: str, winner: str | None) -> None:
    assert Score.read(text) == Score(text, winner)
