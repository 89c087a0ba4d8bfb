"""The move that an engine chose, ours or a GTP program."""

from __future__ import annotations

from dataclasses import dataclass, field

from pinchtp.games.notation import RESIGN
from pinchtp.games.session import Session
from pinchtp.games.winrate import Winrate


@dataclass(frozen=True)
class PlayResult:
    """The move that an engine chose.

    move: the move as text, for Game.play(); `resign` if the engine resigns.
    winrate: the winrate of the side to move, in [0, 1]; None if not reported.
    seconds: the time of the choice.
    moves: the same move, for Session.play(). It is empty for `resign`, and if the move of a program
    was not checked by the rules; `move` then has the text of the program.
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
        """Returns the choice of a turn by the side to move.

        moves: for Session.play(); empty: it resigns. winrate: of the side to move. seconds: the
        time of the choice.
        """
        text = session.format(moves) if moves else RESIGN
        return cls(text, Winrate.if_known(winrate, session.to_move), seconds, moves)
