"""The game tree: all lines that were played or loaded, and what is known about their moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from pinchtp.games import Color, Game, Position
from pinchtp.games.history import PlayedMove
from pinchtp.games.session import MOST_MOVES, Session

MOST_NODES = MOST_MOVES  # as in a session, variations included


class RequestError(ValueError):
    """What was asked for is not possible now; the text says why."""


@dataclass(eq=False)
class Node:
    """A turn and what follows it; the root has no turn.

    entries: the turn as a session's history has it, a part of the turn each. text: as people write
    it. black_winrate: Black's chance to win after it, and the visits behind that number. loss: what
    the chance of its mover lost by it. flag_fell: whose time was up here, if that ended the game.
    """

    id: int
    parent: Node | None
    entries: tuple[PlayedMove, ...] = ()
    text: str = ""
    comment: str = ""
    black_winrate: float | None = None
    visits: int = 0
    loss: float | None = None
    flag_fell: Color | None = None
    children: list[Node] = field(default_factory=list)

    @property
    def color(self) -> Color | None:
        return self.entries[-1].color if self.entries else None

    @property
    def moves(self) -> tuple[int, ...]:
        """The parts of the turn; none for the root and a resignation."""
        return tuple(entry.move for entry in self.entries if entry.move is not None)

    def line(self) -> list[Node]:
        """The nodes from the root to this one."""
        nodes = [self]
        while nodes[-1].parent is not None:
            nodes.append(nodes[-1].parent)
        return nodes[::-1]


class Tree:
    """The lines of one game from its start. revision: grows with every change that is seen."""

    def __init__(self, game: Game, start: Position) -> None:
        self.game, self.start = game, start
        self.root = Node(0, None)
        self.revision = 0
        self._nodes = {0: self.root}
        self._next = 1

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[Node]:
        """All nodes, each after its parent, the main line first."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    def node(self, number: int) -> Node:
        """Raises RequestError if there is none of that number."""
        try:
            return self._nodes[number]
        except KeyError:
            raise RequestError("this move no longer exists") from None

    def session(self, node: Node) -> Session:
        """The game that has come to a node, by itself."""
        history = [entry for each in node.line()[1:] for entry in _told(each)]
        return Session.at(self.game, self.start, history)

    def add(self, parent: Node, entries: Sequence[PlayedMove], text: str) -> Node:
        """The child that such a turn leads to: the one there is, or a new one.

        Raises RequestError if there are too many nodes.
        """
        made = [(entry.color, entry.move) for entry in entries]
        for child in parent.children:
            if [(entry.color, entry.move) for entry in child.entries] == made:
                return child
        if len(self._nodes) >= MOST_NODES:
            raise RequestError(f"a game has at most {MOST_NODES} moves, variations included")
        node = Node(self._next, parent, tuple(entries), text)
        self._nodes[node.id] = node
        self._next += 1
        self.revision += 1
        parent.children.append(node)
        return node

    def end_of_line(self, node: Node) -> Node:
        """Where the line of a node ends, by the first moves."""
        while node.children:
            node = node.children[0]
        return node

    def delete(self, node: Node) -> None:
        """Removes a node and all that follow it. Raises RequestError for the root."""
        if node.parent is None:
            raise RequestError("cannot remove the start of the game")
        self.revision += 1
        node.parent.children.remove(node)
        waiting = [node]
        while waiting:
            gone = waiting.pop()
            del self._nodes[gone.id]
            waiting += gone.children

    def promote(self, node: Node) -> None:
        """Makes the line that leads to a node the main line."""
        self.revision += 1
        for each in node.line():
            if each.parent is not None:
                each.parent.children.remove(each)
                each.parent.children.insert(0, each)

    def comment(self, node: Node, text: str) -> None:
        """Sets the comment of a node."""
        self.revision += 1
        node.comment = text

    def set_winrate(self, node: Node, black: float, visits: int) -> None:
        """Keeps what an engine found about the position after a node, if it knows more than before.

        black: Black's chance to win.
        """
        if visits >= node.visits:
            self.revision += node.black_winrate != black
            node.black_winrate, node.visits = black, visits

    def set_loss(self, node: Node, loss: float) -> None:
        """Keeps what the chance of a node's mover lost by it."""
        self.revision += node.loss != loss
        node.loss = loss


def _told(node: Node) -> Iterator[PlayedMove]:
    """A node's entries with what is known about the turn, as records tell it."""
    *parts, last = node.entries
    yield from parts
    color = last.color
    winrate = (
        node.black_winrate
        if node.black_winrate is None or color == Color.BLACK
        else 1 - node.black_winrate
    )
    yield replace(last, winrate=winrate, comment=node.comment)
