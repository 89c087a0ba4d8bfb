#!/usr/bin/env bash
# elo-rating 1.0.1 (npm): its documentation counts a draw as 0.5, and `expected` returns such
# scores, but `calculate` treats 0.5 as a win: two equal players are 20 points apart after a draw.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" elo-rating@1.0.1
cd "$folder"
output=$(node -e '
const elo = require("elo-rating");
console.log("score expected", elo.expected(1600, 1600));
console.log("draw", JSON.stringify(elo.calculate(1600, 1600, 0.5)));
console.log("win", JSON.stringify(elo.calculate(1600, 1600, 1)));')
echo "$output"
[ "$output" = 'score expected 0.5
draw {"playerRating":1610,"opponentRating":1590}
win {"playerRating":1610,"opponentRating":1590}' ]
