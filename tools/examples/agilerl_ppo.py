"""Learns Pinch on 5x5 with AgileRL's PPO, in games against random play.

    pip install 'pinchtp[env]' agilerl peft
    python tools/examples/agilerl_ppo.py 20480      # actions of the learner

AgileRL's PPO takes vectors of environments of one agent, whose `info` has the legal actions.
"""

from __future__ import annotations

import sys
from typing import Any

import gymnasium
import numpy as np
from agilerl.algorithms import PPO
from agilerl.rollouts.on_policy import collect_rollouts
from gymnasium.spaces import Box
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TransformObservation
from random_play import AgainstRandomPlay, print_score

ENVIRONMENTS = 16
STEPS = 64  # of each environment between two updates


def flatten(observation: np.ndarray) -> np.ndarray:
    """Returns an observation as input for PPO's network of dense layers."""
    return observation.ravel().astype(np.float32)


def make() -> gymnasium.Env:
    games = AgainstRandomPlay()
    size = int(np.prod(games.observation_space.shape))
    return TransformObservation(games, flatten, Box(0, 1, (size,), np.float32))


def train(actions: int) -> PPO:
    """Trains a learner for `actions` actions and returns it."""
    # An environment starts its next game in the last step of a game, as collect_rollouts expects.
    games = SyncVectorEnv([make] * ENVIRONMENTS, autoreset_mode=AutoresetMode.SAME_STEP)
    learner = PPO(
        games.single_observation_space,
        games.single_action_space,
        num_envs=ENVIRONMENTS,
        learn_step=ENVIRONMENTS * STEPS,
        lr=1e-3,
        gamma=1.0,
        net_config={"encoder_config": {"hidden_size": [128, 128]}},
    )
    state: dict[str, Any] = {}
    for _ in range(actions // (ENVIRONMENTS * STEPS)):
        _, *last = collect_rollouts(learner, games, **state)
        names = ("last_obs", "last_done", "last_scores", "last_info")
        state = dict(zip(names, last, strict=True))
        learner.learn()
    return learner


def main() -> None:
    learner = train(int(sys.argv[1]))

    def choose(observation: dict[str, np.ndarray]) -> int:
        seen = flatten(observation["observation"])
        mask = observation["action_mask"]
        action, *_ = learner.get_action(seen[None], action_mask=mask[None])
        return int(action[0])

    print_score(choose)


if __name__ == "__main__":
    main()
