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
        """Searches a session's position, which must not be over.

        show: gets results at an interval in seconds, and the last at the end; False ends the
        search. It is not called if the search was stopped before it had a result. ownership:
        results have owners of points, if the engine reports them.
        """


class EngineProtocol(Analyzer, Protocol):
    """An engine: ours (OwnEngine) or a GTP program (ForeignEngine).

    Its methods run one at a time, on any thread, and raise EngineError if a program fails.
    """

    name: str
    version: str

    def play(self, session: Session, limits: Limits) -> PlayResult:
        """Chooses a move in a session's position, without changing the session."""

    def close(self) -> None:
        """Ends the engine."""


def analyze(
    engine: Analyzer, session: Session, limits: Limits, *, ownership: bool = False
) -> Analysis | None:
    """Returns an engine's analysis of a position, or the result of a game that is over.

    None if the search was stopped before it had a result.
    """
    if session.is_over:
        return Analysis.of_result(session)
    results: list[Analysis] = []

    def keep(analysis: Analysis) -> bool:
        results[:] = [analysis]
        return True

    engine.analyze(session, limits, keep, ownership=ownership)
    return results[-1] if results else None
