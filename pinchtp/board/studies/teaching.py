"""Teaching: the visitor's moves are judged before the opponent answers them."""

from __future__ import annotations

from pinchtp.board import messages as m
from pinchtp.board.engines.host import Host
from pinchtp.board.studies.evaluation import Evaluation, Evaluations, judge
from pinchtp.board.studies.tasks import Tasks
from pinchtp.board.table.tree import Node

TEACHING_SECONDS, TEACHING_VISITS = 1.5, 600
TEACHING_LOSS = 0.10  # of the chance to win, from which on a move is pointed out


class Teacher:
    """Points out moves that lose much. remark: what is said about the last one, if anything."""

    def __init__(self, room: Host, tasks: Tasks, evaluations: Evaluations) -> None:
        self.remark: m.Teaching | None = None
        self._room, self._tasks, self._evaluations = room, tasks, evaluations
        self._judged: Node | None = None

    @property
    def holds_back(self) -> bool:
        """Whether the opponent has to wait until the last move was judged."""
        return self.remark is not None or self._judged is not None

    def human_moved(self, before: Node) -> None:
        """The visitor has moved; with teaching on the move is judged before the opponent goes."""
        table = self._room.table
        self.end()
        if table.teach and table.node.moves and not self._room.table.is_over:
            self._judged = table.node
            self._tasks.start("teach", self._teach(before, table.node))

    def end(self) -> None:
        """The last move is not talked about any more."""
        self.remark = None
        if self._judged is not None:
            self._judged = None
            self._tasks.stop("teach")

    def prepare(self) -> None:
        """What the position is worth before the visitor's move is found out meanwhile."""
        table = self._room.table
        is_human = table.mover.engine is None and not table.is_over and self._room.is_visited
        is_new = self._evaluations.get(table.node) is None and self._judged is None
        if table.teach and is_human and is_new:
            self._tasks.start("teach", self._expect(table.node))

    async def _expect(self, node: Node) -> None:
        await self._evaluations.find(0, node, TEACHING_VISITS, TEACHING_SECONDS, background=True)

    async def _teach(self, before: Node, node: Node) -> None:
        try:
            was = await self._evaluations.find(0, before, TEACHING_VISITS, TEACHING_SECONDS)
            now = await self._evaluations.find(0, node, TEACHING_VISITS, TEACHING_SECONDS)
            loss = judge(before, node, was, now)
            if self._judged is node and loss >= TEACHING_LOSS and was.line:
                best = was.line[0]
                if best.text != node.text:
                    self.remark = _remark(node, was, now, loss)
        finally:
            if self._judged is node:
                self._judged = None
                self._room.changed()
                self._room.advance()


def _remark(node: Node, was: Evaluation, now: Evaluation, loss: float) -> m.Teaching:
    """What is said about a move that lost so much of the chance to win."""
    after = max(0.0, was.chance - loss)
    best = was.line[0]
    replies = " ".join(each.text for each in now.line[:3])
    sentence = (
        f"{node.text} takes your chance to win from {was.chance:.0%} to {after:.0%}. "
        f"{best.text} was better." + (f" Expected now: {replies}." if replies else "")
    )
    return m.Teaching(node.id, was.chance, after, best, now.line, sentence)
