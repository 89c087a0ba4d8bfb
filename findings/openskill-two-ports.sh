#!/usr/bin/env bash
# openskill 6.2.0 (PyPI) and openskill 5.0.1 (npm): the same name, the same default model, and
# identical ratings after a hundred games, but predictions for three players differ by more than a
# percent (first place 0.520 and 0.506, a draw 0.198 and 0.189). A page that computes probabilities
# from the server's ratings contradicts the server.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q openskill==6.2.0
npm install --silent --no-audit --no-fund openskill@5.0.1
python=$(venv/bin/python -c '
from openskill.models import PlackettLuce

model = PlackettLuce()
first, second = model.rating(), model.rating()
for _ in range(100):
    [first], [second] = model.rate([[first], [second]])
teams = [[model.rating(30, 3)], [model.rating(25, 5)], [model.rating(20, 8)]]
chances = (*model.predict_win(teams), model.predict_draw(teams))
print(f"{first.sigma:.6f}", *(f"{chance:.3f}" for chance in chances))')
node=$(node -e '
const { predictDraw, predictWin, rate, rating } = require("openskill");
let first = [rating()], second = [rating()];
for (let game = 0; game < 100; game++) [first, second] = rate([first, second]);
const teams = [[30, 3], [25, 5], [20, 8]].map(([mu, sigma]) => [rating({ mu, sigma })]);
const chances = [...predictWin(teams), predictDraw(teams)];
console.log(first[0].sigma.toFixed(6), ...chances.map((chance) => chance.toFixed(3)));')
printf '%s\n%s\n' "$python" "$node"
[ "$python" = '5.315149 0.520 0.316 0.165 0.198' ]
[ "$node" = '5.315149 0.506 0.319 0.174 0.189' ]
