"""Moves that lost by force, proven by the solver."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pinchtp._core import Solver
from pinchtp.engine.analysis import Solved
from pinchtp.games import Color
from pinchtp.games.session import Session

SENTENCE = re.compile(  # as ForcedLoss.sentence() writes it
    r"(gave up a forced \w+|lost by force): (Black|White) wins( with .*)?"
)
SOLVER_MB = 64
SHARE = 4  # each position may use 1/SHARE of the remaining budget

Solve = Callable[[Session, float], tuple[Solved, float]]
"""Returns the value of a position within a budget, and how much of that it used."""


@dataclass(frozen=True)
class ForcedLoss:
    """The proof that a move lost.

    before, after: values of the positions before and after the move. The opponent wins after it,
    but did not win before it, or not provably.
    """

    before: Solved
    after: Solved

    @classmethod
    def of(cls, color: Color, before: Solved, after: Solved) -> ForcedLoss | None:
        """Returns the proof that a color's move lost; None if there is no such proof."""
        lost = after.winner == color.opponent and before.winner != color.opponent
        return cls(before, after) if lost else None

    def sentence(self, most: int) -> str:
        """Returns the effect of the move, and at most `most` moves of the opponent's win."""
        assert self.after.winner is not None
        is_known = self.before.value != "unknown"
        lost = f"gave up a forced {self.before.value}" if is_known else "lost by force"
        how = " ".join(self.after.line[:most])
        return f"{lost}: {self.after.winner.title} wins{how and f' with {how}'}"


def solve_positions(sessions: Sequence[Session], budget: float, solve: Solve) -> list[Solved]:
    """Returns the values of a game's positions; a value is unknown if its proof needs too much.

    budget: nodes or seconds for all positions together. The last positions are solved first, since
    they are the easiest.
    """
    values = []
    for session in reversed(sessions):
        if session.is_over:
            values.append(Solved.of_result(session))
            continue
        value, used = solve(session, budget / SHARE)
        budget = max(budget - used, 0)
        values.append(value)
    return values[::-1]


def make_solver(start: Session) -> Solve:
    """Returns our solver for the positions of a game; its budget is in nodes.

    start: a position of the game.
    """
    solver = Solver(start.position, memory_mb=SOLVER_MB)

    def solve(session: Session, nodes: float) -> tuple[Solved, float]:
        solution = solver.solve(session.position, nodes=int(nodes))
        return Solved.of(session, solution), solution.nodes

    return solve
