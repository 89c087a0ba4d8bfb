"""The core compared with the reference in random games, step by step."""

import random
from typing import Any

import boards
import pytest
from reference.base import Color, Point
from rulebook import test_capture_go, test_pinch, test_pinch_relocate, test_pinch_remove

from pinchtp import _core
from pinchtp.games import GAMES

STONE_GAMES = [name for name, game in GAMES.items() if game.places_stones]
PINCH_GAMES = [name for name, game in GAMES.items() if game.sides]
SIZES = [(2, 2), (2, 3), (3, 2), (3, 3), (4, 3), (4, 4), (5, 4), (3, 7), (6, 4), (6, 6), (7, 7)]
# Around the limit between the board layouts, and the extremes.
LARGE_SIZES = [
    *((9, 9), (11, 11), (13, 13), (14, 14), (14, 15), (15, 14), (15, 15), (19, 19)),
    *((25, 2), (2, 25), (25, 25)),
]


def start(rng: random.Random, game: str, width: int, height: int) -> tuple[_core.Position, Any]:
    """Returns an empty board in core and reference, with random rule options."""
    options = {"pie": rng.random() < 0.6}
    if game == "capture-go":
        options["crosscut"] = max(width, height) > 3 and rng.random() < 0.3
    return boards.pair(game, width, height, **options)


EXAMPLES = [  # of the rules texts: a position, the side to move, and the steps of a turn
    *(("pinch", text, color, None) for text, color, _ in test_pinch.FLIPS),
    *(("pinch", text, "black", ()) for text, *_ in test_pinch.CONNECTIONS),
    *(("pinch-remove", text, color, None) for text, color, *_ in test_pinch_remove.CAPTURES),
    *(("pinch-relocate", text, "black", parts) for text, parts in test_pinch_relocate.TURNS),
    *(("capture-go", text, color, None) for text, color, *_ in test_capture_go.CAPTURES),
    *(("capture-go", text, color, ()) for text, color in test_capture_go.SUICIDES),
]


@pytest.mark.parametrize(("game", "text", "to_move", "parts"), EXAMPLES)
def test_examples_equal_reference(
    game: str, text: str, to_move: Color, parts: tuple[Point, ...] | None
) -> None:
    """parts: None for the marked point."""
    core, book, marked = boards.drawn(game, text, to_move)
    for move in marked if parts is None else map(boards.core_move, parts):
        boards.assert_same(core, book)
        core = core.play(move)
        book = boards.play_step(book, move)
    boards.assert_same(core, book)


@pytest.mark.parametrize("game", STONE_GAMES)
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_random_games_equal_reference(game: str, width: int, height: int) -> None:
    rng = random.Random(f"{width}x{height}")
    for _ in range(max(2, 200 // (width * height))):
        boards.play_random_game(rng, *start(rng, game, width, height))


@pytest.mark.slow
@pytest.mark.parametrize("game", STONE_GAMES)
@pytest.mark.parametrize(("width", "height"), LARGE_SIZES)
def test_random_games_on_large_boards_equal_reference(game: str, width: int, height: int) -> None:
    rng = random.Random(f"{width}x{height}")
    boards.play_random_game(rng, *start(rng, game, width, height))


@pytest.mark.slow
@pytest.mark.parametrize("game", STONE_GAMES)
@pytest.mark.parametrize("games", [100, pytest.param(1000, marks=pytest.mark.nightly)])
def test_many_random_games_equal_reference(game: str, games: int) -> None:
    rng = random.Random(1000)
    longest = 0
    for _ in range(games):
        pair = start(rng, game, rng.randint(2, 8), rng.randint(2, 8))
        longest = max(longest, boards.play_random_game(rng, *pair))
    assert longest > 8 or game != "pinch-relocate"


@pytest.mark.slow
def test_pinch_equals_reference_at_every_size() -> None:
    rng = random.Random(25)
    for size in range(2, 26):
        boards.play_random_game(rng, *start(rng, "pinch", size, rng.randint(2, 25)))


def book_of_cells(game: str, width: int, cells: list[int], to_move: Color) -> Any:
    """Returns the reference's position without the pie rule. cells: 0 empty, 1 black, 2 white."""
    points = [(at % width, at // width) for at in range(len(cells))]
    black, white = (
        frozenset(point for point, cell in zip(points, cells, strict=True) if cell == color)
        for color in (1, 2)
    )
    size = width, len(cells) // width
    return boards.RULEBOOK[game](*size, pie=False, black=black, white=white, to_move=to_move)


@pytest.mark.parametrize("game", PINCH_GAMES)
def test_games_from_set_up_positions_equal_reference(game: str) -> None:
    """Including unreachable ones: crowded boards, checkerboards, full boards."""
    rng = random.Random(8)
    for _ in range(150):
        width, height = rng.randint(2, 6), rng.randint(2, 6)
        share = rng.choice([0.5, 0.8, 1])
        cells = [rng.choice((1, 2)) if rng.random() < share else 0 for _ in range(width * height)]
        book = book_of_cells(game, width, cells, rng.choice(("black", "white")))
        boards.play_random_game(rng, boards.set_up(game, book), book)


def test_long_turns_equal_reference() -> None:
    """One stone on a board of mostly alternating stones causes many steps of both colors."""
    rng = random.Random(9)
    longest = 0
    for _ in range(20):
        cells = [0 if rng.random() < 0.4 else 1 + (at + at // 7) % 2 for at in range(7 * 7)]
        book = book_of_cells("pinch-relocate", 7, cells, "black")
        pair = boards.set_up("pinch-relocate", book), book
        longest = max(longest, boards.play_random_game(rng, *pair))
    assert longest > 8
