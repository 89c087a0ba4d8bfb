"""What a network learns from: positions of games as planes, with what it should have said of them.

A network sees the board from the side of the player to move, turned as the planes of the game turn
it; everything here is turned in the same way, and reflected at random, as the rules allow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pinchtp import _core
from pinchtp._core import PASS, STRIDE, SWAP

from .games import GameRecord

BLACK, WHITE, DRAW = range(3)


@dataclass(frozen=True)
class Samples:
    """Positions on boards of one size, as the network sees them; n of them.

    planes: uint8 [n, planes, height, width]. policy: float16 [n, height * width + 2], the share of
    each point, a pass and a swap. value: float32 [n], the chance of the player to move. ownership:
    uint8 [n, height, width], of the player to move at the end of the game: 0, 1 (nobody), 2.
    weight: float32 [n], of the policy.
    """

    planes: NDArray[np.uint8]
    policy: NDArray[np.float16]
    value: NDArray[np.float32]
    ownership: NDArray[np.uint8]
    weight: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.value)


@cache
def turned(
    width: int, height: int, transposed: bool, mirrored: bool, flipped: bool
) -> NDArray[np.int32]:
    """Where each move goes on the turned board: an index of its policy, by the move's code."""
    places = np.full(SWAP + 1, -1, np.int32)
    columns, rows = (height, width) if transposed else (width, height)
    for y in range(height):
        for x in range(width):
            to_x, to_y = (y, x) if transposed else (x, y)
            to_x = columns - 1 - to_x if mirrored else to_x
            to_y = rows - 1 - to_y if flipped else to_y
            places[y * STRIDE + x] = to_y * columns + to_x
    places[PASS] = width * height
    places[SWAP] = width * height + 1
    return places


class Builder:
    """Collects the positions of games by the size of the turned board.

    value_of_search: how much the root's value counts in the target beside the outcome.
    """

    def __init__(self, game: str, rng: np.random.Generator, value_of_search: float = 0.5) -> None:
        self.game = game
        self.rng = rng
        self.value_of_search = value_of_search
        self.rows: dict[tuple[int, int], list[tuple[Any, ...]]] = defaultdict(list)

    def add(self, record: GameRecord) -> None:
        """Adds the positions of a game that teach something."""
        position = _core.new_position(self.game, record.width, record.height, pie=record.pie)
        pending = []
        for ply, move in enumerate(record.moves.tolist()):
            if record.searched[ply]:
                pending.append((ply, position))
            position = position.play(move)
        stones = np.frombuffer(position.cells(), np.int8)
        for ply, each in pending:
            self._add_position(record, ply, each, stones)

    def _add_position(
        self, record: GameRecord, ply: int, position: _core.Position, stones: NDArray[np.int8]
    ) -> None:
        mirrored, flipped = (bool(bit) for bit in self.rng.integers(0, 2, 2))
        mover = position.to_move
        transposed = bool((mover == WHITE) != position.swapped)
        places = turned(record.width, record.height, transposed, mirrored, flipped)
        points = record.width * record.height
        columns, rows = (
            (record.height, record.width) if transposed else (record.width, record.height)
        )
        policy = np.zeros(points + 2, np.float16)
        moves, weights = record.targets[ply]
        policy[places[moves]] = weights / max(int(weights.sum()), 1)
        outcome = 0.5 if record.result == DRAW else float(record.result == mover)
        searched = float(record.values[ply])
        share = 1.0 if record.searched[ply] & 2 else self.value_of_search
        value = outcome if np.isnan(searched) else share * searched + (1 - share) * outcome
        # Of the two colors who played which at the end: a swap in between exchanges them.
        owners = np.ones(points, np.uint8)
        owners[places[:1024].reshape(32, 32)[: record.height, : record.width].reshape(-1)] = (
            np.where(stones == 0, 1, np.where((stones - 1) == mover, 2, 0))
        )
        self.rows[columns, rows].append(
            (position.planes(mirrored, flipped), policy, value, owners, 1.0)
        )

    def samples(self) -> dict[tuple[int, int], Samples]:
        """What was collected, by columns and rows of the turned board."""
        found = {}
        for (columns, rows), entries in self.rows.items():
            planes, policy, value, owners, weight = zip(*entries, strict=True)
            found[columns, rows] = Samples(
                np.stack(planes).reshape(len(planes), -1, rows, columns),
                np.stack(policy),
                np.array(value, np.float32),
                np.stack(owners).reshape(len(owners), rows, columns),
                np.array(weight, np.float32),
            )
        return found


def batches(
    samples: dict[tuple[int, int], Samples], size: int, rng: np.random.Generator
) -> Iterator[Samples]:
    """All samples once, in batches of one board size, in random order; leaves out rests."""
    starts = []
    orders = {}
    for key, each in samples.items():
        orders[key] = rng.permutation(len(each))
        starts += [(key, start) for start in range(0, len(each) - size + 1, size)]
    for i in rng.permutation(len(starts)):
        key, start = starts[i]
        chosen = np.sort(orders[key][start : start + size])
        each = samples[key]
        yield Samples(*(array[chosen] for array in vars(each).values()))


def build(game: str, records: Iterable[GameRecord], seed: int) -> dict[tuple[int, int], Samples]:
    """The samples of games."""
    builder = Builder(game, np.random.default_rng(seed))
    for record in records:
        builder.add(record)
    return builder.samples()
