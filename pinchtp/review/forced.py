"""Moves that lost by force: the solver proves the values of a game's positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pinchtp._core import Solver
from pinchtp.engine.analysis import Solved
from pinchtp.games import Color
from pinchtp.games.session import Session

SOLVER_MB = 64
SHARE = 4  # a position takes at most one part in this many of the nodes left


@dataclass(frozen=True)
class ForcedLoss:
    """The proof that a move lost.

    before, after: values of the positions. The opponent wins after the move; before it that was not
    so, or not proven.
    """

    before: Solved
    after: Solved

    @classmethod
    def of(cls, color: Color, before: Solved, after: Solved) -> ForcedLoss | None:
        """Returns the proof that a color's move lost, None if it did not or there is none."""
        lost = after.winner == color.opponent and before.winner != color.opponent
        return cls(before, after) if lost else None

    def sentence(self, most: int) -> str:
        """Returns what the move did, and up to so many moves of the opponent's win."""
        assert self.after.winner is not None
        is_known = self.before.value != "unknown"
        lost = f"gave up a forced {self.before.value}" if is_known else "lost by force"
        how = " ".join(self.after.line[:most])
        return f"{lost}: {self.after.winner.title} wins{how and f' by {how}'}"


def solve_positions(sessions: Sequence[Session], nodes: int) -> list[Solved]:
    """Returns the values of a game's positions, unknown where too many nodes would be needed.

    nodes: of the solver in all. The last positions come first, since they are the easiest.
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
