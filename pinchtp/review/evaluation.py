"""Evaluations of the positions of a game by our engine, on all cores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from threading import Event, local

from pinchtp.base.process import usable_processors
from pinchtp.games import Color
from pinchtp.games.session import Session
from pinchtp.player.player import Limits, Player
from pinchtp.player.settings import Settings

LEAST_MEMORY = 16  # MB per search
TICK = 0.1  # seconds between calls of `progress`
SEED = 0  # of all searches: a review by visits can be repeated


@dataclass(frozen=True)
class PositionEvaluation:
    """An engine's evaluation of a position.

    winrate: for the side to move, in 0..1. visits: 0 for the end of a game. line: principal
    variation, colors and texts of turns.
    """

    winrate: float
    visits: int
    line: Sequence[tuple[Color, str]] = ()


class Evaluator:
    """An evaluator of positions in threads: the core releases the interpreter's lock."""

    def __init__(self, settings: Settings, limits: Limits, jobs: int = 0) -> None:
        """limits: per position. jobs: threads, which share the memory; default: one per core."""
        jobs = jobs or len(usable_processors())
        memory = max(settings.memory // jobs, LEAST_MEMORY)
        self._settings = replace(settings, threads=1, memory=memory, seed=SEED)
        self._stop = Event()
        self._limits = replace(limits, should_stop=self._stop.is_set)
        self._jobs = jobs
        self._own = local()

    def evaluations(
        self, sessions: Sequence[Session], progress: Callable[[int], None] = lambda done: None
    ) -> Iterator[PositionEvaluation]:
        """Yields the evaluation of each session's position, in order.

        progress: called with the number of completed evaluations, ten times per second.
        """
        with ThreadPoolExecutor(self._jobs) as pool:
            waiting = [pool.submit(self.evaluate, session) for session in sessions]
            try:
                for future in waiting:
                    while not wait([future], TICK).done:
                        progress(sum(each.done() for each in waiting))
                    yield future.result()
            finally:
                self._stop.set()
                pool.shutdown(cancel_futures=True)

    def evaluate(self, session: Session) -> PositionEvaluation:
        """Returns the evaluation of a session's position."""
        if session.is_over:
            score = 0.5 if session.winner is None else float(session.winner == session.to_move)
            return PositionEvaluation(score, 0)
        player = self._player()
        player.forget()  # no tree of another position: results do not depend on the order
        report = player.search(session, self._limits)
        line = session.line_texts(report.choices[0].line)
        return PositionEvaluation(
            0.5 if report.winrate is None else report.winrate, report.visits, line
        )

    def _player(self) -> Player:
        """Returns the player of this thread."""
        if not hasattr(self._own, "player"):
            self._own.player = Player(self._settings)
        player: Player = self._own.player
        return player
