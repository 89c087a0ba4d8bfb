"""Moves that lost by force, proven by the solver."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pinchtp._core import Solver
from pinchtp.engine.analysis import Solved
from pinchtp.games import Color
from pinchtp.games.session import Session

SENTENCE = re.compile(  # as ForcedLoss.sentence() writes it
    r"(gave up a forced \w+|lost by force): (Black|White) wins( with .*)?"
)
SOLVER_MB = 64
SHARE = 4  # each position may use 1/SHARE of the remaining nodes


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


def solve_positions(sessions: Sequence[Session], nodes: int) -> list[Solved]:
    """Returns the values of a game's positions; a value is unknown if its proof needs too many
    nodes.

    nodes: for all positions together. The last positions are solved first, since they are the
    easiest.
    """
    solver = Solver(sessions[0].position, memory_mb=SOLVER_MB)
    values = []
    for session in reversed(sessions):
        if session.is_over:
            values.append(Solved.of_result(session))
            continue
        solution = solver.solve(session.position, nodes=nodes // SHARE)
        nodes = max(nodes - solution.nodes, 0)
        values.append(Solved.of(session, solution))
    return values[::-1]
