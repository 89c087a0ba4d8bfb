"""A position in one line, with the latest moves where its stones do not tell all."""

from __future__ import annotations

from collections.abc import Sequence

from pinchtp._core import PASS
from pinchtp.games import Color
from pinchtp.games.history import Turn
from pinchtp.games.notation import format_move
from pinchtp.games.session import Session
from pinchtp.render.text import DRAWN, MOVES, RESIGNED, SWAP_OPEN, SWAPPED, WON, rows


def board_line(session: Session) -> str:
    """The position in one line, which `read_board` reads: `.../.X./... w swap-open`.

    Rows from the top, the side to move, whether the colors were or can be swapped, and how the game
    ended. Stones do not show a turn that lacks parts, a pass, a capture that ended the game, and
    that a position came up again: then the line is of the latest position before that, and has the
    moves made since after a `+`.
    """
    turns = [turn for turn in session.turns() if turn.moves and not turn.is_idle]
    first = next((at for at in range(len(turns), 0, -1) if _is_shown(session, turns, at)), 0)
    untold = turns[first:]
    position = untold[0].before if untold else session.position
    words = ["/".join(rows(position)), Color(position.to_move).letter]
    words += [SWAPPED] * position.swapped + [SWAP_OPEN] * position.swap_open
    if session.resigned is not None:
        words.append(f"{session.resigned}{RESIGNED}")
    elif session.is_over and not untold:
        words.append(DRAWN if session.winner is None else f"{session.winner}{WON}")
    if untold:
        moves = [move for turn in untold for move in turn.moves]
        words.append(MOVES + ",".join(map(format_move, moves)))
    return " ".join(words)


def _is_shown(session: Session, turns: Sequence[Turn], at: int) -> bool:
    """Whether the stones before turn `at`, set up, and the turns from there tell how it stands."""
    position = turns[at].before if at < len(turns) else session.position
    if position.mid_turn or turns[at - 1].moves == (PASS,):
        return False
    try:
        if not position.swap_open:
            color = Color(position.to_move)
            position = session.position_of(position.cells(), color, swapped=position.swapped)
        for turn in turns[at:]:
            for move in turn.moves:
                position = position.play(move)
    except ValueError:  # nobody can stand so
        return False
    return position.result == session.position.result
