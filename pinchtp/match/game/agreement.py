"""Ends of games on which the evaluations of both engines agree."""

from __future__ import annotations

from collections.abc import Sequence

from pinchtp.games import Color
from pinchtp.match.record import DRAW, Cause, Ending, MoveRecord
from pinchtp.match.rules import Adjudication


def agreed_end(moves: Sequence[MoveRecord], limits: Adjudication) -> Ending | None:
    """The end of a game with these moves so far, if both see it lost by one side, or even."""
    return _loss(moves, limits) or _draw(moves, limits)


def _loss(moves: Sequence[MoveRecord], limits: Adjudication) -> Ending | None:
    """The end if in the latest moves of both sides both saw the same one lost."""
    if limits.resign is None:
        return None
    latest = _judged(moves, 2 * limits.agreed)
    if len({move.color for move in latest}) < len(Color):
        return None
    for loser in Color:
        chances = [
            rate if move.color == loser else 1 - rate
            for move in latest
            if (rate := move.winrate) is not None
        ]
        if max(chances) <= limits.resign:
            detail = f"both gave {loser} {max(chances):.3f} at the most in {len(latest)} moves"
            return Ending(loser.opponent, Cause.AGREED, detail)
    return None


def _draw(moves: Sequence[MoveRecord], limits: Adjudication) -> Ending | None:
    """The end if in the latest moves of both sides both saw even chances."""
    latest = _judged(moves, 2 * limits.drawn)
    if limits.draw_margin is None or len({move.color for move in latest}) < len(Color):
        return None
    if len(moves) - len(latest) + 1 < limits.draw_begin:
        return None
    farthest = max(abs(move.winrate - 0.5) for move in latest if move.winrate is not None)
    if farthest > limits.draw_margin:
        return None
    detail = f"both were within {farthest:.3f} of even in {len(latest)} moves"
    return Ending(DRAW, Cause.AGREED, detail)


def _judged(moves: Sequence[MoveRecord], count: int) -> list[MoveRecord]:
    """The latest `count` moves, if all are the engines' own and have evaluations."""
    latest = [move for move in moves[-count:] if not move.book]
    known = len(latest) == count and all(move.winrate is not None for move in latest)
    return latest if known else []
