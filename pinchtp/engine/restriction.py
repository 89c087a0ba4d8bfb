"""Restrictions of a search to some of the legal moves, by their first steps."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pinchtp.games.notation import coordinates, format_move, is_point
from pinchtp.games.session import Session


class RestrictionError(ValueError):
    """A restriction that a search cannot keep to."""


def read_steps(session: Session, texts: Iterable[str]) -> set[int]:
    """Returns the moves of texts, or the first steps of moves of several steps, legal or not.

    Raises RestrictionError for a text of several steps, since a search restricts only the first,
    and for a point off the board; and NotationError.
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
    """Returns the legal moves to consider, empty if none is excluded.

    allowed: None: all. Raises RestrictionError if none is left.
    """
    legal = session.position.legal_moves()
    kept = [move for move in legal if move not in avoided and (allowed is None or move in allowed)]
    if not kept:
        raise RestrictionError("no legal move is left")
    return kept if len(kept) < len(legal) else []
