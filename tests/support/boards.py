"""Positions of the core and of the reference implementation, side by side."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from reference import GAMES as RULEBOOK

from pinchtp import _core
from pinchtp.games import GAMES
from pinchtp.games.notation import coordinates, point
from pinchtp.games.session import Session

COLORS = ("black", "white")
RESULTS = ("black", "white", "draw", None)


def pair(game: str, width: int, height: int, **options: Any) -> tuple[_core.Position, Any]:
    """Returns the start of a game in the core and in the reference."""
    instruction_set = options.pop("instruction_set", None)
    book = RULEBOOK[game](width, height, **options)
    if hasattr(book, "pie"):
        options["pie"] = book.pie
    return _core.new_position(game, width, height, instruction_set=instruction_set, **options), book


def noted(position: _core.Position, name: str, color: int) -> list[int]:
    """Returns the points of a color's notes with that name."""
    notes = position.notes
    return [
        point for note, owner, points in notes if (note, owner) == (name, color) for point in points
    ]


def core_move(move: Any) -> int:
    """Returns the core's code of a move of the reference."""
    if move == "swap":
        return _core.SWAP
    if move == "pass":
        return _core.PASS
    return point(*move)


def rulebook_move(move: int) -> Any:
    """Returns the reference's form of a move of the core."""
    if move == _core.SWAP:
        return "swap"
    return "pass" if move == _core.PASS else coordinates(move)


def core_stones(position: _core.Position) -> dict[tuple[int, int], str]:
    """Returns the stones in the form of the reference's `stones()`."""
    return {
        (x, y): COLORS[cell - 1]
        for y, row in enumerate(position.board.tolist())
        for x, cell in enumerate(row)
        if cell in (1, 2)
    }


def assert_same(core: _core.Position, book: Any) -> None:
    """Asserts that all observable properties of two positions agree."""
    assert core_stones(core) == book.stones()
    result = None if core.result is None else RESULTS[core.result]
    assert result == book.winner
    assert [rulebook_move(move) for move in core.legal_moves()] == book.moves()
    assert {coordinates(move) for move in core.winning_chain} == book.winning_chain()
    assert core.swapped == (book.owner_of_top_bottom == "white")
    if book.winner is None:
        assert COLORS[core.to_move] == book.to_move
        assert core.swap_open == book.swap_open


def pinch(width: int = 5, height: int = 5, moves: str = "", *, pie: bool = True) -> Session:
    """Returns a game of Pinch after some moves."""
    session = Session(GAMES["pinch"], width, height, pie=pie)
    for text in moves.split():
        session.play(session.to_move, *session.parse(text))
    return session


def random_game(game: str, width: int, height: int, seed: int) -> Iterator[Session]:
    """Yields a session at every ply of a random game, with a swap at even odds."""
    rng = random.Random(seed)
    session = Session(GAMES[game], width, height, pie=True)
    yield session
    while not session.is_over:
        swap = session.position.swap_open and rng.random() < 0.5
        move = _core.SWAP if swap else rng.choice(session.position.legal_moves())
        session.play(session.to_move, move)
        yield session
