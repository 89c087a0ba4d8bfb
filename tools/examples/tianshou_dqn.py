"""Learns Pinch on 5x5 with Tianshou's DQN, in games against random play.

    pip install 'pinchtp[env]' tianshou
    python tools/examples/tianshou_dqn.py 20000      # actions of the learner

Tianshou's policies take the legal actions from the observation, by the name `mask`.
"""

from __future__ import annotations

import sys
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium.spaces import Box, Dict, MultiBinary
from random_play import AgainstRandomPlay, print_score
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

ENVIRONMENTS = 16


def rename(observation: np.ndarray, mask: np.ndarray) -> dict[str, np.ndarray]:
    """Returns an observation and its legal actions as input for Tianshou."""
    return {"obs": observation.astype(np.float32), "mask": mask.astype(bool)}


class Renamed(gymnasium.Wrapper):
    """The environment with the legal actions in the observation."""

    def __init__(self) -> None:
        games: Any = AgainstRandomPlay()
        super().__init__(games)
        size = games.observation_space.shape
        mask = MultiBinary(int(games.action_space.n))
        self.observation_space = Dict(obs=Box(0, 1, size, np.float32), mask=mask)

    def reset(self, **options: Any) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        observation, info = self.env.reset(**options)
        return rename(observation, info["action_mask"]), {}

    def step(self, action: int) -> tuple[Any, ...]:
        observation, *results, info = self.env.step(action)
        return rename(observation, info["action_mask"]), *results, {}


def train(policy: DiscreteQLearningPolicy, actions: int) -> None:
    """Trains a policy in games."""
    learner = DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=1.0,
        n_step_return_horizon=3,
        target_update_freq=100,
    )
    collector = Collector[CollectStats](
        learner,
        DummyVectorEnv([Renamed] * ENVIRONMENTS),
        VectorReplayBuffer(20000, ENVIRONMENTS),
        exploration_noise=True,
    )
    learner.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=actions,
            collection_step_num_env_steps=4 * ENVIRONMENTS,
            batch_size=128,
            update_step_num_gradient_steps_per_sample=0.2,
            show_progress=False,
            verbose=False,
        )
    )


def main() -> None:
    torch.set_num_threads(1)
    games: Any = Renamed()
    size = games.observation_space["obs"].shape
    actions = int(games.action_space.n)
    policy = DiscreteQLearningPolicy(
        model=Net(state_shape=size, action_shape=actions, hidden_sizes=[128, 128]),
        action_space=games.action_space,
        eps_training=0.2,
    )
    train(policy, int(sys.argv[1]))

    def choose(observation: dict[str, np.ndarray]) -> int:
        seen = rename(observation["observation"][None], observation["action_mask"][None])
        return int(policy(Batch(obs=Batch(**seen), info=Batch())).act[0])

    print_score(choose)


if __name__ == "__main__":
    main()
