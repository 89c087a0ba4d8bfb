"""A move that an engine chose, ours or another program."""

from __future__ import annotations

from dataclasses import dataclass, field

from pinchtp.games.notation import RESIGN
from pinchtp.games.session import Session
from pinchtp.games.winrate import Winrate


@dataclass(frozen=True)
class PlayResult:
    """A move that an engine chose; Game.play() makes it.

    move: `resign` if it gives up. winrate: None if the engine does not report it. seconds: that the
    choice took. moves: the same move by the rules, as Session.play() takes it; empty for `resign`,
    and where a program's move was not read by rules, whose `move` is then spelled as it came.
    """

    move: str
    winrate: Winrate | None
    seconds: float
    moves: tuple[int, ...] = field(default=(), repr=False)

    @classmethod
    def of(
        cls,
        session: Session,
        moves: tuple[int, ...],
        winrate: float | None = None,
        seconds: float = 0.0,
    ) -> PlayResult:
        """Returns the choice of a turn of the side to move; no moves: it resigns."""
        text = session.format(moves) if moves else RESIGN
        return cls(text, Winrate.if_known(winrate, session.to_move), seconds, moves)
