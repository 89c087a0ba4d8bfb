#!/usr/bin/env bash
# Tianshou 2.0.1 (PyPI) with PettingZoo 1.27.0, MultiAgentOffPolicyAlgorithm of two DQNs: by default
# a move's target is the value of the next step, which in a turn-based game is the opponent's: its
# best value counts for the player, with the same sign. Here the value of an observation is the
# observer's number of stones: after the first stone of tic-tac-toe the target is 0, the opponent's.
# With n_step_return_horizon=2 it is 1, the player's own.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
packages="tianshou==2.0.1 torch==2.13.0 pettingzoo==1.27.0 pygame-ce==2.5.7"
"$folder/venv/bin/pip" install -q $packages
cd "$folder"
output=$(PYGAME_HIDE_SUPPORT_PROMPT=1 venv/bin/python - 2>errors <<'PYTHON'
import torch
from gymnasium.spaces import Discrete
from pettingzoo.classic import tictactoe_v3
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, ReplayBuffer
from tianshou.env import PettingZooEnv


class OwnStones(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(1))

    def forward(self, obs, state=None, info=None):
        stones = torch.as_tensor(obs[..., 0]).float().sum((1, 2))
        return self.weight * stones[:, None].expand(-1, 9), state


def learner(**options):
    policy = DiscreteQLearningPolicy(model=OwnStones(), action_space=Discrete(9))
    return DQN(policy=policy, optim=AdamOptimizerFactory(), gamma=1.0, **options)


env = PettingZooEnv(tictactoe_v3.raw_env())
for options in ({}, {"n_step_return_horizon": 2}):
    both = MultiAgentOffPolicyAlgorithm(
        algorithms=[learner(**options), learner(**options)], env=env
    )
    buffer = ReplayBuffer(2)
    seen, _ = env.reset()
    for action in (0, 3):
        after, rewards, terminated, truncated, _ = env.step(action)
        buffer.add(
            Batch(
                obs=seen, act=action, rew=list(rewards), terminated=terminated,
                truncated=truncated, obs_next=after, info={},
            )
        )
        seen = after
    batch, indices = buffer.sample(0)
    returns = both._preprocess_batch(batch, buffer, indices)["player_1"].returns
    print(options, "target of the first stone:", float(returns.flatten()[0]))
PYTHON
) || cat errors >&2
echo "$output"
[ "$output" = "{} target of the first stone: 0.0
{'n_step_return_horizon': 2} target of the first stone: 1.0" ]
