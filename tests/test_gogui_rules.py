"""GoGui's ruler against the rulebook: random games, with every question asked at every position."""

from __future__ import annotations

import random
from typing import Any

import pytest
from boards import rulebook_move
from clients import ask, server
from reference import GAMES as RULEBOOK
from test_gogui import say, vertex

from pinchtp.games import GAMES
from pinchtp.gtp.server import Server
from pinchtp.notation import parse_move

SMALL = [(2, 2), (2, 5), (3, 3), (5, 4), (4, 7), (7, 7), (9, 9)]
LARGE = [(10, 10), (14, 14), (15, 15), (19, 19), (8, 6), (6, 8), (25, 2), (2, 25), (19, 13)]
BOTH = [
    *SMALL,
    *(pytest.param(*size, marks=pytest.mark.slow) for size in LARGE),
]


class Book:
    """A game in the rulebook, a part of a turn at a time, and the stones that were placed in it."""

    def __init__(self, game: str, width: int, height: int) -> None:
        self.now: Any = RULEBOOK[game](width, height, pie=True)
        self._placed = {"black": 0, "white": 0}

    def moves(self) -> str:
        """As gogui-rules_legal_moves should list them."""
        has_parts = hasattr(self.now, "parts")
        moves = self.now.parts() if has_parts else self.now.moves()
        if has_parts and self.now.swap_open:
            moves = [*moves, "swap"]
        return " ".join("pass" if move in ("swap", "pass") else vertex(*move) for move in moves)

    def play(self, move: Any) -> None:
        if move == "swap":
            self._placed = {"black": 0, "white": 1}
        elif move != "pass" and not getattr(self.now, "waiting", ()):
            self._placed[self.now.to_move] += 1
        is_part = hasattr(self.now, "play_part") and move != "swap"
        self.now = self.now.play_part(move) if is_part else self.now.play(move)

    def board(self) -> str:
        """As gogui-rules_board should show it; what is no point of a rectangle is none."""
        now, stones = self.now, self.now.stones()
        square = max(now.width, now.height)
        signs = {None: ".", "black": "X", "white": "O"}
        return "\n".join(
            " ".join(
                signs[stones.get((x, y))] if x < now.width and y < now.height else "?"
                for x in range(square)
            )
            for y in reversed(range(square))
        )

    def lost(self) -> str:
        """As gogui-rules_captured_count should answer in games whose stones keep their color."""
        left = [*self.now.stones().values(), *getattr(self.now, "waiting", ())]
        return " ".join(str(count - left.count(color)) for color, count in self._placed.items())


def assert_like_the_book(engine: Server, book: Book) -> None:
    now = book.now
    assert say(engine, "gogui-rules_board") == book.board()
    assert say(engine, "gogui-rules_board_size") == str(max(now.width, now.height))
    assert say(engine, "gogui-rules_legal_moves") == book.moves()
    flips = engine.engine.session.game.name == "pinch"
    assert say(engine, "gogui-rules_captured_count") == ("0 0" if flips else book.lost())
    result = say(engine, "gogui-rules_final_result")
    assert say(engine, "winner") == (now.winner or "none")
    if now.winner is None:
        assert say(engine, "gogui-rules_side_to_move") == now.to_move
        assert result == f"{now.to_move.capitalize()} to move"
        assert ask(engine, "final_score") == "? cannot score"
    elif now.winner == "draw":
        assert result == "Draw"
        assert say(engine, "final_score") == "0"
    else:
        sides = "top and bottom" if now.owner_of_top_bottom == now.winner else "left and right"
        assert result == f"{now.winner.capitalize()} wins: {sides} are joined"
        assert say(engine, "final_score") == f"{now.winner[0].upper()}+R"


@pytest.mark.parametrize(("width", "height"), BOTH)
@pytest.mark.parametrize("game", [game.name for game in GAMES.values() if game.sides])
def test_random_games_agree_with_the_rulebook(game: str, width: int, height: int) -> None:
    """Moves are taken from what the ruler lists, and it is asked about each position."""
    rng = random.Random(100 * width + height)
    engine = server(width, height, game=game)
    book = Book(game, width, height)
    assert_like_the_book(engine, book)
    while legal := say(engine, "gogui-rules_legal_moves").split():
        # A swap where there can be one; the rest is chance.
        move = "pass" if "pass" in legal and rng.random() < 0.5 else rng.choice(legal)
        code = parse_move(move, engine.engine.session.position)
        say(engine, f"play {say(engine, 'gogui-rules_side_to_move')} {move}")
        book.play(rulebook_move(code))
        assert_like_the_book(engine, book)
