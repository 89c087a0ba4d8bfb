#!/usr/bin/env bash
# The package `sgf-parser` exists twice: npm's reads the Smart Game Format, PyPI's (0.0.14) borehole
# data in a format of the Swedish Geotechnical Society. Its error for a game, "First block is not a
# main block", suggests a damaged game.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q sgf-parser==0.0.14
cd "$folder"
printf '(;FF[4]SZ[9];B[ee];W[cc])\n' > game.sgf
output=$(venv/bin/python -c '
from sgf_parser import Parser
with open("game.sgf") as file:
    print(Parser().parse(file))' 2>&1 | tail -1 || true) # python fails
echo "$output"
[ "$output" = 'ValueError: First block is not a main block' ]
