"""Matches of the Python interface."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any

from pinchtp.api.arguments import check_type, file_name
from pinchtp.html.format import signed
from pinchtp.html.notebook import html_table

if TYPE_CHECKING:
    from pinchtp.base.ratings import EloEstimate
    from pinchtp.match.plan import EngineConfig
    from pinchtp.match.results.stats import MatchResult, PairStats

SHOWN = 4  # engines in repr()


@dataclass(frozen=True)
class MatchSummary:
    """The result of a match. print() and notebooks show it as a table.

    elo, los and pentanomial are values of the first engine against the second.

    result: the full result (pinchtp/match/README.md).
    """

    result: MatchResult

    @property
    def _first(self) -> PairStats:
        return self.result.report.pairings[0]

    @property
    def elo(self) -> EloEstimate:
        """The Elo difference with its 95 % interval: `.elo`, `.low`, `.high`."""
        return self._first.elo

    @property
    def los(self) -> float:
        """The likelihood of superiority (LOS), in [0, 1]."""
        return self._first.superiority

    @property
    def pentanomial(self) -> tuple[int, ...]:
        """The number of pairs of games in which the first engine scored 0, 1/2, 1, 3/2 and 2."""
        return self._first.pairs

    @property
    def games(self) -> int:
        """The number of games played."""
        return self.result.report.games

    @property
    def _extent(self) -> str:
        """The number of games, with those not played and with failures, which decided games."""
        result = self.result
        failures = sum(failure.games for failure in result.report.failures)
        total = "" if result.is_complete else f" of {result.total}"
        return f"{self.games}{total} games" + (f", failures: {failures}" if failures else "")

    def __repr__(self) -> str:
        scores = [
            f"{standing.name} {standing.points:g}" for standing in self.result.report.standings
        ]
        more = ", ..." if len(scores) > SHOWN else ""
        return f"<MatchSummary {self._extent}: {', '.join(scores[:SHOWN])}{more}>"

    def _repr_html_(self) -> str:
        first = self._first
        elo = self.elo
        difference = f"Elo {signed(elo.elo)} ({signed(elo.low)} to {signed(elo.high)})"
        caption = (
            f"{first.first} against {first.second}, {self._extent}: {difference}, "
            f"LOS {self.los:.0%}"
        )
        rows = []
        for standing in self.result.report.standings:
            counts = map(str, (standing.games, standing.wins, standing.draws, standing.losses))
            rating = signed(standing.rating.elo) if standing.rating else ""
            rows.append((standing.name, *counts, f"{standing.score:.0%}", rating))
        columns = ("engine", "games", "won", "drawn", "lost", "score", "rating")
        return html_table(caption, columns, rows)

    def __str__(self) -> str:
        from rich.console import Console  # noqa: PLC0415

        from pinchtp.match.results.tables import print_result  # noqa: PLC0415

        text = StringIO()
        print_result(self.result, Console(file=text, width=100))
        return text.getvalue().rstrip("\n")


def play_match(engines: Mapping[str, str | EngineConfig], **options: Any) -> MatchSummary:
    """Plays a match between engines and returns its result.

        pinchtp.play_match({"new": "pinchtp --visits 200", "old": "./old"}, size=9, games=100)

    engines: command lines by name.
    options: the options of `pinchtp match`, such as games=100, size=9, time="60+0.5", jobs=2,
    sprt=(0, 10), openings="list.txt", db="m.db".

    Raises ValueError for an invalid argument, and RuntimeError if an engine cannot take part or a
    file cannot be written.
    """
    from pinchtp.match import EngineConfig, play  # noqa: PLC0415  (rich and numpy)

    check_type("engines", engines, Mapping, "command lines by name")
    for name, engine in engines.items():
        check_type("engines", name, str, "a text as the name of an engine")
        check_type(f"engines[{name!r}]", engine, str | EngineConfig, "a command line")
    if options.get("db") is not None:
        file_name("db", options["db"])
    return MatchSummary(play(engines, **options))
