"""Single timed trials of playouts and searches, for those who want many short ones."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from time import perf_counter
from typing import TypeAlias

from pinchtp import _core
from pinchtp._core import Network
from pinchtp.games import Position

Trial: TypeAlias = Callable[[], float]  # does some work, and returns its rate per second

WARM_UP = 64  # playouts
MEMORY = 64  # MB for the tree of a short search
NEVER = 2**31 - 1  # visits after which a leaf gets children, if it shall get none
FLAT = 1.0  # exploration constant where there is nothing but a mean for each move


class Trials:
    """Trials of about `seconds` each; no two of them have the same seed."""

    def __init__(self, seconds: float, seed: int) -> None:
        self._seconds = seconds
        self._seeds = itertools.count(seed)

    def playouts(self, start: Position) -> Trial:
        """Random games."""
        count = self._count(start)

        def trial() -> float:
            began = perf_counter()
            start.playouts(count, next(self._seeds))
            return count / (perf_counter() - began)

        return trial

    def moves(self, start: Position) -> Trial:
        """Moves of random games."""
        count = self._count(start)

        def trial() -> float:
            began = perf_counter()
            games = start.playouts(count, next(self._seeds))
            elapsed = perf_counter() - began
            return float(games[:, 1].sum()) / elapsed

        return trial

    def fills(self, width: int, height: int) -> Trial:
        """Random games that only fill the board."""

        def play(count: int) -> float:
            began = perf_counter()
            _core.fill_board(width, height, count, next(self._seeds))
            return count / (perf_counter() - began)

        count = max(8, int(play(WARM_UP) * self._seconds))
        return lambda: play(count)

    def flat_ucb(self, start: Position) -> Trial:
        """Simulations without a tree: the moves at the root are chosen by UCB1."""
        return self._search(start, expand_visits=NEVER, amaf_visits=0.0, exploration=FLAT)

    def uct(self, start: Position) -> Trial:
        """Simulations of plain UCT: a tree, and nothing but the mean of each move."""
        return self._search(start, amaf_visits=0.0, exploration=FLAT)

    def engine(self, start: Position, network: Network | None = None) -> Trial:
        """Simulations of the engine's own search, judged by a network or random playouts."""
        return self._search(start, network=network)

    def evaluations(self, start: Position, network: Network) -> Trial:
        """Evaluations by a network, one position at a time."""
        instruction_set = _core.inference_instruction_sets()[-1]

        def evaluate(count: int) -> float:
            began = perf_counter()
            start.evaluate_often(network, count, instruction_set=instruction_set)
            return count / (perf_counter() - began)

        count = max(8, int(evaluate(WARM_UP) * self._seconds))
        return lambda: evaluate(count)

    def _count(self, start: Position) -> int:
        """Playouts that take about as long as a trial."""
        start.playouts(WARM_UP, next(self._seeds))
        began = perf_counter()
        start.playouts(WARM_UP, next(self._seeds))
        return max(8, int(WARM_UP * self._seconds / (perf_counter() - began)))

    def _search(self, start: Position, network: Network | None = None, **options: float) -> Trial:
        def trial() -> float:
            search = _core.Search(
                start,
                memory_mb=MEMORY,
                network=network,
                **options,  # type: ignore[arg-type]
            )
            began = perf_counter()
            search.run(self._seconds, 2**31, 1, next(self._seeds))
            return search.report().visits / (perf_counter() - began)

        return trial
