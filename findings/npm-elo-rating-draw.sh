#!/usr/bin/env bash
# elo-rating 1.0.1 (npm): its own text counts a draw as 0.5, and its `expected` returns such scores,
# but `calculate` takes 0.5 for a win: two equals who draw part with 20 points between them.
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
