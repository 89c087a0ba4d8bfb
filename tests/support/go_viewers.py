"""Go programs that show records of other games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise

from record_games import from_sgf
from sgfmill import boards, sgf

from pinchtp._core import PASS, SWAP
from pinchtp.games import Color, GameType, Position
from pinchtp.games.game import PIECES, color_of
from pinchtp.games.session import Session
from pinchtp.records.sgf import to_sgf

Stones = dict[tuple[int, int], str]  # by row and column from the lower left, `b` or `w`

SIDES = (2, 3, 4, 5, 7, 9, 13, 19, 25)


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
    text = to_sgf(session, "2026-11-21")
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
    _assert_read_back(session, text)
    return text


def _turns_of(nodes: list[sgf.Node]) -> Iterator[tuple[bool, list[sgf.Node]]]:
    """Yields the nodes of the start, then those of each turn; whether there are no more."""
    begins = [at for at, node in enumerate(nodes) if at == 0 or node.get_raw_move()[0]]
    begins = sorted({*begins, *(at for at, node in enumerate(nodes) if node.has_property("N"))})
    for begin, end in pairwise([*begins, len(nodes)]):
        yield end == len(nodes), nodes[begin:end]


def _assert_read_back(session: Session, text: str) -> None:
    record = from_sgf(text.encode(), session.game)
    again = Session.at(session.game, record.start, record.turns)
    assert again.start == session.start, text
    assert again.turns() == session.turns(), text
    assert (again.resigned, again.winner) == (session.resigned, session.winner)
    again.info = record.info
    assert to_sgf(again) == text


def random_session(game: GameType, rng: random.Random) -> Session:
    """Returns a game of random length, board, options and start."""
    side = game.size[0] if game.smallest == game.largest else rng.choice(SIDES)
    options = {option.name: rng.random() < 0.5 for option in game.options}
    if side < 4:
        options = {name: value for name, value in options.items() if name != "crosscut"}
    session = Session(game, side, side, **options)
    if rng.random() < 0.3:
        _begin_elsewhere(session, rng)
    for _ in range(rng.choice([1, 2, side * side // 2, 4 * side * side])):
        if session.is_over:
            break
        _play_part(session, rng)
    if not session.is_over and rng.random() < 0.3:
        session.resign(rng.choice(list(Color)))
    for _ in range(rng.randrange(3) if session.is_over else 0):
        session.play(rng.choice(list(Color)), PASS)
    return session


def _begin_elsewhere(session: Session, rng: random.Random) -> None:
    """Restarts a session from one of its positions, as a set-up position."""
    for _ in range(rng.randrange(session.start.width**2)):
        if not session.is_over:
            _play_part(session, rng)
    position = session.position
    if not session.is_over and not position.mid_turn:
        session.set_up(
            session.position_of(position.cells(), session.to_move, swapped=position.swapped)
        )
    else:
        session.restart()


def _play_part(session: Session, rng: random.Random) -> None:
    legal = session.position.legal_moves()
    move = SWAP if SWAP in legal and rng.random() < 0.5 else rng.choice(legal)
    winrate = rng.choice([None, round(rng.random(), 4)])
    comment = rng.choice(["", "", "](;B[aa]\\", "Zwei\nZeilen: ½"])
    session.play(session.to_move, move, winrate=winrate, comment=comment)
