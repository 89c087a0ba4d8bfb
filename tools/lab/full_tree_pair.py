"""Compares analyses with and without a full tree, in alternating slices.

    python tools/lab/full_tree_pair.py --game pinch-remove

It ends when the smaller tree has had ten times the visits that filled it. Prints visits per second
of CPU time in each sixth of the visits since it was full, their ratio, and the longest slice
between two reports in CPU time. Load on the machine slows both down, unlike the rates before and
after in tools/full_tree.py.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from time import process_time

from pinchtp._core import Search
from pinchtp.games import GAMES, MCTS
from pinchtp.player.player import NO_VISIT_LIMIT, Player
from pinchtp.player.settings import Settings

INTERVAL = 0.1  # seconds between reports
PARTS = 6
FILLS = 10


class Analysis:
    """A search, with its CPU time and visits at each report."""

    def __init__(self, game: str, memory: int) -> None:
        player = Player(Settings(game=game, memory=memory, search=MCTS))
        rules = GAMES[game]
        self.search: Search = player.new_search(rules.start(*rules.size))
        self.points: list[tuple[float, int]] = [(0.0, 0)]
        self.full_at: int | None = None  # index of the first report after nodes were pruned
        self._nodes = 0

    def advance(self) -> None:
        """Searches until the next report."""
        begin = process_time()
        self.search.run(INTERVAL, NO_VISIT_LIMIT, 1, seed=len(self.points))
        report = self.search.report()
        if self.full_at is None and report.nodes < self._nodes:
            self.full_at = len(self.points)
        self._nodes = report.nodes
        self.points.append((self.points[-1][0] + process_time() - begin, report.visits))

    @property
    def is_done(self) -> bool:
        """Whether the tree has had FILLS times the visits that filled it."""
        return (
            self.full_at is not None and self.points[-1][1] >= FILLS * self.points[self.full_at][1]
        )

    def rate(self, begin: int, end: int) -> float:
        """Returns the visits per second between two reports."""
        seconds, visits = (
            last - first for first, last in zip(self.points[begin], self.points[end], strict=True)
        )
        return visits / seconds

    def longest_slice(self) -> float:
        """Returns the CPU time of the longest slice, in intervals."""
        return max(end - begin for (begin, _), (end, _) in pairwise(self.points)) / INTERVAL


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--game", choices=GAMES, default="pinch-remove")
    parser.add_argument("--memory", type=int, nargs=2, default=[16, 512], help="MB")
    options = parser.parse_args()
    small, large = (Analysis(options.game, memory) for memory in options.memory)
    while not small.is_done:
        small.advance()
        large.advance()
    assert small.full_at
    ends = [
        small.full_at + (len(small.points) - 1 - small.full_at) * i // PARTS
        for i in range(PARTS + 1)
    ]
    for begin, end in [(0, small.full_at), *pairwise(ends)]:
        rates = small.rate(begin, end), large.rate(begin, end)
        visits = small.points[begin][1]
        print(f"| {visits:,} | {rates[0]:,.0f} | {rates[1]:,.0f} | {rates[0] / rates[1]:.2f} |")
    print(f"longest slice: {small.longest_slice():.2f}, {large.longest_slice():.2f} intervals")


if __name__ == "__main__":
    main()
