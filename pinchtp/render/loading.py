"""Positions from pictures, as games that begin with them."""

from __future__ import annotations

from pinchtp import render
from pinchtp._core import PASS
from pinchtp.games import PIE, Color, Position
from pinchtp.games.cells import stone_of
from pinchtp.games.history import Entry
from pinchtp.games.notation import parse_move, point_of
from pinchtp.games.session import Session


def load_picture(text: str, session: Session) -> tuple[Position, list[Entry]]:
    """The start of a game that comes to what a picture shows, and what was done from there.

    session: of that game, with its options. Raises ValueError.
    """
    shown = render.read_board(text, session.game)
    start = _shown_start(session, shown)
    return start, _shown_history(session, start, shown)


def _shown_start(session: Session, shown: render.Picture) -> Position:
    """The start of the game that a picture is the latest position of. Raises ValueError."""
    width, height = shown.width, shown.height
    if shown.swap_open:
        return session.game.start(width, height, **{PIE.name: True})
    return start_from(session, width, height, shown.cells, shown.to_move, swapped=shown.swapped)


def _shown_history(session: Session, start: Position, shown: render.Picture) -> list[Entry]:
    """What was done from the start to what a picture shows. Raises ValueError."""
    shadow = Session.at(session.game, start)
    if shown.swap_open:
        first = shown.cells.index(stone_of(Color.BLACK))
        shadow.play(Color.BLACK, point_of(first, shown.width))
    for part in shown.parts:
        move = parse_move(part, shadow.position)
        shadow.play(shadow.to_move, move)
        if move != PASS and not shadow.position.mid_turn:
            raise ValueError(f"{part}: what stands behind `+` are parts of a turn that lacks some")
    _end(shadow, shown)
    return shadow.history


def _end(shadow: Session, shown: render.Picture) -> None:
    """Ends the game in the way that a picture tells. Raises ValueError if it cannot have."""
    if shown.resigned is not None:
        if shadow.is_over:
            raise ValueError(f"{shown.resigned} has resigned, but the game was over before")
        shadow.resign(shown.resigned)
    elif shown.passed and not shadow.is_over:
        shadow.play(shadow.to_move, PASS)
    if shown.won is not None and shadow.winner != shown.won:
        raise ValueError(f"it says that {shown.won} has won, but its stones do not show it")
    if shown.drawn and not (shadow.is_over and shadow.winner is None):
        raise ValueError("the game was drawn by repetition, which no picture can tell")


def start_from(  # noqa: PLR0913  (what makes a position)
    session: Session,
    width: int,
    height: int,
    cells: bytes,
    to_move: Color,
    *,
    swapped: bool = False,
) -> Position:
    """A position to start from, a new game's if it is the same. Raises ValueError."""
    usual = session.new_start(width, height)
    if cells == usual.cells() and to_move == usual.to_move and not swapped:
        return usual
    return session.game.set_up(
        width, height, cells, to_move, swapped=swapped, options=session.options
    )
