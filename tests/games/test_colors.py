"""Color names, and the cells of colors."""

import pytest

from pinchtp.games import Color
from pinchtp.games.game import color_of, own_cells


@pytest.mark.parametrize("color", Color)
def test_color_round_trip(color: Color) -> None:
    for word in (color.letter, color.capital, color.title, str(color), color.name):
        assert Color.read(word) is color
    assert [color_of(cell) for cell in own_cells(color)] == [color] * 2


@pytest.mark.parametrize("word", ["", "x", "bl", "black ", "0", "draw", "blac\N{KELVIN SIGN}"])
def test_other_words_are_rejected(word: str) -> None:
    with pytest.raises(ValueError, match="invalid color"):
        Color.read(word)
