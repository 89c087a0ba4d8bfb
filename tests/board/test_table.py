"""The table and its game tree, without a server."""

from __future__ import annotations

import pytest

from pinchtp.board.table import Table
from pinchtp.board.tree import RequestError


def test_tree_same_move_twice_has_one_node() -> None:
    table = Table()
    table.play_text("c3")
    first = table.node
    table.show(table.tree.root)
    table.play_text("c3")
    assert table.node is first
    table.show(table.tree.root)
    table.play_text("d4")
    assert [node.text for node in table.tree] == ["", "C3", "D4"]
    table.tree.delete(first)
    with pytest.raises(RequestError):
        table.tree.node(first.id)


def test_tree_revision_counts_visible_changes() -> None:
    table = Table()
    tree = table.tree
    table.play_text("c3")
    node, revision = table.node, tree.revision
    table.show(tree.root)
    table.play_text("c3")
    assert tree.revision == revision
    tree.set_winrate(node, 0.5, visits=10)
    tree.set_winrate(node, 0.9, visits=5)  # less evidence
    tree.set_winrate(node, 0.5, visits=20)
    assert tree.revision == revision + 1
    tree.set_loss(node, 0.1)
    tree.comment(node, "a fine move")
    tree.promote(node)
    tree.delete(node)
    assert tree.revision == revision + 5
