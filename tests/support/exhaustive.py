"""Exhaustive values of positions, for tests of searches and solvers."""

import random
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
    drawn = spent(start)
    begin = without_past(start)
    books = {begin.key(): begin}
    after = dict[Hashable, set[Hashable]]()
    known = {}
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
            mover = books[key].to_move
            found = {known.get(each) for each in after[key]}
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
        book = book.play(move)
        steps = []
        yield book
    assert not steps


def mover_wins(position: _core.Position, known: dict[_core.Position, bool]) -> bool:
    """Returns whether the color to move wins against any defence; the game has no draws."""
    if position not in known:
        mover = position.to_move
        known[position] = any(
            child.result == mover or (child.result is None and not mover_wins(child, known))
            for child in map(position.play, position.legal_moves())
        )
    return known[position]


def exact_results(begin: _core.Position) -> dict[_core.Position, int | None]:
    """Returns the winner of every reachable position (0 black, 1 white; None for a draw)."""
    children: dict[_core.Position, list[_core.Position]] = {}
    known: dict[_core.Position, int | None] = {}
    to_visit = [begin]
    while to_visit:
        position = to_visit.pop()
        if position in children:
            continue
        children[position] = [position.play(move) for move in position.legal_moves()]
        if position.result is not None:
            known[position] = position.result
        to_visit.extend(children[position])
    undecided = [position for position in children if position not in known]
    while True:
        left = []
        for position in undecided:
            results = {known.get(child) for child in children[position]}
            if position.to_move in results:
                known[position] = position.to_move
            elif results == {1 - position.to_move}:
                known[position] = 1 - position.to_move
            else:
                left.append(position)
        if len(left) == len(undecided):
            return {position: known.get(position) for position in children}
        undecided = left


def assert_search_proves(exact: dict[_core.Position, int | None], count: int) -> None:
    """Asserts that the search's proofs are correct and cover most of some positions."""
    unfinished = [position for position in exact if position.result is None]
    proven = 0
    for position in random.Random(2).sample(unfinished, count):
        search = _core.Search(position, memory_mb=16)
        search.run(seconds=10, visits=2_000, threads=1, seed=1)
        best = search.report().choices[0]
        if best.proof is _core.Proof.UNKNOWN:
            continue
        proven += 1
        winner = {
            _core.Proof.WIN: position.to_move,
            _core.Proof.LOSS: 1 - position.to_move,
            _core.Proof.DRAW: None,
        }[best.proof]
        assert winner == exact[position], position.board
    assert proven > count // 2
