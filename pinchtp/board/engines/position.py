"""Which position an engine knows, and how it is brought to another one."""

from __future__ import annotations

from pinchtp import render
from pinchtp.base.streams import printable, storable
from pinchtp.board.engines.limits import Asked
from pinchtp.board.engines.spelling import Generated, spelled, start_of, told, vertices
from pinchtp.client import ProtocolError, Refused
from pinchtp.games import Color
from pinchtp.games.position import PIECES, color_of
from pinchtp.games.session import Session


class EnginePosition:
    """The position of an engine, which is told what differs from the one that is wanted.

    Methods that talk to it raise EngineError if it fails.
    """

    def __init__(self, engine: Asked) -> None:
        self._engine = engine
        self._start: tuple[object, ...] | None = None  # of the game it knows, None if unsure
        self._told: list[tuple[Color, str]] = []

    def forget(self) -> None:
        """The engine is another process now, or may have any position."""
        self._start = None

    def go_to(self, session: Session) -> None:
        """Brings the engine to the session's position, by as few commands as possible."""
        if self._try_to_follow(session):
            return
        self._set_up(session)
        for color, text in told(session):
            self._play(color, text)

    def add(self, session: Session, generated: Generated) -> None:
        """The engine has made a move itself, from the session's position."""
        self._told.append((session.to_move, spelled(session, generated)))

    def _try_to_follow(self, session: Session) -> bool:
        """Goes on from the position that it knows, if it is told enough; False if not."""
        if self._start != start_of(session):
            return False
        wanted = list(told(session))
        same = 0
        for one, other in zip(wanted, self._told, strict=False):
            if one != other:
                break
            same += 1
        if len(self._told) - same > max(2, same):
            return False  # to begin again is shorter
        try:
            for _ in range(len(self._told) - same):
                self._engine.ask("undo")
                self._told.pop()
        except Refused:
            return False
        for color, text in wanted[same:]:
            self._play(color, text)
        return True

    def _set_up(self, session: Session) -> None:
        start = session.start
        self._start = None
        if self._engine.knows("pinchtp-game"):
            playing = self._engine.ask("pinchtp-game").split()
            if playing[:1] != [session.game.name]:
                self._demand(f"pinchtp-game {session.game.name}")
        square = start.width == start.height
        self._demand(f"boardsize {start.width}" + ("" if square else f" {start.height}"))
        self._demand("clear_board")
        self._told = []
        if start != session.new_start():
            self._place(session)
        self._start = start_of(session)

    def _place(self, session: Session) -> None:
        """A start that was set up by hand."""
        bare = Session.at(session.game, session.start)
        if self._engine.knows("pinchtp-loadboard"):
            self._demand(f"pinchtp-loadboard {render.position_line(bare)}")
            return
        start = session.start
        stones = " ".join(
            f"{color_of(cell).letter} {name}"
            for name, cell in vertices(start.width, start.cells())
            if cell in PIECES
        )
        name = next(filter(self._engine.knows, ("set_position", "gogui-setup")), None)
        if name is None:
            raise ProtocolError("cannot be given a position that was set up by hand")
        self._demand(f"{name} {stones}")
        if self._engine.knows("gogui-setup_player"):
            self._demand(f"gogui-setup_player {Color(start.to_move).letter}")

    def _demand(self, line: str) -> None:
        try:
            self._engine.ask(line)
        except Refused as refusal:
            reason = printable(storable(str(refusal)[:100]))
            raise ProtocolError(f"refused {line!r}: {reason}") from None

    def _play(self, color: Color, text: str) -> None:
        self._demand(f"play {color.letter} {text}")
        self._told.append((color, text))
