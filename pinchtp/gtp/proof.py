"""Proofs of values as files: the winner's move against every defense.

The first line is JSON: the game, the size, the rules, and the winner after some moves. Each other
line is a position string (protocol.md) in which the winner is to move, a colon and the move. Of
positions that reflections make of each other the file has one. `tools/check_proof.py` checks such
files by the reference implementation's rules alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from pinchtp._core import Position, Solver
from pinchtp.games import Color, GameType
from pinchtp.games.notation import is_point, split_turns, whole_turns
from pinchtp.games.session import Session
from pinchtp.games.symmetry import Symmetry, image
from pinchtp.records.position_line import SWAP_OPEN, SWAPPED
from pinchtp.render.text import rows

LOST = "memory lost a part of the proof: give more --memory"


class ProofError(Exception):
    """There is no proof to write, for the reason in the text."""


def refusal(session: Session) -> str | None:
    """Returns why no file can prove values of a position."""
    if not session.game.places_stones:
        return f"proofs of {session.game.title} cannot be written"
    if session.position.mid_turn:
        return "the last turn of --moves is incomplete"
    if has_repetition(session):
        return "a position occurred twice in --moves"
    return None


def has_repetition(session: Session) -> bool:
    """Returns whether a position occurred twice, so that the third time would be a draw."""
    reached = [session.start, *(turn.position for turn in session.history)]
    return any(reached.count(each) > 1 for each in reached)


def proof_text(
    session: Session,
    solver: Solver,
    winners: Mapping[tuple[int, ...], Color],
    poll: Callable[[], bool],
) -> str:
    """Returns the text of a proof file. Raises ProofError.

    winners: the winner after each of these continuations, which are complete turns or empty.
    poll: called during the work; see Solver.solve().
    """
    if not winners:
        raise ProofError("no value with a winner was found")
    game = session.game
    before = [game.notation.format(turn.before, turn.moves) for turn in session.turns()]
    strategy = Strategy(game, solver, poll)
    claims = {}
    for moves, winner in winners.items():
        position = session.position
        for move in moves:
            position = position.play(move)
        if position.mid_turn:
            raise ProofError("a first move is only a part of a turn")
        turns = split_turns(session.position, moves)
        after = [game.notation.format(position, parts) for position, parts in turns]
        claims[" ".join(before + after)] = str(winner)
        strategy.add(position, winner)
    head = {
        "game": game.name,
        "size": [session.position.width, session.position.height],
        "rules": game.rules_of(session.start),
        "winners": claims,
    }
    lines = [f"{text}: {move}" for text, move in sorted(strategy.moves.items())]
    return "\n".join([json.dumps(head), *lines]) + "\n"


class Strategy:
    """The winners' moves by the text of the position before them."""

    def __init__(self, game: GameType, solver: Solver, poll: Callable[[], bool]) -> None:
        self.moves: dict[str, str] = {}
        self._game = game
        self._solver = solver
        self._poll = poll
        self._seen: dict[Color, set[str]] = {color: set() for color in Color}

    def add(self, start: Position, winner: Color) -> None:
        """Adds the moves with which this color wins from a position. Raises ProofError."""
        seen = self._seen[winner]
        on_path = set[str]()
        to_do: list[Position | str] = [start]
        while to_do:
            position = to_do.pop()
            if isinstance(position, str):  # all play from there has been added
                on_path.remove(position)
                continue
            if position.result is not None:
                continue
            text, symmetry = self._folded(position)
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

    def _answer(self, position: Position, text: str, symmetry: Symmetry | None) -> Position:
        """Adds the winner's turn; returns the position after it."""
        line = self._solver.solve(position, should_stop=self._poll, turns=1).line
        if not line:
            raise ProofError(LOST)
        _, turn = next(split_turns(position, line))
        moves = [
            image(symmetry, position, move) if symmetry and is_point(move) else move
            for move in turn
        ]
        self.moves[text] = self._game.notation.format(position, moves)
        for move in turn:
            position = position.play(move)
        return position

    def _folded(self, position: Position) -> tuple[str, Symmetry | None]:
        """Returns the first text of the position's reflections, and which it is."""
        board = rows(position)
        mirrored = [row[::-1] for row in board]
        boards: list[tuple[str, Symmetry | None]] = [
            ("/".join(board), None),
            ("/".join(mirrored), Symmetry.MIRROR),
            ("/".join(reversed(board)), Symmetry.FLIP),
            ("/".join(reversed(mirrored)), Symmetry.ROTATE),
        ]
        text, symmetry = min(boards, key=lambda each: each[0])
        words = [text, Color(position.to_move).letter]
        words += [SWAPPED] * (position.swapped and self._game.sides)
        words += [SWAP_OPEN] * position.swap_open
        return " ".join(words), symmetry
