#!/usr/bin/env bash
# Tianshou 2.0.1 (PyPI) with PettingZoo 1.27.0, PettingZooEnv: step() returns the same list of
# rewards each time and overwrites it. A loop that stores these lists finds the rewards of the last
# move in all of them: here four moves without reward count as wins. Tianshou's Collector copies the
# list immediately, so the problem goes unnoticed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
packages="tianshou==2.0.1 torch==2.13.0 pettingzoo==1.27.0 pygame-ce==2.5.7"
"$folder/venv/bin/pip" install -q $packages
cd "$folder"
output=$(PYGAME_HIDE_SUPPORT_PROMPT=1 venv/bin/python - 2>errors <<'PYTHON'
from pettingzoo.classic import tictactoe_v3
from tianshou.env import PettingZooEnv

env = PettingZooEnv(tictactoe_v3.raw_env())
env.reset()
at_once, kept = [], []
for action in (0, 3, 1, 4, 2):
    rewards = env.step(action)[1]
    at_once.append(tuple(rewards))
    kept.append(rewards)
print("at once:", *map(list, at_once))
print("kept:", *kept)
PYTHON
) || cat errors >&2
echo "$output"
[ "$output" = "at once: [0, 0] [0, 0] [0, 0] [0, 0] [1, -1]
kept: [1, -1] [1, -1] [1, -1] [1, -1] [1, -1]" ]
