"""Reviews: every move of a game judged, and the worst of them listed."""

from __future__ import annotations

from functools import partial

from pinchtp.board import messages as m
from pinchtp.board.engines.host import Host
from pinchtp.board.studies.evaluation import Evaluation, Evaluations, judge
from pinchtp.board.studies.tasks import Tasks
from pinchtp.board.table.table import CannotDo, mark_of
from pinchtp.board.table.tree import Node
from pinchtp.board.table.view import COLOR_NAMES

REVIEW_SECONDS = 20.0  # for a position, at the most
WORST = 10  # moves that a review lists
LEAST_LOSS = 0.05  # of those


class Reviewer:
    """Reviews the line that is shown."""

    def __init__(self, room: Host, tasks: Tasks, evaluations: Evaluations) -> None:
        self._room, self._tasks, self._evaluations = room, tasks, evaluations
        self._reviewed: list[Node] = []
        self._done = 0  # of these

    def start(self, engine: int, visits: int) -> None:
        """Starts a review. visits: for each position. Raises CannotDo if there are no moves."""
        if len(self._room.table.line()) < 2:
            raise CannotDo("there are no moves to review")
        self._room.table.rated = False
        stopped = partial(self._tell, running=False)
        self._tasks.start("review", self._review(engine, visits), stopped)

    async def _review(self, engine: int, visits: int) -> None:
        nodes = self._room.table.line()
        self._reviewed, self._done = nodes, 0
        was: Evaluation | None = None
        for at, node in enumerate(nodes):
            found = await self._evaluations.find(
                engine, node, visits, REVIEW_SECONDS, background=True
            )
            if was is not None:
                judge(nodes[at - 1], node, was, found)
            was = found
            self._done = at + 1
            self._tell(running=at + 1 < len(nodes))
        self._room.changed()

    def _tell(self, *, running: bool) -> None:
        """Tells how far the review has come."""
        nodes = self._reviewed
        lossy = [node for node in nodes if (node.loss or 0) >= LEAST_LOSS]
        worst = sorted(lossy, key=lambda each: -(each.loss or 0))[:WORST]
        told = [self._worst(node, nodes.index(node)) for node in worst]
        self._room.send(m.Review(self._done, len(nodes), running, told))

    def _worst(self, node: Node, number: int) -> m.WorstMove:
        assert node.color is not None
        known = self._evaluations.get(node.parent)
        return m.WorstMove(
            node=node.id,
            number=number,
            color=COLOR_NAMES[node.color],
            move=node.text,
            loss=node.loss or 0,
            best=known.line if known else [],
            mark=mark_of(node.loss),
        )
