"""Games of the engine against itself: by the rules of the subject, and by the other swap rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pinchtp.games import Color, RuleValue
from pinchtp.report.experiments.experiment import Endless, WorkUnit
from pinchtp.report.playing import SearchMover, StopCheck, play_game
from pinchtp.report.subject import ReportSubject


def other_rules(subject: ReportSubject) -> dict[str, RuleValue]:
    """The rules with the pie rule where the subject has none, and without it where it has."""
    return subject.with_swap(not subject.has_swap)


def rules_without_swap(subject: ReportSubject) -> dict[str, RuleValue]:
    return subject.with_swap(False)


class StrongGames(Endless):
    """Each unit is a game."""

    name: ClassVar[str] = "games"
    what: ClassVar[str] = "games of the engine against itself"
    weight: ClassVar[float] = 24
    least: ClassVar[int] = 10

    def rules(self, subject: ReportSubject) -> Mapping[str, RuleValue]:
        return subject.rules

    def measure(self, subject: ReportSubject, unit: WorkUnit, stop: StopCheck) -> Any:
        rules = self.rules(subject)
        # Each color has a tree of its own, so that neither profits from what the other saw.
        players = {
            color: SearchMover(
                subject, subject.visits, subject.unit_seed(self.name, unit.number, color), stop
            )
            for color in Color
        }
        return play_game(subject.session(rules), players, stop)


class OtherGames(StrongGames):
    """The same by the other swap rule, to see what that rule does."""

    name: ClassVar[str] = "other-games"
    what: ClassVar[str] = "games with the pie rule changed"
    weight: ClassVar[float] = 10

    def applies(self, subject: ReportSubject) -> bool:
        return subject.entry.swaps

    def rules(self, subject: ReportSubject) -> Mapping[str, RuleValue]:
        return other_rules(subject)
