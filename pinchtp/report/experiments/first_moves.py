"""What each first move is worth where nobody may swap."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Any, ClassVar

from pinchtp.games import Color
from pinchtp.report.evidence import Evidence
from pinchtp.report.experiments.experiment import Experiment, Unit
from pinchtp.report.experiments.games import rules_without_swap
from pinchtp.report.playing import Engine, Stop, play_game
from pinchtp.report.subject import Subject
from pinchtp.report.symmetries import classes, symmetries

SEARCH = 4  # times the simulations of a move of strong play


class FirstMoves(Experiment):
    """Each unit judges a first move by a longer search of the answer, and plays a game after it.

    First moves that symmetries of the game turn into each other are one; all have their turn
    before any has its next.
    """

    name: ClassVar[str] = "first-moves"
    what: ClassVar[str] = "searches and games after every first move"
    weight: ClassVar[float] = 15
    least: ClassVar[int] = 50

    def next(self, evidence: Evidence, running: Collection[int]) -> Unit | None:
        number = self.free_number(evidence, running)
        assert number is not None
        moves = list(first_moves(evidence.subject))
        return self.unit(number, moves[number % len(moves)])

    def measure(self, subject: Subject, unit: Unit, stop: Stop) -> Any:
        session = subject.session(rules_without_swap(subject))
        first = Color(session.start.to_move)
        session.play(first, unit.task)
        chance: float | None = None
        if not session.is_over:
            seed = subject.unit_seed(self.name, unit.number)
            found = Engine(subject, SEARCH * subject.visits, seed, stop).choose(session).chance
            assert found is not None
            chance = round(found if session.to_move == first else 1 - found, 4)
        players = {
            color: Engine(
                subject, subject.visits, subject.unit_seed(self.name, unit.number, color), stop
            )
            for color in Color
        }
        game = play_game(session, players, stop)
        points = {int(first): 1, int(first.opponent): 0}.get(game["winner"], 0.5)
        return {"move": unit.task, "chance": points if chance is None else chance, "points": points}


def first_moves(subject: Subject) -> dict[int, list[int]]:
    """First moves without their images, each with all of its class."""
    return _first_moves(subject.game, subject.width, subject.height, subject.as_json())


@lru_cache(maxsize=8)
def _first_moves(game: str, width: int, height: int, json: str) -> dict[int, list[int]]:
    subject = Subject.from_json(json)
    rules = rules_without_swap(subject)
    start = subject.start(rules)
    return classes(start.legal_moves(), symmetries(subject.entry, start))
