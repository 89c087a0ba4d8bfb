"""Input at a terminal: line editing, Ctrl-C and the welcome."""

from __future__ import annotations

import signal
from contextlib import ExitStack

from pinchtp import __version__
from pinchtp.base.process import StopRequested
from pinchtp.base.streams import STDIN, STDOUT
from pinchtp.base.terminal import edit_lines
from pinchtp.games.session import Session
from pinchtp.gtp.commands import COMMANDS
from pinchtp.gtp.input import InputReader


class TerminalInput(InputReader):
    """Lines typed at a terminal, with editing, history and completion.

    The first Ctrl-C during a command acts as `# interrupt`; another raises KeyboardInterrupt.
    """

    def __init__(self) -> None:
        super().__init__(STDIN, STDOUT)
        self._stop = StopRequested()
        self._running = ExitStack()  # catches Ctrl-C during a command
        edit_lines(lambda: COMMANDS)

    def __next__(self) -> str:
        self._running.close()
        try:
            typed_ahead = self._lines or self._begun or self._ended
            line = super().__next__() if typed_ahead else input()
        except EOFError:
            raise StopIteration from None
        self._stop = StopRequested([signal.SIGINT])
        self._running.enter_context(self._stop.at_signals())
        return line

    def is_cancelled(self) -> bool:
        return self._stop.seen or super().is_cancelled()

    def is_interrupted(self) -> bool:
        return self._stop.seen or super().is_interrupted()


def welcome(session: Session) -> str:
    """Returns the first lines that the program prints at a terminal."""
    width, height = session.start.width, session.start.height
    return f"""\
pinchtp {__version__}, a GTP engine for {session.game.title} {width}x{height}. Type for example
  genmove {session.to_move.letter}    a move by the engine
  showboard    the board
  help         all commands; quit leaves
To play a game by typing just your moves, start pinchtp play."""
