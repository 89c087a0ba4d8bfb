"""Requests for stored games and puzzles."""

from __future__ import annotations

from dataclasses import replace

from pinchtp.base.streams import visible
from pinchtp.board.jobs import LiveAnalysisTask
from pinchtp.board.protocol.base import Message, Name
from pinchtp.board.protocol.library import Games
from pinchtp.board.requests.registry import request
from pinchtp.board.saved_table import reopen
from pinchtp.board.storage import StoredGame
from pinchtp.board.table import Table
from pinchtp.board.tree import RequestError
from pinchtp.board.visitor import Visitor


@request
def ask_games(visitor: Visitor, id: int) -> Games:
    """Requests the list of stored games."""
    games, damaged = visitor.library.games()
    for file in damaged:
        visitor.tell(f"A stored game cannot be read. It was set aside as {file.name}.")
    return Games(id, [game for game in games if game.id != visitor.table.id])


@request
def open_game(visitor: Visitor, game: Name) -> None:
    """Opens a stored game, paused."""
    stored = visitor.library.load(game)
    with visitor.replace_game():
        open_stored(visitor.table, stored)


@request
def rename_game(visitor: Visitor, game: Name, title: Name) -> None:
    """Changes the title of a stored game."""
    visitor.library.rename(game, visible(title))


@request
def delete_game(visitor: Visitor, game: Name) -> None:
    """Deletes a stored game."""
    visitor.library.delete(game)


@request
def restore_game(visitor: Visitor, game: Name) -> None:
    """Brings back a deleted game."""
    visitor.library.restore(game)


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
    with visitor.replace_game(is_told=False) as stored:
        table.pose(posed.id, session, table.before if table.puzzle else stored)
    visitor.wishes.drop(LiveAnalysisTask.kind)
    return open_puzzle(posed, session, id)


@request
def ask_puzzle(visitor: Visitor, id: int, puzzle: Name) -> Message:
    """Requests a puzzle and its answer, without a change of the board."""
    from pinchtp.board.puzzles import find_puzzle, open_puzzle  # noqa: PLC0415

    posed = find_puzzle(puzzle)
    return open_puzzle(posed, posed.session(), id)


@request
def leave_puzzle(visitor: Visitor) -> None:
    """Goes back to the game before the puzzles; without one, starts that of a new visitor."""
    table = visitor.table
    if not table.puzzle:
        raise RequestError("no puzzle is on the board")
    try:
        open_stored(table, visitor.library.load(table.before))
    except RequestError:  # there was none, or it was deleted
        table.begin_first()


@request
def mark_solved(visitor: Visitor, puzzle: Name) -> None:
    """Remembers that the visitor has solved a puzzle."""
    from pinchtp.board.puzzles import find_puzzle  # noqa: PLC0415

    visitor.table.solved.add(find_puzzle(puzzle).id)


def open_stored(table: Table, stored: StoredGame) -> None:
    """Puts a stored game on a table. Raises RequestError."""
    try:
        reopen(table, bytes(stored.table))
    except ValueError as error:
        raise RequestError(f"cannot open this game: {error}") from None
    table.header = replace(table.header, name=stored.summary.title)
