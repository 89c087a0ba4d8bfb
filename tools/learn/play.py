"""Self-play games: with a network, or with playouts for the first network."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pinchtp import _core
from pinchtp._core import Choice, Network, Search
from pinchtp.games import GAMES
from pinchtp.player.network import load, parse

from .games import GameRecord, Recorder, shard
from .plan import PlayPlan, size_of

MEMORY = 32  # MB per search
FIRST_STONE = 1  # plies, after which a player may swap
POLICY_PLIES = 0.7  # share of an opening's plies drawn from the network; the rest is random


@dataclass(frozen=True)
class ShardTask:
    """Games to play: which, how, and with which network (a file's bytes, or none).

    seed: integers; the same ones give the same games on every machine.
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
) -> GameRecord:
    """Plays a game."""
    shares = np.array(list(plan.boards.values()), float)
    width, height = size_of(str(rng.choice(list(plan.boards), p=shares / shares.sum())))
    pie = bool(rng.random() < plan.pie) and GAMES[game].swaps
    recorder = Recorder(game, width, height, pie)
    # With the pie rule the players must learn to make the opening even.
    for _ in range(rng.integers(0, (FIRST_STONE if pie else plan.random_plies) + 1)):
        if recorder.position.result is None:
            recorder.make(_without_search(recorder, network, rng))
    while recorder.position.result is None:
        if rng.random() < plan.blunders:
            recorder.make(int(rng.choice(recorder.position.legal_moves())))
        else:
            is_choice_of_sides = pie and recorder.plies <= FIRST_STONE
            teaches = bool(rng.random() < plan.taught) or is_choice_of_sides
            choices = _search(recorder, network, plan, rng, teaches=teaches)
            recorder.make(_drawn(choices, recorder, plan, rng), choices if teaches else ())
    return recorder.record()


def _without_search(recorder: Recorder, network: Network | None, rng: np.random.Generator) -> int:
    moves = recorder.position.legal_moves()
    if network is None or rng.random() >= POLICY_PLIES:
        return int(rng.choice(moves))
    _, priors, _ = recorder.position.evaluate(network)
    return int(rng.choice(moves, p=priors / priors.sum(dtype=np.float64)))


def _search(
    recorder: Recorder,
    network: Network | None,
    plan: PlayPlan,
    rng: np.random.Generator,
    *,
    teaches: bool,
) -> Sequence[Choice]:
    """Runs a new search and returns its choices."""
    explores: dict[str, Any] = {}
    if teaches and network is not None:
        explores = {
            "noise_fraction": plan.noise,
            "noise_alpha": min(plan.noise_total / len(recorder.position.legal_moves()), 1.0),
            "forced_playouts": plan.forced_playouts,
            "root_temperature": plan.root_temperature,
        }
    search = Search(recorder.position, memory_mb=MEMORY, network=network, **explores)
    visits = plan.visits if teaches else plan.quick_visits
    search.run(math.inf, visits, 1, int(rng.integers(1 << 60)))
    return search.report().choices


def _drawn(
    choices: Sequence[Choice], recorder: Recorder, plan: PlayPlan, rng: np.random.Generator
) -> int:
    """Returns the best move, or early in the game one drawn by visits."""
    best = choices[0]
    if best.proof != _core.Proof.UNKNOWN or recorder.plies >= plan.drawn_plies:
        return best.move
    weights = np.array([choice.policy_target_visits for choice in choices], float)
    if weights.sum() == 0:
        return best.move
    return choices[rng.choice(len(choices), p=weights / weights.sum())].move
