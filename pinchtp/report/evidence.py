"""All that was measured so far, as experiments and sections look at it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from statistics import fmean
from typing import Any

from pinchtp.games import RuleValue
from pinchtp.report.playing import PlayedGame
from pinchtp.report.subject import ReportSubject


class Measurements:
    """The results of the units of work, by experiment and number."""

    def __init__(self, subject: ReportSubject) -> None:
        self.subject = subject
        self._results: dict[str, dict[int, Any]] = defaultdict(dict)
        self._seconds: dict[str, dict[int, float]] = defaultdict(dict)
        self._games: dict[str, dict[int, PlayedGame]] = defaultdict(dict)

    def add(self, experiment: str, number: int, data: Any, seconds: float) -> None:
        """Takes in a unit. data: as JSON would give it back."""
        self._results[experiment][number] = data
        self._seconds[experiment][number] = seconds

    def results(self, experiment: str) -> Mapping[int, Any]:
        """By the numbers of the units, in their order."""
        found = self._results[experiment]
        return {number: found[number] for number in sorted(found)}

    def done(self, experiment: str) -> Mapping[int, Any]:
        """As results, in the order in which they came."""
        return self._results[experiment]

    def count(self, experiment: str) -> int:
        return len(self._results[experiment])

    def seconds(self, experiment: str) -> float:
        """Of work, in all units."""
        return sum(self._seconds[experiment].values())

    def mean_seconds(self, experiment: str) -> float | None:
        """Of the latest units; None before the first."""
        latest = list(self._seconds[experiment].values())[-20:]
        return fmean(latest) if latest else None

    def games(self, experiment: str, rules: Mapping[str, RuleValue]) -> list[PlayedGame]:
        """The games of an experiment whose results are games played by these rules."""
        known = self._games[experiment]
        for number, kept in self._results[experiment].items():
            if number not in known:
                known[number] = PlayedGame(self.subject.session(rules), kept)
        return [known[number] for number in sorted(known)]
