"""Makes tests/data/perft.json: counts of move sequences and distinct positions, by the rulebook.

Run it from the repository after a change of the rules:  python tools/perft.py
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1] / "tests"
sys.path.insert(0, str(TESTS))

from reference import GAMES, Position  # noqa: E402  (the rulebook is found through the path above)

# Game, options, and how deep: some twenty seconds in all.
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
    ("pinch-remove", {"width": 2, "height": 2, "pie": True}, 7),
    ("pinch-remove", {"width": 3, "height": 2, "pie": True}, 9),
    ("pinch-remove", {"width": 2, "height": 3, "pie": False}, 10),
    ("pinch-remove", {"width": 3, "height": 3, "pie": True}, 6),
    ("pinch-remove", {"width": 4, "height": 3, "pie": False}, 5),
    ("pinch-remove", {"width": 5, "height": 5, "pie": True}, 3),
    ("pinch-remove", {"width": 15, "height": 14, "pie": True}, 2),
    ("pinch-relocate", {"width": 2, "height": 2, "pie": True}, 7),
    ("pinch-relocate", {"width": 3, "height": 2, "pie": True}, 7),
    ("pinch-relocate", {"width": 2, "height": 3, "pie": False}, 7),
    ("pinch-relocate", {"width": 3, "height": 3, "pie": True}, 4),
    ("pinch-relocate", {"width": 4, "height": 3, "pie": False}, 3),
    ("pinch-relocate", {"width": 4, "height": 4, "pie": True}, 3),
    ("pinch-relocate", {"width": 15, "height": 2, "pie": True}, 3),
]


def sequences(position: Position[Any], depth: int) -> int:
    """How many sequences of exactly so many moves there are."""
    if depth == 1:
        return len(position.moves())
    return sum(sequences(position.play(move), depth - 1) for move in position.moves())


def distinct(position: Position[Any], depth: int) -> list[int]:
    """How many positions can be reached in 1, in 1 to 2, ... 1 to `depth` moves."""
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
    # Remembering positions of a large board takes the memory that counting sequences does not.
    positions = distinct(start, depth if options["width"] < 9 else 1)
    counts = [sequences(start, each) for each in range(1, depth + 1)]
    return {"game": game, **options, "sequences": counts, "distinct": positions}


def main() -> None:
    rows = [json.dumps(row(*case)) for case in CASES]
    (TESTS / "data" / "perft.json").write_text("[\n  " + ",\n  ".join(rows) + "\n]\n")


if __name__ == "__main__":
    main()
