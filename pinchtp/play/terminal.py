"""The dialog of `pinchtp play`: reads lines and prints boards."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console, RenderableType

from pinchtp.base.options import closest
from pinchtp.base.process import ExitStatus, StopRequested
from pinchtp.base.streams import is_typed, print_lines, report_unwritten
from pinchtp.base.terminal import StatusLine, edit_lines
from pinchtp.games.notation import format_move
from pinchtp.play import view
from pinchtp.play.commands import COMMANDS, find
from pinchtp.play.game import HumanGame, NotAMove, PlayError

LEAVES = "Press Ctrl-C again to quit."


class PlayTerminal:
    """A game at a terminal. is_saved: whether the game is in a file."""

    def __init__(self, game: HumanGame) -> None:
        self.game = game
        self.is_saved = False
        self._console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
        self._is_reviewed = False  # whether the turning point was shown after the end

    def run(self) -> None:
        """Plays until the player quits. A second Ctrl-C raises KeyboardInterrupt."""
        edit_lines(self._completions)
        self.say(view.opening(self.game))
        self.show_board()
        try:
            while True:
                if self.game.is_engines_turn:
                    self._reply()
                self._comment_on_end()
                self._execute(self._read())
        except EOFError:
            pass
        if self.game.session.history and not (self.is_saved or self.game.engine.recorder):
            self.say("The game was not saved (save FILE, or pinchtp play --record FILE).")

    def say(self, text: RenderableType) -> None:
        try:
            self._console.print(text)
        except OSError as error:
            report_unwritten(error)
            sys.exit(ExitStatus.FAILURE)

    def show_board(self) -> None:
        self.say(view.board(self.game))

    def show_hint(self) -> None:
        with self._stop_at_interrupt() as is_stopped:
            report = self.game.hint(is_stopped)
        self.say(view.hint(self.game, report))

    def _read(self) -> str:
        """Reads a line that is not empty. Raises EOFError, and KeyboardInterrupt at the second
        Ctrl-C.
        """
        was_interrupted = False
        while True:
            try:
                line = self._ask(view.prompt(self.game)).strip()
            except KeyboardInterrupt:
                if was_interrupted:
                    raise
                was_interrupted = True
                self.say(f"\n{LEAVES}")
                continue
            except EOFError:
                self.say("")
                raise
            if line:
                return line

    def _ask(self, prompt: str) -> str:
        """Reads a line. Raises EOFError."""
        if is_typed():
            return input(prompt)
        print_lines(prompt, end="")
        line = input()
        self.say(line)  # as a terminal echoes it
        return line

    def _execute(self, line: str) -> None:
        try:
            if found := find(line, self):
                entry, argument = found
                entry.run(self, argument)
            else:
                self.game.play(line)
                self.is_saved = False
                self.show_board()
        except NotAMove as error:
            close = closest(line.split(maxsplit=1)[0].lower(), COMMANDS)
            self.say(f"{line!r}: did you mean {close!r}?" if close else f"{error}, or ? for help")
        except PlayError as error:
            self.say(str(error))

    def _reply(self) -> None:
        color = self.game.session.to_move
        with self._stop_at_interrupt() as is_stopped:
            text = self.game.reply(is_stopped)
        self.say(view.reply(color, text))
        self.show_board()

    @contextmanager
    def _stop_at_interrupt(self) -> Iterator[Callable[[], bool]]:
        """Makes Ctrl-C stop a search; a second Ctrl-C raises KeyboardInterrupt.

        Yields a function that returns whether to stop; a search calls it often.
        """
        with StopRequested([signal.SIGINT]).at_signals() as is_interrupted, StatusLine() as status:

            def is_stopped() -> bool:
                status.show(f"thinking, {status.seconds:.0f} s (Ctrl-C stops)")
                return is_interrupted()

            yield is_stopped

    def _comment_on_end(self) -> None:
        """Shows the turning point of a lost game, once."""
        is_over = self.game.session.is_over
        if is_over and not self._is_reviewed and self.game.is_lost:
            self._show_turning_point()
        self._is_reviewed = is_over

    def _show_turning_point(self) -> None:
        try:
            with StatusLine() as status:
                move = self.game.turning_point(
                    lambda done, total: status.show(f"reviewing the game: {done} of {total}")
                )
        except KeyboardInterrupt:
            return
        if move is not None:
            self.say(view.turning_point(move))

    def _completions(self) -> list[str]:
        """Returns the commands and the legal moves, for the tab key."""
        position = self.game.session.position
        return [*COMMANDS, *(format_move(move).lower() for move in position.legal_moves())]
