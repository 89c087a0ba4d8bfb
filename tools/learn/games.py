"""Self-play games on disk: compressed shards of some hundred games, each complete or absent.

A shard contains moves and search results but no planes: training computes planes from the moves, so
that a network with other planes can learn from old games.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pinchtp import _core
from pinchtp.games import GAMES

WHOLE = 1000  # approximate sum of a move's targets
SMALLEST_SHARE = 0.002  # of a search's visits; moves with less do not count
LEAST_PRIOR = 1e-5  # smaller priors are rounded to 0


@dataclass(frozen=True)
class SelfPlayGame:
    """A game.

    result: 0 black, 1 white, 2 draw. moves: uint16, codes as in the core.
    searched: uint8 per move, 0 without a training target, 1 with one, 2 if the search proved the
    value. values: float32, the search's value for the player to move, in [0, 1]; nan without one.
    surprises: float32, the divergence of the search's policy from the network's priors, in nats;
    nan without a search or a network. targets: per move, the moves considered by its search and
    their weights, uint16, which sum to about WHOLE.
    """

    width: int
    height: int
    pie: bool
    result: int
    moves: NDArray[np.uint16]
    searched: NDArray[np.uint8]
    values: NDArray[np.float32]
    surprises: NDArray[np.float32]
    targets: Sequence[tuple[NDArray[np.uint16], NDArray[np.uint16]]]


class Recorder:
    """A game in progress, which collects the data of its record."""

    def __init__(self, game: str, width: int, height: int, pie: bool) -> None:
        self.width = width
        self.height = height
        self.pie = pie
        self.position = GAMES[game].start(width, height, pie=pie)
        self._moves: list[int] = []
        self._searched: list[int] = []
        self._values: list[float] = []
        self._surprises: list[float] = []
        self._targets: list[tuple[NDArray[np.uint16], NDArray[np.uint16]]] = []

    @property
    def plies(self) -> int:
        return len(self._moves)

    def make(self, move: int, choices: Sequence[_core.Choice] = ()) -> None:
        """Makes a move. choices: of a search, best first, as a training target."""
        searched = 0
        value = math.nan
        surprise = math.nan
        if choices:
            is_proven = choices[0].proof != _core.Proof.UNKNOWN
            searched = 2 if is_proven else 1
            winrate = choices[0].winrate
            value = math.nan if winrate is None else winrate
            choices = choices[:1] if is_proven else choices
            surprise = _surprise(choices)
        self._surprises.append(surprise)
        self._targets.append(_target(choices))
        self._moves.append(move)
        self._searched.append(searched)
        self._values.append(value)
        self.position = self.position.play(move)

    def record(self) -> SelfPlayGame:
        """Returns the record of a finished game."""
        assert self.position.result is not None
        return SelfPlayGame(
            self.width,
            self.height,
            self.pie,
            self.position.result,
            np.array(self._moves, np.uint16),
            np.array(self._searched, np.uint8),
            np.array(self._values, np.float32),
            np.array(self._surprises, np.float32),
            self._targets,
        )


def _target(choices: Sequence[_core.Choice]) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
    """Returns the moves with a notable share of visits, and their weights."""
    sound = [choice for choice in choices if choice.proof != _core.Proof.LOSS] or choices[:1]
    total = max(sum(choice.visits for choice in sound), 1)
    kept = [choice for choice in sound if choice.visits > SMALLEST_SHARE * total] or sound[:1]
    weights = [max(choice.visits * WHOLE // total, 1) for choice in kept]
    return np.array([choice.move for choice in kept], np.uint16), np.array(weights, np.uint16)


def _surprise(choices: Sequence[_core.Choice]) -> float:
    """Returns the Kullback-Leibler divergence of the priors from the shares of visits."""
    shares = np.array([max(choice.visits, 1) for choice in choices], float)
    priors = np.array([choice.prior for choice in choices])
    if not priors.any():
        return math.nan
    shares /= shares.sum()
    return float(np.sum(shares * np.log(shares / np.maximum(priors, LEAST_PRIOR))))


def shard(games: Iterable[SelfPlayGame]) -> bytes:
    """Returns a shard of these games."""
    games = list(games)
    targets = [target for game in games for target in game.targets]
    ends = np.cumsum([len(moves) for moves, _ in targets], dtype=np.uint32)
    file = io.BytesIO()
    np.savez_compressed(
        file,
        games=np.array(
            [(g.width, g.height, g.pie, g.result, len(g.moves)) for g in games], np.int16
        ),
        moves=_joined([g.moves for g in games], np.uint16),
        searched=_joined([g.searched for g in games], np.uint8),
        values=_joined([g.values for g in games], np.float32),
        surprises=_joined([g.surprises for g in games], np.float32),
        target_ends=ends,
        target_moves=_joined([moves for moves, _ in targets], np.uint16),
        target_weights=_joined([weights for _, weights in targets], np.uint16),
    )
    return file.getvalue()


def _joined(arrays: Sequence[NDArray[Any]], dtype: type) -> NDArray[Any]:
    return np.concatenate(arrays).astype(dtype) if arrays else np.zeros(0, dtype)


def read_shard(path: Path) -> Iterator[SelfPlayGame]:
    """Yields the games of a shard."""
    with path.open("rb") as opened, np.load(opened) as file:  # NumPy does not close a damaged one
        shard = {name: file[name] for name in file.files}
    shard.setdefault("surprises", np.full(len(shard["moves"]), np.nan, np.float32))
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
        yield SelfPlayGame(
            width,
            height,
            bool(pie),
            result,
            shard["moves"][here],
            shard["searched"][here],
            shard["values"][here],
            shard["surprises"][here],
            targets,
        )
        first += count
