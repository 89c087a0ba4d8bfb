#!/usr/bin/env bash
# openskill 6.2.0 (PyPI), PlackettLuce (also ThurstoneMostellerFull): a draw of three newcomers
# contains more information than a draw of two, but makes PlackettLuce less certain: sigma 8.33
# falls to 8.07 with two and only to 8.21 with three. ThurstoneMostellerFull does the opposite, 7.20
# and 5.86. Sigmas from tables of different sizes, or from different models, are not comparable.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q openskill==6.2.0
cd "$folder"
output=$(venv/bin/python -c '
from openskill.models import PlackettLuce, ThurstoneMostellerFull

for Model in (PlackettLuce, ThurstoneMostellerFull):
    model = Model()
    drawn = [model.rate([[model.rating()] for _ in range(n)], ranks=[1] * n) for n in (2, 3)]
    print(Model.__name__, *(f"{teams[0][0].sigma:.2f}" for teams in drawn))')
echo "$output"
[ "$output" = 'PlackettLuce 8.07 8.21
ThurstoneMostellerFull 7.20 5.86' ]
