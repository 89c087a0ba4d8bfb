"""Properties that all reference implementations share."""

from typing import Any

import pytest
from reference import GAMES

STONE_GAMES = [name for name in GAMES if name != "bushka"]


@pytest.mark.parametrize("name", GAMES)
def test_game_begins_without_a_winner(name: str) -> None:
    start = GAMES[name]()
    assert start.to_move == ("white" if name == "bushka" else "black")
    assert start.winner is None


@pytest.mark.parametrize("name", STONE_GAMES)
def test_stone_game_begins_with_an_empty_board(name: str) -> None:
    start: Any = GAMES[name]()
    assert (start.width, start.height, start.pie) == (9, 9, name != "capture-go")
    assert start.stones() == {}
    oblong: Any = GAMES[name](width=13, height=11)
    assert (oblong.width, oblong.height) == (13, 11)


@pytest.mark.parametrize("name", STONE_GAMES)
@pytest.mark.parametrize("size", [(1, 5), (5, 1), (26, 5), (5, 26), (0, 0)])
def test_sizes_are_2_to_25(name: str, size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="board"):
        GAMES[name](*size)
    GAMES[name](2, 25)
    GAMES[name](25, 2)


def after_first_stone(name: str, *, pie: bool) -> Any:
    """Returns the position after a stone on C2."""
    start: Any = GAMES[name](5, 4, pie=pie)
    return start.play(((2, 1),) if name == "pinch-relocate" else (2, 1))


@pytest.mark.parametrize("name", STONE_GAMES)
def test_swap_changes_labels_only(name: str) -> None:
    first = after_first_stone(name, pie=True)
    assert first.swap_open
    assert "swap" in first.moves()[-2:]
    swapped = first.play("swap")
    assert swapped.stones() == {(2, 1): "white"}
    assert swapped.to_move == "black"
    assert getattr(swapped, "owner_of_top_bottom", "white") == "white"
    assert not swapped.swap_open
    assert "swap" not in swapped.moves()
    with pytest.raises(ValueError, match="not legal"):
        swapped.play("swap")


@pytest.mark.parametrize("name", STONE_GAMES)
def test_swap_needs_pie_rule(name: str) -> None:
    without = after_first_stone(name, pie=False)
    assert not without.swap_open
    assert "swap" not in without.moves()
    with pytest.raises(ValueError, match="not legal"):
        without.play("swap")
