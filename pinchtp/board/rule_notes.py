"""Notes on rules that apply on the board for the first time, and the points that illustrate them.

The rules file of a game declares its notes: a text, and the name of the points. This module finds
the points.
"""

from __future__ import annotations

from collections.abc import Callable

from pinchtp._core import SWAP
from pinchtp.board.protocol.board import BoardView
from pinchtp.board.protocol.state import RuleNote
from pinchtp.board.rules_file import read_rules
from pinchtp.games import ATARI, Color
from pinchtp.games.game import BANNED, KINGS, PIECES, own_cells
from pinchtp.games.history import Turn
from pinchtp.games.notation import adjacent_cells
from pinchtp.games.session import Session

LONG = 3  # minimum stones of a chain for a note


def find_notes(session: Session, board: BoardView) -> list[RuleNote]:
    """Returns notes on the rules that the last turn illustrates, the most urgent first.

    board: the message of the session's board. In games with sides, there are no notes after the
    end, because they would cover the winning chain.
    """
    turn = session.last_turn
    if turn is None or (session.is_over and session.game.sides):
        return []
    return [
        RuleNote(rule.rule, sorted(points), rule.text.format(mover=turn.color.title))
        for rule in read_rules(session.game.name).notes
        if (points := FINDERS[rule.points](board, turn))
    ]


def _find_cells(board: BoardView, kinds: set[int]) -> set[int]:
    if kinds.isdisjoint(board.cells):  # the most frequent case, checked faster
        return set()
    return {at for at, cell in enumerate(board.cells) if cell in kinds}


def _find_captured(board: BoardView, _: Turn) -> set[int]:
    return {each.at for each in board.captured}


def _find_captured_first(board: BoardView, _: Turn) -> set[int]:
    return {each.at for each in board.captured if each.step == 1}


def _find_captured_later(board: BoardView, _: Turn) -> set[int]:
    return {each.at for each in board.captured if each.step > 1}


def _find_banned(board: BoardView, _: Turn) -> set[int]:
    return _find_cells(board, {BANNED})


def _find_kings(board: BoardView, _: Turn) -> set[int]:
    return _find_cells(board, {*KINGS})


def _find_swapped(board: BoardView, turn: Turn) -> set[int]:
    return _find_cells(board, {*PIECES}) if SWAP in turn.moves else set()


def _find_in_atari(board: BoardView, _: Turn) -> set[int]:
    return set(next((each.points for each in board.notes if each.name == ATARI), []))


def _find_between_enemies(board: BoardView, turn: Turn) -> set[int]:
    """Returns the new stone if enemies are adjacent to it in its row and in its column."""
    enemies = set(own_cells(turn.color.opponent))
    adjacent = adjacent_cells(board.width, board.height)
    return {
        at
        for at in board.last
        if all(any(board.cells[each] in enemies for each in line) for line in adjacent[at])
    }


def _find_winning(board: BoardView, turn: Turn) -> set[int]:
    """Returns the points where one more stone joins the mover's sides."""
    if turn.after.mid_turn:
        return set()
    low, high = (_reach_from(side, board, turn.color) for side in _sides_of(board, turn.color))
    return {at for at in low & high if board.cells[at] in (0, BANNED)}


def _find_chain(board: BoardView, turn: Turn) -> set[int]:
    """Returns the chain of the new stone if it is long and touches a side of its color."""
    chain = _chains_at(set(board.last[:1]), board, turn.color)
    is_shown = len(chain) >= LONG and any(chain & side for side in _sides_of(board, turn.color))
    return chain if is_shown else set()


def _sides_of(board: BoardView, color: Color) -> tuple[set[int], set[int]]:
    """Returns the points of the two sides that a color has to join."""
    width, area = board.width, board.width * board.height
    if board.top_owner == str(color):
        return set(range(width)), set(range(area - width, area))
    return set(range(0, area, width)), set(range(width - 1, area, width))


def _reach_from(side: set[int], board: BoardView, color: Color) -> set[int]:
    """Returns the points of a side, and those adjacent to a chain of a color that touches it."""
    chains = _chains_at(side, board, color)
    adjacent = adjacent_cells(board.width, board.height)
    return side | {each for at in chains for line in adjacent[at] for each in line}


def _chains_at(points: set[int], board: BoardView, color: Color) -> set[int]:
    """Returns the stones of all chains of a color that have a stone at one of the points."""
    own = set(own_cells(color))
    adjacent = adjacent_cells(board.width, board.height)
    chains: set[int] = set()
    new = {at for at in points if board.cells[at] in own}
    while new:
        chains |= new
        near = {each for at in new for line in adjacent[at] for each in line}
        new = {at for at in near - chains if board.cells[at] in own}
    return chains


# The functions that find points, by the names of points in rules files.
FINDERS: dict[str, Callable[[BoardView, Turn], set[int]]] = {
    "banned": _find_banned,
    "between enemies": _find_between_enemies,
    "captured": _find_captured,
    "captured first": _find_captured_first,
    "captured later": _find_captured_later,
    "chain": _find_chain,
    "in atari": _find_in_atari,
    "kings": _find_kings,
    "swapped": _find_swapped,
    "winning": _find_winning,
}
