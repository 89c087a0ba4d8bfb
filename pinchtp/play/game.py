"""A game between a human player and the engine."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from pinchtp._core import Report
from pinchtp.base.files import free_name
from pinchtp.base.process import usable_processors
from pinchtp.engine.own import own_engines
from pinchtp.games import Color
from pinchtp.games.history import undo_points
from pinchtp.games.notation import AmbiguousMove, NoSuchMove, NotationError
from pinchtp.games.session import IllegalMove, Session
from pinchtp.gtp.engine import GtpEngine
from pinchtp.gtp.input import ScriptInput
from pinchtp.player.player import Limits
from pinchtp.records.errors import RecordError
from pinchtp.review.review import ReviewedMove, review

# Limits of the review that finds the turning point; it takes a second or two for most games.
REVIEW = Limits(seconds=0.5, visits=400)


class PlayError(Exception):
    """A rejected move or command; the text has the reason."""


class NotAMove(PlayError):
    """The text is neither a move nor a command."""


class Stoppable(ScriptInput):
    """The input of a search: interrupts it when `stop` returns True."""

    def __init__(self, stop: Callable[[], bool]) -> None:
        super().__init__()
        self._stop = stop

    def is_interrupted(self) -> bool:
        return self._stop()


class HumanGame:
    """A game of `human` against the engine. A rejected call changes nothing."""

    def __init__(self, engine: GtpEngine, human: Color) -> None:
        self.engine = engine
        self.human = human

    @property
    def session(self) -> Session:
        return self.engine.session

    @property
    def is_engines_turn(self) -> bool:
        return not self.session.is_over and self.session.to_move != self.human

    @property
    def is_lost(self) -> bool:
        return self.session.winner == self.human.opponent

    def play(self, text: str) -> None:
        """Makes the player's move, or the next step of one. Raises PlayError and NotAMove."""
        if self.session.is_over:
            raise PlayError("the game is over")
        try:
            self.session.play(self.human, *self.session.parse(text))
        except (IllegalMove, NoSuchMove, AmbiguousMove) as error:
            raise PlayError(str(error)) from None
        except NotationError as error:
            raise NotAMove(str(error)) from None
        self.engine.autosave()

    def reply(self, is_stopped: Callable[[], bool]) -> str:
        """Makes the engine's move and returns its text. is_stopped: returns whether to stop."""
        session = self.session
        self.engine.attention = Stoppable(is_stopped)
        color = session.to_move
        *_, report = self.engine.search(color, math.inf)
        text = self.engine.commit(color, report)
        self.engine.autosave()
        return text

    def resign(self) -> None:
        """Raises PlayError if the game is over."""
        if self.session.is_over:
            raise PlayError("the game is over")
        self.session.resign(self.human)
        self.engine.autosave()

    def undo(self) -> None:
        """Takes back the player's last move and all moves after it; within a move, its last step.

        Raises PlayError before the player's first move.
        """
        history = self.session.history
        points = undo_points(self.session.history)
        own = [at for at in points if history[at].color == self.human]
        if not own:
            raise PlayError("nothing to take back: you have not moved yet")
        first = own[-1]
        if not self.session.position.mid_turn:
            while first and history[first - 1].position.mid_turn:
                first -= 1
        self.session.undo(sum(at >= first for at in points))
        self.engine.autosave()

    def restart(self) -> Path | None:
        """Starts a new game on the same board.

        With a record, the last game keeps its file if it has moves; returns that of the new one
        then. Raises PlayError if that cannot be written.
        """
        file: Path | None = None
        if self.engine.settings.record is not None and self.session.history:
            file = free_name(self.engine.settings.record)
            try:
                self.engine.record_in(file)
            except RecordError as error:
                raise PlayError(str(error)) from None
        self.engine.new_game()
        return file

    def hint(self, is_stopped: Callable[[], bool]) -> Report:
        """Returns a search at full strength. Raises PlayError after the end of the game."""
        if self.session.is_over:
            raise PlayError("the game is over")
        self.engine.attention = Stoppable(is_stopped)
        return self.engine.full_search()

    def turning_point(self, progress: Callable[[int, int], None]) -> ReviewedMove | None:
        """Returns the player's move that lost the game, or None without mistakes."""
        settings = replace(self.engine.settings, seed=None)  # the same review at any --seed
        engines = own_engines(settings, len(usable_processors()))
        return review(self.session, engines, REVIEW, progress).turning_point(self.human)
