"""Exact values."""

from __future__ import annotations

from pinchtp._core import Solution, Value
from pinchtp.games.session import Session
from pinchtp.gtp import grammar
from pinchtp.gtp.analysis_format import line_texts
from pinchtp.gtp.engine import Engine
from pinchtp.gtp.errors import GtpError
from pinchtp.gtp.registry import command

SECONDS = 60.0
MOST_SECONDS = 1e6


@command(
    "pinchtp-solve",
    grammar.number("seconds").optional(),
    answer="`win`, `loss` or `draw` for the color to move, against any defence; then best play and "
    "`nodes N`, the number of positions searched: `win B2 A1 B1 nodes 120`. `unknown nodes N` if "
    f"the time (default {SECONDS:g} seconds) is too short or a line `# interrupt` came in; the "
    "result and `nodes 0` once the game is over",
    fails=f"`syntax error`: no time from 0 to {MOST_SECONDS:g}",
    effect="the search tree is dropped, since the solver takes its memory (`memory`)",
    analyze=("string/Solve (Seconds)/pinchtp-solve %s",),
)
def solve(engine: Engine, seconds: float | None) -> str:
    """Proves who wins from here, if that can be found in time."""
    seconds = SECONDS if seconds is None else seconds
    if not 0 <= seconds <= MOST_SECONDS:
        raise GtpError("syntax error", f"give 0 to {MOST_SECONDS:g} seconds")
    session = engine.session
    if session.is_over:
        won = Value.WIN if session.winner == session.to_move else Value.LOSS
        value = Value.DRAW if session.winner is None else won
        return f"{value.name.lower()} nodes 0"
    solver = engine.player.solver(session.position)
    solution = solver.solve(session.position, seconds, engine.attention.interrupted)
    return solution_text(session, solution)


def solution_text(session: Session, solution: Solution) -> str:
    """What was found out about the session's position, in one line."""
    line = (text for _, text in line_texts(session, solution.line))
    return " ".join([solution.value.name.lower(), *line, "nodes", str(solution.nodes)])
