"""Games of a visitor that others replace: they go to the library, as they were played."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from pinchtp.board.protocol.base import Message
from pinchtp.board.protocol.library import GameStored, GameSummary
from pinchtp.board.rating import Ratings
from pinchtp.board.storage.files import Library
from pinchtp.board.storage.saved_table import reopen, save_table
from pinchtp.board.table import Table
from pinchtp.board.tree import RequestError
from pinchtp.board.view import summarize_game
from pinchtp.games import Color


class PreviousGame(NamedTuple):
    """A game that another one replaces. friend: the color of an invited friend."""

    summary: GameSummary
    data: bytes
    friend: Color | None


class Shelf:
    """Stores the game on a table in a library when another one replaces it."""

    def __init__(
        self,
        table: Table,
        ratings: Ratings,
        library: Library,
        names: Callable[[Table], tuple[str, str]],
        send: Callable[[Message], None],
    ) -> None:
        """names: returns the players' names for the record. send: sends a message to the owner."""
        self._table = table
        self._ratings = ratings
        self._library = library
        self._names = names
        self._send = send

    @contextmanager
    def replace_game(self, *, is_offered: bool = True) -> Iterator[str]:
        """Stores the game, which the block replaces, in the library.

        Yields its id there; empty if it is not stored. is_offered: whether pages offer to open it
        again. Raises RequestError, and restores the game, if it cannot be stored.
        """
        if not self._is_game:
            yield ""
            return
        game = self._previous_game()
        yield game.summary.id
        self._store(game, is_offered=is_offered)

    @contextmanager
    def keep_ended(self) -> Iterator[None]:
        """Stores a finished game if the block continues it, as another game.

        Raises RequestError, and restores the game, if it cannot be stored.
        """
        if not (self._table.has_ended and self._is_game):
            yield
            return
        game = self._previous_game()
        yield
        if not self._table.has_ended:
            self._table.become_another()
            self._store(game)

    @property
    def _is_game(self) -> bool:
        """Whether the table has moves, and is not a puzzle."""
        return len(self._table.tree) > 1 and not self._table.puzzle

    def _previous_game(self) -> PreviousGame:
        table = self._table
        summary = summarize_game(table, self._names(table))
        return PreviousGame(summary, save_table(table, self._ratings), table.friend)

    def _store(self, game: PreviousGame, *, is_offered: bool = True) -> None:
        """Stores a game in the library; restores it, and raises RequestError, if that fails."""
        try:
            self._library.save(game.summary, game.data)
        except OSError as error:
            self._table.friend = game.friend
            reopen(self._table, game.data)
            raise RequestError(f"cannot store the previous game: {error.strerror}") from None
        if is_offered:
            self._send(GameStored(game.summary.id))
