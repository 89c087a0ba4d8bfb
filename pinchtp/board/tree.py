"""The game tree: moves with variations, comments and evaluations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from secrets import randbits

from pinchtp.base.clock import Clock
from pinchtp.games import Color, GameType, Position
from pinchtp.games.history import PlayedMove
from pinchtp.games.session import MOST_MOVES, Session
from pinchtp.games.winrate import Winrate

MOST_NODES = MOST_MOVES  # including variations; a session has the same limit
MOST_COMMENTS = 1 << 20  # characters, because a new page gets the whole tree
SERIAL_BITS = 48  # so that trees of different runs differ, and JavaScript has the exact number


class RequestError(ValueError):
    """A request that cannot be carried out; the message is the reason."""


@dataclass(eq=False)
class Node:
    """A move and its continuations. The root does not have a move.

    entries: the move as in a session's history, one entry per step.
    text: its notation.
    black_winrate: Black's winrate after the move, or None.
    visits: the visits of that winrate.
    loss: the loss of the mover's winrate by the move, or None.
    flag_fell: the color whose flag fell here, or None.
    clocks: both clocks after the move, or None.
    result: the result of a record that ends here, as in SGF.
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
    clocks: dict[Color, Clock] | None = None
    result: str = ""
    children: list[Node] = field(default_factory=list)

    @property
    def color(self) -> Color | None:
        return self.entries[-1].color if self.entries else None

    @property
    def moves(self) -> tuple[int, ...]:
        """The steps of the move; empty for the root and a resignation."""
        return tuple(entry.move for entry in self.entries if entry.move is not None)

    @property
    def winrate(self) -> float | None:
        """The mover's winrate after the move, or None."""
        if self.black_winrate is None or self.color is None:
            return self.black_winrate
        return Winrate(self.black_winrate, Color.BLACK).pov(self.color)

    def line(self) -> list[Node]:
        """Returns the nodes from the root to this one."""
        nodes = [self]
        while nodes[-1].parent is not None:
            nodes.append(nodes[-1].parent)
        return nodes[::-1]


