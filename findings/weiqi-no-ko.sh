#!/usr/bin/env bash
# weiqi 0.2.1 (PyPI), a library of Go: it implements captures and forbids suicide, but has no ko
# rule. A stone can be retaken immediately, so random games may not end, and illegal ko moves in
# records are accepted.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q weiqi==0.2.1
cd "$folder"
output=$(venv/bin/python - <<'PYTHON'
from weiqi.core.board import Board
from weiqi.core.figure import Stone
from weiqi.core.move import Move
from weiqi.core.position import Position

board = Board.generate_empty_board(9)
points = [(1, 0), (2, 0), (0, 1), (3, 1), (1, 2), (2, 2), (2, 1), (1, 1)]
for number, point in enumerate(points):
    board.place_figure(Move(Position(*point), (Stone.BLACK, Stone.WHITE)[number % 2]))
before = board.state_as_matrix
for repeat in range(3):
    board.place_figure(Move(Position(2, 1), Stone.BLACK))
    board.place_figure(Move(Position(1, 1), Stone.WHITE))
    print("retaken twice, the same position:", board.state_as_matrix == before)
PYTHON
)
echo "$output"
[ "$(grep -c 'the same position: True' <<<"$output")" = 3 ]
