"""Random play in our environment of PettingZoo, for the learners in this folder.

An agent here is a function of an observation that returns an action.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pinchtp import env

GAMES = 200
Choose = Callable[[dict[str, np.ndarray]], int]


def make_environment() -> Any:
    """Returns the environment of Pinch on 5x5."""
    return env.env("pinch", size=5)


class RandomPlayer:
    """A player that draws a legal action."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def __call__(self, observation: dict[str, np.ndarray]) -> int:
        return int(self._rng.choice(np.flatnonzero(observation["action_mask"])))


def print_score(choose: Choose) -> None:
    """Plays against random play, half of the games as each agent, and prints the games won."""
    environment, opponent, wins = make_environment(), RandomPlayer(seed=1), 0
    for number in range(GAMES):
        learner = environment.possible_agents[number % 2]
        environment.reset()
        for agent in environment.agent_iter():
            observation, reward, terminated, truncated, _ = environment.last()
            if terminated or truncated:
                wins += agent == learner and reward > 0
                environment.step(None)
            else:
                environment.step((choose if agent == learner else opponent)(observation))
    print(f"won {wins} of {GAMES} games against random play")
