#!/usr/bin/env bash
# pysgf 1.0.0 (PyPI), by KaTrain's author: in SGF, only an unescaped `]` ends a value. It splits
# values also at `\] [`, so a comment with two words in brackets becomes two values: get_property()
# returns its beginning with a backslash, and writing the game again separates the comment for good.
# It cannot read what it writes itself; sgfmill 1.1.1 reads the same text correctly.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q pysgf==1.0.0 chardet==7.7.0 sgfmill==1.1.1
cd "$folder"
output=$(venv/bin/python - <<'PYTHON'
from importlib.metadata import version
from pysgf import GoGame, GoNode
from sgfmill.sgf import Sgf_game

print("pysgf", version("pysgf"))
node = GoNode(properties={"C": "compare [1] [2] below"})
text = node.sgf()
print("written:", text)
again = GoGame.parse(text)
print("read:", again.get_property("C"))
print("written again:", again.sgf())
print("read by sgfmill:", Sgf_game.from_string(text).get_root().get("C"))
PYTHON
)
echo "$output"
[ "$output" = 'pysgf 1.0.0
written: (;C[compare [1\] [2\] below])
read: compare [1\
written again: (;C[compare [1\\][2\] below])
read by sgfmill: compare [1] [2] below' ]
