"""The server, from command lines to framed responses (GTP 2 sections 2.4 to 2.8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pinchtp.base.streams import warn
from pinchtp.games.notation import RESIGN, AmbiguousMove, NoSuchMove, NotationError
from pinchtp.gtp import OUT_OF_MEMORY, GtpError, Quit
from pinchtp.gtp.arguments import clean, column, parse_line
from pinchtp.gtp.commands import COMMANDS, Reply, find_command
from pinchtp.gtp.engine import AllOrNothing, GtpEngine

# In the order of list_commands.
# isort: off
from pinchtp.gtp import standard, time, analysis, setup, game_info, gogui  # noqa: F401
from pinchtp.gtp import search_info, solver, network_info, parameters  # noqa: F401

# isort: on


@dataclass(frozen=True, slots=True)
class Answer:
    """The response to a command line.

    line: the command line, cleaned. ok: whether it is a success (`=`). text: an iterator of lines
    if the command reports while it runs. detail: the reason of a failure in words, or empty. ends:
    whether the program ends after it.
    """

    line: str
    id: int | None
    ok: bool
    text: Reply
    detail: str = ""
    ends: bool = False

    @property
    def reason(self) -> str:
        """The command and the reason of its failure, in one line."""
        return f"{self.line}: {self.text}" + (f" ({self.detail})" if self.detail else "")

    def pieces(self) -> Iterator[str]:
        """Yields the pieces of the response as sent, including the closing blank line.

        If the text is an iterator, this works only once.
        """
        number = "" if self.id is None else str(self.id)
        # Some controllers require the space even if the text is empty.
        head = f"{'=' if self.ok else '?'}{number} "
        if isinstance(self.text, str):
            yield f"{head}{self.text}\n\n"
            return
        yield head + "\n"
        try:
            for line in self.text:
                yield line + "\n"
        except MemoryError:  # the response was started, so it can only be ended
            warn(f"pinchtp: {OUT_OF_MEMORY}")
        except Exception:
            _warn_of_fault()
        yield "\n"

    def __str__(self) -> str:
        return "".join(self.pieces())


def _warn_of_fault() -> None:
    """Prints the stack of the current exception on standard error."""
    import traceback  # noqa: PLC0415  (rarely needed)

    warn(traceback.format_exc().rstrip())


class Server:
    """A server that answers command lines with an engine, in any process."""

    def __init__(self, engine: GtpEngine) -> None:
        self.engine = engine

    def answer(self, raw: str) -> Answer | None:
        """Executes a command line and returns its response; None if it has no command."""
        text = ""
        number = None
        try:
            text = clean(raw)
            if not text:
                return None
            line = parse_line(text)
            number = line.id
            with AllOrNothing(self.engine):
                return Answer(text, number, True, self.execute(line.name, line.arguments))
        except GtpError as error:
            detail = error.detail
            if error.at is not None:
                detail = f"column {column(raw, line.at + error.at)}: {detail}"
            return Answer(text, number, False, error.text, detail)
        except Quit:
            return Answer(text, number, True, "", ends=True)
        except MemoryError as error:  # the game can continue with the memory in use
            return Answer(text, number, False, OUT_OF_MEMORY, str(error))
        except Exception as error:  # an internal error must not end a user's game
            _warn_of_fault()
            return Answer(
                text, number, False, f"internal error: {type(error).__name__}", str(error)
            )

    def execute(self, name: str, arguments: str = "") -> Reply:
        """Runs a command. Raises GtpError if it is rejected, and Quit if it ends the program."""
        if not name:
            raise GtpError("syntax error", "a command is missing after the id")
        if name not in COMMANDS and (bare := self._bare_move(name)):
            raise bare
        return find_command(name, self.engine.session.game).run(self.engine, arguments)

    def _bare_move(self, name: str) -> GtpError | None:
        """Returns the error for a move without `play`; None for another word."""
        session = self.engine.session
        try:
            if name.lower() != RESIGN:
                session.parse(name)
        except (AmbiguousMove, NoSuchMove) as error:
            return GtpError("unknown command", str(error))
        except NotationError:
            return None
        return GtpError("unknown command", f"to move: play {session.to_move.letter} {name}")

    def answers(self, lines: Iterable[str]) -> Iterator[tuple[int, Answer]]:
        """Yields the number, from 1, and the response of each line with a command, until `quit`."""
        for number, raw in enumerate(lines, start=1):
            self.engine.player.stop_pondering()
            answer = self.answer(raw)
            if answer is not None:
                self.engine.autosave()
                yield number, answer
                if answer.ends:
                    return
                self.engine.autosave()  # a stream may have played a move at its end
            self.engine.ponder()
