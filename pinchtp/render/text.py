"""Boards as text: for people at a terminal, and in one line."""

from __future__ import annotations

from pinchtp._core import PASS, Position
from pinchtp.games import Color
from pinchtp.notation import COLUMNS, format_move, point
from pinchtp.session import Session

EMPTY = "."
STONES = {Color.BLACK: "X", Color.WHITE: "O"}
# Stones of the winning chain. No `#`: a picture can be sent back as an argument, and there that
# sign would begin a comment.
CHAIN = {Color.BLACK: "%", Color.WHITE: "@"}
EDGES = {Color.BLACK: "x", Color.WHITE: "o"}

SWAPPED = "swapped"
SWAP_OPEN = "swap-open"

_SIGNS = bytes.maketrans(bytes(range(3)), (EMPTY + "".join(STONES.values())).encode())


def board_text(session: Session) -> str:
    """The board with coordinates, owners of the edges, the last move and how the game stands.

    The lines hold no blank line, so that they can be an answer of GTP.
    """
    return "\n".join([*_diagram(session), *_status(session)])


def board_line(position: Position) -> str:
    """The position in one line, which `read_board` reads: `.../.X./... w swap-open`.

    Rows from the top, the side to move, and whether the colors were or can be swapped.
    """
    words = ["/".join(rows(position)), Color(position.to_move).name[0].lower()]
    words += [SWAPPED] * position.swapped + [SWAP_OPEN] * position.swap_open
    return " ".join(words)


def rows(position: Position) -> list[str]:
    """The rows from the top, a sign for each point: `X`, `O` or `.`."""
    signs = position.cells().translate(_SIGNS).decode()
    width = position.width
    return [signs[at : at + width] for at in range(len(signs) - width, -1, -width)]


def edge_owners(session: Session) -> tuple[Color, Color] | None:
    """Who joins top and bottom, and who left and right; None in a game without sides."""
    if not session.game.sides:
        return None
    owner = Color.WHITE if session.position.swapped else Color.BLACK
    return owner, owner.opponent


def standing(session: Session) -> str:
    """A sentence about how the game stands or ended, without a full stop."""
    if session.resigned is not None:
        return f"{_name(session.resigned.opponent)} wins: {session.resigned} has resigned"
    if session.winner is not None:
        owners = edge_owners(session)
        if owners is None:
            return f"{_name(session.winner)} wins"
        sides = "top and bottom" if session.winner == owners[0] else "left and right"
        return f"{_name(session.winner)} wins: {sides} are joined"
    return "Draw" if session.is_over else f"{_name(session.to_move)} to move"


def _diagram(session: Session) -> list[str]:
    width = session.position.width
    letters = "      " + " ".join(COLUMNS[:width])
    owners = edge_owners(session)
    top, left = (" ", " ") if owners is None else (EDGES[owners[0]], EDGES[owners[1]])
    border = ["      " + " ".join(top * width)] if session.game.sides else []
    lines = [f" {y + 1:2} {left}{row}{left} {y + 1}" for y, row in enumerate(_spaced_rows(session))]
    return [letters, *border, *reversed(lines), *border, letters]


def _spaced_rows(session: Session) -> list[str]:
    """The rows from the bottom, each point between blanks, or parentheses if it was played last."""
    position = session.position
    cells = position.cells()
    chain = set(position.winning_chain)
    last_move = session.last_move
    lines = []
    for y in range(position.height):
        row = " "
        for x in range(position.width):
            here = point(x, y)
            cell = cells[y * position.width + x]
            signs = CHAIN if here in chain else STONES
            sign = signs[Color(cell - 1)] if cell else EMPTY
            row = row[:-1] + f"({sign})" if here == last_move else row + f"{sign} "
        lines.append(row)
    return lines


def _status(session: Session) -> list[str]:
    position = session.position
    number = len(session.moves) + (not session.is_over)
    board = f"{session.game.title} {position.width}x{position.height}"
    lines = [f"{board}, move {number}: {_turn(session)}"]
    if owners := edge_owners(session):
        first, second = (f"{_name(owner)} ({STONES[owner]})" for owner in owners)
        lines.append(f"{first} joins top and bottom, {second} left and right")
    moved = [turn for turn in session.history if turn.move not in (None, PASS)]
    if moved:
        last = moved[-1]
        lines.append(f"Last move: {last.color} {format_move(last.move or 0)}")
    if position.swapped:
        lines.append("The colors were swapped")
    if position.swap_open and not session.is_over:
        lines.append(f"{_name(session.to_move)} may swap")
    return lines


def _turn(session: Session) -> str:
    if session.resigned is not None:
        resigned = f"{session.resigned} has resigned, {session.resigned.opponent} wins"
        return f"{session.to_move} to move, but {resigned}"
    if session.winner is not None:
        return f"{session.winner} has won, chain {CHAIN[session.winner]}"
    if session.is_over:
        return "the game is drawn"
    return f"{session.to_move} to move"


def _name(color: Color) -> str:
    return str(color).capitalize()
