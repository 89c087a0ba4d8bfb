"""The review of a game: winrates of its moves, mistakes, and the turning point."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from pinchtp.games import Color
from pinchtp.games.history import Turn
from pinchtp.games.session import Session
from pinchtp.review.evaluation import Evaluator, PositionEvaluation
from pinchtp.review.mistakes import LEAST_LOSS, mark, winrate_loss, worst

EVEN = 0.5  # the winrate of an even game


@dataclass(frozen=True)
class ReviewedMove:
    """A turn with the evaluations of the positions before and after it. number: from 1."""

    number: int
    turn: Turn
    text: str
    before: PositionEvaluation
    after: PositionEvaluation

    @property
    def color(self) -> Color:
        return self.turn.color

    @cached_property
    def loss(self) -> float:
        """The winrate that the move lost, in 0..1; 0 for the engine's own choice."""
        if self.is_best:
            return 0.0
        to_move = Color(self.turn.after.to_move)
        return winrate_loss(self.color, self.before.winrate, to_move, self.after.winrate)

    @property
    def is_best(self) -> bool:
        """Returns whether the engine would have played the same move."""
        return bool(self.better) and self.better[0][1].upper() == self.text.upper()

    @property
    def better(self) -> Sequence[tuple[Color, str]]:
        """The engine's principal variation instead of the move."""
        return self.before.line

    @property
    def winrate(self) -> float:
        """The mover's winrate after the move, in 0..1."""
        is_same = Color(self.turn.after.to_move) == self.color
        return self.after.winrate if is_same else 1 - self.after.winrate

    @property
    def black(self) -> float:
        """Black's winrate after the move, in 0..1."""
        return self.winrate if self.color == Color.BLACK else 1 - self.winrate

    @property
    def mark(self) -> str:
        return mark(self.loss)


@dataclass(frozen=True)
class GameReview:
    """The review of a session's game. start: the evaluation of its first position."""

    session: Session
    start: PositionEvaluation
    moves: Sequence[ReviewedMove]

    def worst(self) -> list[ReviewedMove]:
        """Returns the biggest mistakes, the worst first."""
        return worst(self.moves)

    def mean_loss(self, color: Color) -> float | None:
        """Returns the mean winrate loss of a color's moves, or None without moves."""
        losses = [move.loss for move in self.moves if move.color == color]
        return sum(losses) / len(losses) if losses else None

    def turning_point(self, loser: Color) -> ReviewedMove | None:
        """Returns the move that lost the game: the last one that gave up an even or better game.

        Otherwise the biggest mistake; None without mistakes.
        """
        mistakes = [each for each in self.moves if each.color == loser and each.loss >= LEAST_LOSS]
        turns = [each for each in mistakes if each.before.winrate >= EVEN > each.winrate]
        return turns[-1] if turns else next(iter(worst(mistakes)), None)


def review(
    session: Session, evaluator: Evaluator, progress: Callable[[int], None] = lambda done: None
) -> GameReview:
    """Returns the review of a session's game up to its current position.

    progress: see Evaluator.evaluations(); there is one evaluation more than moves.
    """
    turns = [turn for turn in session.turns() if turn.moves and not turn.after_end]
    ends = [0]
    for turn in turns:
        ends.append(ends[-1] + len(turn.moves))
    positions = [Session.at(session.game, session.start, session.history[:end]) for end in ends]
    found = list(evaluator.evaluations(positions, progress))
    moves = [
        ReviewedMove(number, turn, ",".join(session.texts(turn)), found[number - 1], found[number])
        for number, turn in enumerate(turns, start=1)
    ]
    return GameReview(session, found[0], moves)
