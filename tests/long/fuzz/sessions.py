"""Sessions of arbitrary commands in any game, with invariants checked after each command."""

import io
import re
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, suppress
from functools import partial
from time import monotonic
from types import FrameType
from typing import NoReturn

from boards import set_up_again
from clients import FRAMED
from fuzz.commands import INTERRUPT, NAMES, Commands, Line, tally
from fuzz.source import Source

from pinchtp._core import PASS
from pinchtp.games import Position
from pinchtp.games.history import PlayedMove
from pinchtp.games.session import Session
from pinchtp.gtp import GtpError
from pinchtp.gtp.arguments import clean, parse_line
from pinchtp.gtp.engine import GtpEngine
from pinchtp.gtp.server import Server
from pinchtp.player.settings import Settings
from pinchtp.records import sgf
from pinchtp.records.errors import RecordError
from pinchtp.records.game import Usual
from pinchtp.records.position_line import load_position, position_line
from pinchtp.records.reader import read_sgf

MOST_COMMANDS = 60
MOST_ANSWER = 1 << 20  # characters
RECORDED = 8  # accepted commands between checks of the record

INTERRUPT_AFTER = 0.2  # seconds until a running command is interrupted
ENDLESS = 10.0  # seconds; not reached if every command can be interrupted

# Comments with a winrate from fewer than two visits: the position was not searched.
NO_SEARCH = re.compile(r"winrate.*\b[01] visits")


class Fault(AssertionError):
    """A violated invariant. kind: which one; the message contains the session as well."""

    def __init__(self, what: str, why: str, session: str) -> None:
        super().__init__(f"{what}: {why!r}\n{session}")
        *_, reason = why.rstrip().rpartition(": ")
        self.kind = f"{what}: {reason}" if reason != why else what


class Endless(BaseException):
    """A command that ignores interrupts; no Exception, since the server would catch that."""


class QueuedLines:
    """Lines that arrive during a command, after some looks at the input.

    An interrupt arrives after INTERRUPT_AFTER seconds.
    """

    def __init__(self, lines: Sequence[str] = (), looks: int = 0) -> None:
        self._lines = lines
        self._looks = looks
        self._end = monotonic() + INTERRUPT_AFTER

    def is_waiting(self) -> bool:
        self._looks -= 1
        return self._looks < 0 or monotonic() >= self._end

    def is_cancelled(self) -> bool:
        return self.is_waiting() and (bool(self._lines) or monotonic() >= self._end)

    def is_interrupted(self) -> bool:
        return self.is_waiting() and (INTERRUPT in self._lines or monotonic() >= self._end)


