"""The autosave of a visitor's table: before pages show an edit, and soon after other changes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from pinchtp.base.streams import warn
from pinchtp.base.text import sentence_of
from pinchtp.board.protocol.answers import Notice
from pinchtp.board.rating import Ratings
from pinchtp.board.storage.files import TableFile
from pinchtp.board.storage.saved_table import save_without_moves
from pinchtp.board.table import Table
from pinchtp.board.tree import Tree

SAVE_AFTER = 0.2  # seconds to collect further evaluations before saving
CLOCK_SAVED_AFTER = 1.0  # maximum seconds of a running clock that a kill of the server loses
RETRY_AFTER = 5.0  # seconds between a failure to save and the next attempt


class Autosave:
    """The autosave of a table. is_saved: whether the last attempt to save succeeded."""

    def __init__(
        self,
        file: TableFile,
        table: Table,
        ratings: Ratings,
        *,
        is_new: bool,
        report: Callable[[Notice], None],
    ) -> None:
        """is_new: whether the table was never saved. It gets a file at its first edit.

        report: called when is_saved changes.
        """
        self.is_saved = True
        self._file = file
        self._table = table
        self._ratings = ratings
        self._is_new = is_new
        self._report = report
        self._timer: asyncio.TimerHandle | None = None
        self._saved = self._read_edits()

    def save_edits(self) -> bool:
        """Saves the table if it was edited; returns whether it was edited."""
        edits = self._read_edits()
        if edits == self._saved:
            return False
        self._saved = edits
        self._save()
        return True

    def save_soon(self) -> None:
        """Saves the table after SAVE_AFTER, with the changes until then."""
        self._save_within(SAVE_AFTER)

    def save_clock(self) -> None:
        """Saves the running clock after CLOCK_SAVED_AFTER."""
        self._save_within(CLOCK_SAVED_AFTER)

    def close(self) -> None:
        """Saves the table a last time; warns if its latest changes are lost."""
        if not self._is_new:
            self._save()
        if not self.is_saved:
            warn("pinchtp board: a visitor's game was closed without its latest changes")
        self._stop_timer()

    def _read_edits(self) -> tuple[bytes, Tree, int]:
        """Returns a value that changes with every edit, but not with evaluations or the running
        clock.
        """
        tree = self._table.tree
        return save_without_moves(self._table, self._ratings), tree, tree.edits

    def _save_within(self, seconds: float) -> None:
        """Schedules the next save, unless it is due before."""
        if self._is_new:
            return
        loop = asyncio.get_running_loop()
        if self._timer is not None and self._timer.when() <= loop.time() + seconds:
            return
        self._stop_timer()
        self._timer = loop.call_later(seconds, self._save)

    def _save(self) -> None:
        """Saves the table; reports the first failure, and tries again later."""
        self._stop_timer()
        was_saved = self.is_saved
        self._is_new = False
        try:
            self._file.save(self._table, self._ratings)
        except OSError as error:
            self.is_saved = False
            self._save_within(RETRY_AFTER)
            if was_saved:
                text = f"cannot save the game: {error.strerror}"
                warn(f"pinchtp board: {text}")
                self._report(Notice("error", sentence_of(text)))
        else:
            self.is_saved = True
            if not was_saved:
                self._report(Notice("info", "The game is saved again."))
            if self._table.runs:
                self.save_clock()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
