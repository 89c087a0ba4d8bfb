"""Positions from pictures, as games that begin with them."""

from __future__ import annotations

from contextlib import suppress
from itertools import product

from pinchtp import render
from pinchtp._core import PASS
from pinchtp.games import PIE, Color, Position
from pinchtp.games.history import Entry
from pinchtp.games.notation import SwapSpelling, parse_move, point_of
from pinchtp.games.session import Session
from pinchtp.render.reading import OTHER_WAY


def load_picture(text: str, session: Session) -> tuple[Position, list[Entry]]:
    """The start of a game that comes to what a picture shows, and what was done from there.

    session: of that game, with its options. Raises ValueError.
    """
    shown = render.read_board(text, session.game)
    shadow = _before_moves(session, shown)
    for word in shown.moves:
        is_pass = word.lower() == SwapSpelling.PASS  # which elsewhere may mean a swap
        shadow.play(shadow.to_move, PASS if is_pass else parse_move(word, shadow.position))
    _end(shadow, shown)
    return shadow.start, shadow.history


def _before_moves(session: Session, shown: render.Picture) -> Session:
    """A game that has come to the stones of a picture. Raises ValueError."""
    game, size = session.game, (shown.width, shown.height)
    session.new_start(*size)  # a board on which no new game could begin is refused
    if not shown.swap_open:
        return Session.at(
            game, start_from(session, *size, shown.cells, shown.to_move, swapped=shown.swapped)
        )
    agreed = game.rules({**session.options, PIE.name: True})
    openings = [each.name for each in game.options if each.opening and each.name != PIE.name]
    for values in product((False, True), repeat=len(openings)):
        with suppress(ValueError):  # a board too small for that opening, or no such move
            shadow = Session(game, *size, **agreed | dict(zip(openings, values, strict=True)))
            cells = zip(shadow.start.cells(), shown.cells, strict=True)
            (first,) = (at for at, (old, new) in enumerate(cells) if old != new)
            shadow.play(Color.BLACK, point_of(first, shown.width))
            standing = shadow.position.cells(), shadow.to_move, shadow.position.swapped
            if standing == (shown.cells, shown.to_move, shown.swapped):
                return shadow
    raise ValueError("a swap is possible only for White, after the first black stone")


def _end(shadow: Session, shown: render.Picture) -> None:
    """Ends the game in the way that a picture tells. Raises ValueError if it cannot have."""
    if shown.resigned is not None:
        if shadow.is_over:
            raise ValueError(f"{shown.resigned} has resigned, but the game was over before")
        shadow.resign(shown.resigned)
    elif shown.passed and not shadow.is_over:
        shadow.play(shadow.to_move, PASS)
    if shown.won is not None and shadow.winner != shown.won:
        raise ValueError(
            f"it says that {shown.won} has won, but its stones do not show it; {OTHER_WAY}"
        )
    if shown.drawn and not (shadow.is_over and shadow.winner is None):
        raise ValueError(
            f"it says that the game is drawn, but its stones do not show it; {OTHER_WAY}"
        )


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
