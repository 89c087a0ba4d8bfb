#!/usr/bin/env bash
# sgflib 0.1.0 (PyPI): the values of a property are a set. Reading and writing a file sorts them and
# drops duplicates: a private list `XX[b][a][b]` becomes `XX[a][b]`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q sgflib==0.1.0
cd "$folder"
output=$(venv/bin/python -c '
import sgflib
print(sgflib.SGFParser("(;FF[4]XX[b][a][b]C[x])").parse_collection().sgf)')
echo "$output"
[ "$output" = '(;C[x]FF[4]XX[a][b])' ]
