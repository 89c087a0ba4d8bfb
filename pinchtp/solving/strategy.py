"""Proofs by moves: the winner's move against every defense.

Each line is a position string (protocol.md) with the winner to move, a colon and the move.
Positions that are reflections of each other have one line.
"""

from __future__ import annotations

from collections.abc import Callable

from pinchtp._core import Position, Solver
from pinchtp.games import Color, GameType
from pinchtp.games.notation import is_point, split_turns, whole_turns
from pinchtp.games.symmetry import Symmetry, image
from pinchtp.records.position_line import SWAP_OPEN, SWAPPED
from pinchtp.render.text import rows

LOST = "memory lost a part of the proof: give more --memory"


class ProofError(Exception):
    """The proof cannot be written; the message has the reason."""


class Strategy:
    """The moves of winners, by the text of the position before them."""

    def __init__(self, game: GameType, solver: Solver, show: Callable[[str], None]) -> None:
        """show: called with the number of positions so far."""
        self._moves: dict[str, str] = {}
        self._game = game
        self._solver = solver
        self._show = show
        self._seen: dict[Color, set[str]] = {color: set() for color in Color}

    def add(self, start: Position, winner: Color) -> None:
        """Adds the moves with which a color wins from a position. Raises ProofError."""
        seen = self._seen[winner]
        on_path = set[str]()
        to_do: list[Position | str] = [start]
        while to_do:
            position = to_do.pop()
            if isinstance(position, str):  # all lines from this position have been added
                on_path.remove(position)
                continue
            if position.result is not None:
                continue
            text, symmetry = self._fold(position)
            if text in on_path:
                raise ProofError(LOST)
            if text in seen:
                continue
            seen.add(text)
            on_path.add(text)
            to_do.append(text)
            if position.to_move == winner:
                to_do.append(self._answer(position, text, symmetry))
            else:
                to_do += (after for _, after in whole_turns(position))

    def lines(self) -> list[str]:
        """Returns the lines of the proof file."""
        return [f"{text}: {move}" for text, move in sorted(self._moves.items())]

    def _answer(self, position: Position, text: str, symmetry: Symmetry | None) -> Position:
        """Adds the winner's turn in a position; returns the position after it."""
        self._show(f"{len(self._moves):,} positions")
        line = self._solver.solve(position, turns=1).line
        if not line:
            raise ProofError(LOST)
        _, turn = next(split_turns(position, line))
        moves = [
            image(symmetry, position, move) if symmetry and is_point(move) else move
            for move in turn
        ]
        self._moves[text] = self._game.notation.format(position, moves)
        for move in turn:
            position = position.play(move)
        return position

    def _fold(self, position: Position) -> tuple[str, Symmetry | None]:
        """Returns the text of the first reflection of a position in alphabetical order, and its
        symmetry.
        """
        board = rows(position)
        mirrored = [row[::-1] for row in board]
        boards: list[tuple[str, Symmetry | None]] = [
            ("/".join(board), None),
            ("/".join(mirrored), Symmetry.MIRROR),
            ("/".join(reversed(board)), Symmetry.FLIP),
            ("/".join(reversed(mirrored)), Symmetry.ROTATE),
        ]
        text, symmetry = min(boards, key=lambda board: board[0])
        words = [text, Color(position.to_move).letter]
        words += [SWAPPED] * (position.swapped and self._game.sides)
        words += [SWAP_OPEN] * position.swap_open
        return " ".join(words), symmetry
