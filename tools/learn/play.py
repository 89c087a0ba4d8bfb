"""Self-play games: with a network, or with playouts for the first network."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pinchtp import _core
from pinchtp._core import Choice, Network, Position, Search
from pinchtp.games import GAMES
from pinchtp.player.network import load, parse

from .games import Recorder, SelfPlayGame, shard
from .plan import PlayPlan, size_of

MEMORY = 32  # MB per search
FIRST_STONE = 1  # plies before a swap is possible
POLICY_SHARE = 0.7  # share of an opening's plies drawn from the network; the rest is random


@dataclass(frozen=True)
class ShardTask:
    """A shard of games to play.

    network: the bytes of a network file, or None for playouts. seed: integers; the same ones give
    the same games on every machine.
    """

    game: str
    plan: PlayPlan
    network: bytes | None
    seed: tuple[int, ...]
    games: int


def play_shard(task: ShardTask) -> bytes:
    """Plays games and returns them as a shard."""
    rng = np.random.default_rng(task.seed)
    network = None
    if task.network is not None:
        game = GAMES[task.game]
        network = load(parse(task.network, "network"), game.start(*game.size), "network")
    return shard(play(task.game, network, task.plan, rng) for _ in range(task.games))


def play(
    game: str, network: Network | None, plan: PlayPlan, rng: np.random.Generator
) -> SelfPlayGame:
    """Plays a game."""
    shares = np.array(list(plan.boards.values()), float)
    width, height = size_of(str(rng.choice(list(plan.boards), p=shares / shares.sum())))
    pie = bool(rng.random() < plan.pie) and GAMES[game].swaps
    recorder = Recorder(game, width, height, pie)
    # With the pie rule the players must learn to make the opening even.
    for _ in range(rng.integers(0, (FIRST_STONE if pie else plan.random_plies) + 1)):
        if recorder.position.result is None:
            recorder.make(_choose_without_search(recorder, network, rng))
    search = _new_search(recorder.position, network, plan)
    while recorder.position.result is None:
        if rng.random() < plan.blunders:
            move = int(rng.choice(recorder.position.legal_moves()))
            recorder.make(move)
        else:
            # Visits of the tree kept from earlier moves count.
            search.run(math.inf, plan.visits, 1, int(rng.integers(1 << 60)))
            choices = search.report().choices
            move = _draw_move(choices, recorder, plan, rng)
            recorder.make(move, choices)
        search.advance(move)
    return recorder.record()


def _choose_without_search(
    recorder: Recorder, network: Network | None, rng: np.random.Generator
) -> int:
    moves = recorder.position.legal_moves()
    if network is None or rng.random() >= POLICY_SHARE:
        return int(rng.choice(moves))
    _, priors, _ = recorder.position.evaluate(network)
    return int(rng.choice(moves, p=np.divide(priors, sum(priors))))


def _new_search(position: Position, network: Network | None, plan: PlayPlan) -> Search:
    explores: dict[str, Any] = {}
    if network is not None:
        explores = {
            "noise_fraction": plan.noise,
            "noise_alpha": plan.noise_total / max(len(position.legal_moves()), plan.noise_total),
            "root_temperature": plan.root_temperature,
        }
    return Search(position, memory_mb=MEMORY, network=network, **explores)


def _draw_move(
    choices: Sequence[Choice], recorder: Recorder, plan: PlayPlan, rng: np.random.Generator
) -> int:
    """Returns the best move or, early in the game, one drawn by visits."""
    best = choices[0]
    if best.proof != _core.Proof.UNKNOWN or recorder.plies >= plan.drawn_plies:
        return best.move
    sound = [choice for choice in choices if choice.proof != _core.Proof.LOSS]
    visits = np.array([choice.visits for choice in sound], float)
    if visits.sum() == 0:
        return best.move
    return sound[rng.choice(len(sound), p=visits / visits.sum())].move
