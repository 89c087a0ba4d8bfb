"""The game tree."""

from __future__ import annotations

from pinchtp.board.protocol.base import Chance, ColorName, Message, Part


class TreeNode(Part, frozen=True):
    """A node of the game tree. parent: None for the root. move: its text, empty for the root.

    black: Black's winrate after the move, or None. loss: the winrate its mover lost by it, or None;
    mark: "", "inaccuracy", "mistake" or "blunder". points: of the move.
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
    """The game tree and the displayed line, or what has changed since the last such message.

    nodes: all if `whole`, else the new ones and those that changed; parents before children. The
    first child of a node continues its main line, a new one is its last. line: ids of the displayed
    line, from the root to its end; contains `state.node`. If not `whole` it begins with the first
    `kept` ids that it had.
    """

    nodes: list[TreeNode]
    line: list[int]
    whole: bool = True
    kept: int = 0
