"""What each first move is worth where nobody may swap."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from statistics import fmean
from typing import Any, ClassVar

from pinchtp.games import Color, RuleValue
from pinchtp.games.session import Session
from pinchtp.report.evidence import Measurements
from pinchtp.report.experiments.experiment import Experiment, WorkUnit
from pinchtp.report.experiments.games import rules_without_swap
from pinchtp.report.playing import SearchMover, StopCheck, play_game
from pinchtp.report.subject import ReportSubject
from pinchtp.report.symmetries import classes, symmetries

SEARCH = 4  # times the simulations of a move of strong play


class FirstMoves(Experiment):
    """Each unit judges a first move by longer searches of both players, and plays a game after it.

    First moves that symmetries of the game turn into each other are one; all have their turn
    before any has its next.
    """

    name: ClassVar[str] = "first-moves"
    what: ClassVar[str] = "searches and games after every first move"
    weight: ClassVar[float] = 15
    least: ClassVar[int] = 50

    def next(self, measurements: Measurements, running: Collection[int]) -> WorkUnit | None:
        number = self.free_number(measurements, running)
        assert number is not None
        moves = list(first_moves(measurements.subject))
        return self.unit(number, moves[number % len(moves)])

    def measure(self, subject: ReportSubject, unit: WorkUnit, stop: StopCheck) -> Any:
        rules = rules_without_swap(subject)
        seed = subject.unit_seed(self.name, unit.number)
        chance = self._judged(subject, _after(subject, rules, unit.task), seed, stop)
        players = {
            color: SearchMover(
                subject, subject.visits, subject.unit_seed(self.name, unit.number, color), stop
            )
            for color in Color
        }
        game = play_game(_after(subject, rules, unit.task), players, stop)
        first = subject.first
        points = {int(first): 1, int(first.opponent): 0}.get(game["winner"], 0.5)
        return {"move": unit.task, "chance": points if chance is None else chance, "points": points}

    def _judged(
        self, subject: ReportSubject, session: Session, seed: int, stop: StopCheck
    ) -> float | None:
        """The first player's chances: the mean of what both players see, each in its next turn.

        Every search thinks somewhat too well of the player on the move; that is even so. None if
        the game is over.
        """
        engine = SearchMover(subject, SEARCH * subject.visits, seed, stop)
        seen: dict[Color, float] = {}
        while not session.is_over and len(seen) < len(Color):
            color = session.to_move
            chosen = engine.choose(session)
            assert chosen.chance is not None
            seen[color] = chosen.chance if color == subject.first else 1 - chosen.chance
            session.play(color, *chosen.moves)
        return round(fmean(seen.values()), 4) if seen else None


def _after(subject: ReportSubject, rules: Mapping[str, RuleValue], move: int) -> Session:
    """A game that has begun with this move."""
    session = subject.session(rules)
    session.play(session.to_move, move)
    return session


def first_moves(subject: ReportSubject) -> dict[int, list[int]]:
    """First moves without their images, each with all of its class."""
    return _first_moves(subject.as_json())


@lru_cache(maxsize=8)
def _first_moves(json: str) -> dict[int, list[int]]:
    subject = ReportSubject.from_json(json)
    rules = rules_without_swap(subject)
    start = subject.start(rules)
    return classes(start.legal_moves(), symmetries(subject.entry, start))
