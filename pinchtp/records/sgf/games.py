"""The games of an SGF file: the main line of each, and all of its variations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pinchtp.records.errors import RecordError
from pinchtp.records.game import RecordedGame, RecordFormat, UnreadGame, Usual
from pinchtp.records.sgf.nodes import is_move, move_texts, named_game
from pinchtp.records.sgf.read import from_nodes
from pinchtp.records.sgf.syntax import GameTree, SgfNode, count_lines, lines, main_line, parse_first

MAX_STEPS = 40_000  # nodes read to check all lines; each line is checked from its start


@dataclass(frozen=True)
class SgfText(UnreadGame):
    """A game of an SGF file. usual: for a game that its root does not name.

    parsed: of the first game of a file; others are parsed again when they are read, since the nodes
    of 20,000 games take 700 MB.
    """

    text: str
    usual: Usual
    parsed: GameTree | None = None
    format = RecordFormat.SGF

    def read(self, plies: int | None = None) -> RecordedGame:
        """Returns the main line. plies: its first moves only; those after them may be illegal."""
        return self._from_nodes(self._main_line(plies))

    def move_texts(self, plies: int | None = None) -> Iterator[str]:
        """Yields the moves of the main line as texts for GTP, in any game. Raises RecordError."""
        return move_texts(self._main_line(plies))

    def lines(self) -> Iterator[RecordedGame]:
        """Yields every line; those that would take too long are left out."""
        each_line = lines(self._tree())
        yield self._from_nodes(next(each_line))
        steps = 0
        for line in each_line:
            steps += len(line)
            if steps > MAX_STEPS:
                return
            try:
                record = self._from_nodes(line)
            except RecordError:
                continue
            yield record

    def count_lines(self) -> int:
        return count_lines(self._tree())

    def _tree(self) -> GameTree:
        return self.parsed or parse_first(self.text)

    def _main_line(self, plies: int | None) -> list[SgfNode]:
        nodes = main_line(self._tree())
        if plies is None:
            return nodes
        moves = [at for at, node in enumerate(nodes) if is_move(node)]
        return nodes[: moves[plies]] if plies < len(moves) else nodes

    def _from_nodes(self, nodes: list[SgfNode]) -> RecordedGame:
        game = self.usual.game_of(named_game(nodes[0]))
        return from_nodes(nodes, game, **self.usual.options_of(game))
