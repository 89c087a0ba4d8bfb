"""The position of an engine, which follows a session."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

from pinchtp.base.command_line import format_option
from pinchtp.base.text import printable, to_unicode
from pinchtp.client.client import GtpClient
from pinchtp.client.engine import SHOWN, EngineProcess, Stopped
from pinchtp.client.errors import CommandRefused, NotSupported, ProtocolError
from pinchtp.games import Color
from pinchtp.games.game import BANNED, KINGS, PIECES, color_of
from pinchtp.games.notation import RESIGN, NotationError, SwapSpelling, format_move, point_of
from pinchtp.games.play_result import PlayResult
from pinchtp.games.session import IllegalMove, Session
from pinchtp.records.position_line import position_line

_RULES = "kata-get-rules"


class EnginePosition:
    """The position of an engine, updated with as few commands as possible.

    Methods that communicate with the engine, which must be running, raise EngineError if it fails.
    """

    def __init__(self, engine: EngineProcess) -> None:
        self._engine = engine
        self._process: GtpClient | None = None  # the process whose position is known, or None
        self._start: tuple[object, ...] = ()  # the key of the start of its game; see _start_of()
        self._played: list[tuple[Color, str]] = []  # the moves of its game, as sent to engines

    def forget(self) -> None:
        """Marks the engine's position as unknown."""
        self._process = None

    def go_to(self, session: Session) -> None:
        """Brings the engine to the position of a session, with as few commands as possible.

        Raises NotSupported if the engine rejects a command, such as one for a set-up position, or
        says that it plays by other rule options.
        """
        if self._try_to_follow(session):
            return
        self._set_up(session)
        for color, text in _moves(session):
            self._play(color, text)

    def genmove(self, session: Session, timeout: float) -> PlayResult:
        """Lets the engine, which must be at the session's position, choose and play a move.

        timeout: maximum seconds. Raises NotSupported if the engine rejects the command,
        ProtocolError for an illegal move, and Stopped if the search was stopped.
        """
        try:
            result = self._engine.genmove(session.to_move, timeout)
        except Stopped:
            self.forget()
            raise
        except CommandRefused as refusal:
            raise NotSupported(f"rejected genmove: {_make_printable(str(refusal))}") from None
        result = _read(session, result)
        if result.moves:
            self._played.append((session.to_move, _text_for_engines(session, result)))
        else:
            self.forget()  # programs differ in whether `undo` takes back a resignation
        return result

    def _try_to_follow(self, session: Session) -> bool:
        """Undoes and plays moves from the engine's position.

        Returns False if its position is unknown, in another game or too far away, or if it cannot
        undo.
        """
        is_known = self._process is not None and self._process is self._engine.client
        if not is_known or self._start != _start_of(session):
            return False
        moves = list(_moves(session))
        same = 0
        for move, played in zip(moves, self._played, strict=False):
            if move != played:
                break
            same += 1
        if len(self._played) - same > max(2, same):
            return False  # a new game needs fewer commands
        try:
            for _ in range(len(self._played) - same):
                self._engine.ask("undo")
                self._played.pop()
        except CommandRefused:
            return False
        for color, text in moves[same:]:
            self._play(color, text)
        return True

    def _set_up(self, session: Session) -> None:
        start = session.start
        self.forget()
        self._engine.new_game(session.game.name, start.width, start.height)
        self._played = []
        if start == session.new_start():
            self._check_rules(session)
        else:
            self._place(session)
        self._start = _start_of(session)
        self._process = self._engine.client

    def _check_rules(self, session: Session) -> None:
        """Raises NotSupported if the engine's new game has other rule options.

        An engine that does not report its rules is assumed to have those of the session.
        """
        reported = _read_rules(self._engine)
        rules = session.game.rules_of(session.start)
        other = [
            format_option(option, rules[option.name])
            for option in session.game.options
            if reported.get(option.name, rules[option.name]) != rules[option.name]
        ]
        if other:
            options = " ".join([f"--game {session.game.name}", *other])
            raise NotSupported(f"plays by other rules: start it with {options}")

    def _place(self, session: Session) -> None:
        """Sends a start position that differs from the game's default.

        Raises NotSupported if the engine has no command for it, or only for its stones.
        """
        engine = self._engine
        start = session.start
        if engine.knows("pinchtp-loadboard"):
            bare = Session.at(session.game, start)
            engine.demand(f"pinchtp-loadboard {position_line(bare)}")
            return
        name = next(filter(engine.knows, ("set_position", "gogui-setup")), None)
        if name is None:
            raise NotSupported("does not support set-up positions")
        if start.swapped or set(start.cells()) & {*KINGS, BANNED}:
            raise NotSupported("supports only stones in set-up positions")
        engine.demand(f"{name} {' '.join(_stones(start.width, start.cells()))}")
        if engine.knows("gogui-setup_player"):  # without it, the next command has the color
            engine.demand(f"gogui-setup_player {Color(start.to_move).letter}")

    def _play(self, color: Color, text: str) -> None:
        self._engine.demand(f"play {color.letter} {text}")
        self._played.append((color, text))


def _read_rules(engine: EngineProcess) -> dict[str, object]:
    """Returns the rules of the engine's game, by name; empty if it does not report them."""
    if not engine.knows(_RULES):
        return {}
    try:
        rules = json.loads(engine.try_ask(_RULES))
    except ValueError:
        return {}
    return rules if isinstance(rules, dict) else {}


def _moves(session: Session) -> Iterator[tuple[Color, str]]:
    """Yields the moves of a session as sent to engines, with a swap as pass."""
    for turn in session.played_turns():
        for text in session.texts(turn):
            yield turn.color, SwapSpelling.PASS.value if text == SwapSpelling.SWAP else text


def _start_of(session: Session) -> tuple[object, ...]:
    """Returns the comparison key of a session's start."""
    start = session.start
    return session.game.name, start.width, start.height, tuple(session.options.items()), start


def _stones(width: int, cells: bytes) -> Iterator[str]:
    for at, cell in enumerate(cells):
        if cell in PIECES:
            yield f"{color_of(cell).letter} {format_move(point_of(at, width))}"


def _read(session: Session, result: PlayResult) -> PlayResult:
    """Returns a result with its move checked by our rules. Raises ProtocolError if illegal."""
    if result.move.lower() == RESIGN:
        return replace(result, move=RESIGN)
    try:
        moves = session.parse(result.move)
        session.copy().play(session.to_move, *moves)
    except (NotationError, IllegalMove) as error:
        shown = _make_printable(result.move)
        raise ProtocolError(f"played {shown}, which is not legal: {error}") from None
    return replace(result, move=session.format(moves), moves=moves)


def _text_for_engines(session: Session, result: PlayResult) -> str:
    """Returns the move of a result, not a resignation, in the notation of `_moves()`."""
    ahead = session.copy()
    ahead.play(ahead.to_move, *result.moves)
    return [text for _, text in _moves(ahead)][-1]


def _make_printable(text: str) -> str:
    return printable(to_unicode(text[:SHOWN]))
