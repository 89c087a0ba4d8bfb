"""The game tree."""

from __future__ import annotations

from pinchtp.board.protocol.base import Chance, ColorName, Message, Part


class TreeNode(Part, frozen=True):
    """A node of the game tree.

    parent: None for the root. move: the text of the move; empty for the root. points: the points of
    the move. black: Black's winrate after the move, or None. loss: the loss of the mover's winrate
    by the move, or None. mark: "", "inaccuracy", "mistake" or "blunder". Guests get these three at
    the end of the game.
    """

    id: int
    parent: int | None
    color: ColorName | None
    move: str
    points: list[int]
    comment: str
    black: Chance | None = None
    loss: Chance | None = None
    mark: str = ""


class TreeView(Message, frozen=True, tag="tree"):
    """The game tree and the displayed line, or their changes since the last such message.

    nodes: all nodes if `whole`, otherwise the new and changed ones; parents before children. The
    first child of a node continues its main line; a new child is the last one.
    line: the ids of the displayed line, from the root to its end, including `state.node`. If not
    `whole`, these ids follow the first `kept` ids of the previous line.
    """

    nodes: list[TreeNode]
    line: list[int]
    whole: bool = True
    kept: int = 0
