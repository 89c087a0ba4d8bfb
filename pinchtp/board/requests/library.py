"""Requests for stored games."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from pinchtp.base.text import visible
from pinchtp.board.protocol.base import Name
from pinchtp.board.protocol.library import GamePicture, Games
from pinchtp.board.requests.registry import request
from pinchtp.board.storage.files import StoredGame
from pinchtp.board.storage.saved_table import reopen
from pinchtp.board.table import Table
from pinchtp.board.tree import RequestError
from pinchtp.board.visitor import Visitor


@request
async def ask_games(visitor: Visitor, id: int) -> Games:
    """Requests the list of stored games."""
    with refuse_failure("list your games"):
        games, damaged = await visitor.run_aside(visitor.library.games)
    for file in damaged:
        visitor.show_warning(f"A stored game cannot be read. It was set aside as {file.name}.")
    return Games(id, [game for game in games if game.id != visitor.table.id])


@request
def ask_picture(visitor: Visitor, id: int, game: Name) -> GamePicture:
    """Requests the last position of a stored game."""
    with refuse_failure("open this game"):
        board = visitor.library.load(game).summary.board
    if board is None:
        raise RequestError("this game has no picture")
    return GamePicture(id, board)


@request
def open_game(visitor: Visitor, game: Name) -> None:
    """Opens a stored game, paused; one with a friend who is still invited continues.

    Its stored copy may be older than the game on the board.
    """
    if game == visitor.table.id:
        return
    with refuse_failure("open this game"):
        stored = visitor.library.load(game)
    with visitor.shelf.replace_game():
        open_stored(visitor.table, stored)


@request
def rename_game(visitor: Visitor, game: Name, title: Name) -> None:
    """Changes the title of a stored game, and of the same game on the board."""
    table = visitor.table
    with refuse_failure("rename this game"):
        visitor.library.rename(game, visible(title))
    if game == table.id:
        table.header = replace(table.header, name=visible(title))


@request
def delete_game(visitor: Visitor, game: Name) -> None:
    """Deletes a stored game."""
    with refuse_failure("delete this game"):
        visitor.library.delete(game)


@request
def restore_game(visitor: Visitor, game: Name) -> None:
    """Restores a deleted game."""
    with refuse_failure("restore this game"):
        visitor.library.restore(game)


@contextmanager
def refuse_failure(action: str) -> Iterator[None]:
    """Raises RequestError for an OSError of the block. action: of the block."""
    try:
        yield
    except OSError as error:
        raise RequestError(f"cannot {action}: {error.strerror}") from None


def open_stored(table: Table, stored: StoredGame) -> None:
    """Puts a stored game on a table. Raises RequestError."""
    try:
        reopen(table, bytes(stored.table))
    except ValueError as error:
        raise RequestError(f"cannot open this game: {error}") from None
    table.header = replace(table.header, name=stored.summary.title)
