"""Random middle-game positions for tools that measure searches and solvers."""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator

from pinchtp._core import Position
from pinchtp.base.terminal import with_progress
from pinchtp.games import GAMES, PIE


def add_options(parser: argparse.ArgumentParser, game: str, size: int, plies: str) -> None:
    """Adds the options that select positions; game, size, plies: their defaults."""
    parser.add_argument("--game", default=game, choices=GAMES)
    parser.add_argument("--size", type=int, default=size)
    parser.add_argument("--plies", default=plies, help="range of random moves")
    parser.add_argument("--positions", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)


def random_positions(options: argparse.Namespace) -> Iterator[Position]:
    """Yields the positions selected by the options, without the pie rule."""
    start = GAMES[options.game].start(options.size, options.size, **{PIE.name: False})
    least, most = map(int, options.plies.split("-"))
    rng = random.Random(options.seed)
    for _ in with_progress(range(options.positions), "positions"):
        yield _random_position(start, range(least, most + 1), rng)


def _random_position(start: Position, plies: range, rng: random.Random) -> Position:
    """Returns a position at the start of a turn, after random moves."""
    while True:
        position = start
        for _ in range(rng.choice(plies)):
            if position.result is None:
                position = position.play(rng.choice(position.legal_moves()))
        if position.result is None and not position.mid_turn:
            return position
