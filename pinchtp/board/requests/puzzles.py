"""Requests for puzzles."""

from __future__ import annotations

from pinchtp.board.engines.jobs import LiveAnalysisTask
from pinchtp.board.protocol.base import Message, Name
from pinchtp.board.requests.library import open_stored, refuse_failure
from pinchtp.board.requests.registry import request
from pinchtp.board.storage.saved_table import reopen, save_table
from pinchtp.board.tree import RequestError
from pinchtp.board.visitor import Visitor


@request
def ask_puzzles(visitor: Visitor, id: int) -> Message:
    """Requests the list of the package's puzzles."""
    from pinchtp.board.puzzles import list_puzzles  # noqa: PLC0415  (rarely used)

    return list_puzzles(visitor.table.solved, id)


@request
def open_puzzle(visitor: Visitor, id: int, puzzle: Name) -> Message:
    """Puts a puzzle on the board, paused."""
    from pinchtp.board.puzzles import find_puzzle, open_puzzle  # noqa: PLC0415

    posed = find_puzzle(puzzle)
    session = posed.session()
    table = visitor.table
    unplayed = table.unplayed
    if not table.puzzle and len(table.tree) == 1:
        unplayed = save_table(table, visitor.ratings).decode()
    with visitor.shelf.replace_game(is_offered=False) as stored:
        table.pose(posed.id, session, table.before if table.puzzle else stored, unplayed)
    visitor.pending.drop(LiveAnalysisTask.kind)
    return open_puzzle(posed, session, id)


@request
def ask_puzzle(id: int, puzzle: Name) -> Message:
    """Requests a puzzle and its answer, without changing the board."""
    from pinchtp.board.puzzles import find_puzzle, open_puzzle  # noqa: PLC0415

    posed = find_puzzle(puzzle)
    return open_puzzle(posed, posed.session(), id)


@request
def leave_puzzle(visitor: Visitor) -> None:
    """Returns to the game before the puzzles, paused if it has moves and no invited friend.

    If it was deleted, starts the game of a new visitor.
    """
    table = visitor.table
    if not table.puzzle:
        raise RequestError("no puzzle is on the board")
    with refuse_failure("open your game"):
        try:
            if table.unplayed:
                reopen(table, table.unplayed.encode(), stays_live=True)
            else:
                open_stored(table, visitor.library.load(table.before))
        except ValueError:  # it was deleted, or is damaged
            table.begin_first()


@request
def mark_solved(visitor: Visitor, puzzle: Name) -> None:
    """Records that the visitor has solved a puzzle."""
    from pinchtp.board.puzzles import find_puzzle  # noqa: PLC0415

    visitor.table.solved.add(find_puzzle(puzzle).id)
