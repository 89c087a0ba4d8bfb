"""Learns Pinch on 5x5 with sb3-contrib's MaskablePPO, by games against random play.

    pip install 'pinchtp[env]' sb3-contrib
    python tools/examples/maskable_ppo.py 20000      # actions of the learner

stable-baselines3 takes environments of one agent: here the opponent is part of the environment.
"""

from __future__ import annotations

import sys
from typing import Any

import gymnasium
import numpy as np
from random_play import RandomPlayer, make_environment, print_score
from sb3_contrib import MaskablePPO

Step = tuple[np.ndarray, float, bool, bool, dict[str, Any]]


class AgainstRandomPlay(gymnasium.Env):
    """The environment as one agent sees it, which moves first in half of the games."""

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
        return self._wait_for_turn()[0], {}

    def step(self, action: int) -> Step:
        self._games.step(int(action))
        return self._wait_for_turn()

    def action_masks(self) -> np.ndarray:
        """Returns the legal actions, for MaskablePPO."""
        mask: np.ndarray = self._games.observe(self._learner)["action_mask"]
        return mask.astype(bool)

    def _wait_for_turn(self) -> Step:
        """Plays the opponent's moves; returns what the learner gets for its own last action."""
        while self._games.agent_selection != self._learner and not self._is_over():
            self._games.step(self._opponent(self._games.observe(self._games.agent_selection)))
        observation = self._games.observe(self._learner)["observation"]
        return observation, self._games.rewards[self._learner], self._is_over(), False, {}

    def _is_over(self) -> bool:
        return all(self._games.terminations.values())


def main() -> None:
    model = MaskablePPO("MlpPolicy", AgainstRandomPlay(), n_steps=1024, seed=1)
    model.learn(int(sys.argv[1]))

    def choose(observation: dict[str, np.ndarray]) -> int:
        seen, mask = observation["observation"], observation["action_mask"]
        return int(model.predict(seen, action_masks=mask)[0])

    print_score(choose)


if __name__ == "__main__":
    main()
