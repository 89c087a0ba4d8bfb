"""The state that command handlers use: the game in progress, the player and the settings."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pinchtp._core import PASS, SWAP, Position, Proof, Report
from pinchtp.base.options import did_you_mean
from pinchtp.base.streams import warn
from pinchtp.base.text import count
from pinchtp.engine.analysis import PROOF_WORDS
from pinchtp.games import GAMES, Color
from pinchtp.games.notation import (
    RESIGN,
    AmbiguousMove,
    NoSuchMove,
    NotationError,
    format_move,
)
from pinchtp.games.session import TOO_LONG, IllegalMove, Session
from pinchtp.gtp import GtpError
from pinchtp.gtp.input import InputState, ScriptInput
from pinchtp.player.network import NetworkError
from pinchtp.player.player import Limits, Player
from pinchtp.player.settings import Settings
from pinchtp.player.time_manager import TimeManager

if TYPE_CHECKING:
    from pathlib import Path

    from pinchtp.records.sgf import SgfAutosave

REGRESSION_SEED = 0
NO_VISITS = "no visits"  # the comment on a move whose search was stopped before its first visit

LIVE_INTERVAL = 0.5  # seconds between live graphics


class ChosenTurn(NamedTuple):
    """A turn, or its next part.

    text: in the notation of genmove. moves: for Session.play(); empty for a resignation.
    """

    text: str
    moves: tuple[int, ...]


class GtpEngine:
    """A session and a player, driven by commands.

    attention: the state of the input, which searches check for new lines; the command line sets it.
    """

    def __init__(self, settings: Settings) -> None:
        """Raises ValueError for invalid settings, such as a size out of range, or a record that
        cannot be written.
        """
        self.settings = settings
        self.session = settings.new_session(GAMES[settings.game], settings.size)
        self.player = Player(settings)
        self.recorder: SgfAutosave | None = None
        if settings.record is not None:
            self.record_in(settings.record)
        self.attention: InputState = ScriptInput()
        self.time = TimeManager(settings)
        self._after_own_move: Position | None = None

    def new_game(self, width: int | None = None, height: int | None = None) -> None:
        """Starts a new game, by default on the same board.

        Raises GtpError if the size is out of range.
        """
        try:
            self.session.restart(width, height)
        except ValueError as error:
            reason = str(error).removeprefix("unacceptable size").removeprefix(": ")
            raise GtpError("unacceptable size", reason) from None
        self.player.forget()
        self.load_network()

    def change_game(self, name: str) -> None:
        """Changes the game to the one of that name, on its default board.

        The time settings stay. Raises GtpError.
        """
        game = GAMES.get(name)
        if game is None:
            raise GtpError("unknown game", f"{name!r}: {did_you_mean(name, GAMES)}")
        try:
            self.player.check_game(name)
            session = self.settings.new_session(game)
        except ValueError as error:
            raise GtpError(f"cannot change the game: {error}") from None
        session.set_time(self.session.control)
        self.player.forget()
        self.session = session
        self.load_network()

    def load_network(self) -> None:
        """Loads the network of the game now, not on the clock of its first move.

        If that fails, the first search reports the error.
        """
        with suppress(NetworkError, MemoryError):
            self.player.network(self.session.position)

    def play(self, color: Color, text: str) -> None:
        """Plays a move given as text; a resignation of genmove does not prevent it.

        Raises GtpError.
        """
        try:
            if text.lower() == RESIGN:
                self.session.resign(color)
            else:
                if text.lower() != format_move(PASS):
                    self.session.withdraw_resignation()
                self.session.play(color, *self.session.parse(text))
        except AmbiguousMove as error:
            raise GtpError(str(error)) from None
        except (IllegalMove, NoSuchMove) as error:
            is_theirs = color != self.session.to_move and not self.session.is_over
            reason = f"it is {self.session.to_move}'s turn" if is_theirs else str(error)
            raise GtpError("illegal move", reason) from None
        except NotationError as error:
            raise GtpError("syntax error", str(error)) from None

    def generate(self, color: Color, *, commit: bool) -> str:
        """Chooses a move for a color and returns its text.

        commit: whether to play the move. If not, the search starts with an empty tree and a fixed
        seed, as GTP requires for regression tests. Raises GtpError if the color is not to move.
        """
        if self.pass_if_over(color, commit=commit):
            return "pass"
        if not commit:
            self.player.forget(REGRESSION_SEED)
        *_, last = self.search(color, LIVE_INTERVAL if self.settings.live_graphics else math.inf)
        if commit:
            return self.commit(color, last)
        text = self.choose_turn(last).text
        self.player.forget()
        return text

    def pass_if_over(self, color: Color, *, commit: bool) -> bool:
        """Returns whether the game is over. If so, the color passes, if `commit`.

        Raises GtpError if the game is not over and the color is not to move, or if the game has
        reached the maximum number of moves.
        """
        if commit and self.session.is_full:
            raise GtpError("illegal move", TOO_LONG)
        if self.session.is_over:
            if commit:
                self.session.play(color, PASS)
            return True
        self.check_turn(color)
        return False

    def check_turn(self, color: Color) -> None:
        """Raises GtpError if the color is not to move."""
        if color != self.session.to_move:
            raise GtpError(f"it is {self.session.to_move}'s turn")

    def search(
        self,
        color: Color,
        interval: float,
        allowed: Sequence[int] = (),
        should_stop: Callable[[], bool] | None = None,
    ) -> Iterator[Report]:
        """Searches for a move within the limits of the color's clock and the settings.

        Yields a report at each interval, and one at the end. commit() charges the time to the
        clock.

        interval: seconds. allowed: the moves to consider; empty: all. should_stop: ends the search
        by returning True; default: an interrupt ends it.
        """
        self.time.begin(self.session, color)
        limits = self._limits(allowed, should_stop)
        for report in self.player.search_reports(self.session, limits, interval, self.time):
            if self.settings.live_graphics:
                show_live(self.session, report)
            yield report

    def full_search(self) -> Report:
        """Searches for the optimum time of a move, at full strength, and returns the report."""
        self.time.begin(self.session, self.session.to_move)
        limits = replace(self._limits(), seconds=self.time.search_time().optimum)
        return self.player.search(self.session, limits)

    def _limits(
        self, allowed: Sequence[int] = (), should_stop: Callable[[], bool] | None = None
    ) -> Limits:
        return Limits(
            visits=self.settings.visits,
            should_stop=should_stop or self.attention.is_interrupted,
            allowed=allowed,
        )

    def commit(self, color: Color, report: Report, turn: ChosenTurn | None = None) -> str:
        """Plays the best move of a search, stops the clock and returns the text of the move.

        turn: the result of choose_turn(), if it was called before.
        """
        session = self.session
        text, moves = turn or self.choose_turn(report)
        winrate = report.winrate
        comment = self._comment(report, moves)
        with AllOrNothing(self):
            if text == RESIGN:  # for controllers, no move that they could undo
                session.resign(color, winrate=winrate, comment=comment, same_turn=True)
            else:
                session.play(color, *moves, winrate=winrate, comment=comment)
            self.time.stop_clock(session, color, parts=len(moves))
        self._after_own_move = session.position
        return text

    def record_in(self, path: Path) -> None:
        """Saves the game, and those that follow, in a file from now on.

        Warns, and saves nothing from now on, if another process, such as GoGui's player for its
        ruler, keeps its game there. Raises ValueError for a file that cannot be written.
        """
        from pinchtp.records.sgf import SgfAutosave  # noqa: PLC0415  (start-up time)

        try:
            self.recorder = SgfAutosave(path)
        except BlockingIOError:
            self.recorder = None
            warn(f"pinchtp: {path}: another pinchtp records its game there, so this one does not")

    def autosave(self) -> None:
        """Writes the game to the autosave file, if the option is set and the game has changed."""
        if self.recorder is not None:
            self.recorder.update(self.session)

    def ponder(self) -> None:
        """Searches in the background while the last move is its own, if the option is set."""
        if self.settings.ponder and self.session.position is self._after_own_move:
            self.player.ponder(self.session)

    def choose_turn(self, report: Report) -> ChosenTurn:
        """Returns the turn after a search; its further parts are searched now."""
        moves = self.player.choose_turn(self.session, report, self.time.left)
        return ChosenTurn(self.format(moves) if moves else RESIGN, moves)

    def format(self, moves: Sequence[int]) -> str:
        """Returns a turn, or a part of one, in the notation of genmove."""
        if tuple(moves) == (SWAP,):
            return self.settings.swap_as.value
        if self.settings.move_parts and len(moves) == 1:
            return format_move(moves[0])
        return self.session.format(moves)

    def _comment(self, report: Report, moves: Sequence[int]) -> str:
        """Returns a comment on a move: winrate, visits and principal variation."""
        if report.winrate is None:
            return NO_VISITS
        best = report.choices[0]
        visits = report.visits
        known = "" if best.proof is Proof.UNKNOWN else f" (proven {PROOF_WORDS[best.proof]})"
        parts = [f"winrate {100 * report.winrate:.2f} %{known}"]
        if visits:
            parts.append(count(visits, "visit"))
        played = [choice for choice in report.choices if choice.move in moves[:1]] or [best]
        line = " ".join(text for _, text in self.session.line_texts(played[0].line))
        return ", ".join([*parts, f"expects {line}"])


class AllOrNothing:
    """A context manager that restores the game if the block raises an error.

    Its exit needs no memory, unlike that of a context manager written as a generator.
    """

    def __init__(self, engine: GtpEngine) -> None:
        self._engine = engine
        self._session = engine.session
        self._saved = engine.session.save()

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, *details: object) -> None:
        if kind is not None:
            self._session.restore(self._saved)
            self._engine.session = self._session


def variation(session: Session, report: Report) -> str:
    """Returns the points of the principal variation for GoGui, such as `b D4 w E5`."""
    line = session.line_texts(report.choices[0].line, parts=True)
    special = {format_move(PASS), format_move(SWAP)}
    return " ".join(f"{color.letter} {text}" for color, text in line if text not in special)


def show_live(session: Session, report: Report) -> None:
    """Prints the principal variation as GoGui live graphics, a line on standard error."""
    # Without waiting, because the next line comes soon.
    warn(f"gogui-gfx: VAR {variation(session, report)}", timeout=0)
