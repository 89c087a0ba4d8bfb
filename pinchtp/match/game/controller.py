"""Drives an engine from game to game, in the commands that it understands."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from time import monotonic

from pinchtp.base.clock import Clock
from pinchtp.base.closing import Closing
from pinchtp.base.streams import storable
from pinchtp.client import (
    Client,
    EngineTimeout,
    ProtocolError,
    Refused,
    Response,
    Transcript,
    split_command,
)
from pinchtp.client.analysis import GENMOVE_ANALYZE, last_winrate
from pinchtp.client.time_settings import TimeTeller
from pinchtp.games import Color
from pinchtp.match.engine_spec import EngineSpec
from pinchtp.match.game.told_options import NODES, PONDER, WAYS
from pinchtp.match.log import Log
from pinchtp.match.record import DRAW, Identity, Winner
from pinchtp.match.rules import Deadlines, GameRules

QUIT_TIMEOUT = 3.0  # seconds that an engine may take to end when it is asked to
SCORE_TIMEOUT = 5.0  # seconds that an engine may take for a score where a referee decides

_INTERVAL = 20  # hundredths of a second between reports, the last of which is believed
_EXPLAIN = "gomill-explain_last_move"
_CHANGE_GAME = "pinchtp-game"  # GTP has no command for it

_SHOWN = 100  # characters of an engine's words in names and messages

_SCORE = re.compile(r"(?:([BW])\+.*|0(?:\.0*)?|draw|jigo)", re.IGNORECASE | re.DOTALL)
_WINNERS: dict[str, Winner] = {"B": Color.BLACK, "W": Color.WHITE, "": DRAW}
_WINRATE = re.compile(r"win ?rate[^0-9.]{0,3}([0-9.]+) ?(%?)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class GeneratedMove:
    """What genmove was answered: the move as the engine spells it, the seconds it took, and the
    engine's chance to win by its own word, in [0, 1], if it told.
    """

    move: str
    seconds: float
    winrate: float | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """An answer to final_score. winner: None if the engine does not know."""

    text: str
    winner: Winner | None

    @classmethod
    def read(cls, text: str) -> Score:
        found = _SCORE.fullmatch(text)
        winner = _WINNERS[found[1].upper() if found[1] else ""] if found else None
        return cls(text[:_SHOWN], winner)


class Controller(Closing):
    """One engine over many games. It is started when it is needed, and again after it was killed.

    Methods that talk to it raise EngineError if it fails, after which `kill` it, and Refused if it
    answers `?`. transcript: of the game at hand.
    """

    def __init__(
        self,
        spec: EngineSpec,
        *,
        deadlines: Deadlines | None = None,
        memory_mb: int | None = None,
        cores: Collection[int] | None = None,
        log: Log | None = None,
    ) -> None:
        """memory_mb: what the engine may use with all that it starts. cores: the processors that
        it may run on. log: where its traffic is written.
        """
        self.spec = spec
        self.transcript = log.transcript(spec.name) if log else Transcript()
        self.waited = 0.0  # seconds spent waiting for answers, since the beginning
        self.lag = 0.0  # seconds of the slowest answer to play and time_left in the game at hand
        self._deadlines = deadlines or Deadlines()
        self._memory_mb = memory_mb
        self._cores = cores
        self._engine: Client | None = None
        self._stderr = ""
        self._scores = True  # whether it is worth asking for a score where a referee decides
        self._forget()

    def _forget(self) -> None:
        """Nothing is known about the engine, which may be another one when it starts again."""
        self._known: dict[str, bool] = {}
        self._listed: frozenset[str] | None = None
        self._identity: Identity | None = None
        self._time = TimeTeller(self.knows, self._accepts)

    def close(self) -> None:
        """Asks the engine to quit, and kills it if it does not. May be called again."""
        if self._engine:
            self._engine.quit(QUIT_TIMEOUT)
            self.kill()

    def abort(self) -> None:
        self.kill()

    def kill(self) -> None:
        """Ends the engine at once. May be called again."""
        if self._engine:
            self._engine.close()
            self._stderr = self._engine.stderr
            self._engine = None

    @property
    def is_running(self) -> bool:
        """Whether it was started and not ended, by us or in a way that we have seen."""
        return self._engine is not None

    @property
    def stderr(self) -> str:
        """The end of what the engine wrote to standard error, also after it was killed."""
        return storable(self._engine.stderr if self._engine else self._stderr)

    # --- before a game

    @property
    def identity(self) -> Identity:
        """What the engine says of itself; starts it."""
        self._start()
        assert self._identity
        return self._identity

    def knows(self, name: str) -> bool:
        """Whether the engine has this command; it must be running."""
        if self._listed is not None:
            return name in self._listed
        if name not in self._known:
            self._known[name] = self._ask_or("known_command " + name, "").strip() == "true"
        return self._known[name]

    def new_game(self, rules: GameRules) -> None:
        """Starts the engine if need be, and a game in it. What it refuses is a ProtocolError."""
        self._start()
        self.transcript.clear()
        if rules.referee and self.knows(_CHANGE_GAME):
            self._demand(f"{_CHANGE_GAME} {rules.game}")
        width, height = rules.width, rules.height
        square = width == height
        named = not square and self.knows("rectangular_boardsize")
        size = f"{width}" if square else f"{width} {height}"
        self._demand(f"rectangular_boardsize {size}" if named else f"boardsize {size}")
        self._demand("clear_board")
        if not rules.referee:
            for name, value in rules.options.items():
                if self.knows(name):
                    self._demand(f"{name} {value}")
        self._set_options(rules)
        self._time.announce(self.spec.time or rules.control)
        self.lag = 0.0

    # --- in a game

    def play(self, color: Color, move: str) -> None:
        """Announces a move of the opponent or the opening."""
        self.ask(f"play {color.letter} {move}")

    def tell_time(self, color: Color, clock: Clock) -> None:
        """Sends the time left on a clock, if a time system was announced to the engine."""
        self._time.tell_left(color.letter, clock)

    def genmove(self, color: Color, timeout: float, *, evaluate: bool) -> GeneratedMove:
        """Asks for a move. evaluate: and what the engine thinks of it, if it can tell."""
        if evaluate and not self.knows(_EXPLAIN):
            command = next(filter(self.knows, GENMOVE_ANALYZE), None)
            if command:
                answer = self._send(f"{command} {color.letter} {_INTERVAL}", timeout)
                return _from_analysis(answer, GENMOVE_ANALYZE[command])
        answer = self._send(f"genmove {color.letter}", timeout)
        move = _move(answer.text)
        explained = self._ask_or(_EXPLAIN, "") if evaluate and self.knows(_EXPLAIN) else ""
        return GeneratedMove(move, answer.seconds, _explained(explained))

    def final_score(self, timeout: float | None = None) -> Score | None:
        """The result of the game according to the engine; None if it has no final_score."""
        known = self.knows("final_score")
        text = self._ask_or("final_score", "", timeout).strip() if known else ""
        return Score.read(text) if text else None

    def wrong_score(self, winner: Winner) -> str:
        """The engine's score of a game that the referee gave to the winner; empty if it agrees.

        An engine that does not, or takes longer than SCORE_TIMEOUT, is not asked again, since many
        score by the rules of Go, which may take minutes.
        """
        if not (self._scores and self.is_running):  # another start would know nothing of this game
            return ""
        timeout = min(SCORE_TIMEOUT, self._deadlines.command)
        try:
            score = self.final_score(timeout)
        except EngineTimeout:
            self.kill()
            said = f"nothing within {timeout:g} s"
        else:
            if score is None or score.winner in (None, winner):
                return ""
            said = score.text
        self._scores = False
        return said

    def ask(self, command: str) -> str:
        """The text of the answer to a command that needs no thought."""
        answer = self._send(command, self._deadlines.command)
        self.lag = max(self.lag, answer.seconds)
        return answer.text

    # --- inside

    def _start(self) -> None:
        if self._engine:
            return
        self._forget()
        self.transcript.clear()
        spec, deadline = self.spec, self._deadlines.startup
        self._engine = Client(
            spec.command,
            cwd=spec.folder,
            env=spec.environment,
            transcript=self.transcript,
            memory_mb=self._memory_mb,
            cores=self._cores,
        )
        name = self._ask_or("name", "", deadline)
        version = self._ask_or("version", "")
        self._identity = Identity(_line(name), _line(version), spec.command, binary_hash(spec))
        listed = self._ask_or("list_commands", "")
        self._listed = frozenset(listed.split()) if listed else None
        for command in spec.startup:
            self._demand(command, deadline)

    def _set_options(self, rules: GameRules) -> None:
        """Sets the limit of nodes and pondering, if there are any. Raises ProtocolError."""
        nodes = rules.nodes if self.spec.nodes is None else self.spec.nodes
        ponder = rules.ponder if self.spec.ponder is None else self.spec.ponder
        for name, value in ((NODES, nodes), (PONDER, ponder)):
            if value is None:
                continue
            way = next((each for each in WAYS[name] if self.knows(each.command)), None)
            if way is None:
                commands = ", ".join(each.command for each in WAYS[name])
                raise ProtocolError(f"cannot be told of {name}: it has none of {commands}")
            self._demand(way.line(str(value).lower()))

    def _demand(self, command: str, timeout: float | None = None) -> None:
        """Sends a command without which there is no game. Raises ProtocolError if it is refused."""
        try:
            self._send(command, timeout or self._deadlines.command)
        except Refused as refusal:
            raise ProtocolError(f"refused {command!r}: {refusal}") from None

    def _accepts(self, command: str) -> bool:
        """Sends a command; whether it was not refused."""
        try:
            self.ask(command)
        except Refused:
            return False
        return True

    def _ask_or(self, command: str, default: str, timeout: float | None = None) -> str:
        try:
            return self._send(command, timeout or self._deadlines.command).text
        except Refused:
            return default

    def _send(self, command: str, timeout: float) -> Response:
        assert self._engine
        began = monotonic()
        try:
            answer = self._engine.send(command, timeout)
        finally:
            self.waited += monotonic() - began
        if not answer.ok:
            raise Refused(answer.text)
        return answer


def _line(text: str) -> str:
    """The first line of a text, without what cannot be stored or shown."""
    return storable(text.partition("\n")[0][:_SHOWN])


def _move(text: str) -> str:
    """The move in an answer. Raises ProtocolError for what cannot be sent to another engine."""
    move = text.strip()
    if not move:
        raise ProtocolError("answered genmove with nothing")
    if not move.isascii() or not move.isprintable() or "#" in move:
        raise ProtocolError(f"answered genmove with {move[:_SHOWN]!r}, which is no move")
    return move


def _explained(text: str) -> float | None:
    """The winrate in an explanation of a move, as a share of 1."""
    found = _WINRATE.search(text)
    return _share(found[1], 100 if found[2] else 1) if found else None


def _from_analysis(answer: Response, scale: float) -> GeneratedMove:
    """Reads the last report about the move that was made, among the lines of a genmove_analyze."""
    *lines, last = answer.text.strip().split("\n")
    word, _, move = last.strip().partition(" ")
    if word != "play":
        raise ProtocolError(f"ended an analysis with {last[:_SHOWN]!r}, not with a move")
    move = _move(move)
    return GeneratedMove(move, answer.seconds, last_winrate(lines, move, scale))


def _share(text: str, scale: float) -> float | None:
    """A winrate as an engine writes it, from 0 to 1; None if it is no such number."""
    try:
        value = float(text) / scale
    except ValueError:  # 0.5.5
        return None
    return value if 0 <= value <= 1 else None


def binary_hash(spec: EngineSpec) -> str:
    """A hash over the files that an engine's command line names: its program, scripts, nets.

    Raises CannotStart if the command line cannot be split.
    """
    program, *arguments = split_command(spec.command)
    folder = Path(spec.folder or ".")
    path = {**os.environ, **spec.environment}.get("PATH")
    found = shutil.which(program, path=path) or program
    total = hashlib.sha256()
    for name in (found, *arguments):
        file = str(folder / name)
        if os.path.isfile(file):  # unlike pathlib's, False for whatever cannot be a name
            with suppress(OSError):
                status = os.stat(file)
                total.update(_file_hash(file, status.st_size, status.st_mtime_ns))
    return total.hexdigest()[:16]


@lru_cache(maxsize=256)
def _file_hash(path: str, size: int, changed: int) -> bytes:
    """The hash of a file, size and time of change being those it has now. Raises OSError."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").digest()
