"""What command handlers act on: the game in progress, the player, and how they were set up."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from pinchtp import clock as clocks
from pinchtp._core import PASS, SWAP
from pinchtp.games import GAMES, Color
from pinchtp.gtp.errors import GtpError
from pinchtp.notation import NotationError, format_move, parse_move
from pinchtp.player import Player
from pinchtp.session import IllegalMove, Session
from pinchtp.settings import Settings, SwapSpelling

REGRESSION_SEED = 0


class Engine:
    """A session and a player behind the commands.

    should_stop is asked every few milliseconds while the engine is at work; the server sets it to
    end a search early.
    """

    def __init__(self, settings: Settings) -> None:
        """Raises ValueError for a size out of range."""
        game = GAMES[settings.game]
        width, height = settings.size or game.size
        self.settings = settings
        self.session = Session(
            game, width, height, pie=game.pie if settings.pie is None else settings.pie
        )
        self.player = Player(settings)
        self.should_stop: Callable[[], bool] | None = None

    def new_game(self, width: int | None = None, height: int | None = None) -> None:
        """Raises GtpError if the size is out of range."""
        try:
            self.session.restart(width, height)
        except ValueError as error:
            raise GtpError("unacceptable size", str(error)) from None
        self.player.forget()

    def play(self, color: Color, text: str) -> None:
        """Makes a move given as text. Raises GtpError."""
        try:
            if text.lower() == "resign":
                self.session.resign(color)
            else:
                self.session.play(color, self._parse(text))
        except NotationError as error:
            raise GtpError("syntax error", str(error)) from None
        except IllegalMove as error:
            raise GtpError("illegal move", str(error)) from None

    def generate(self, color: Color, *, commit: bool) -> str:
        """Chooses a move for a color and, if `commit`, plays it. Raises GtpError out of turn.

        A choice without commitment is made from scratch and from the same seed every time, as GTP
        wants it for regression tests.
        """
        began = monotonic()
        session = self.session
        if session.is_over:
            if commit:
                session.play(color, PASS)
            return "pass"
        if color != session.to_move:
            raise GtpError(f"it is {session.to_move}'s turn")
        if not commit:
            self.player.forget(REGRESSION_SEED)
        report = self.player.think(session, self._seconds(color), self.should_stop)
        choice = report.choices[0]
        resigns = self.settings.resign is not None and choice.winrate < self.settings.resign
        text = "resign" if resigns else self._format(choice.move)
        if not commit:
            self.player.forget()
        elif resigns:
            session.resign(color)
        else:
            session.play(color, choice.move)
        if commit:
            session.set_clock(color, session.clock(color).after(monotonic() - began + clocks.LAG))
        return text

    def _seconds(self, color: Color) -> float:
        """Time for a move: what the clock allows, or the fixed time per move."""
        session = self.session
        allotted = clocks.allotment(session.clock(color), session.moves_left(color))
        return self.settings.move_seconds if allotted is None else allotted

    def _parse(self, text: str) -> int:
        position = self.session.position
        if self.session.is_over and text.lower() == "pass":
            return PASS  # a position that was resigned may still have its swap open
        if (
            self.settings.swap_as is SwapSpelling.STONE
            and position.swap_open
            and parse_move(text, position) == self.session.last_move
        ):
            return SWAP
        return parse_move(text, position)

    def _format(self, move: int) -> str:
        if move != SWAP:
            return format_move(move)
        if self.settings.swap_as is SwapSpelling.STONE:
            return format_move(self.session.history[0].move or 0)
        return self.settings.swap_as.value
