#!/usr/bin/env bash
# openskill 6.2.0 (PyPI), PlackettLuce (also ThurstoneMostellerFull): a draw of three newcomers says
# more than a draw of two, but PlackettLuce grows less certain by the third: sigma 8.33 falls to 8.07
# among two and only to 8.21 among three. ThurstoneMostellerFull goes the other way, to 7.20 and 5.86.
# Sigmas of tables of different sizes, or of two models, cannot be compared.
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
