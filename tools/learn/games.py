"""Games of self-play on disk: shards of some hundred games, compressed, each complete or not there.

A shard holds what was played and what the searches said, and no planes: those are computed from the
moves when somebody trains, so that a network with other planes can learn from old games.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pinchtp import _core

WHOLE = 1000  # targets of a move sum up to about this
SMALLEST_SHARE = 0.002  # of a search's visits, for a move to count


@dataclass(frozen=True)
class GameRecord:
    """One game.

    result: 0 black, 1 white, 2 draw. moves: uint16, codes as in the core.
    searched: uint8, for every move 0 where no search teaches about it, 1 where one does, 2 where
    it proved the value. values: float32, what the search gave the player to move, in [0, 1]; nan
    without one. targets: for every move the moves that its search looked at and their weights,
    uint16, out of about WHOLE.
    """

    width: int
    height: int
    pie: bool
    result: int
    moves: NDArray[np.uint16]
    searched: NDArray[np.uint8]
    values: NDArray[np.float32]
    targets: Sequence[tuple[NDArray[np.uint16], NDArray[np.uint16]]]


class Recorder:
    """A game that is being played: makes moves and remembers what its record holds."""

    def __init__(self, game: str, width: int, height: int, pie: bool) -> None:
        self.width, self.height, self.pie = width, height, pie
        self.position = _core.new_position(game, width, height, pie=pie)
        self._moves: list[int] = []
        self._searched: list[int] = []
        self._values: list[float] = []
        self._targets: list[tuple[NDArray[np.uint16], NDArray[np.uint16]]] = []

    @property
    def plies(self) -> int:
        return len(self._moves)

    def make(self, move: int, choices: Sequence[_core.Choice] = ()) -> None:
        """Makes a move. choices: what a search that teaches about it found, best first."""
        searched, value = 0, math.nan
        if choices:
            is_proven = choices[0].proof != _core.Proof.OPEN
            searched, value = (2 if is_proven else 1), choices[0].winrate
            choices = choices[:1] if is_proven else choices
        self._targets.append(_target(choices))
        self._moves.append(move)
        self._searched.append(searched)
        self._values.append(value)
        self.position = self.position.play(move)

    def record(self) -> GameRecord:
        """The record of a finished game."""
        assert self.position.result is not None
        return GameRecord(
            self.width,
            self.height,
            self.pie,
            self.position.result,
            np.array(self._moves, np.uint16),
            np.array(self._searched, np.uint8),
            np.array(self._values, np.float32),
            self._targets,
        )


def _target(choices: Sequence[_core.Choice]) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
    """The moves that a search spent its visits on, and their weights."""
    total = max(sum(choice.visits for choice in choices), 1)
    kept = [choice for choice in choices if choice.visits > SMALLEST_SHARE * total]
    kept = kept or list(choices[:1])
    weights = [max(choice.visits * WHOLE // total, 1) for choice in kept]
    return np.array([choice.move for choice in kept], np.uint16), np.array(weights, np.uint16)


def write_shard(path: Path, games: Iterable[GameRecord]) -> None:
    """Writes a shard under its name at once, so that no reader meets half of it."""
    games = list(games)
    targets = [target for game in games for target in game.targets]
    ends = np.cumsum([len(moves) for moves, _ in targets], dtype=np.uint32)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    with partial.open("wb") as file:
        np.savez_compressed(
            file,
            games=np.array(
                [(g.width, g.height, g.pie, g.result, len(g.moves)) for g in games], np.int16
            ),
            moves=_joined([g.moves for g in games], np.uint16),
            searched=_joined([g.searched for g in games], np.uint8),
            values=_joined([g.values for g in games], np.float32),
            target_ends=ends,
            target_moves=_joined([moves for moves, _ in targets], np.uint16),
            target_weights=_joined([weights for _, weights in targets], np.uint16),
        )
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def _joined(arrays: Sequence[NDArray[Any]], dtype: type) -> NDArray[Any]:
    return np.concatenate(arrays).astype(dtype) if arrays else np.zeros(0, dtype)


def read_shard(path: Path) -> Iterator[GameRecord]:
    """The games of a shard."""
    with np.load(path) as file:
        shard = {name: file[name] for name in file.files}
    ends = np.concatenate([[0], shard["target_ends"]])
    first = 0
    for width, height, pie, result, count in shard["games"].tolist():
        plies = range(first, first + count)
        targets = [
            (
                shard["target_moves"][ends[i] : ends[i + 1]],
                shard["target_weights"][ends[i] : ends[i + 1]],
            )
            for i in plies
        ]
        here = slice(first, first + count)
        yield GameRecord(
            width,
            height,
            bool(pie),
            result,
            shard["moves"][here],
            shard["searched"][here],
            shard["values"][here],
            targets,
        )
        first += count
