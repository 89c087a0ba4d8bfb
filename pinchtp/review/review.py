"""Reviews of games: winrates of the moves, mistakes, and the turning point."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from pinchtp.engine.analysis import Analysis
from pinchtp.engine.engine import EngineProtocol
from pinchtp.engine.evaluator import evaluate_all
from pinchtp.games import Color
from pinchtp.games.history import Turn
from pinchtp.games.session import Session
from pinchtp.games.winrate import EVEN
from pinchtp.player.player import Limits
from pinchtp.review.forced import ForcedLoss, make_solver, solve_positions
from pinchtp.review.mistakes import LEAST_LOSS, mark, winrate_loss, worst


@dataclass(frozen=True)
class ReviewedMove:
    """A turn with the analyses of the positions before and after it.

    number: from 1. better: the variation that the engine prefers, as colors and texts of turns.
    forced: the proof that the move lost, or None.
    """

    number: int
    turn: Turn
    text: str
    before: Analysis
    after: Analysis
    better: Sequence[tuple[Color, str]]
    forced: ForcedLoss | None

    @property
    def color(self) -> Color:
        return self.turn.color

    @cached_property
    def loss(self) -> float:
        """The winrate that the move lost, in 0..1; 0 for the engine's own choice."""
        best = self.better[0][1] if self.better else ""
        return winrate_loss(self.color, self.text, best, self.before.winrate, self.after.winrate)

    @property
    def winrate(self) -> float:
        """The mover's winrate after the move, in 0..1."""
        return self.after.winrate.pov(self.color)

    @property
    def black(self) -> float:
        """Black's winrate after the move, in 0..1."""
        return self.after.winrate.black()

    @property
    def mark(self) -> str:
        return mark(self.loss)


@dataclass(frozen=True)
class GameReview:
    """The review of a session's game.

    start: the analysis of its first position. engine: name and version of the engine.
    """

    session: Session
    start: Analysis
    moves: Sequence[ReviewedMove]
    engine: str

    def worst(self) -> list[ReviewedMove]:
        """Returns the biggest mistakes, the worst first."""
        return worst(self.moves)

    def mean_loss(self, color: Color) -> float | None:
        """Returns the mean winrate loss of a color's moves, or None without moves."""
        losses = [move.loss for move in self.moves if move.color == color]
        return sum(losses) / len(losses) if losses else None

    def turning_point(self, loser: Color) -> ReviewedMove | None:
        """Returns the move that lost the game: the last mistake in an even or better position.

        If there is none, returns the biggest mistake; None without mistakes.
        """
        mistakes = [move for move in self.moves if move.color == loser and move.loss >= LEAST_LOSS]
        turns = [
            mistake for mistake in mistakes if mistake.before.winrate >= EVEN > mistake.winrate
        ]
        return turns[-1] if turns else next(iter(worst(mistakes)), None)


def review(
    session: Session,
    engines: Sequence[EngineProtocol],
    limits: Limits,
    progress: Callable[[int, int], None] = lambda done, total: None,
    solver_nodes: int = 0,
) -> GameReview:
    """Returns the review of a session's game up to its current position.

    engines: one per position analyzed at a time. limits, progress: see evaluate_all().
    solver_nodes: for all proofs; 0: none. Raises the errors of the engines.
    """
    turns = session.played_turns()
    ends = [0]
    for turn in turns:
        ends.append(ends[-1] + len(turn.moves))
    positions = [Session.at(session.game, session.start, session.history[:end]) for end in ends]
    analyses = evaluate_all(engines, positions, limits, progress)
    forced: list[ForcedLoss | None] = [None] * len(turns)
    if solver_nodes:
        values = solve_positions(positions, solver_nodes, make_solver(positions[0]))
        forced = [
            ForcedLoss.of(turn.color, *around)
            for turn, around in zip(turns, pairwise(values), strict=True)
        ]
    moves = [
        ReviewedMove(
            number=at + 1,
            turn=turn,
            text=",".join(session.texts(turn)),
            before=analyses[at],
            after=analyses[at + 1],
            better=analyses[at].line(positions[at]),
            forced=forced[at],
        )
        for at, turn in enumerate(turns)
    ]
    engine = f"{engines[0].name} {engines[0].version}".strip()
    return GameReview(session, analyses[0], moves, engine)
