"""Boards as pictures: text for people at a terminal."""

from __future__ import annotations

from pinchtp._core import PASS
from pinchtp.games import Color
from pinchtp.notation import COLUMNS, format_move, point
from pinchtp.session import Session

STONES = {Color.BLACK: "X", Color.WHITE: "O"}
CHAIN = {Color.BLACK: "#", Color.WHITE: "@"}  # stones of the winning chain
EDGES = {Color.BLACK: "x", Color.WHITE: "o"}


def board_text(session: Session) -> str:
    """The board with coordinates, owners of the edges, the last move and how the game stands.

    The lines hold no blank line, so that they can be an answer of GTP.
    """
    return "\n".join([*_diagram(session), *_status(session)])


def _diagram(session: Session) -> list[str]:
    width = session.position.width
    letters = "      " + " ".join(COLUMNS[:width])
    top_bottom, left_right = _edges(session)
    border = ["      " + " ".join(top_bottom * width)] if session.game.sides else []
    rows = [
        f" {y + 1:2} {left_right}{row}{left_right} {y + 1}" for y, row in enumerate(_rows(session))
    ]
    return [letters, *border, *reversed(rows), *border, letters]


def _edges(session: Session) -> tuple[str, str]:
    """The marks of top and bottom, and of left and right."""
    if not session.game.sides:
        return " ", " "
    owner = Color.WHITE if session.position.swapped else Color.BLACK
    return EDGES[owner], EDGES[owner.opponent]


def _rows(session: Session) -> list[str]:
    """The rows from the bottom, each point between blanks, or parentheses if it was played last."""
    position = session.position
    cells = position.cells()
    chain = set(position.winning_chain)
    last_move = session.last_move
    rows = []
    for y in range(position.height):
        row = " "
        for x in range(position.width):
            here = point(x, y)
            cell = cells[y * position.width + x]
            signs = CHAIN if here in chain else STONES
            sign = signs[Color(cell - 1)] if cell else "."
            row = row[:-1] + f"({sign})" if here == last_move else row + f"{sign} "
        rows.append(row)
    return rows


def _status(session: Session) -> list[str]:
    position = session.position
    number = len(session.moves) + (not session.is_over)
    board = f"{session.game.title} {position.width}x{position.height}"
    lines = [f"{board}, move {number}: {_turn(session)}"]
    if session.game.sides:
        owner = Color.WHITE if position.swapped else Color.BLACK
        lines.append(f"{_name(owner)} joins top and bottom, {_name(owner.opponent)} left and right")
    moved = [turn for turn in session.history if turn.move not in (None, PASS)]
    if moved:
        last = moved[-1]
        lines.append(f"Last move: {last.color} {format_move(last.move or 0)}")
    if position.swapped:
        lines.append("The colors were swapped")
    if position.swap_open and not session.is_over:
        lines.append(f"{session.to_move!s} may swap".capitalize())
    return lines


def _name(color: Color) -> str:
    return f"{color!s}".capitalize() + f" ({STONES[color]})"


def _turn(session: Session) -> str:
    if session.resigned is not None:
        return f"{session.resigned!s} has resigned, {session.winner!s} wins"
    if session.winner is not None:
        return f"{session.winner!s} has won, chain {CHAIN[session.winner]}"
    if session.is_over:
        return "the game is drawn"
    return f"{session.to_move!s} to move"