class Tree:
    """The variations of a game.

    is_set_up: whether the start is a set-up position. revision: incremented by every change. edits:
    incremented by every change other than an evaluation. reshaped: the revision of the last change
    of the tree's structure other than a new node. serial: distinguishes trees, also after a restart
    of the server, since the ids of nodes change when a table is loaded.
    """

    def __init__(self, game: GameType, start: Position) -> None:
        self.game = game
        self.start = start
        self.is_set_up = start != game.start_of(start)
        self.root = Node(0, None)
        self.revision = self.edits = self.reshaped = 0
        self.serial = randbits(SERIAL_BITS)
        self._nodes = {0: self.root}
        self._by_move: dict[tuple[object, ...], Node] = {}  # see _move_key()
        self._changed: dict[int, int] = {}  # the revisions of nodes by id, the latest last
        self._next = 1
        self.deleted: tuple[Node, int] | None = None  # the last deleted node, and its index

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[Node]:
        """Yields the nodes, parents before children, the main line first."""
        return descendants(self.root)

    def __contains__(self, node: Node) -> bool:
        return self._nodes.get(node.id) is node

    def node(self, number: int) -> Node:
        """Returns the node with an id. Raises RequestError if it does not exist."""
        try:
            return self._nodes[number]
        except KeyError:
            raise RequestError("this move no longer exists") from None

    def position(self, node: Node) -> Position:
        """Returns the position at a node."""
        return node.entries[-1].position if node.entries else self.start

    def session(self, node: Node) -> Session:
        """Returns an independent game at a node."""
        history = [entry for each in node.line()[1:] for entry in _annotate(each)]
        return Session.at(self.game, self.start, history)

    def add(self, parent: Node, entries: Sequence[PlayedMove], text: str) -> Node:
        """Returns the child with a move, added if missing. Raises RequestError at MOST_NODES."""
        key = _move_key(parent, entries)
        if (known := self._by_move.get(key)) is not None:
            return known
        self._check_room(1)
        node = Node(self._next, parent, tuple(entries), text)
        self._nodes[node.id] = self._by_move[key] = node
        self._next += 1
        self.record_edit(node)
        parent.children.append(node)
        return node

    def add_line(self, end: Node) -> Node:
        """Adds the line to a node of another tree with the same start; returns its end here.

        Raises RequestError, without adding a node, if there could be more than MOST_NODES.
        """
        line = end.line()[1:]
        self._check_room(len(line))
        node = self.root
        for each in line:
            node = self.add(node, each.entries, each.text)
        return node

    def end_of_line(self, node: Node) -> Node:
        """Returns the end of the main line that starts at a node."""
        while node.children:
            node = node.children[0]
        return node

    def delete(self, node: Node) -> None:
        """Removes a node and its descendants. Raises RequestError for the root."""
        if node.parent is None:
            raise RequestError("cannot remove the start of the game")
        self._reshape()
        self.deleted = node, node.parent.children.index(node)
        node.parent.children.remove(node)
        for gone in descendants(node):
            del self._nodes[gone.id]
            self._changed.pop(gone.id, None)
            self._by_move.pop(_key_of(gone), None)

    def undelete(self) -> Node:
        """Restores the last deleted node, with its descendants, and returns it.

        Raises RequestError without one, if its move was played again, and at MOST_NODES and
        MOST_COMMENTS.
        """
        node, index = self.deleted or (self.root, 0)
        if node.parent is None or node.parent.id not in self._nodes:
            raise RequestError("nothing to restore")
        if _key_of(node) in self._by_move:
            raise RequestError(f"cannot restore {node.text}: it was played again")
        restored = list(descendants(node))
        self._check_comments([*self, *restored])
        self._check_room(len(restored))
        self._reshape()
        self.deleted = None
        node.parent.children.insert(index, node)
        self._nodes |= {each.id: each for each in restored}
        self._by_move |= {_key_of(each): each for each in restored}
        return node

    def is_main(self, node: Node) -> bool:
        """Returns whether a node is on the main line."""
        return all(each.parent is None or each.parent.children[0] is each for each in node.line())

    def promote(self, node: Node) -> None:
        """Makes the line to a node the main line."""
        self._reshape()
        for each in node.line():
            if each.parent is not None:
                each.parent.children.remove(each)
                each.parent.children.insert(0, each)

    def comment(self, node: Node, text: str) -> None:
        """Sets the comment of a node. Raises RequestError at MOST_COMMENTS."""
        self._check_comments((each for each in self if each is not node), len(text))
        self.record_edit(node)
        node.comment = text

    def _check_room(self, more: int) -> None:
        """Raises RequestError if the tree, with more nodes, exceeds MOST_NODES."""
        if len(self) + more > MOST_NODES:
            raise RequestError(f"a game has at most {MOST_NODES} moves, variations included")

    def _check_comments(self, nodes: Iterable[Node], more: int = 0) -> None:
        """Raises RequestError if comments of nodes, and more characters, exceed MOST_COMMENTS."""
        if sum(len(each.comment) for each in nodes) + more > MOST_COMMENTS:
            raise RequestError(f"the comments of a game have at most {MOST_COMMENTS} characters")

    def record_edit(self, node: Node) -> None:
        """Records a change of a node that is not an evaluation."""
        self.edits += 1
        self.record_change(node)

    def record_change(self, node: Node) -> None:
        """Records a change of a node, unless it was deleted."""
        if node not in self:
            return
        self.revision += 1
        self._changed.pop(node.id, None)
        self._changed[node.id] = self.revision

    def _reshape(self) -> None:
        self.revision += 1
        self.edits += 1
        self.reshaped = self.revision

    def nodes_changed_since(self, revision: int) -> list[Node]:
        """Returns the nodes added or changed after a revision, parents before children."""
        late = takewhile(lambda each: self._changed[each] > revision, reversed(self._changed))
        return [self._nodes[number] for number in sorted(late)]

    def set_winrate(self, node: Node, black: float, visits: int) -> None:
        """Stores the winrate of a position, unless the stored one has more visits.

        black: Black's winrate.
        """
        if visits >= node.visits:
            if node.black_winrate != black:
                self.record_change(node)
            node.black_winrate = black
            node.visits = visits

    def set_loss(self, node: Node, loss: float) -> None:
        """Sets the winrate loss of a node's move."""
        if node.loss != loss:
            self.record_change(node)
        node.loss = loss


def _move_key(parent: Node, entries: Sequence[PlayedMove]) -> tuple[object, ...]:
    """Returns the key of a move in a tree."""
    return parent.id, *((entry.color, entry.move) for entry in entries)


def _key_of(node: Node) -> tuple[object, ...]:
    assert node.parent is not None
    return _move_key(node.parent, node.entries)


def descendants(node: Node) -> Iterator[Node]:
    """Yields a node and its descendants, parents before children, the main line first."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        yield each
        waiting += reversed(each.children)


def _annotate(node: Node) -> Iterator[PlayedMove]:
    """Yields a node's entries with its comment and winrate, for game records."""
    *parts, last = node.entries
    yield from parts
    yield replace(last, winrate=node.winrate, comment=node.comment)
