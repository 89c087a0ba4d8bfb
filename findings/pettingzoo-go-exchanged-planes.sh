#!/usr/bin/env bash
# PettingZoo 1.27.0 (PyPI), go_v5: by its documentation, the first plane of an observation has the
# stones of the player to move, the second those of the opponent, and the last is 1 for black. All
# three are the other way round. The planes of earlier positions are called "AlphaZero style", but
# their colors alternate from one position to the next; AlphaGo Zero's are all seen by the player to
# move. An agent that takes the first plane for its own stones defends its opponent's.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q pettingzoo==1.27.0 gymnasium==1.4.0 numpy==2.4.6 pygame==2.6.1
export PYGAME_HIDE_SUPPORT_PROMPT=1
output=$(venv/bin/python -W ignore -c '
import pettingzoo
from pettingzoo.classic import go_v5

env = go_v5.env(board_size=5)
env.reset()
points = {"black": (0, 0), "white": (4, 4)}
for action in (0, 24):  # black, then white
    env.step(action)
    planes = env.last()[0]["observation"]
    stones = [[name for name in points if planes[*points[name], n]] for n in range(4)]
    colors = " ".join(names[0] if names else "none" for names in stones)
    print(f"{env.agent_selection} to move: {colors}, last plane {int(planes[0, 0, -1])}")
print("pettingzoo", pettingzoo.__version__)')
echo "$output"
[ "$output" = "white_0 to move: black none none none, last plane 1
black_0 to move: white black black none, last plane 0
pettingzoo 1.27.0" ]
