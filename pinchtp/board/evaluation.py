"""What positions of a table are worth, as far as engines have found out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from weakref import WeakKeyDictionary

from pinchtp.board import messages as m
from pinchtp.board.engines import EngineSlot
from pinchtp.board.findings import AnalysisReader
from pinchtp.board.table import Table
from pinchtp.board.table_engine import TableEngine
from pinchtp.board.tree import Node
from pinchtp.client import ProtocolError
from pinchtp.client.analysis import AnalysisLine, black_winrate
from pinchtp.games.session import Session

STILL = 3  # reports without another visit: the position is proven, and not searched any more


@dataclass
class Evaluation:
    """What was found about a node's position. chance: for the side to move."""

    chance: float
    visits: int
    line: list[m.VariationMove] = field(default_factory=list)


class EvaluationCache:
    """The evaluations of a table's nodes; those of nodes that are gone are forgotten."""

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[Node, Evaluation] = WeakKeyDictionary()

    def get(self, node: Node | None) -> Evaluation | None:
        """What is known of a node's position; None if nothing is."""
        return None if node is None else self._known.get(node)

    def remember(
        self, node: Node, reader: AnalysisReader, report: AnalysisLine, visits: int = 0
    ) -> Evaluation:
        """Keeps what an engine says of a node's position. visits: that it was asked for."""
        line = reader.variation(report.best.pv)
        found = Evaluation(report.best.winrate, max(report.visits, visits), line)
        self._known[node] = found
        return found

    def finish(self, node: Node, chance: float, visits: int) -> Evaluation:
        """Keeps what is known of a game that has ended there."""
        self._known[node] = Evaluation(chance, visits)
        return self._known[node]


@dataclass(frozen=True)
class JobContext:
    """What jobs work with.

    slot: an engine by its number. send: tells all pages. changed: has pages told soon of what has
    changed, for jobs that go on; of the others it is told anyway when they end.
    """

    table: Table
    evaluations: EvaluationCache
    slot: Callable[[int], EngineSlot]
    send: Callable[[m.Message], None]
    changed: Callable[[], None]

    async def evaluate(
        self, engine: int, node: Node, visits: int, seconds: float, *, background: bool = False
    ) -> Evaluation:
        """What a position is worth to the side to move; known values are used again."""
        tree = self.table.tree
        known = self.evaluations.get(node)
        if known is not None and known.visits >= visits:
            return known
        session = tree.session(node)
        if session.is_over or node.flag_fell is not None:
            found = self.evaluations.finish(node, _final(session, node), visits)
            tree.set_winrate(node, black_winrate(found.chance, session.to_move), visits)
            return found
        slot = self.slot(engine)
        run = slot.run_in_background if background else slot.run
        while True:
            report = await run(lambda each: searched(each, session, visits, seconds))
            if report is not None:
                break
            await asyncio.sleep(0)  # a job in the foreground has come between
        black = black_winrate(report.best.winrate, session.to_move)
        tree.set_winrate(node, black, max(report.visits, visits))
        return self.evaluations.remember(
            node, AnalysisReader(session, node.id, engine), report, visits
        )


def searched(
    engine: TableEngine, session: Session, visits: int, seconds: float
) -> AnalysisLine | None:
    """What an engine finds within so many visits or seconds; None if it was stopped before."""
    found: list[AnalysisLine] = []
    began = monotonic()

    def seen(report: AnalysisLine) -> bool:
        found.append(report)
        is_proven = len(found) > STILL and found[-STILL - 1].visits == report.visits
        enough = report.visits >= visits or is_proven or monotonic() - began >= seconds
        is_done[0] = enough
        return not enough

    is_done = [False]
    engine.prepare(session)
    engine.analyze(session.to_move, seen)
    if is_done[0] or (found and not engine.stop.is_set()):
        return found[-1]
    if not engine.stop.is_set():
        raise ProtocolError("returned no analysis")
    return None


def _final(session: Session, node: Node) -> float:
    """What a finished game is worth to the color that would be to move."""
    winner = node.flag_fell.opponent if node.flag_fell is not None else session.winner
    return 0.5 if winner is None else float(winner == session.to_move)
