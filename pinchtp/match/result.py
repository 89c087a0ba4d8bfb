"""What came of a match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # light, for worker processes
    from pinchtp.match.plan import MatchPlan
    from pinchtp.match.record import GameRecord
    from pinchtp.match.sprt import Verdict
    from pinchtp.match.stats import Results


@dataclass(frozen=True)
class MatchResult:
    """What came of a match.

    total: games in the schedule. withdrawn: engines that failed too often, and how. llr, verdict:
    of the sequential test. records: all games in the order in which they ended, void attempts among
    them; empty unless they were asked for. unwritten: why the page or SGF files are not as they
    should be at the end; empty if they are.
    """

    plan: MatchPlan
    report: Results
    total: int
    withdrawn: Mapping[str, str]
    llr: float
    verdict: Verdict | None
    records: tuple[GameRecord, ...] = ()
    unwritten: str = ""

    @property
    def unplayed(self) -> int:
        """Games of the schedule that have no result."""
        return self.total - self.report.games

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to be played."""
        return self.unplayed == 0 or self.verdict is not None
