"""The protocol of an engine: it chooses moves and analyzes positions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from pinchtp.engine.analysis import Analysis
from pinchtp.games.play_result import PlayResult
from pinchtp.games.session import Session
from pinchtp.player.player import Limits

NO_INTERVAL = float("inf")  # only the last result


class Analyzer(Protocol):
    """An engine that analyzes positions."""

    def analyze(
        self,
        session: Session,
        limits: Limits,
        show: Callable[[Analysis], bool],
        *,
        interval: float = NO_INTERVAL,
        ownership: bool = False,
    ) -> None:
        """Searches the position of a session whose game is not over.

        show: called with a result at every interval, and with the last one at the end; returning
        False ends the search. It is not called if the search is stopped before its first result.
        interval: seconds. ownership: whether results have the expected owners of the points, if the
        engine reports them.
        """


class EngineProtocol(Analyzer, Protocol):
    """An engine: ours (OwnEngine) or a GTP program (ForeignEngine).

    Call its methods one at a time, on any thread. They raise EngineError if a program fails.
    """

    name: str
    version: str

    def play(self, session: Session, limits: Limits) -> PlayResult:
        """Chooses a move in the position of a session, without changing the session."""

    def close(self) -> None:
        """Ends the engine."""


def analyze(
    engine: Analyzer, session: Session, limits: Limits, *, ownership: bool = False
) -> Analysis | None:
    """Returns an engine's analysis of a position, or the result of a game that is over.

    None if the search was stopped before its first result.
    """
    if session.is_over:
        return Analysis.of_result(session)
    results: list[Analysis] = []

    def store(analysis: Analysis) -> bool:
        results[:] = [analysis]
        return True

    engine.analyze(session, limits, store, ownership=ownership)
    return results[-1] if results else None
