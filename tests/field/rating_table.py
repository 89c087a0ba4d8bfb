"""Rates ten results with our formulas and with libraries, for the table in pinchtp/match/README.md.

    PINCHTP_FIELD=FOLDER python tests/field/rating_table.py

writes the table; FOLDER has the libraries (programs.py).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from guide import GuidePart, programs_folder  # noqa: E402  (after the path is set)
from programs import RATINGS  # noqa: E402

from pinchtp.match.ratings import bradley_terry, elo_difference  # noqa: E402

PART = GuidePart("match/README.md", "ratings", "rating_table.py")

# Wins, draws and losses: even, without draws, one-sided, drawn only, and few.
RESULTS = [
    (50, 0, 50),
    (55, 0, 45),
    (7, 0, 3),
    (70, 0, 30),
    (3, 7, 0),
    (0, 10, 0),
    (10, 0, 0),
    (100, 0, 0),
    (1, 0, 0),
    (1, 0, 1),
]


def table(folder: Path) -> str:
    """Returns the table as Markdown."""
    columns = {"Elo": [_our_elo(*each) for each in RESULTS]}
    columns["Bradley-Terry"] = [_our_bradley_terry(*each) for each in RESULTS]
    for name, (package, *_) in RATINGS.items():
        columns[package.replace("==", " ")] = _rate(folder, name)
    lines = [f"| wins, draws, losses | {' | '.join(columns)} |", f"|---{'|--:' * len(columns)}|"]
    for row, result in enumerate(RESULTS):
        cells = (column[row] for column in columns.values())
        lines.append(f"| {', '.join(map(str, result))} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _our_elo(wins: int, draws: int, losses: int) -> str:
    return f"{elo_difference((losses, draws, wins)).elo:.0f}".replace("-0", "0")


def _our_bradley_terry(wins: int, draws: int, losses: int) -> str:
    points = np.array([[0, wins + draws / 2], [losses + draws / 2, 0]])
    first, second = bradley_terry(points)
    return f"{first.elo - second.elo:.0f}".replace("-0", "0")


def _rate(folder: Path, name: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, str(HERE / "rating_libraries.py"), name],
        input=json.dumps(RESULTS),
        env={**os.environ, "PYTHONPATH": str(folder / "python" / name)},
        capture_output=True,
        text=True,
        check=True,
    )
    texts: list[str] = json.loads(done.stdout)
    return texts


if __name__ == "__main__":
    PART.write(table(programs_folder()))
