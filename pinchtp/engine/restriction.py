"""Restrictions of a search to some of the legal moves, by their first steps."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pinchtp.games.notation import coordinates, format_move, is_point
from pinchtp.games.session import Session


class RestrictionError(ValueError):
    """An invalid restriction of a search."""


def read_steps(session: Session, texts: Iterable[str]) -> set[int]:
    """Returns the moves, or first steps of multi-step moves, that texts name, legal or not.

    Raises RestrictionError for a text of several steps, since a search restricts only the first,
    and for a point off the board. Raises NotationError for a text that is not a move.
    """
    width, height = session.position.width, session.position.height
    steps = set()
    for text in texts:
        first, *further = session.parse(text)
        if further:
            step = session.format((first,))
            raise RestrictionError(
                f"{text}: only the first step of a move can be restricted: give {step}"
            )
        x, y = coordinates(first)
        if is_point(first) and (x >= width or y >= height):
            raise RestrictionError(f"{format_move(first)} is not on the {width}x{height} board")
        steps.add(first)
    return steps


def restrict(
    session: Session, allowed: Collection[int] | None, avoided: Collection[int]
) -> list[int]:
    """Returns the legal moves to consider; empty if no legal move is excluded.

    allowed: the only moves to consider; None: all. avoided: moves not to consider. Raises
    RestrictionError if no legal move is left.
    """
    legal = session.position.legal_moves()
    considered = [
        move for move in legal if move not in avoided and (allowed is None or move in allowed)
    ]
    if not considered:
        raise RestrictionError("no legal move is left")
    return considered if len(considered) < len(legal) else []
