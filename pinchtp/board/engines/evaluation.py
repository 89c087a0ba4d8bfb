"""Engine evaluations of a table's positions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from pinchtp.board.engines.findings import AnalysisReader
from pinchtp.board.engines.jobs import Job
from pinchtp.board.engines.pool import EngineSlot
from pinchtp.board.protocol.base import Message
from pinchtp.board.protocol.board import VariationMove
from pinchtp.board.table import Table
from pinchtp.board.tree import Node
from pinchtp.engine.analysis import Analysis
from pinchtp.engine.engine import analyze
from pinchtp.games.session import Session
from pinchtp.games.winrate import Winrate
from pinchtp.player.player import Limits


@dataclass
class Evaluation:
    """An engine's analysis of a node's position, with its variation in the form of messages."""

    analysis: Analysis
    line: list[VariationMove] = field(default_factory=list)


class EvaluationCache:
    """The evaluations of a table's nodes, which are dropped with their nodes."""

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[Node, Evaluation] = WeakKeyDictionary()

    def get(self, node: Node | None) -> Evaluation | None:
        """Returns the evaluation of a node's position; None without one."""
        return None if node is None else self._known.get(node)

    def remember(self, node: Node, reader: AnalysisReader, analysis: Analysis) -> Evaluation:
        """Stores an engine's analysis of a node's position, or the result of a finished game.

        Returns the stored evaluation: the earlier one if that has more visits.
        """
        known = self._known.get(node)
        if known is None or analysis.visits >= known.analysis.visits:
            known = self._known[node] = Evaluation(analysis, reader.variation(analysis.pv))
        return known


@dataclass(frozen=True)
class JobContext:
    """The context in which jobs run.

    slot: returns the slot of an engine number. send: sends a message to all pages. changed:
    schedules an update of the pages while a job runs; its end always schedules one.
    """

    table: Table
    evaluations: EvaluationCache
    slot: Callable[[int], EngineSlot]
    send: Callable[[Message], None]
    changed: Callable[[], None]

    async def evaluate(
        self, engine: int, node: Node, visits: int, seconds: float, *, background: bool = False
    ) -> Evaluation:
        """Returns the evaluation of a position, from the cache if it has enough visits."""
        known = self.evaluations.get(node)
        if known is not None and known.analysis.visits >= visits:
            return known
        session = self.table.tree.session(node)
        if session.is_over or node.flag_fell is not None:
            analysis = _final(session, node)
        else:
            analysis = await self._search(engine, session, visits, seconds, background=background)
        # A proven position gets no more visits, and time may have ended the search.
        analysis = replace(analysis, visits=max(analysis.visits, visits))
        self.table.tree.set_winrate(node, analysis.winrate.black(), analysis.visits)
        return self.evaluations.remember(node, AnalysisReader(session, node.id), analysis)

    async def _search(
        self, engine: int, session: Session, visits: int, seconds: float, *, background: bool
    ) -> Analysis:
        slot = self.slot(engine)
        limits = Limits(seconds, visits)
        run = slot.run_in_background if background else slot.run
        analysis = await run(lambda each: analyze(each, session, limits))
        assert analysis is not None  # it was not interrupted
        return analysis


Worker: TypeAlias = Callable[[JobContext, Job[Any]], Awaitable[None]]


def _final(session: Session, node: Node) -> Analysis:
    """Returns the result of a finished game."""
    if node.flag_fell is None:
        return Analysis.of_result(session)
    winrate = Winrate.of_result(node.flag_fell.opponent, session.to_move)
    return Analysis(session.to_move, (), winrate, 0)
