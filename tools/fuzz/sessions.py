"""Whole sessions of any commands in any game, and what has to hold after each of them."""

from __future__ import annotations

import io
from contextlib import redirect_stderr

from clients import FRAMED, Impatience, engine_settings
from fuzz.source import Source

from pinchtp import records
from pinchtp._core import PASS
from pinchtp.games import GAMES
from pinchtp.games.session import Session
from pinchtp.gtp.engine import Engine
from pinchtp.gtp.errors import GtpError
from pinchtp.gtp.grammar import clean, parse_line
from pinchtp.gtp.registry import COMMANDS
from pinchtp.gtp.server import Server
from pinchtp.gtp.stream import Script
from pinchtp.player.settings import OPTIONS

MOST_COMMANDS = 60
MOST_ANSWER = 1 << 20  # characters

SIZES = [(3, 3), (2, 2), (2, 3), (4, 3), (5, 5), (9, 4)]
# These take as long as they are allowed to.
PATIENT = {"pinchtp-perft", "pinchtp-solve", "pinchtp-swap_map", "place_free_handicap"}
# As likely as all others together: without moves nothing happens.
PLAYED = ["play", "play", "genmove", "undo", "gogui-play_sequence", "pinchtp-loadboard"]
NAMES = [name for name in COMMANDS if name != "quit"]

WORDS = [
    *("b", "w", "black", "WHITE", "pass", "swap", "resign", "0", "1", "2", "3", "5", "26", "-1"),
    *("0.5", "1e999", "1e3", "true", "false", "distinct", "turns", "none", "list", "canadian"),
    *("interval", "minmoves", "maxmoves", "allow", "avoid", "ownership", "rootInfo", "a1,b2"),
    *("transpose", "rotate", "mirror", "flip", "visits", "move-parts", "swap-as", "seed", "-"),
    *("X.O/.../O.X", "XO/OX b", "XOX/OXO/XO. w", "../X. w swap-open", "+A1", "white-won", "drawn"),
    *("e64", "e6-e4", "gf5", "d5e4x[d3,f4]", "\u00a0", "\u212a", "\u0663", "#", "\x00", "a" * 300),
    *GAMES,
    *OPTIONS,
]


class Fault(AssertionError):
    """An invariant is violated; the message says which, with the session so far."""


class Play:
    """A session with a server in this process."""

    sent = 0  # commands, in all sessions of this process

    def __init__(self, source: Source) -> None:
        self.source = source
        self.name = source.choice(list(GAMES))
        game = GAMES[self.name]
        size = game.size if game.smallest == game.largest else source.choice(SIZES)
        settings = engine_settings(
            game=self.name, size=size, visits=8, seed=1, memory=1, files=False
        )
        self.server = Server(Engine(settings))
        self.lines: list[str] = []
        self.accepted = 0

    def run(self) -> int:
        """Sends commands until the source is empty; returns their number."""
        while not self.source.is_empty and len(self.lines) < MOST_COMMANDS:
            self.send(self._line())
        self._check_record()
        return len(self.lines)

    def send(self, line: str) -> None:
        self.lines.append(line)
        Play.sent += 1
        engine = self.server.engine
        words = clean(line).split(" ")
        engine.attention = Impatience() if PATIENT & set(words) else Script()
        before = snapshot(engine)
        with redirect_stderr(io.StringIO()) as notes:
            answer = self.server.answer(line)
            text = "" if answer is None else str(answer)
        if "internal error" in text:
            self._fail("internal error", notes.getvalue())
        if told := unexpected(notes.getvalue(), engine):
            self._fail("a note on standard error", "\n".join(told))
        if answer is None:
            if clean(line):
                self._fail("no answer", line)
            return
        self._check_answer(line, text)
        self.accepted += text.startswith("=")
        if text.startswith("?") and snapshot(engine) != before:
            self._fail("a refusal has changed something", text)
        self._check_session(engine.session)

    def _line(self) -> str:
        source = self.source
        kind = source.below(16)
        if kind == 0:
            return source.text(40)
        name = source.choice(PLAYED if kind < 9 else NAMES)
        number = f"{source.below(1000)} " if kind % 4 == 1 else ""
        return f"{number}{name} {self._arguments(name)}"

    def _arguments(self, name: str) -> str:
        source, session = self.source, self.server.engine.session
        if source.below(4) == 0:
            return " ".join(self._word() for _ in range(source.below(5)))
        color = session.to_move.name[0].lower()
        if name in ("play", "gogui-play_sequence"):
            return f"{color} {self._legal()}"
        if name == "genmove" or "genmove" in name:
            return color
        return " ".join(self._word() for _ in COMMANDS[name].arguments)

    def _legal(self) -> str:
        """A legal move, or a part of one, of the session."""
        session = self.server.engine.session
        moves = [] if session.is_over else session.position.legal_moves()
        return session.format((self.source.choice(moves),)) if moves else "pass"

    def _word(self) -> str:
        kind = self.source.below(8)
        if kind == 0:
            return self.source.text()
        return self._legal() if kind < 3 else self.source.choice(WORDS)

    # --- what has to hold

    def _check_answer(self, line: str, text: str) -> None:
        found = FRAMED.fullmatch(text)
        if not found:
            self._fail("badly framed", text)
            return
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
        position, over = session.start, session.start.result is not None
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

    def _check_record(self) -> None:
        """What is written is read back."""
        session = self.server.engine.session
        text = records.to_sgf(session)
        try:
            again = records.from_sgf(text.encode(), session.game, **session.options)
        except records.RecordError as error:
            self._fail("its record is refused", f"{error}\n{text}")
            return
        made = [(turn.color, turn.move) for turn in again.turns]
        if made != [(turn.color, turn.move) for turn in session.history]:
            self._fail("its record is of another game", text)

    def _fail(self, what: str, why: str) -> None:
        session = "\n".join(f"  {line!r}" for line in self.lines)
        raise Fault(f"{what}: {why!r}\nin {self.name}, after\n{session}")


def unexpected(notes: str, engine: Engine) -> list[str]:
    """Lines of standard error, but for the graphics that a command may have asked for."""
    live = engine.settings.live_graphics
    return [line for line in notes.splitlines() if not (live and line.startswith("gogui-gfx:"))]


def snapshot(engine: Engine) -> tuple[object, ...]:
    """All that a refused command has to leave alone."""
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
