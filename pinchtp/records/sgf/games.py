"""The games of an SGF file, with their main lines and variations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pinchtp.records.game import RecordedGame, RecordedTree, RecordFormat, UnreadGame, Usual
from pinchtp.records.sgf.nodes import end_of_moves, find_named_game, move_texts
from pinchtp.records.sgf.syntax import GameTree, main_line, parse_first
from pinchtp.records.sgf.walk import walk


@dataclass(frozen=True)
class SgfText(UnreadGame):
    """A game of an SGF file.

    text: the text of the game. usual: the defaults for a root that does not name the game. parsed:
    the nodes of the first game of a file. Others are parsed again when they are read, because the
    nodes of 20,000 games take 700 MB.
    """

    text: str
    usual: Usual
    parsed: GameTree | None = None
    format = RecordFormat.SGF

    def read(self, plies: int | None = None) -> RecordedGame:
        """Returns the main line. Raises RecordError.

        plies: the number of moves to read, 1 or more; later moves may be illegal; None: all.
        """
        return self._walk(plies, variations=False).main_line()

    def read_tree(self) -> RecordedTree:
        return self._walk()

    def move_texts(self, plies: int | None = None) -> Iterator[str]:
        """Yields the moves of the main line as texts for GTP, in any game. Raises RecordError.

        plies: the number of moves, 1 or more; None: all.
        """
        nodes = [node for tree in main_line(self._tree()) for node in tree.nodes]
        return move_texts(nodes[: end_of_moves(nodes, plies)])

    def _walk(self, plies: int | None = None, *, variations: bool = True) -> RecordedTree:
        tree = self._tree()
        game = self.usual.game_of(find_named_game(tree.nodes[0]))
        return walk(tree, game, self.usual.options_of(game), plies, variations=variations)

    def _tree(self) -> GameTree:
        return self.parsed or parse_first(self.text)
