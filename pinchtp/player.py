"""The engine's own play: runs the search for a session and keeps its tree from move to move."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from pinchtp._core import Position, Report, Search
from pinchtp.session import Session
from pinchtp.settings import Settings

NO_VISIT_LIMIT = 2**31  # more would overflow the tree's counters

# A search is told to stop this share of its time early, so that the answer is out in time ...
HEADROOM_SHARE = 0.05
# ... but never more than this much (seconds): a long search does not end later than a short one.
HEADROOM_MOST = 0.02


class Player:
    """Searches positions of a session. One tree is kept and follows the game."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._search: Search | None = None
        self._root: tuple[Position, tuple[int, ...]] | None = None  # start and moves of the game
        self.forget()

    def forget(self, seed: int | None = None) -> None:
        """Drops the tree and takes a seed: the one given, or that of the settings, or any."""
        self._search = None
        self._root = None
        if seed is None:
            seed = self.settings.seed
        self._seed = secrets.randbits(63) if seed is None else seed

    def think(
        self,
        session: Session,
        seconds: float,
        should_stop: Callable[[], bool] | None = None,
    ) -> Report:
        """Searches the session's position, which must not be over, for at most so many seconds.

        Returns what is known about its moves, the best one first; there is always one.
        """
        search = self._search_at(session)
        search.run(
            seconds - min(HEADROOM_MOST, HEADROOM_SHARE * seconds),
            self.settings.visits or NO_VISIT_LIMIT,
            self.settings.threads,
            (self._seed + len(session.moves)) % 2**64,
            should_stop,
        )
        return search.report()

    def _search_at(self, session: Session) -> Search:
        """A search with the session's position at its root: the kept tree if it leads here."""
        moves = session.moves
        if self._search is not None and self._root is not None:
            start, known = self._root
            if start == session.start and moves[: len(known)] == known:
                for move in moves[len(known) :]:
                    self._search.advance(move)
                self._root = (start, moves)
                return self._search
        self._search = Search(session.position, memory_mb=self.settings.memory)
        self._root = (session.start, moves)
        return self._search
