"""Writes tests/data/perft*.json: counts of sequences and positions, by the reference.

Run it from the repository after a change of the rules:  python tools/perft.py
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1] / "tests"
sys.path.insert(0, str(TESTS))

from reference import GAMES, Bushka, Position  # noqa: E402  (found through the path above)
from reference.base import Color  # noqa: E402
from reference.bushka import read_square, square_name  # noqa: E402

# Game, options and depth; about 30 s in all.
CASES: list[tuple[str, dict[str, Any], int]] = [
    ("pinch", {"width": 2, "height": 2, "pie": True}, 6),
    ("pinch", {"width": 2, "height": 2, "pie": False}, 5),
    ("pinch", {"width": 3, "height": 2, "pie": True}, 7),
    ("pinch", {"width": 2, "height": 3, "pie": True}, 7),
    ("pinch", {"width": 3, "height": 3, "pie": True}, 7),
    ("pinch", {"width": 3, "height": 3, "pie": False}, 7),
    ("pinch", {"width": 4, "height": 3, "pie": True}, 5),
    ("pinch", {"width": 4, "height": 4, "pie": True}, 4),
    ("pinch", {"width": 5, "height": 5, "pie": True}, 3),
    ("pinch", {"width": 9, "height": 9, "pie": True}, 2),
    ("pinch", {"width": 15, "height": 14, "pie": True}, 2),
    ("pinch", {"width": 25, "height": 25, "pie": False}, 2),
    ("capture-go", {"width": 2, "height": 2, "pie": False}, 5),
    ("capture-go", {"width": 2, "height": 2, "pie": True}, 6),
    ("capture-go", {"width": 3, "height": 2, "pie": True}, 7),
    ("capture-go", {"width": 2, "height": 4, "pie": False}, 6),
    ("capture-go", {"width": 3, "height": 3, "pie": True}, 5),
    ("capture-go", {"width": 4, "height": 2, "pie": True, "crosscut": True}, 5),
    ("capture-go", {"width": 4, "height": 4, "pie": False, "crosscut": True}, 4),
    ("capture-go", {"width": 5, "height": 4, "pie": False}, 3),
    ("capture-go", {"width": 9, "height": 9, "pie": False}, 2),
    ("capture-go", {"width": 15, "height": 14, "pie": True}, 2),
    ("pinch-remove", {"width": 2, "height": 2, "pie": True}, 7),
    ("pinch-remove", {"width": 3, "height": 2, "pie": True}, 9),
    ("pinch-remove", {"width": 2, "height": 3, "pie": False}, 10),
    ("pinch-remove", {"width": 3, "height": 3, "pie": True}, 6),
    ("pinch-remove", {"width": 4, "height": 3, "pie": False}, 5),
    ("pinch-remove", {"width": 5, "height": 5, "pie": True}, 3),
    ("pinch-remove", {"width": 15, "height": 14, "pie": True}, 2),
    ("pinch-relocate", {"width": 2, "height": 2, "pie": True}, 8),
    ("pinch-relocate", {"width": 3, "height": 2, "pie": True}, 7),
    ("pinch-relocate", {"width": 2, "height": 3, "pie": False}, 9),
    ("pinch-relocate", {"width": 3, "height": 3, "pie": True}, 5),
    ("pinch-relocate", {"width": 4, "height": 3, "pie": False}, 3),
    ("pinch-relocate", {"width": 4, "height": 4, "pie": True}, 3),
    ("pinch-relocate", {"width": 15, "height": 2, "pie": True}, 3),
]

WHITE_START = " ".join(map(square_name, sorted(Bushka().white_men)))
BLACK_START = " ".join(map(square_name, sorted(Bushka().black_men)))

# Bushka: White's squares, Black's, the squares of kings, the side to move, and the depth.
BUSHKA_CASES: list[tuple[str, str, str, Color, int]] = [
    (WHITE_START, BLACK_START, "", "white", 4),
    ("e1 e2 f4 f5 f6 g6 g3 h7 i7", "e6 e5 d5 d6 d7 e7 e8", "", "black", 6),
    ("e3 e4 f4 g5 d2", "e7 f8 c6 c5 g8", "d2 g8", "white", 5),
    ("c4 d6 h6", "c7 e8 f8", "c4 e8", "white", 6),
    ("d3 f4 f5 e3", "d5", "", "black", 8),
    ("f3", "f5 d4 e6 c5 h8", "", "white", 8),
    ("e1", "f0", "e1 f0", "white", 5),
]


def sequences(position: Position[Any], depth: int) -> int:
    """Returns the number of sequences of exactly `depth` moves."""
    if depth == 1:
        return len(position.moves())
    return sum(sequences(position.play(move), depth - 1) for move in position.moves())


def distinct(position: Position[Any], depth: int) -> list[int]:
    """Returns the numbers of positions within 1, 2, ... `depth` moves."""
    seen = set()
    layer = [position]
    counts = []
    for _ in range(depth):
        after = [each.play(move) for each in layer for move in each.moves()]
        layer = []
        for each in after:
            if each.key() not in seen:
                seen.add(each.key())
                layer.append(each)
        counts.append(len(seen))
    return counts


def row(game: str, options: dict[str, Any], depth: int) -> dict[str, Any]:
    start = GAMES[game](**options)
    # Distinct positions of large boards would take too much memory, unlike sequences.
    positions = distinct(start, depth if options["width"] < 9 else 1)
    counts = [sequences(start, each) for each in range(1, depth + 1)]
    return {"game": game, **options, "sequences": counts, "distinct": positions}


def bushka_row(white: str, black: str, kings: str, to_move: Color, depth: int) -> dict[str, Any]:
    white_squares, black_squares, king_squares = (
        frozenset(map(read_square, names.split())) for names in (white, black, kings)
    )
    start = Bushka(
        white_men=white_squares - king_squares,
        black_men=black_squares - king_squares,
        white_kings=white_squares & king_squares,
        black_kings=black_squares & king_squares,
        to_move=to_move,
    )
    return {
        "white": white,
        "black": black,
        "kings": kings,
        "to_move": to_move,
        "sequences": [sequences(start, each) for each in range(1, depth + 1)],
        "distinct": distinct(start, depth),
    }


def write(name: str, rows: list[dict[str, Any]]) -> None:
    text = ",\n  ".join(map(json.dumps, rows))
    (TESTS / "data" / name).write_text(f"[\n  {text}\n]\n")


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    write("perft.json", [row(*case) for case in CASES])
    write("perft-bushka.json", [bushka_row(*case) for case in BUSHKA_CASES])


if __name__ == "__main__":
    main()
