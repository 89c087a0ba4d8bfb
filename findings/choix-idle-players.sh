#!/usr/bin/env bash
# choix 0.4.1 (PyPI), lsr_pairwise and ilsr_pairwise: `alpha` is added to every pair, so players
# without games pull the others together. Two players with 7:3 are 0.81 apart alone, and 0.41 among
# 48 who never played; with opt_pairwise 0.81 in both cases. Registering all players before a match
# changes its ratings.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q choix==0.4.1 numpy==2.4.6 scipy==1.17.1
cd "$folder"
output=$(venv/bin/python -c '
import choix

games = [(0, 1)] * 7 + [(1, 0)] * 3
for fit in (choix.lsr_pairwise, choix.ilsr_pairwise, choix.opt_pairwise):
    gaps = [params[0] - params[1] for params in (fit(n, games, alpha=0.1) for n in (2, 50))]
    print(fit.__name__, *(f"{gap:.2f}" for gap in gaps))')
echo "$output"
[ "$output" = 'lsr_pairwise 0.81 0.41
ilsr_pairwise 0.81 0.41
opt_pairwise 0.81 0.81' ]
