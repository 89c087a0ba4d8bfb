"""Instruction sets do the same; other tests compare only one of them with the reference."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from pinchtp import _core
from pinchtp.games import GAMES

# On each board layout of the core, at its limits, and at the extremes.
SIZES = [
    *((2, 2), (2, 3), (3, 2), (3, 3), (4, 4), (5, 4), (7, 7), (9, 9), (11, 11), (13, 13)),
    *((14, 14), (14, 15), (15, 14), (15, 15), (19, 19)),
    *((22, 22), (22, 23), (23, 22), (25, 2), (2, 25), (25, 25)),
]


def boards() -> Iterator[tuple[str, int, int]]:
    for name, game in GAMES.items():
        for width, height in {*SIZES, game.size}:
            if game.smallest <= min(width, height) and max(width, height) <= game.largest:
                yield name, width, height


def shown(position: _core.Position) -> tuple[Any, ...]:
    """Returns everything that a position exposes."""
    return (
        *(position.cells(), position.legal_moves(), position.hash128, position.result),
        *(position.to_move, position.mid_turn, position.swapped, position.swap_open),
        *(position.winning_chain, position.notes),
    )


def start(game: str, width: int, height: int, rng: random.Random) -> list[_core.Position]:
    """Returns a game's start in every instruction set, with random rule options."""
    options = {each.name: rng.randint(0, 1) for each in GAMES[game].options if each.is_switch}
    if min(width, height) < 4:
        options.pop("crosscut", None)
    return [
        _core.new_position(game, width, height, instruction_set=each, **options)
        for each in _core.instruction_sets()
    ]


@pytest.mark.parametrize(("game", "width", "height"), sorted(boards()))
def test_instruction_sets_play_same_games(game: str, width: int, height: int) -> None:
    rng = random.Random(f"{game} {width}x{height}")
    for _ in range(max(3, 2000 // (width * height) ** 2)):
        positions = start(game, width, height, rng)
        while True:
            first, *others = map(shown, positions)
            assert all(each == first for each in others)
            if positions[0].result is not None:
                break
            swap = positions[0].swap_open and rng.random() < 0.5
            move = _core.SWAP if swap else rng.choice(positions[0].legal_moves())
            positions = [each.play(move) for each in positions]


@pytest.mark.parametrize(("game", "width", "height"), sorted(boards()))
def test_instruction_sets_make_same_playouts(game: str, width: int, height: int) -> None:
    rng = random.Random(f"{game} {width}x{height}")
    first, *others = [each.playouts(300, seed=7) for each in start(game, width, height, rng)]
    assert all(np.array_equal(first, played) for played in others)


@pytest.mark.parametrize("game", GAMES)
def test_instruction_sets_search_same_tree(game: str) -> None:
    found = []
    for position in start(game, *GAMES[game].size, random.Random(game)):
        search = _core.Search(position, memory_mb=16)
        search.run(seconds=60, visits=3_000, threads=1, seed=1)
        report = search.report()
        found.append([(each.move, each.visits, each.winrate, each.line) for each in report.choices])
    assert all(each == found[0] for each in found)
