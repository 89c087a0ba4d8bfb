"""Compares playouts per second of CPU time through Python with OpenSpiel's Hex.

    python tools/lab/random_games.py    # needs `pip install open_spiel`, on the same Python

Python draws and makes every move: one game at a time with both, and many games together with
`pinchtp.Batch`. Rounds alternate; medians are printed.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from importlib import import_module
from statistics import median
from time import process_time

import numpy as np

import pinchtp
from pinchtp.base.terminal import with_progress


def batch_games(size: int, count: int) -> int:
    """Plays random games of Pinch side by side; returns their number."""
    batch = pinchtp.Batch("pinch", size, count=count)
    rng = np.random.default_rng(1)
    while (actions := batch.random_actions(rng)).max() >= 0:
        batch.play(actions)
    return count


def single_game(size: int) -> int:
    """Plays a random game of Pinch, position by position."""
    position = pinchtp.Game("pinch", size).position
    while position.result is None:
        position = position.play(random.choice(position.legal_moves()))
    return 1


def hex_game(size: int) -> int:
    """Plays a random game of Hex by OpenSpiel."""
    state = import_module("pyspiel").load_game(f"hex(board_size={size})").new_initial_state()
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))
    return 1


def rate(play: Callable[[], int], seconds: float) -> float:
    """Returns games per second of CPU time."""
    began = process_time()
    games = 0
    while process_time() - began < seconds:
        games += play()
    return games / (process_time() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=1.0, help="seconds per measurement")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    size = options.size
    programs: dict[str, Callable[[], int]] = {
        "pinchtp, Batch of 256": lambda: batch_games(size, 256),
        "pinchtp, one game at a time": lambda: single_game(size),
        "OpenSpiel, Hex": lambda: hex_game(size),
    }
    rates: dict[str, list[float]] = {name: [] for name in programs}
    for _ in with_progress(range(options.rounds), "rounds"):
        for name, play in programs.items():
            rates[name].append(rate(play, options.seconds))
    for name, values in rates.items():
        print(f"{name:28} {median(values):8,.0f} games/s")


if __name__ == "__main__":
    main()
