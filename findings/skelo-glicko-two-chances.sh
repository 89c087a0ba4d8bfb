#!/usr/bin/env bash
# skelo 0.1.5 (PyPI), Glicko2Model: Glickman's paper, which it cites, damps a rating difference by
# the uncertainty of both players. skelo multiplies by it, damped by the first player's alone. So a
# newcomer beats a player of thirty games with 31 %, and that player the newcomer with 97 %,
# together 128 %. Between equally certain players, chances are far too high. The classifier's two
# columns hide this, since the second is one minus the first: forecasts depend on who is listed
# first.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q skelo==0.1.5 glicko2==2.1.0 numpy==2.4.6 pandas==3.1.1 \
  scikit-learn==1.9.1
cd "$folder"
output=$(venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version
from math import hypot, log, pi, sqrt
from skelo.model.glicko2 import Glicko2Model


def compute_paper(first, second):
    """Compute the expected score of the first player by Glickman's "The Glicko system"."""
    scale = log(10) / 400
    damping = 1 / sqrt(1 + 3 * (scale * hypot(first[1], second[1]) / pi) ** 2)
    return 1 / (1 + 10 ** (-damping * (first[0] - second[0]) / 400))


print("skelo", version("skelo"))
model = Glicko2Model().build(["regular", "rival", "newcomer"])
for game in range(30):
    winner, loser = ("regular", "rival") if game % 3 else ("rival", "regular")
    model.update(winner, loser, game + 1)
for pair in (("regular", "rival"), ("newcomer", "regular")):
    for first, second in (pair, pair[::-1]):
        chance = model.predict_proba(first, second)
        paper = compute_paper(model.get(first)["rating"], model.get(second)["rating"])
        print(f"{first} beats {second}: {chance:.0%}, by the paper {paper:.0%}")
PYTHON
)
echo "$output"
[ "$output" = "skelo 0.1.5
regular beats rival: 90%, by the paper 69%
rival beats regular: 10%, by the paper 31%
newcomer beats regular: 31%, by the paper 43%
regular beats newcomer: 97%, by the paper 57%" ]
