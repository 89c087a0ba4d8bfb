"""Positions of the Pinch games with captures, in the core and in the reference."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from boards import COLORS, core_move
from core.test_playouts import FIRST, MOVES, RESULT, SWAPPED, assert_alike, chi_squared_limit
from reference import GAMES
from reference.base import Color, Point, read_diagram

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


def stones(core: _core.Position) -> dict[Point, Color]:
    """Returns the stones in the form of the reference's `stones()`."""
    board = core.board
    return {
        (int(x), int(y)): COLORS[board[y, x] - 1]
        for y, x in np.argwhere((board == 1) | (board == 2))
    }


def banned(core: _core.Position) -> set[Point]:
    return {(int(x), int(y)) for y, x in np.argwhere(core.board == BANNED)}


def assert_same(core: _core.Position, book: Any) -> None:
    """Asserts that the properties common to all Pinch games agree between two turns."""
    assert stones(core) == book.stones()
    assert core.result == {"black": 0, "white": 1, "draw": 2, None: None}[book.winner]
    assert {coordinates(move) for move in core.winning_chain} == book.winning_chain()
    assert core.swapped == (book.owner_of_top_bottom == "white")
    if book.winner is None:
        assert COLORS[core.to_move] == book.to_move
        assert core.swap_open == book.swap_open


def rulebook_playouts(game: str, width: int, height: int, count: int) -> np.ndarray:
    """Plays random games in the reference, step by step, in the format of the core's playouts."""
    rng = random.Random(1)
    rows = []
    for _ in range(count):
        position: Any = GAMES[game](width, height)
        first = None
        swapped = False
        while position.winner is None:
            parts = position.parts() if hasattr(position, "parts") else position.moves()
            moves = [*parts, "swap"] if position.swap_open and "swap" not in parts else parts
            move = rng.choice(moves)
            first = first or move
            swapped |= move == "swap"
            is_part = hasattr(position, "parts") and move != "swap"
            position = position.play_part(move) if is_part else position.play(move)
        result = ("black", "white", "draw").index(position.winner)
        rows.append((core_move(first), position.moves_played, result, swapped))
    return np.array(rows)


def assert_playouts_alike(game: str, width: int, height: int, count: int) -> None:
    """Asserts that playouts from the start are distributed like the reference's."""
    ours = _core.new_position(game, width, height, pie=True).playouts(20_000, seed=3)
    theirs = rulebook_playouts(game, width, height, count)
    for column in (FIRST, MOVES, RESULT, SWAPPED):
        assert_alike(ours[:, column], theirs[:, column])
    # Winner and length together, which detects a winner of the wrong color.
    assert_alike(ours[:, MOVES] * 4 + ours[:, RESULT], theirs[:, MOVES] * 4 + theirs[:, RESULT])


def assert_first_placements_uniform(position: _core.Position) -> None:
    """Asserts that playouts choose every legal point first with equal probability."""
    played = position.playouts(20_000, seed=1)
    legal = [move for move in position.legal_moves() if move != _core.SWAP]
    counts = np.bincount(played[:, FIRST], minlength=1024)
    assert counts[legal].sum() == len(played)
    expected = len(played) / len(legal)
    statistic = float(((counts[legal] - expected) ** 2 / expected).sum())
    assert statistic < chi_squared_limit(len(legal) - 1)


def assert_instruction_sets_agree(game: str) -> None:
    """Asserts that every instruction set plays the same games."""
    for width, height in [(13, 13), (14, 5), (19, 19)]:
        games = [
            _core.new_position(game, width, height, pie=True, instruction_set=each).playouts(
                200, seed=7
            )
            for each in _core.instruction_sets()
        ]
        for others in games[1:]:
            assert np.array_equal(games[0], others)


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
