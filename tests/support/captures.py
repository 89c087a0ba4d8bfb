"""Positions of the Pinch games with captures, in the core and in the reference."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from boards import COLORS, RESULTS, core_move, core_stones, rulebook_move
from core.test_playouts import FIRST, chi_squared_limit
from reference import GAMES
from reference.base import Color, Point, read_diagram
from reference.pinch_relocate import PinchRelocate

from pinchtp import _core
from pinchtp.games.notation import coordinates

BANNED = 5


def start(
    game: str, width: int, height: int, *, pie: bool = False, instruction_set: str | None = None
) -> tuple[_core.Position, Any]:
    core = _core.new_position(game, width, height, pie=pie, instruction_set=instruction_set)
    return core, GAMES[game](width, height, pie=pie)


def core_position(game: str, text: str, to_move: Color = "black") -> _core.Position:
    """Returns the position of a diagram; its marked points are banned."""
    diagram = read_diagram(text)
    cells = np.zeros((diagram.height, diagram.width), np.int8)
    kinds = (diagram.black, diagram.white, diagram.marked)
    for points, cell in zip(kinds, (1, 2, BANNED), strict=True):
        for x, y in points:
            cells[y, x] = cell
    return _core.set_up(game, diagram.width, diagram.height, cells.tobytes(), COLORS.index(to_move))


def banned(core: _core.Position) -> set[Point]:
    return {(int(x), int(y)) for y, x in np.argwhere(core.board == BANNED)}


def assert_same(core: _core.Position, book: Any) -> None:
    """Asserts that all observable properties agree, also between the parts of a turn."""
    assert core_stones(core) == book.stones()
    assert (None if core.result is None else RESULTS[core.result]) == book.winner
    assert {coordinates(move) for move in core.winning_chain} == book.winning_chain()
    assert core.swapped == (book.owner_of_top_bottom == "white")
    if book.winner is None:
        assert COLORS[core.to_move] == book.to_move
        assert core.swap_open == book.swap_open
    if not isinstance(book, PinchRelocate):
        assert [rulebook_move(move) for move in core.legal_moves()] == book.moves()
        assert banned(core) == book.banned
        return
    assert core.mid_turn == bool(book.waiting)
    assert [COLORS[color] for _, color, _ in core.notes] == list(book.waiting)
    assert {name for name, *_ in core.notes} <= {"lifted"}
    swap = [_core.SWAP] if book.swap_open and book.winner is None else []
    assert core.legal_moves() == [core_move(part) for part in book.parts()] + swap
    assert banned(core) == (set(book.empty_points()) - set(book.parts()) if book.waiting else set())


def play_random_game(rng: random.Random, core: _core.Position, book: Any) -> int:
    """Plays a random game in both, compared at each part of a turn; returns the most parts."""
    assert_same(core, book)
    longest = parts = 0
    while core.result is None:
        parts = parts + 1 if core.mid_turn else 1
        longest = max(longest, parts)
        # A swap is rare among many moves: take it in half of the games that allow it.
        swap = core.swap_open and rng.random() < 0.5
        move = _core.SWAP if swap else rng.choice(core.legal_moves())
        is_part = isinstance(book, PinchRelocate) and move != _core.SWAP
        book = book.play_part(coordinates(move)) if is_part else book.play(rulebook_move(move))
        core = core.play(move)
        assert_same(core, book)
    return longest


def from_cells(
    game: str, width: int, height: int, cells: list[int], to_move: Color
) -> tuple[_core.Position, Any]:
    """Returns a position without the pie rule in both. cells: 1 black, 2 white."""
    points = [(at % width, at // width) for at in range(width * height)]
    black, white = (
        frozenset(point for point, cell in zip(points, cells, strict=True) if cell == color)
        for color in (1, 2)
    )
    book = GAMES[game](width, height, pie=False, black=black, white=white, to_move=to_move)
    return _core.set_up(game, width, height, bytes(cells), COLORS.index(to_move)), book


def assert_first_placements_uniform(position: _core.Position) -> None:
    """Asserts that playouts choose every legal point first with equal probability."""
    played = position.playouts(20_000, seed=1)
    legal = [move for move in position.legal_moves() if move != _core.SWAP]
    counts = np.bincount(played[:, FIRST], minlength=1024)
    assert counts[legal].sum() == len(played)
    expected = len(played) / len(legal)
    statistic = float(((counts[legal] - expected) ** 2 / expected).sum())
    assert statistic < chi_squared_limit(len(legal) - 1)


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
