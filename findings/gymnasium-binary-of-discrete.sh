#!/usr/bin/env bash
# Gymnasium 1.4.0 (PyPI): the size of one space is rejected by another. The natural space for an
# action mask is MultiBinary(Discrete(3).n), but Discrete stores n as a numpy integer, which
# MultiBinary does not accept as an integer. MultiDiscrete does.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q gymnasium==1.4.0 numpy==2.4.6
cd "$folder"
output=$(venv/bin/python - <<'PYTHON'
from gymnasium.spaces import Discrete, MultiBinary, MultiDiscrete

print(MultiDiscrete([Discrete(3).n] * 2))
try:
    print(MultiBinary(Discrete(3).n))
except ValueError as error:
    print(error)
PYTHON
)
echo "$output"
[ "$output" = "MultiDiscrete([3 3])
Expected n to be an int or a sequence of ints, actual type: <class 'numpy.int64'>" ]
