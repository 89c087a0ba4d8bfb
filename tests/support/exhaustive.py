"""Exhaustive values of positions by the reference implementation, for tests of solvers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import Any

import bushka_boards
from boards import core_move
from reference.base import opponent
from reference.bushka import Bushka

from pinchtp import _core


def without_past(book: Any) -> Any:
    return replace(book, history=()) if hasattr(book, "history") else book


def identity(book: Any) -> Hashable:
    """Returns the key of the rule of the third occurrence."""
    return book.repetition_key() if hasattr(book, "repetition_key") else book.key()


def spent(book: Any) -> set[Hashable]:
    """Returns the positions that occurred twice before: one more occurrence draws."""
    times = Counter(getattr(book, "history", ()))
    return {position for position, count in times.items() if count == 2}


def values(start: Any, most: int | None = None) -> dict[Hashable, str]:
    """Returns `black`, `white` or `draw` for every position reachable from `start`, by key.

    Retrograde: values propagate from final positions until nothing changes; the remaining positions
    are draws. `most`: returns nothing if there are more positions.
    """
    drawn, begin = spent(start), without_past(start)
    books, after, known = {begin.key(): begin}, dict[Hashable, set[Hashable]](), {}
    to_visit = [begin]
    while to_visit:
        book = to_visit.pop()
        ends = "draw" if book is not begin and identity(book) in drawn else book.winner
        if ends is not None:
            known[book.key()] = ends
            continue
        nexts = {each.key(): each for each in map(without_past, map(book.play, book.moves()))}
        after[book.key()] = set(nexts)
        to_visit += [each for key, each in nexts.items() if key not in books]
        books |= nexts
        if most is not None and len(books) > most:
            return {}
    changed = True
    while changed:
        changed = False
        for key in after.keys() - known.keys():
            mover, found = books[key].to_move, {known.get(each) for each in after[key]}
            if mover in found or found == {opponent(mover)}:
                known[key] = mover if mover in found else opponent(mover)
                changed = True
    return dict.fromkeys(books, "draw") | known


def parts(book: Any, move: Any) -> tuple[int, ...]:
    """Returns the core's steps of a legal move of the reference."""
    if isinstance(book, Bushka):
        return bushka_boards.parts_of(move, book.moves())
    several = move not in ("swap", "pass") and isinstance(move[0], tuple)
    return tuple(map(core_move, move if several else (move,)))


def play_line(core: _core.Position, book: Any, line: list[int]) -> Iterator[Any]:
    """Yields the reference's positions along a line of complete moves of the core."""
    steps: list[int] = []
    for part in line:
        core = core.play(part)
        steps.append(part)
        if core.mid_turn:
            continue
        (move,) = [each for each in book.moves() if parts(book, each) == tuple(steps)]
        book, steps = book.play(move), []
        yield book
    assert not steps
