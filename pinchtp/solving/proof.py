"""Proof files, which `tools/check_proof.py` checks with the reference implementation alone.

The first line is JSON: the game, the size, the rules, the winners after some moves, and the type of
the other lines: `moves` (strategy.py) or `zones` (zone_proof.py).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from pinchtp._core import Solver
from pinchtp.games import Color
from pinchtp.games.notation import split_turns
from pinchtp.games.session import Session
from pinchtp.solving.strategy import ProofError, Strategy


def refusal(session: Session) -> str | None:
    """Returns the reason why a proof of a position cannot be written; None if it can."""
    if not session.game.places_stones:
        return f"proofs of {session.game.title} cannot be written"
    if session.resigned is not None:
        return "--moves end with a resignation, which no stones prove"
    if session.position.mid_turn:
        return "the last turn of --moves is incomplete"
    if has_repetition(session):
        return "a position occurred twice in --moves"
    return None


def has_repetition(session: Session) -> bool:
    """Returns whether a position occurred twice, so that its next repetition would be a draw."""
    reached = [session.start]
    for entry in session.history:
        if entry.position != reached[-1]:  # not a resignation, or a pass after the end
            reached.append(entry.position)
    return len(set(reached)) < len(reached)


def proof_text(
    session: Session,
    solver: Solver,
    winners: Mapping[tuple[int, ...], Color],
    show: Callable[[str], None],
) -> str:
    """Returns the text of a proof file. Raises ProofError.

    winners: the winner after each continuation, which has complete turns or is empty. show: called
    during the work, with the length of the proof so far.
    """
    from pinchtp.solving.zone_proof import ZoneProof  # noqa: PLC0415  (imports numpy)

    if not winners:
        raise ProofError("no proof written, because no winner was proven")
    game = session.game
    before = [game.notation.format(turn.before, turn.moves) for turn in session.turns()]
    zones = ZoneProof(session.start, solver, show) if ZoneProof.fits(game, session.start) else None
    proof = zones or Strategy(game, solver, show)
    claims = {}
    for moves, winner in winners.items():
        position = session.position
        for move in moves:
            position = position.play(move)
        if position.mid_turn:
            raise ProofError("cannot prove single steps of a multi-step move")
        turns = split_turns(session.position, moves)
        after = [game.notation.format(position, parts) for position, parts in turns]
        claims[" ".join(before + after)] = str(winner)
        proof.add(position, winner)
    head = {
        "game": game.name,
        "size": [session.position.width, session.position.height],
        "rules": game.rules_of(session.start),
        "winners": claims,
        "lines": "zones" if zones else "moves",
    }
    return "\n".join([json.dumps(head), *proof.lines()]) + "\n"
