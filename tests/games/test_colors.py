"""Words for colors, and the cells that have them."""

from __future__ import annotations

import pytest

from pinchtp.games import Color
from pinchtp.games.position import color_of, own_cells


@pytest.mark.parametrize("color", Color)
def test_a_color_is_read_as_it_is_written(color: Color) -> None:
    for word in (color.letter, color.capital, color.title, str(color), color.name):
        assert Color.read(word) is color
    assert [color_of(cell) for cell in own_cells(color)] == [color] * 2


@pytest.mark.parametrize("word", ["", "x", "bl", "black ", "0", "draw", "blac\N{KELVIN SIGN}"])
def test_other_words_are_no_colors(word: str) -> None:
    with pytest.raises(ValueError, match="is no color"):
        Color.read(word)
