"""Games that several sections use: random games, and games of the engine against itself."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from pinchtp._core import PASS
from pinchtp.games import Color, RuleValue
from pinchtp.report.experiment import Endless, WorkUnit
from pinchtp.report.playing import DRAW, Cancelled, SearchMover, StopCheck, play_game
from pinchtp.report.subject import ReportSubject


def strong_players(
    subject: ReportSubject, unit: WorkUnit, stop: StopCheck
) -> dict[Color, SearchMover]:
    """Returns two strong players, each with a separate search tree."""
    seeds = {color: subject.unit_seed(unit.experiment, unit.number, color) for color in Color}
    return {
        color: SearchMover(subject, subject.visits, seed, stop) for color, seed in seeds.items()
    }


class StrongGames(Endless):
    """An experiment whose units are games of the engine against itself."""

    name = "games"
    description = "games of the engine against itself"
    weight = 24
    least = 10

    def rules(self, subject: ReportSubject) -> Mapping[str, RuleValue]:
        return subject.rules

    def measure(self, subject: ReportSubject, unit: WorkUnit, stop: StopCheck) -> Any:
        session = subject.session(self.rules(subject))
        return play_game(session, strong_players(subject, unit, stop), stop)


class OtherGames(StrongGames):
    """The same games with the pie rule inverted, to measure its effect."""

    name = "other-games"
    description = "games with the pie rule inverted"
    weight = 10

    def applies(self, subject: ReportSubject) -> bool:
        return subject.entry.swaps

    def rules(self, subject: ReportSubject) -> Mapping[str, RuleValue]:
        return subject.with_swap(not subject.has_swap)


PLAYOUTS = 1000  # per unit
STEPPED = 5  # further games per unit, in which choices are counted


class RandomGames(Endless):
    """An experiment that counts the lengths and winners of playouts.

    Each unit plays PLAYOUTS games, and counts the choices in STEPPED more.
    """

    name = "random"
    description = "random games"
    weight = 3
    first_seconds = 0.1
    most = 100

    def measure(self, subject: ReportSubject, unit: WorkUnit, stop: StopCheck) -> Any:
        start = subject.start()
        seed = subject.unit_seed(self.name, unit.number)
        played = start.playouts(PLAYOUTS, seed)
        source = random.Random(seed)
        actions: set[int] = set()
        choices = [_choices(subject, source, actions, stop) for _ in range(STEPPED)]
        return {
            "lengths": dict(sorted(Counter(map(str, played[:, 1].tolist())).items())),
            "first": int((played[:, 2] == start.to_move).sum()),
            "draws": int((played[:, 2] == DRAW).sum()),
            "choices": choices,
            "actions": sorted(actions),
        }


def _choices(
    subject: ReportSubject, source: random.Random, actions: set[int], stop: StopCheck
) -> list[int]:
    """Returns the number of choices in each turn of a random game; see `branching`.

    A pass is a choice, but as in playouts, a player passes only without another move.
    """
    position = subject.start()
    products = []
    product = 1
    while position.result is None:
        if stop():
            raise Cancelled
        legal = position.legal_moves()
        actions.update(legal)
        product *= len(legal)
        position = position.play(source.choice([move for move in legal if move != PASS] or legal))
        if not position.mid_turn or position.result is not None:
            products.append(product)
            product = 1
    return products
