"""Training samples: positions of games, with the targets of a network.

Planes show the board for the player to move, with the orientation of the game's planes, in a
symmetry drawn for each batch; targets have the same orientation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pinchtp import _core
from pinchtp._core import PASS, STRIDE, SWAP
from pinchtp.games import GAMES

from .games import SelfPlayGame
from .plan import TrainPlan

DRAW = 2
# Owner of a cell's stone or piece, by the code of the cell as a byte; -1 without one.
COLORS = np.full(256, -1, np.int8)
COLORS[1:5] = (0, 1, 0, 1)
USUAL_SURPRISE = 0.3  # nats: about the mean for a trained network
MOST_SURPRISE = 5.0  # times USUAL_SURPRISE


@dataclass(frozen=True)
class Targets:
    """The training targets of n positions of one board size.

    Arrays are in board order: points in rows from the bottom, a pass, a swap.

    policy: float16 [n, points + 2], the share of each move. legal: bool [n, points + 2]. value:
    float32 [n], the winrate of the player to move. ownership: uint8 [n, points], of the player to
    move at the end of the game: 0, 1 (neither), 2. weight: float32 [n], the weight of the position.
    """

    policy: NDArray[np.float16]
    legal: NDArray[np.bool_]
    value: NDArray[np.float32]
    ownership: NDArray[np.uint8]
    weight: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.value)


@dataclass(frozen=True)
class Samples(Targets):
    """n positions whose oriented boards have one size, with targets. positions: object [n]."""

    positions: NDArray[np.object_]


@dataclass(frozen=True)
class Batch(Targets):
    """Network input for n positions of one board size, and targets in the same orientation.

    planes: uint8 [n, planes, height, width].
    """

    planes: NDArray[np.uint8]


@cache
def policy_indices(
    width: int, height: int, transposed: bool, mirrored: bool, flipped: bool
) -> NDArray[np.int32]:
    """Returns the index of each move in the policy of the oriented board, by the move's code."""
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


def in_board_order(width: int, height: int) -> NDArray[np.int32]:
    """Returns the index of each move in board order, by the move's code."""
    return policy_indices(width, height, transposed=False, mirrored=False, flipped=False)


@cache
def sources(width: int, height: int, *orientation: bool) -> NDArray[np.int32]:
    """Returns the index in board order, by the index in the oriented policy."""
    found = np.empty(width * height + 2, np.int32)
    codes = in_board_order(width, height) >= 0
    found[policy_indices(width, height, *orientation)[codes]] = in_board_order(width, height)[codes]
    return found


def orient(
    samples: Samples,
    size: tuple[int, int],
    chosen: NDArray[np.int64],
    rng: np.random.Generator,
) -> Batch:
    """Returns the chosen positions, each in a random symmetry. size: columns and rows."""
    planes, orders = [], []
    for position in samples.positions[chosen]:
        symmetry = _random_symmetry(position, rng)
        planes.append(position.planes(symmetry))
        orders.append(sources(position.width, position.height, *position.shown_in(symmetry)))
    order = np.stack(orders)
    shape = (len(chosen), -1, size[1], size[0])
    return Batch(
        np.take_along_axis(samples.policy[chosen], order, 1),
        np.take_along_axis(samples.legal[chosen], order, 1),
        samples.value[chosen],
        np.take_along_axis(samples.ownership[chosen], order[:, :-2], 1).reshape(shape)[:, 0],
        samples.weight[chosen],
        np.stack(planes).reshape(shape),
    )


def _random_symmetry(position: _core.Position, rng: np.random.Generator) -> int:
    """Returns a random symmetry that keeps the size of the oriented board."""
    while True:
        symmetry = int(rng.integers(position.symmetries))
        is_turned = position.shown_in(symmetry)[0] != position.shown_in()[0]
        if position.width == position.height or not is_turned:
            return symmetry


