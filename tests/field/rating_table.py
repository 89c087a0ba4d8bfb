"""Rates ten results, and tests them, with our formulas and with others', for the tables in
pinchtp/match/README.md.

    PINCHTP_FIELD=FOLDER python tests/field/rating_table.py

writes the tables; FOLDER has the libraries (programs.py).
"""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from guide import GuidePart, programs_folder  # noqa: E402  (after the path is set)
from programs import RATINGS, TESTS  # noqa: E402
from rating_libraries import HYPOTHESES, show  # noqa: E402

from pinchtp.base.ratings import bradley_terry, elo_difference  # noqa: E402
from pinchtp.match.results.sprt import Sprt, SprtModel  # noqa: E402

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


def tables(folder: Path) -> str:
    """Returns both tables as Markdown."""
    return f"{rating_table(folder)}\n{test_table(folder)}"


def test_table(folder: Path) -> str:
    """Returns the log-likelihood ratios of HYPOTHESES."""
    columns = {"ours": [show(_our_ratio(*each), 2) for each in RESULTS]}
    for name, (package, *_) in TESTS.items():
        columns[package.replace("==", " ")] = _run(folder, name)
    columns["cutechess, by its formula"] = [show(_cutechess_ratio(*each), 2) for each in RESULTS]
    return _as_markdown(columns)


def rating_table(folder: Path) -> str:
    """Returns the differences of the two players' ratings."""
    columns = {"Elo": [_our_elo(*each) for each in RESULTS]}
    columns["Bradley-Terry"] = [_our_bradley_terry(*each) for each in RESULTS]
    for name, (package, *_) in RATINGS.items():
        columns[package.replace("==", " ")] = _run(folder, name)
    return _as_markdown(columns)


def _as_markdown(columns: dict[str, list[str]]) -> str:
    lines = [f"| wins, draws, losses | {' | '.join(columns)} |", f"|---{'|--:' * len(columns)}|"]
    for row, result in enumerate(RESULTS):
        cells = (column[row] for column in columns.values())
        lines.append(f"| {', '.join(map(str, result))} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _our_elo(wins: int, draws: int, losses: int) -> str:
    return show(elo_difference((losses, draws, wins)).elo)


def _our_bradley_terry(wins: int, draws: int, losses: int) -> str:
    points = np.array([[0, wins + draws / 2], [losses + draws / 2, 0]])
    first, second = bradley_terry(points)
    return show(first.elo - second.elo)


def _our_ratio(wins: int, draws: int, losses: int) -> float:
    return Sprt(*HYPOTHESES, model=SprtModel.LOGISTIC).llr((losses, draws, wins))


def _cutechess_ratio(wins: int, draws: int, losses: int) -> float:
    """The test of cutechess since July 2023, which adds half a game to each count.

    Players have the chances of BayesElo: the Elo of draws is that of the results, and hypotheses
    are scaled to it.
    """
    counts = np.array([wins, draws, losses]) + 0.5
    win, _, loss = counts / counts.sum()
    draw_elo = 200 * math.log10((1 - loss) / loss * (1 - win) / win)
    odds = 10 ** (-draw_elo / 400)
    scale = 4 * odds / (1 + odds) ** 2

    def chances(elo: float) -> np.ndarray:
        win, loss = (1 / (1 + 10 ** ((draw_elo - each / scale) / 400)) for each in (elo, -elo))
        return np.array([win, 1 - win - loss, loss])

    zero, one = map(chances, HYPOTHESES)
    return float(counts @ np.log(one / zero))


def _run(folder: Path, name: str) -> list[str]:
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
    PART.write(tables(programs_folder()))
