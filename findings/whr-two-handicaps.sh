#!/usr/bin/env bash
# whr 2.2.0 and whole-history-rating 3.7.1 (PyPI) are both `import whr`, and both take
# create_game(black, white, winner, day, handicap). In the former a handicap of 200 means 200 Elo
# points: a player who wins only half of the games with it is rated lower. In the latter it is a
# label whose value is estimated from the games, so the players stay equal. The ratings of a script
# depend on the package installed last.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
cd "$folder"
venv/bin/pip install -q numpy==2.4.6
venv/bin/pip install -q --no-deps --target whr whr==2.2.0
venv/bin/pip install -q --no-deps --target whole whole-history-rating==3.7.1
output=$(for package in whr whole; do
  PYTHONPATH=$package venv/bin/python -W ignore -c '
import whr

base = getattr(whr, "WHR", whr.Base)()
for game in range(20):
    base.create_game("black", "white", "BW"[game % 2], 1, 200)
base.iterate(200)
print(*(round(base.ratings_for_player(name)[-1][1]) for name in ("black", "white")))'
done)
echo "$output"
[ "$output" = '-95 95
0 0' ]
