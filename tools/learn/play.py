"""Games of the engine against itself: with a network, or, for a first one to learn, without."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pinchtp import _core
from pinchtp._core import Choice, Network, Search

from .games import GameRecord, Recorder


@dataclass(frozen=True)
class PlayOptions:
    """How games of self-play are played.

    boards: columns, rows and how often. pie: the share of games with the pie rule. visits: of a
    search that teaches. quick_visits: of the other searches, which only make a move (playout cap
    randomization; Wu, 2019). taught: the share of moves whose search teaches. random_plies: at the
    most, at the start, drawn from the network's policy or at random. blunders: the share of moves
    at random later on. drawn_plies: in which a move is drawn by its visits. noise: the share of
    noise in the root's priors where a search teaches; its parameter is noise_total over the number
    of moves.
    """

    boards: Sequence[tuple[int, int, float]] = ((9, 9, 1.0),)
    pie: float = 0.4
    visits: int = 600
    quick_visits: int = 100
    taught: float = 0.25
    random_plies: int = 4
    blunders: float = 0.01
    drawn_plies: int = 12
    noise: float = 0.25
    noise_total: float = 10.0


MEMORY = 32  # MB of a search


def play(
    game: str, network: Network | None, options: PlayOptions, rng: np.random.Generator
) -> GameRecord:
    """One game."""
    shares = np.array([share for _, _, share in options.boards])
    width, height, _ = options.boards[rng.choice(len(shares), p=shares / shares.sum())]
    recorder = Recorder(game, width, height, bool(rng.random() < options.pie))
    for _ in range(rng.integers(0, options.random_plies + 1)):
        recorder.make(_without_search(recorder, network, rng))
    while recorder.position.result is None:
        if rng.random() < options.blunders:
            recorder.make(int(rng.choice(recorder.position.legal_moves())))
        elif rng.random() < options.taught:
            choices = _search(recorder, network, options, rng, taught=True)
            recorder.make(_drawn(choices, recorder, options, rng), choices)
        else:
            choices = _search(recorder, network, options, rng, taught=False)
            recorder.make(_drawn(choices, recorder, options, rng))
    return recorder.record()


def _without_search(recorder: Recorder, network: Network | None, rng: np.random.Generator) -> int:
    moves = recorder.position.legal_moves()
    if network is None or rng.random() < 0.3:
        return int(rng.choice(moves))
    _, priors, _ = recorder.position.evaluate(network)
    return int(rng.choice(moves, p=priors / priors.sum(dtype=np.float64)))


def _search(
    recorder: Recorder,
    network: Network | None,
    options: PlayOptions,
    rng: np.random.Generator,
    *,
    taught: bool,
) -> Sequence[Choice]:
    """What a fresh search finds."""
    fraction, alpha = 0.0, 1.0
    if taught and network is not None:
        alpha = min(options.noise_total / max(len(recorder.position.legal_moves()), 1), 1.0)
        fraction = options.noise
    search = Search(
        recorder.position,
        memory_mb=MEMORY,
        network=network,
        noise_fraction=fraction,
        noise_alpha=alpha,
    )
    visits = options.visits if taught else options.quick_visits
    search.run(math.inf, visits, 1, int(rng.integers(1 << 60)))
    return search.report().choices


def _drawn(
    choices: Sequence[Choice], recorder: Recorder, options: PlayOptions, rng: np.random.Generator
) -> int:
    """The move to be made: the best, or, early in the game, one drawn by visits."""
    best = choices[0]
    if best.proof != _core.Proof.OPEN or recorder.plies >= options.drawn_plies:
        return best.move
    weights = np.array([choice.visits for choice in choices], float)
    if weights.sum() == 0:
        return best.move
    return choices[rng.choice(len(choices), p=weights / weights.sum())].move
