#!/usr/bin/env bash
# AgileRL 2.58.0 (PyPI), PettingZooAutoResetParallelWrapper: starts the next episode once all agents
# have terminated, but tests `all(terminations or truncations)` with two lists. A list with agents
# is true, so truncations are ignored. An environment with a step limit continues beyond its end,
# without agents. The module is loaded alone, since the package needs torch.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q pettingzoo==1.26.1 gymnasium==1.4.0 numpy==2.4.6
"$folder/venv/bin/pip" install -q --no-deps --target "$folder/alone" agilerl==2.58.0
cd "$folder"
output=$(PYTHONPATH=alone/agilerl/wrappers venv/bin/python - <<'PYTHON'
from pettingzoo import ParallelEnv
from pettingzoo_wrappers import PettingZooAutoResetParallelWrapper


class Limited(ParallelEnv):
    """Ends in its third step; an observation is the number of steps."""

    metadata = {"name": "limited_v0"}
    possible_agents = ["a", "b"]

    def __init__(self, end):
        self.end = end

    def reset(self, seed=None, options=None):
        self.agents, self.steps = list(self.possible_agents), 0
        return dict.fromkeys(self.agents, 0), {agent: {} for agent in self.agents}

    def step(self, actions):
        self.steps += 1
        over = dict.fromkeys(self.possible_agents, self.steps >= 3)
        no = dict.fromkeys(self.possible_agents, False)
        ends = (over, no) if self.end == "terminated" else (no, over)
        if self.steps >= 3:
            self.agents = []
        observations = dict.fromkeys(self.possible_agents, self.steps)
        return observations, dict.fromkeys(over, 0.0), *ends, {agent: {} for agent in over}


for end in ("terminated", "truncated"):
    env = PettingZooAutoResetParallelWrapper(Limited(end))
    env.reset()
    print(end, *(env.step({"a": 0, "b": 0})[0]["a"] for _ in range(6)), env.env.agents)
PYTHON
)
echo "$output"
[ "$output" = "terminated 1 2 0 1 2 0 ['a', 'b']
truncated 1 2 3 4 5 6 []" ]
