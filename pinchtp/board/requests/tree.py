"""Requests that show and change the tree of moves."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from pinchtp.board.protocol.base import Text
from pinchtp.board.requests.registry import request
from pinchtp.board.tree import Node
from pinchtp.board.visitor import Visitor


@request
def go(visitor: Visitor, node: int) -> None:
    """Shows another node. Engines and clocks wait until `resume`."""
    show(visitor, visitor.table.tree.node(node))


@request
def step(visitor: Visitor, by: Annotated[int, Meta(ge=-10_000, le=10_000)]) -> None:
    """Shows another node of the displayed line. by: the number of moves; negative: backward."""
    line = visitor.table.line()
    at = line.index(visitor.table.node) + by
    show(visitor, line[max(0, min(at, len(line) - 1))])


@request
def comment(visitor: Visitor, node: int, text: Text) -> None:
    """Sets the comment of a node."""
    tree = visitor.table.tree
    tree.comment(tree.node(node), text)


@request
def delete(visitor: Visitor, node: int) -> None:
    """Removes a node and its descendants."""
    table = visitor.table
    gone = table.tree.node(node)
    is_displayed = gone in table.node.line()
    if is_displayed:
        table.check_without_friend()
    with visitor.shelf.keep_ended():
        table.tree.delete(gone)
        if is_displayed and gone.parent is not None:
            table.show(gone.parent)


@request
def undelete(visitor: Visitor) -> None:
    """Restores the last deleted branch."""
    table = visitor.table
    table.check_without_friend()
    table.show(table.tree.undelete())


@request
def promote(visitor: Visitor, node: int) -> None:
    """Makes the line to a node the main line."""
    tree = visitor.table.tree
    tree.promote(tree.node(node))


def show(visitor: Visitor, node: Node) -> None:
    """Shows a node, unless it is already displayed without an incomplete move.

    Raises RequestError during a game with a friend.
    """
    table = visitor.table
    if node is not table.node or table.chosen:
        table.check_without_friend()
        table.show(node)
