"""The reference implementation of any game, driven by move codes of the core, step by step."""

from typing import Any

import bushka_boards
from boards import COLORS, banned_by_rules, play_step, rulebook_steps
from reference import GAMES as RULEBOOK
from reference.base import Point
from reference.bushka import SQUARES, Bushka

from pinchtp._core import PASS, SWAP
from pinchtp.games.notation import point

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


def followed(game: str, width: int, height: int, **options: bool) -> "Follower":
    """Returns the follower of a new game."""
    size = () if RULEBOOK[game] is Bushka else (width, height)
    return Follower(RULEBOOK[game](*size, **options))


class Follower:
    """A game replayed in the reference implementation.

    book: the position; during a turn the one before it, where the reference plays complete moves
    only. steps: of the incomplete turn. latest: the steps of the latest turn, complete or not.
    before: the position before the latest turn. lost: the numbers of black and white stones that
    have left the board.
    """

    def __init__(self, book: Any) -> None:
        self.book = self.before = book
        self.steps: tuple[int, ...] = ()
        self.latest: tuple[int, ...] = ()
        self.lost = [0, 0]

    @property
    def points(self) -> set[Point]:
        """Returns the points of the board."""
        return set(SQUARES if isinstance(self.book, Bushka) else self.book.points())

    @property
    def kings(self) -> set[Point]:
        return self.book.kings() if isinstance(self.book, Bushka) else set()

    @property
    def banned(self) -> set[Point]:
        """Returns the empty points that are banned for a stone now, as the core shows them."""
        return banned_by_rules(self.book)

    @property
    def atari(self) -> set[Point]:
        """Returns the stones in atari of the side to move."""
        return set(self.book.atari()) if hasattr(self.book, "atari") else set()

    @property
    def captured(self) -> set[Point]:
        """Returns the points where the latest turn flipped or removed stones."""
        if self.latest in ((), (SWAP,)):
            return set()
        new = self.book.stones()
        moved = self.before.to_move if isinstance(self.book, Bushka) else None
        return {
            at
            for at, color in self.before.stones().items()
            if color != moved and new.get(at) != color
        }

    def moves(self) -> list[int]:
        """Returns the legal moves or steps: points in board order, then a swap, then a pass."""
        book = self.book
        if isinstance(book, Bushka):
            done = len(self.steps)
            turns = (turn for turn in self._turns() if turn[:done] == self.steps)
            return sorted({turn[done] for turn in turns})
        return rulebook_steps(book)

    def play(self, move: int) -> None:
        """Plays a move or a step. Raises ValueError if it is illegal."""
        old = self.book
        turn = (*self.steps, move)
        if move not in self.moves():
            raise ValueError(f"{move} is not legal here")
        if isinstance(old, Bushka):
            ends = self._turns().get(turn)
            self.book = old.play(ends) if ends else old
            self.steps = () if ends else turn
        else:
            self.book = play_step(old, move)
            self.steps = turn if getattr(self.book, "waiting", ()) else ()
        if len(turn) == 1:
            self.before = old
        self.latest = turn
        if not self.steps:
            self._count_the_lost()

    def play_text(self, text: str) -> None:
        """Plays the output of genmove; `pass` is a swap if a swap is possible.

        Raises ValueError if it is illegal.
        """
        for move in self._read(text):
            self.play(move)

    def _read(self, text: str) -> tuple[int, ...]:
        if text == "pass":
            return (SWAP,) if SWAP in self.moves() else (PASS,)
        if isinstance(self.book, Bushka) and text.islower():
            move = self.book.parse(text)
            return next(parts for parts, each in self._turns().items() if each == move)
        return tuple(
            point(COLUMNS.index(vertex[0]), int(vertex[1:]) - 1) for vertex in text.split(",")
        )

    def _turns(self) -> dict[tuple[int, ...], Any]:
        """Returns Bushka's legal moves by their steps."""
        moves = self.book.moves()
        return {bushka_boards.parts_of(move, moves): move for move in moves}

    def _count_the_lost(self) -> None:
        old, new = ([*book.stones().values()] for book in (self.before, self.book))
        places = self.latest[0] < PASS and not isinstance(self.book, Bushka)
        if len(old) + places == len(new):
            return  # flips and swaps do not change the number of stones
        for at, color in enumerate(COLORS):
            placed = places and color == self.before.to_move
            self.lost[at] += old.count(color) + placed - new.count(color)
