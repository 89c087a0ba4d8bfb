"""Functions for the notations of all games: cells, random turns, and errors."""

import bushka_boards as boards
import pytest
from bushka_boards import AMBIGUOUS

from pinchtp.games.bushka import BushkaNotation
from pinchtp.games.notation import (
    NotationError,
    PointNotation,
    adjacent_cells,
    random_turn,
    whole_turns,
)


def test_adjacent_cells_of_three_columns_and_two_rows() -> None:
    rows = [[1], [0, 2], [1], [4], [3, 5], [4]]
    columns = [[3], [4], [5], [0], [1], [2]]
    assert adjacent_cells(3, 2) == list(zip(rows, columns, strict=True))


def test_turn_is_drawn_move_by_move() -> None:
    """Choosing the lowest move that is not avoided gives the first of all turns."""
    position = boards.set_up(AMBIGUOUS)
    first, second = (parts for parts, _ in whole_turns(position))
    assert random_turn(position, min) == random_turn(position, min, avoid=first + second) == first
    assert random_turn(position, min, avoid=first) == second
    assert random_turn(position.play(first[0]), min) == first[1:]


def test_error_shows_the_beginning_of_a_long_text() -> None:
    for read in (BushkaNotation().parse, BushkaNotation().parse_point, PointNotation().parse):
        with pytest.raises(NotationError, match=f"'{20 * 'x'}'"):
            read(30 * "x", boards.start())
