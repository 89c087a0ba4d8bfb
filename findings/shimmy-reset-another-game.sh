#!/usr/bin/env bash
# Shimmy 2.0.1 with open_spiel 2.0.2 (PyPI), OpenSpielCompatibilityV0: reset() reloads the game by
# its short name, so parameters are lost, even those of a game that the caller has loaded. Hex 3x3
# has 9 actions before the first reset() and 121 after it; only `config` is kept.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q shimmy==2.0.1 pettingzoo==1.27.0 open_spiel==2.0.2
output=$(venv/bin/python -W ignore - <<'PYTHON'
import pyspiel
from shimmy import OpenSpielCompatibilityV0

ways = {
    "text": {"game_name": "hex(board_size=3)"},
    "loaded game": {"env": pyspiel.load_game("hex(board_size=3)")},
    "config": {"game_name": "hex", "config": {"board_size": 3}},
}
for way, arguments in ways.items():
    wrapped = OpenSpielCompatibilityV0(**arguments)
    before = wrapped.action_space("player_0").n
    wrapped.reset()
    print(f"{way}: {before} actions, then {wrapped.action_space('player_0').n}")
PYTHON
)
echo "$output"
[ "$output" = "text: 9 actions, then 121
loaded game: 9 actions, then 121
config: 9 actions, then 9" ]
