#!/usr/bin/env bash
# sgf-parser 0.2.3 (npm): values of digits become numbers, even in text properties: the
# comment `007` becomes 7, and a player named 0012 loses her zeros. Other texts keep their escapes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" sgf-parser@0.2.3
cd "$folder"
output=$(node -e '
const [root, move] = require("sgf-parser").parse("(;PB[0012]C[007];B[aa]C[a\\]b])");
console.log(JSON.stringify([root.PB, root.C, move.C]));')
echo "$output"
[ "$output" = '[12,7,"a\\]b"]' ]
