"""Positions of the core and of the reference implementation, side by side."""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from reference import GAMES as RULEBOOK
from reference.base import Color, Point, StonePosition, from_diagram, in_board_order, read_diagram

from pinchtp import _core
from pinchtp.games import GAMES
from pinchtp.games.notation import coordinates, point
from pinchtp.games.session import Session

COLORS = ("black", "white")
RESULTS = ("black", "white", "draw", None)
BANNED = 5  # a point in Position.board


def pair(game: str, width: int, height: int, **options: Any) -> tuple[_core.Position, Any]:
    """Returns the start of a game in the core and in the reference."""
    instruction_set = options.pop("instruction_set", None)
    book = RULEBOOK[game](width, height, **options)
    if hasattr(book, "pie"):
        options["pie"] = book.pie
    return _core.new_position(game, width, height, instruction_set=instruction_set, **options), book


def set_up(game: str, book: StonePosition[Any]) -> _core.Position:
    """Returns the core's set-up position of a position of the reference."""
    cells = dict.fromkeys(book.black, 1) | dict.fromkeys(book.white, 2)
    cells |= dict.fromkeys(getattr(book, "banned", ()), BANNED)
    board = bytes(cells.get(each, 0) for each in book.points())
    return _core.set_up(game, book.width, book.height, board, COLORS.index(book.to_move))


def set_up_again(position: _core.Position) -> _core.Position:
    """Returns the same cells as a set-up position, which never has a swap."""
    return _core.set_up(
        position.game,
        position.width,
        position.height,
        position.cells(),
        position.to_move,
        swapped=position.swapped,
        options=position.options,
    )


def drawn(game: str, text: str, to_move: Color = "black") -> tuple[_core.Position, Any, list[int]]:
    """Returns a diagram's position in core and reference, and its marked points."""
    book = from_diagram(RULEBOOK[game], text, to_move)
    return set_up(game, book), book, [point(*each) for each in read_diagram(text).marked]


def drawn_with_bans(text: str, to_move: Color) -> tuple[_core.Position, Any]:
    """Returns a diagram's position of the removal game, where marked points are banned."""
    book = from_diagram(RULEBOOK["pinch-remove"], text, to_move)
    book = replace(book, banned=frozenset(read_diagram(text).marked))
    return set_up("pinch-remove", book), book


def banned(core: _core.Position) -> set[Point]:
    return {(int(x), int(y)) for y, x in np.argwhere(core.board == BANNED)}


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


def rulebook_steps(book: Any) -> list[int]:
    """Returns the core's codes of the legal moves or steps of a position of the reference."""
    if not hasattr(book, "parts"):
        return [core_move(move) for move in book.moves()]
    swap = [_core.SWAP] if book.swap_open and book.winner is None else []
    return [core_move(part) for part in book.parts()] + swap


def play_step(book: Any, move: int) -> Any:
    """Returns the reference's position after a move or step of the core."""
    if hasattr(book, "parts") and move < _core.PASS:
        return book.play_part(rulebook_move(move))
    return book.play(rulebook_move(move))


def banned_by_rules(book: Any) -> set[Point]:
    """Returns the empty points that are banned for a stone now, as the core shows them."""
    if getattr(book, "waiting", ()):
        return set(book.empty_points()) - set(book.parts())
    return set(getattr(book, "banned", ()))


def assert_same(core: _core.Position, book: Any) -> None:
    """Asserts that all observable properties of two positions agree, also within a turn."""
    assert core_stones(core) == book.stones()
    assert (None if core.result is None else RESULTS[core.result]) == book.winner
    assert core.legal_moves() == rulebook_steps(book)
    assert banned(core) == banned_by_rules(book)
    if book.winner is None:
        assert COLORS[core.to_move] == book.to_move
        assert core.swap_open == book.swap_open
    if hasattr(book, "atari"):
        assert COLORS[core.to_move] == book.to_move
        atari = [coordinates(stone) for stone in noted(core, "atari", core.to_move)]
        assert atari == in_board_order(book.atari())
    else:
        assert {coordinates(move) for move in core.winning_chain} == book.winning_chain()
        assert core.swapped == (book.owner_of_top_bottom == "white")
    waiting = getattr(book, "waiting", ())
    assert core.mid_turn == bool(waiting)
    if hasattr(book, "parts"):
        assert [(name, COLORS[color]) for name, color, _ in core.notes] == [
            ("lifted", color) for color in waiting
        ]


def choose(rng: random.Random, core: _core.Position) -> int:
    """Returns a random move: a swap at even odds; rarely a pass where a stone can be placed."""
    moves = core.legal_moves()
    if core.swap_open and rng.random() < 0.5:
        return _core.SWAP
    if moves[-1] == _core.PASS and len(moves) > 1 and rng.random() > 0.01:
        moves = moves[:-1]
    return rng.choice(moves)


def play_random_game(rng: random.Random, core: _core.Position, book: Any) -> int:
    """Plays a random game in both, compared at each step of a turn; returns the most steps."""
    assert_same(core, book)
    longest = 0
    steps = 0
    while core.result is None:
        steps = steps + 1 if core.mid_turn else 1
        longest = max(longest, steps)
        move = choose(rng, core)
        core = core.play(move)
        book = play_step(book, move)
        assert_same(core, book)
    return longest


def session_after(game: str, moves: str, *size: int, **options: Any) -> Session:
    """Returns a game after some moves or steps. size: columns and rows; the game's by default."""
    session = Session(GAMES[game], *(size or GAMES[game].size), **options)
    for text in moves.split():
        session.play(session.to_move, *session.parse(text))
    return session


def pinch(width: int = 5, height: int = 5, moves: str = "", *, pie: bool = True) -> Session:
    """Returns a game of Pinch after some moves."""
    return session_after("pinch", moves, width, height, pie=pie)


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