class Builder:
    """Collects the positions of games by the size of the oriented board.

    plan: settings of targets and weights.
    """

    def __init__(self, game: str, plan: TrainPlan) -> None:
        self.game = game
        self.plan = plan
        self.rows: dict[tuple[int, int], list[tuple[Any, ...]]] = defaultdict(list)

    def add(self, record: SelfPlayGame) -> None:
        """Adds the positions of a game that have targets."""
        position = GAMES[self.game].start(record.width, record.height, pie=record.pie)
        pending = []
        for ply, move in enumerate(record.moves.tolist()):
            if record.searched[ply]:
                pending.append((ply, position))
            position = position.play(move)
        colors = COLORS[np.frombuffer(position.cells(), np.uint8)]
        for ply, each in pending:
            self._add_position(record, ply, each, colors)

    def _add_position(
        self, record: SelfPlayGame, ply: int, position: _core.Position, colors: NDArray[np.int8]
    ) -> None:
        mover = position.to_move
        places = in_board_order(record.width, record.height)
        points = record.width * record.height
        policy = np.zeros(points + 2, np.float16)
        moves, weights = record.targets[ply]
        policy[places[moves]] = weights / max(int(weights.sum()), 1)
        legal = np.zeros(points + 2, np.bool_)
        legal[places[position.legal_moves()]] = True
        outcome = 0.5 if record.result == DRAW else float(record.result == mover)
        searched = float(record.values[ply])
        share = 1.0 if record.searched[ply] & 2 else self.plan.value_of_search
        value = outcome if np.isnan(searched) else share * searched + (1 - share) * outcome
        # Colors at the end of the game: a swap after the position reverses them.
        owners = np.where(colors < 0, 1, np.where(colors == mover, 2, 0)).astype(np.uint8)
        transposed, _, _ = position.shown_in()
        columns, rows = (
            (record.height, record.width) if transposed else (record.width, record.height)
        )
        self.rows[columns, rows].append(
            (position, policy, legal, value, owners, self._weight(record, ply))
        )

    def _weight(self, record: SelfPlayGame, ply: int) -> float:
        """Returns a weight around 1, higher for surprising moves (Wu, 2019)."""
        surprise = float(record.surprises[ply])
        if np.isnan(surprise):
            return 1.0
        share = self.plan.surprise
        return 1 - share + share * min(surprise / USUAL_SURPRISE, MOST_SURPRISE)

    def samples(self) -> dict[tuple[int, int], Samples]:
        """Returns the collected samples, by columns and rows of the oriented board."""
        found = {}
        for size, entries in self.rows.items():
            positions, policy, legal, value, owners, weight = zip(*entries, strict=True)
            found[size] = Samples(
                np.stack(policy),
                np.stack(legal),
                np.array(value, np.float32),
                np.stack(owners),
                np.array(weight, np.float32),
                np.array(positions, object),
            )
        return found


def join(parts: Iterable[dict[tuple[int, int], Samples]]) -> dict[tuple[int, int], Samples]:
    """Joins samples of several parts."""
    found = defaultdict(list)
    for part in parts:
        for size, each in part.items():
            found[size].append(each)
    return {
        size: Samples(*(np.concatenate(arrays) for arrays in zip(*map(_arrays, each), strict=True)))
        for size, each in sorted(found.items())
    }


def _arrays(samples: Samples) -> list[NDArray[Any]]:
    return [getattr(samples, field.name) for field in fields(Samples)]


class Batches:
    """Batches of all samples of one board size each, in a seeded order for each pass.

    Each pass shows every position in a new symmetry, and skips samples that do not fill a batch.
    """

    def __init__(self, samples: dict[tuple[int, int], Samples], size: int, seed: int) -> None:
        self.samples = {key: each for key, each in samples.items() if len(each) >= size}
        self.size = size
        self.seed = seed
        self.a_pass = sum(len(sample) // size for sample in self.samples.values())
        self._pass = -1
        self._batches: list[tuple[tuple[int, int], NDArray[np.int64]]] = []

    def __getitem__(self, step: int) -> Batch:
        """Returns the batch of a step, counted from 0 through all passes."""
        number, index = divmod(step, self.a_pass)
        if number != self._pass:
            self._pass = number
            self._batches = self._shuffled(number)
        key, chosen = self._batches[index]
        return orient(self.samples[key], key, chosen, np.random.default_rng([self.seed, step]))

    def _shuffled(self, number: int) -> list[tuple[tuple[int, int], NDArray[np.int64]]]:
        rng = np.random.default_rng([self.seed, number])
        batches = []
        for key, each in self.samples.items():
            order = rng.permutation(len(each))
            for first in range(0, len(each) - self.size + 1, self.size):
                batches.append((key, np.sort(order[first : first + self.size])))
        return [batches[i] for i in rng.permutation(len(batches))]


def build(
    game: str, records: Iterable[SelfPlayGame], plan: TrainPlan
) -> dict[tuple[int, int], Samples]:
    """Returns the samples of games."""
    builder = Builder(game, plan)
    for record in records:
        builder.add(record)
    return builder.samples()
