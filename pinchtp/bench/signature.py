"""The signature of the results of rules, playouts and search for fixed seeds.

It is the same on every machine and instruction set, and changes with behaviour only: a change that
is meant to be faster and nothing else keeps it.
"""

from __future__ import annotations

from hashlib import blake2b

import numpy as np

from pinchtp import _core
from pinchtp.games import GAMES, GameType, Position

SEED = 1
PLAYOUTS = 200
VISITS = 4000
MEMORY = 64  # MB, more than these searches fill
EXPLORATION = 0.01  # of every game, whatever it is played with
PLIES = 3  # searches along a game, so that the tree is kept from one to the next


def signature(instruction_set: str | None = None) -> tuple[int, str]:
    """Returns the number of nodes in all searches, and a hash of all results.

    instruction_set: None for the best.
    """
    nodes = 0
    digest = blake2b(digest_size=8)
    for game in GAMES.values():
        for width, height in boards(game):
            position = _core.new_position(
                game.name,
                width,
                height,
                instruction_set=instruction_set or _core.instruction_sets()[-1],
                **game.rules(),
            )
            count, found = hash_searches(position)
            nodes += count
            digest.update(found)
    return nodes, digest.hexdigest()


def hash_searches(position: Position) -> tuple[int, bytes]:
    """Returns the nodes of the search trees, and all results as bytes."""
    nodes = 0
    found = position.playouts(PLAYOUTS, SEED).astype("<i2").tobytes()
    search = _core.Search(position, memory_mb=MEMORY, exploration=EXPLORATION)
    for ply in range(PLIES):
        search.run(float("inf"), search.report().visits + VISITS, 1, SEED + ply)
        report = search.report()
        nodes += report.nodes
        choices = [(choice.move, choice.visits) for choice in report.choices]
        found += np.array(choices, dtype="<u4").tobytes()
        search.advance(report.choices[0].move)
    return nodes, found


def boards(game: GameType) -> list[tuple[int, int]]:
    """Returns the default board and, where there are others, a rectangle in the wide layout."""
    return [game.size] if game.smallest == game.largest else [game.size, (15, 16)]
