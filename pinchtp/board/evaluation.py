"""Engine evaluations of the positions of a table."""

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

STILL = 3  # reports without new visits, after which a position counts as proven


@dataclass
class Evaluation:
    """The evaluation of a node's position. chance: winrate of the side to move."""

    chance: float
    visits: int
    line: list[m.VariationMove] = field(default_factory=list)


class EvaluationCache:
    """The evaluations of a table's nodes, dropped together with their nodes."""

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[Node, Evaluation] = WeakKeyDictionary()

    def get(self, node: Node | None) -> Evaluation | None:
        """Returns the evaluation of a node's position, or None."""
        return None if node is None else self._known.get(node)

    def remember(
        self, node: Node, reader: AnalysisReader, report: AnalysisLine, visits: int = 0
    ) -> Evaluation:
        """Stores an engine's report on a node's position. visits: the number requested."""
        line = reader.variation(report.best.pv)
        found = Evaluation(report.best.winrate, max(report.visits, visits), line)
        self._known[node] = found
        return found

    def finish(self, node: Node, chance: float, visits: int) -> Evaluation:
        """Stores the result of a game that ended at a node."""
        self._known[node] = Evaluation(chance, visits)
        return self._known[node]


@dataclass(frozen=True)
class JobContext:
    """The context in which jobs run.

    slot: returns the slot of an engine number. send: sends a message to all pages. changed:
    schedules an update of the pages while a job runs; its end always causes one.
    """

    table: Table
    evaluations: EvaluationCache
    slot: Callable[[int], EngineSlot]
    send: Callable[[m.Message], None]
    changed: Callable[[], None]

    async def evaluate(
        self, engine: int, node: Node, visits: int, seconds: float, *, background: bool = False
    ) -> Evaluation:
        """Returns the evaluation of a position, from the cache if it has enough visits."""
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
            await asyncio.sleep(0)  # a foreground job interrupted it
        black = black_winrate(report.best.winrate, session.to_move)
        tree.set_winrate(node, black, max(report.visits, visits))
        return self.evaluations.remember(
            node, AnalysisReader(session, node.id, engine), report, visits
        )


def searched(
    engine: TableEngine, session: Session, visits: int, seconds: float
) -> AnalysisLine | None:
    """Returns an engine's analysis limited by visits and seconds; None if interrupted."""
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
    """Returns the score of a finished game, 0 to 1, for the color to move."""
    winner = node.flag_fell.opponent if node.flag_fell is not None else session.winner
    return 0.5 if winner is None else float(winner == session.to_move)
