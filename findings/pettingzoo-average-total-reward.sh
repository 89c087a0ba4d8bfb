#!/usr/bin/env bash
# PettingZoo 1.27.0 (PyPI), average_total_reward: it has a branch for action masks, but calls
# last(observe=False), so it never gets one. So most random games of tic-tac-toe end by an illegal
# move, and the rewards of this zero-sum game, which should cancel, average about -0.95.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q pettingzoo==1.27.0 pygame-ce==2.5.7
cd "$folder"
output=$(PYGAME_HIDE_SUPPORT_PROMPT=1 venv/bin/python - 2>errors <<'PYTHON'
import contextlib
import io

from pettingzoo.classic import tictactoe_v3
from pettingzoo.utils import average_total_reward

env = tictactoe_v3.env()
env.reset(seed=1)
print("mask given:", "action_mask" in env.last()[0])
with contextlib.redirect_stdout(io.StringIO()):
    average = average_total_reward(env, max_episodes=300)
print("illegal moves in over half of the games:", average < -0.5)
PYTHON
) || cat errors >&2
echo "$output"
grep -qx 'mask given: True' <<<"$output"
grep -qx 'illegal moves in over half of the games: True' <<<"$output"
