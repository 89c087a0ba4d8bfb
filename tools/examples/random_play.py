"""Random play in our PettingZoo environment, for the learners in this directory.

An agent is a function from an observation to an action.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

from pinchtp import env

GAMES = 200
Choose = Callable[[dict[str, np.ndarray]], int]
Step = tuple[np.ndarray, float, bool, bool, dict[str, Any]]


def make_environment() -> Any:
    """Returns the environment of Pinch on 5x5."""
    return env.env("pinch", size=5)


class RandomPlayer:
    """A player that draws a legal action."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def __call__(self, observation: dict[str, np.ndarray]) -> int:
        return int(self._rng.choice(np.flatnonzero(observation["action_mask"])))


class AgainstRandomPlay(gymnasium.Env):
    """The environment for a single agent, which moves first in half of the games.

    The opponent is part of the environment. `info` contains the legal actions as `action_mask`.
    """

    def __init__(self) -> None:
        self._games, self._opponent = make_environment(), RandomPlayer(seed=2)
        self._number = 0
        agent = self._games.possible_agents[0]
        self.observation_space = self._games.observation_space(agent)["observation"]
        self.action_space = self._games.action_space(agent)

    def reset(
        self, *, seed: int | None = None, options: Any = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        super().reset(seed=seed)
        self._games.reset()
        self._learner = self._games.possible_agents[self._number % 2]
        self._number += 1
        observation, *_, info = self._wait_for_turn()
        return observation, info

    def step(self, action: int) -> Step:
        self._games.step(int(action))
        return self._wait_for_turn()

    def action_masks(self) -> np.ndarray:
        """Returns the legal actions, for MaskablePPO."""
        mask: np.ndarray = self._games.observe(self._learner)["action_mask"]
        return mask.astype(bool)

    def _wait_for_turn(self) -> Step:
        """Plays the opponent's moves; returns the learner's result of its last action."""
        while self._games.agent_selection != self._learner and not self._is_over():
            self._games.step(self._opponent(self._games.observe(self._games.agent_selection)))
        seen = self._games.observe(self._learner)
        reward = self._games.rewards[self._learner]
        info = {"action_mask": seen["action_mask"]}
        return seen["observation"], reward, self._is_over(), False, info

    def _is_over(self) -> bool:
        return all(self._games.terminations.values())


def print_score(choose: Choose) -> None:
    """Plays against random play, half of the games as each agent, and prints the wins."""
    environment = make_environment()
    opponent = RandomPlayer(seed=1)
    wins = 0
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
