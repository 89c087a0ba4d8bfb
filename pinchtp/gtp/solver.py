"""Exact values of positions."""

from __future__ import annotations

from pinchtp.engine.analysis import Solved
from pinchtp.gtp import GtpError, arguments
from pinchtp.gtp.commands import command
from pinchtp.gtp.engine import GtpEngine

SECONDS = 60.0
MOST_SECONDS = 1e6


@command(
    "pinchtp-solve",
    arguments.number("seconds").optional(),
    answer="`win`, `loss` or `draw` for the color to move, against any defense; then best play "
    "and `nodes N`, the number of positions: `win B2 A1 B1 nodes 120`. `unknown nodes N` after "
    f"{SECONDS:g} seconds by default, or after a line `# interrupt`; the result and `nodes 0` "
    "after the end",
    fails=f"`syntax error`: not a time from 0 to {MOST_SECONDS:.0f}",
    effect="the search tree is dropped: the solver uses its memory (`memory`)",
    analyze=("string/Solve (Seconds)/pinchtp-solve %s",),
)
def solve(engine: GtpEngine, seconds: float | None) -> str:
    """Proves the result of the position, if time allows."""
    seconds = SECONDS if seconds is None else seconds
    if not 0 <= seconds <= MOST_SECONDS:
        raise GtpError("syntax error", f"give 0 to {MOST_SECONDS:.0f} seconds")
    session = engine.session
    if session.is_over:
        return Solved.of_result(session).text()
    solver = engine.player.solver(session.position)
    solution = solver.solve(session.position, seconds, engine.attention.is_interrupted)
    return Solved.of(session, solution).text()
