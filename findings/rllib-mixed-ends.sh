#!/usr/bin/env bash
# RLlib of ray 2.60.0 (PyPI) with PettingZoo 1.27.0, PettingZooEnv: if one agent's game terminates
# in the step in which the other's is truncated, no agent is left, but neither `terminateds` nor
# `truncateds` has a true `__all__`, RLlib's sign of the end of an episode: each requires all
# agents. Here two runners take turns, and the second reaches the limit when the first arrives.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q 'ray[rllib]==2.60.0' pettingzoo==1.27.0
cd "$folder"
output=$(venv/bin/python - 2>errors <<'PYTHON'
from gymnasium.spaces import Discrete
from pettingzoo import AECEnv
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv


class Race(AECEnv):
    metadata = {"name": "race_v0"}
    possible_agents = ["arrives", "runs"]

    def observation_space(self, agent):
        return Discrete(3)

    def action_space(self, agent):
        return Discrete(1)

    def observe(self, agent):
        return self.steps

    def reset(self, seed=None, options=None):
        self.agents = list(self.possible_agents)
        self.agent_selection = self.agents[0]
        self.steps = 0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.steps += 1
        self.terminations["arrives"] = self.truncations["runs"] = self.steps == 2
        self.agent_selection = self.possible_agents[self.steps % 2]


env = PettingZooEnv(Race())
env.reset()
for agent in env.possible_agents:
    _, _, terminated, truncated, _ = env.step({agent: 0})
print("agents left:", len(env.env.agents))
print("__all__:", terminated["__all__"], truncated["__all__"])
PYTHON
) || cat errors >&2
echo "$output"
[ "$output" = "agents left: 0
__all__: False False" ]
