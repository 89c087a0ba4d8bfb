"""Compares an analysis whose tree is full with one whose tree is not, at the same time.

    python tools/lab/full_tree_pair.py --game pinch-remove --seconds 120

Prints visits per second of processor time in each sixth of the time, and their ratio. What slows
the machine down slows both, unlike the rates before and after in tools/full_tree.py.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from full_tree import analyze, rate

from pinchtp.games import GAMES

INTERVAL = 10  # centiseconds
PARTS = 6


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--game", choices=GAMES, default="pinch-remove")
    parser.add_argument("--memory", type=int, nargs=2, default=[16, 512], help="MB")
    parser.add_argument("--seconds", type=float, default=120)
    options = parser.parse_args()
    with ThreadPoolExecutor(2) as threads:
        runs = [
            threads.submit(analyze, options.game, memory, INTERVAL, options.seconds)
            for memory in options.memory
        ]
        points = [run.result().points for run in runs]
    end = min(line[-1][0] for line in points)
    for part in range(PARTS):
        begin = end * part / PARTS
        full, free = (rate(line, begin, begin + end / PARTS) for line in points)
        print(f"{begin:5.0f} s {full:10,.0f} {free:10,.0f} {full / free:.2f}")


if __name__ == "__main__":
    main()
