#!/usr/bin/env bash
# sgfutil 0.1.1 (PyPI, with ply 3.11): a pass in SGF is an empty value, `B[]`. Its grammar has no
# empty values, and its error handler calls exit(): the caller's process ends, with status 0, so a
# script that reads a directory of games stops in the middle and reports success.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q sgfutil==0.1.1 ply==3.11
cd "$folder"
set +e
output=$(venv/bin/python - 2>errors <<'PYTHON'
from sgfutil.parser import SgfParser

SgfParser().sgf_parse("(;SZ[9];B[ee];W[cc])")
print("moves read", flush=True)
SgfParser().sgf_parse("(;SZ[9];B[ee];W[])")
print("pass read", flush=True)
PYTHON
) || cat errors >&2
status=$?
set -e
echo "$output"
echo "exit status $status"
grep -q 'moves read' <<<"$output"
! grep -q 'pass read' <<<"$output"
[ "$status" = 0 ]
