#!/usr/bin/env bash
# SuperSuit 3.11 (PyPI) with PettingZoo 1.27.0, delay_observations_v0: intended for observations, it
# also delays the action mask in the observation. An agent that obeys its mask plays on a point that
# is now occupied, which ends the game as a loss: the delay shows up as illegal moves.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q supersuit==3.11.0 pettingzoo==1.27.0 pygame-ce==2.5.7
cd "$folder"
output=$(PYGAME_HIDE_SUPPORT_PROMPT=1 venv/bin/python - 2>errors <<'PYTHON'
import contextlib
import io

import supersuit
from pettingzoo.classic import tictactoe_v3

env = supersuit.delay_observations_v0(tictactoe_v3.env(), 1)
env.reset(seed=1)
for action in (0, 4):
    env.step(action)
mask = env.last()[0]["action_mask"]
print("after 0 and 4 the mask allows", *mask.nonzero()[0])
with contextlib.redirect_stdout(io.StringIO()):
    env.step(int(mask.argmax()))
print("obeyed:", env.rewards)
PYTHON
) || cat errors >&2
echo "$output"
[ "$output" = "after 0 and 4 the mask allows 0 1 2 3 4 5 6 7 8
obeyed: {'player_1': -1.0, 'player_2': 0}" ]
