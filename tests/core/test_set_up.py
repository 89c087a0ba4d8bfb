"""Set-up positions of the core."""

import random

import boards
import pytest
from core.test_equals_reference import STONE_GAMES

from pinchtp import _core
from pinchtp.games.notation import point


@pytest.mark.parametrize("game", STONE_GAMES)
def test_set_up_equals_play(game: str) -> None:
    """Any position at the start of a turn equals its set-up copy, also after further moves."""
    rng = random.Random(3)
    for width, height in [(3, 3), (5, 5), (9, 7), (16, 15)]:
        position = _core.new_position(game, width, height, pie=True)
        while position.result is None:
            position = position.play(boards.choose(rng, position))
            if position.mid_turn or (game == "capture-go" and position.result is not None):
                continue
            again = boards.set_up_again(position)
            assert again.cells() == position.cells()
            assert (again.hash128 == position.hash128) is not position.swap_open
            assert again.result == position.result
            assert again.winning_chain == position.winning_chain
            assert not again.swap_open
            if position.result is None and not position.swap_open:
                assert again.legal_moves() == position.legal_moves()
                move = boards.choose(rng, position)
                assert again.play(move).cells() == position.play(move).cells()
                assert again.play(move).result == position.play(move).result


@pytest.mark.parametrize("game", STONE_GAMES)
@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (bytes(8), "does not match the board"),
        (bytes([3]) + bytes(8), "only stones"),
        (bytes([255]) + bytes(8), "only stones"),
        (bytes([6]) + bytes(8), "-1 to 5"),
    ],
)
def test_invalid_setup_is_rejected(game: str, cells: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _core.set_up(game, 3, 3, cells, 0)


@pytest.mark.parametrize("game", ["pinch", "pinch-relocate", "capture-go"])
def test_banned_points_of_other_games_are_rejected(game: str) -> None:
    with pytest.raises(ValueError, match="only stones"):
        _core.set_up(game, 3, 3, bytes([boards.BANNED]) + bytes(8), 0)


def test_invalid_color_numbers_are_rejected() -> None:
    with pytest.raises(ValueError, match="color"):
        _core.set_up("pinch", 2, 2, bytes(4), 2)


@pytest.mark.parametrize("game", STONE_GAMES)
def test_side_to_move_is_part_of_position(game: str) -> None:
    black, white = (_core.set_up(game, 3, 3, bytes(9), color) for color in (0, 1))
    assert black != white


@pytest.mark.parametrize("game", STONE_GAMES)
def test_positions_with_and_without_a_swap_differ(game: str) -> None:
    empty = _core.new_position(game, 5, 5, pie=True)
    opened = empty.play(point(2, 2))
    assert opened.swap_open
    for position in (empty, opened):
        assert position != boards.set_up_again(position)
        assert position.hash128 != boards.set_up_again(position).hash128
    for after in (opened.play(_core.SWAP), opened.play(0)):
        assert after == boards.set_up_again(after)
    without_pie = _core.new_position(game, 5, 5, pie=False)
    assert without_pie == boards.set_up_again(without_pie)
    plain = boards.set_up_again(opened)
    swapped = boards.set_up_again(opened.play(_core.SWAP))
    assert plain != swapped
    assert plain.hash128 != swapped.hash128
