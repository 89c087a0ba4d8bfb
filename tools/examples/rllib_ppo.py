"""Learns Pinch on 5x5 with RLlib's PPO, in self-play.

    pip install 'pinchtp[env]' 'ray[rllib]' torch
    python tools/examples/rllib_ppo.py 15      # iterations of 2,000 actions

RLlib's module for masks looks for the key `observations`, PettingZoo's environments have
`observation`: a wrapper renames it.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import torch
from gymnasium.spaces import Box, Dict
from pettingzoo.utils import BaseWrapper
from random_play import make_environment, print_score
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

POLICY = "both"


class Renamed(BaseWrapper):  # type: ignore[misc]
    """The environment with flat float observations, under RLlib's keys."""

    def observation_space(self, agent: str) -> Dict:
        space = super().observation_space(agent)
        size = int(np.prod(space["observation"].shape))
        mask = Box(0, 1, space["action_mask"].shape, np.float32)
        return Dict(action_mask=mask, observations=Box(0, 1, (size,), np.float32))

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        return rename(super().observe(agent))


def rename(observation: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Returns an observation of the environment as input for RLlib's module."""
    return {
        "action_mask": observation["action_mask"].astype(np.float32),
        "observations": observation["observation"].ravel().astype(np.float32),
    }


def main() -> None:
    register_env("pinch", lambda _: PettingZooEnv(Renamed(make_environment())))
    spec = RLModuleSpec(ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [128, 128]})
    config = (
        PPOConfig()
        .environment("pinch")
        .env_runners(num_env_runners=0, num_envs_per_env_runner=1)
        .multi_agent(policies={POLICY}, policy_mapping_fn=lambda *_, **__: POLICY)
        .rl_module(rl_module_spec=spec)
        .training(train_batch_size=2000, minibatch_size=200, num_epochs=5, lr=5e-4, gamma=1.0)
    )
    algorithm = config.build_algo()
    for _ in range(int(sys.argv[1])):
        algorithm.train()
    module: Any = algorithm.get_module(POLICY)

    def choose(observation: dict[str, np.ndarray]) -> int:
        seen = {key: torch.tensor(value[None]) for key, value in rename(observation).items()}
        with torch.no_grad():
            logits = module.forward_inference({"obs": seen})["action_dist_inputs"]
        return int(logits.argmax())

    print_score(choose)


if __name__ == "__main__":
    main()
