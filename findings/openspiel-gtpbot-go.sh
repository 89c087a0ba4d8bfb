#!/usr/bin/env bash
# open_spiel 2.0.2 (PyPI), GTPBot: intended for GTP programs, it cannot play its own library's Go
# with GNU Go. Moves of its Go are texts such as `B e5`, so it sends `play b B e5`, and searches
# them for GNU Go's response `E5` in lower case. restart_at() sends each move twice and fails in
# every game. Hex moves have the right form, so the problem goes unnoticed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download gnugo=3.8-11 >/dev/null 2>&1 && dpkg -x gnugo_*.deb gnugo
python3 -m venv venv
venv/bin/pip install -q open_spiel==2.0.2
output=$(venv/bin/python - 2>errors <<'PYTHON'
import pyspiel
from open_spiel.python.bots.gtp import GTPBot

game = pyspiel.load_game("go(board_size=9)")
bot = GTPBot(game, ["gnugo/usr/games/gnugo", "--mode", "gtp"])
state = game.new_initial_state()
print("own text:", state.action_to_string(40))
calls = {
    "step": lambda: bot.step(state),
    "inform_action": lambda: bot.inform_action(state, 0, 40),
    "restart_at": lambda: (state.apply_action(40), bot.restart_at(state)),
}
for name, call in calls.items():
    try:
        print(f"{name}: {call()}")
    except Exception as error:
        print(f"{name}: {type(error).__name__}: {str(error).splitlines()[0].partition('(')[0]}")
PYTHON
) || cat errors >&2
output=$(sed -E 's/matching [a-j][1-9]$/matching GNU GO MOVE/' <<<"$output")  # it varies
echo "$output"
[ "$output" = "own text: B e5
step: SpielError: Couldn't find an action matching GNU GO MOVE
inform_action: CommandError: invalid color or coordinate
restart_at: TypeError: action_to_string" ]