@contextmanager
def watched() -> Iterator[None]:
    """Raises Endless in code that runs longer than ENDLESS seconds; main thread only."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise Endless

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, ENDLESS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before or signal.SIG_DFL)


class Play:
    """A session with a server in this process."""

    def __init__(self, settings: Settings) -> None:
        """Raises ValueError for settings that the game does not support."""
        self.server = Server(GtpEngine(settings))
        self.what = " ".join(f"{key}={value}" for key, value in vars(settings).items())
        self.lines: list[str] = []
        self.accepted = 0

    def run(self, source: Source, most: int = MOST_COMMANDS) -> None:
        """Sends lines from the source until it is empty, `most` at most."""
        commands = Commands(source, partial(self.move, source), self.color)
        while not source.is_empty and len(self.lines) < most:
            self.send(commands.line(), source.below(4))
        self.check_record()

    def run_all(self, source: Source) -> None:
        """Sends every command once."""
        commands = Commands(source, partial(self.move, source), self.color)
        for name in NAMES:
            self.send(commands.line_of(name), source.below(4))
        self.check_record()

    def move(self, source: Source) -> str:
        """Returns a legal move or step chosen by the source."""
        session = self.server.engine.session
        moves = [] if session.is_over else session.position.legal_moves()
        return session.format((source.choice(moves),)) if moves else "pass"

    def color(self) -> str:
        return self.server.engine.session.to_move.letter

    def send(self, line: Line | str, looks: int = 0) -> None:
        """Runs a line, then its queued lines, which arrive after some looks at the input."""
        text, queued = (line, ()) if isinstance(line, str) else line
        self._answer(text, QueuedLines(queued, looks))
        for each in queued:
            self._answer(each, QueuedLines())

    def _answer(self, line: str, queue: QueuedLines) -> None:
        self.lines.append(line)
        engine = self.server.engine
        engine.attention = queue
        before = snapshot(engine)
        position = engine.session.position
        with redirect_stderr(io.StringIO()) as notes:
            try:
                with watched():
                    answer = self.server.answer(line)
                    text = "" if answer is None else str(answer)
            except Endless:
                self._fail("no end", line)
        if "internal error" in text:
            self._fail("internal error", notes.getvalue())
        if notes_left := unexpected(notes.getvalue(), engine):
            self._fail("a note on standard error", "\n".join(notes_left))
        if answer is None:
            if clean(line):
                self._fail("no answer", line)
            return
        tally["commands"] += 1
        self._check_answer(line, text)
        if text.startswith("?") and snapshot(engine) != before:
            self._fail("a refusal has changed something", text)
        self._check_session(engine.session)
        if text.startswith("="):
            self.accepted += 1
            self._check_accepted(engine.session, is_new=engine.session.position is not position)

    def _check_accepted(self, session: Session, *, is_new: bool) -> None:
        if is_new:
            self._check_shown(session)
            self._check_number(session.history)
        if self.accepted % RECORDED == 0:
            self.check_record()

    # --- invariants

    def _check_answer(self, line: str, text: str) -> None:
        found = FRAMED.fullmatch(text)
        if not found:
            self._fail("badly framed", text)
        if len(text) > MOST_ANSWER:
            self._fail("a very long answer", text[:100])
        try:
            number = parse_line(clean(line)).id
        except GtpError:
            number = None
        if found["id"] != ("" if number is None else str(number)):
            self._fail("another id", text)

    def _check_session(self, session: Session) -> None:
        """The position equals a replay of the history."""
        position = session.start
        over = session.start.result is not None
        for turn in session.history:
            if turn.move is None and not over:
                over = True
            elif not over:
                if turn.color != position.to_move or not position.is_legal(turn.move or 0):
                    self._fail("an illegal move in the history", str(turn))
                position = position.play(turn.move or 0)
                over = position.result is not None
            elif turn.move != PASS:
                self._fail("a move after the end", str(turn))
            if turn.position != position or turn.position.result != position.result:
                self._fail("the position is not that of its history", str(turn))
        if session.position != position or session.is_over != over:
            self._fail("the position is not that of its history", "")

    def check_record(self) -> None:
        """The written record can be read back."""
        session = self.server.engine.session
        text = sgf.to_sgf(session)
        try:
            usual = Usual(session.game, session.options)
            again = read_sgf(text, usual)[0].read()
        except RecordError as error:
            self._fail("its record is refused", f"{error}\n{text}")
        made = [(turn.color, turn.move) for turn in again.history]
        if made != [(turn.color, turn.move) for turn in session.history]:
            self._fail("the record names another game", text)

    def _check_shown(self, session: Session) -> None:
        """The printed position loads; equal positions have equal moves."""
        text = position_line(session)
        others = []
        try:
            start, history = load_position(text, session)
        except ValueError as error:
            if session.position.result is None:  # otherwise the board does not show the result
                self._fail("what it prints is refused", f"{text}: {error}")
        else:
            again = Session.at(session.game, start, history)
            if facts(again) != facts(session):
                self._fail("what it prints is another position", text)
            others.append(again.position)
        position = session.position
        with suppress(ValueError):
            others.append(set_up_again(position))
        for other in others:
            if other == position and lawful(other) != lawful(position):
                self._fail("equal positions with other moves", text)

    def _check_number(self, history: Sequence[PlayedMove]) -> None:
        """A winrate comes from a search."""
        if history and NO_SEARCH.search(history[-1].comment):
            self._fail("a winrate without a search", history[-1].comment)

    def _fail(self, what: str, why: str) -> NoReturn:
        lines = "\n".join(f"  {line!r}" for line in self.lines)
        raise Fault(what, why, f"with {self.what}, after\n{lines}")


def lawful(position: Position) -> tuple[object, ...]:
    """Returns the facts that follow from the rules: result, side to move, legal moves."""
    is_over = position.result is not None
    return position.result, is_over or position.to_move, position.legal_moves()


def facts(session: Session) -> tuple[object, ...]:
    """Returns everything shown of a position."""
    position = session.position
    return (*lawful(position), position.cells(), session.winner, session.is_over, session.resigned)


def unexpected(notes: str, engine: GtpEngine) -> list[str]:
    """Returns the lines of standard error, without live graphics."""
    live = engine.settings.live_graphics
    return [line for line in notes.splitlines() if not (live and line.startswith("gogui-gfx:"))]


def snapshot(engine: GtpEngine) -> tuple[object, ...]:
    """Returns the state that a failed command must not change."""
    session = engine.session
    return (
        session.game,
        session.start,
        tuple(session.history),
        session.info,
        session.control,
        [session.clock(color) for color in (session.to_move, session.to_move.opponent)],
        repr(engine.settings),
    )
