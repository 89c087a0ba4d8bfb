#!/usr/bin/env bash
# PettingZoo 1.27.0 (PyPI), go_v5: `board_size` is documented as an argument of the environment, but
# the constructor writes it to variables of a module, where all environments read it. After a 9x9
# environment is made, one of 19x19 has 82 legal actions after reset() instead of 362; its pass,
# action 361, is illegal, and action 81, a point in its fifth row, passes. Its spaces and
# observations keep the size 19, so nothing looks wrong. Whoever trains on a small board and
# evaluates on a large one in the same process measures another game.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q pettingzoo==1.27.0 gymnasium==1.4.0 numpy==2.4.6 pygame==2.6.1
cd "$folder"
output=$(PYGAME_HIDE_SUPPORT_PROMPT=1 venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version
from pettingzoo.classic import go_v5

print("pettingzoo", version("pettingzoo"))
large = go_v5.env(board_size=19)
for other in ("none", "9x9"):
    if other == "9x9":
        go_v5.env(board_size=9)
    large.reset()
    mask = large.last()[0]["action_mask"]
    print(f"19x19, other: {other}: {mask.sum()} legal actions, pass legal: {mask[361] == 1}")
    large.step(81)
    board = large.last()[0]["observation"][:, :, :2]
    print(f"board {board.shape[:2]}, stones after action 81: {board.sum()}")
PYTHON
)
echo "$output"
[ "$output" = "pettingzoo 1.27.0
19x19, other: none: 362 legal actions, pass legal: True
board (19, 19), stones after action 81: 1
19x19, other: 9x9: 82 legal actions, pass legal: False
board (19, 19), stones after action 81: 0" ]
