"""Go programs that show records of other games."""

from collections.abc import Iterator
from itertools import pairwise

from record_games import assert_read_back
from sgfmill import boards, sgf

from pinchtp.games import Position
from pinchtp.games.game import PIECES, color_of
from pinchtp.games.session import Session

Stones = dict[tuple[int, int], str]  # by row and column from the lower left, `b` or `w`


class Viewer:
    """A board built from the moves and the setup of nodes, with or without Go's captures."""

    def __init__(self, side: int, *, captures: bool) -> None:
        self._board = boards.Board(side)
        self._captures = captures

    def follow(self, node: sgf.Node) -> None:
        """Plays a node. Raises AssertionError for nodes forbidden by SGF or by some viewers."""
        color, move = node.get_move()
        assert color is None or not node.has_setup_stones(), "a move and setup in one node"
        if move is not None:
            row, column = move
            assert self._board.get(row, column) is None, "a stone on a stone"
            if self._captures:
                self._board.play(row, column, color)
            else:
                self._board.board[row][column] = color
        # Board.apply_setup() is not used: it removes stones without liberties.
        for points, stone in zip(node.get_setup_stones(), ("b", "w", None), strict=True):
            for row, column in points:
                self._board.board[row][column] = stone

    @property
    def stones(self) -> Stones:
        return {point: color for color, point in self._board.list_occupied_points()}


def stones_of(position: Position) -> Stones:
    cells = position.cells()
    width = position.width
    return {
        divmod(at, width): color_of(cell).letter for at, cell in enumerate(cells) if cell in PIECES
    }


def assert_shown(session: Session) -> str:
    """Asserts that all viewers show a session's game, and it is read back; returns its record."""
    text = assert_read_back(session)
    game = sgf.Sgf_game.from_string(text)
    for captures in (False, True):
        viewer = Viewer(game.get_size(), captures=captures)
        shown = [session.start]
        turns = iter(session.turns())
        for is_last, group in _turns_of(game.get_main_sequence()):
            for node in group:
                viewer.follow(node)
            assert viewer.stones == stones_of(shown[-1]), text
            if not is_last:
                turn = next(turns)
                shown.append(turn.after)
        assert next(turns, None) is None, "a turn without a node"
    return text


def _turns_of(nodes: list[sgf.Node]) -> Iterator[tuple[bool, list[sgf.Node]]]:
    """Yields the nodes of the start, then those of each turn; whether there are no more."""
    begins = [at for at, node in enumerate(nodes) if at == 0 or node.get_raw_move()[0]]
    begins = sorted({*begins, *(at for at, node in enumerate(nodes) if node.has_property("N"))})
    for begin, end in pairwise([*begins, len(nodes)]):
        yield end == len(nodes), nodes[begin:end]
