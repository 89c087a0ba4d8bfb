"""Positions set up by hand.

A position that was set up has no moves before it and no swap ahead.
"""

from __future__ import annotations

from collections.abc import Sequence

from pinchtp import render
from pinchtp.games import Color, Position, symmetry
from pinchtp.games.notation import NotationError, cell_of, coordinates, parse_move
from pinchtp.games.position import NO_CELL, stone_of, without_stones
from pinchtp.games.session import Session
from pinchtp.games.symmetry import NoSymmetry, Symmetry
from pinchtp.gtp import grammar
from pinchtp.gtp.engine import Engine
from pinchtp.gtp.errors import GtpError
from pinchtp.gtp.registry import command
from pinchtp.render.loading import load_picture, start_from

REFUSED = "cannot set up"
CANNOT_LOAD = "cannot load board"

BAD_STONES = (
    "`syntax error`: not colors and vertices in turns; "
    f"`{REFUSED}: WHY`: a vertex is not on the board or is given twice"
)

SYMMETRIES = "|".join(Symmetry)


@command(
    "gogui-setup",
    grammar.moves("color vertex ...").optional(),
    fails=f"{BAD_STONES}, or the board is not empty (what a game begins with counts as nothing)",
    effect="the stones, and no others, stand on the board, as if the game began with them; the "
    "player who moves first is to move, and there is no swap",
)
def gogui_setup(engine: Engine, stones: grammar.Moves) -> str:
    """Sets up stones before a game."""
    session = engine.session
    if session.history or session.start.cells() != session.new_start().cells():
        raise GtpError(f"{REFUSED}: the board is not empty")
    if stones:
        session.set_up(_with_stones(session, stones))
    return ""


@command(
    "gogui-setup_player",
    grammar.color(),
    fails=f"`{REFUSED}: WHY`: a move was made",
    effect="the color is to move; if it was not, there is no swap",
)
def gogui_setup_player(engine: Engine, color: Color) -> str:
    """Sets who is to move in a position that was set up."""
    session = engine.session
    if session.history:
        raise GtpError(f"{REFUSED}: a move was made")
    if color != session.to_move:
        start = session.start
        session.set_up(session.position_of(start.cells(), color, swapped=start.swapped))
    return ""


@command(
    "set_position",
    grammar.moves("color vertex ...").optional(),
    fails=BAD_STONES,
    effect="these stones, and no others, stand on the board, as if the game began with them; the "
    "player who moves first is to move, and there is no swap. Without stones: a new game. The "
    "clocks go on",
)
def set_position(engine: Engine, stones: grammar.Moves) -> str:
    """Sets up stones instead of those on the board."""
    session = engine.session
    session.set_up(_with_stones(session, stones) if stones else session.new_start())
    return ""


@command(
    "pinchtp-loadboard",
    grammar.rest("picture"),
    fails=f"`{CANNOT_LOAD}: WHY`: the picture cannot be understood, contradicts itself, shows "
    "another game, or is a drawing of what its stones do not show: a turn half made, an end by a "
    "capture or a repetition; WHY names the row and the column",
    effect="the position shown is on the board, which takes its size; there are no moves before "
    "it but those after a `+`, and no swap unless the picture offers one or shows the beginning of "
    "a game. The clocks go on",
)
def loadboard(engine: Engine, picture: str) -> str:
    """Sets up a position from a picture: an answer of showboard with its lines joined by `/` or
    `|`, an answer of pinchtp-printboard, or rows alone, from the top, such as `X.O/.../O.X w`.
    """
    session = engine.session
    try:
        start, history = load_picture(picture, session)
    except ValueError as error:
        raise GtpError(f"{CANNOT_LOAD}: {error}") from None
    session.set_up(start, history)
    return ""


@command(
    "pinchtp-printboard",
    answer="the rows from the top, separated by `/`, of `X` (Black), `O` (White), `.` (empty), and "
    "in games that have them `B` and `W` (kings), `-` (banned for this move), `?` (no point); who "
    "is to move, `b` or `w`; `swapped` if the colors were exchanged; `swap-open` if White may "
    "swap; `black-won`, `white-won`, `drawn`, `black-resigned` or "
    "`white-resigned` once the game is over. What stones do not show (a turn half made, a pass, a "
    "capture that ended the game, a draw by repetition) is told by an earlier position, and `+` "
    "with the moves made since",
)
def printboard(engine: Engine) -> str:
    """Writes the position as one line, which pinchtp-loadboard always reads."""
    return render.board_line(engine.session)


@command(
    "pinchtp-symmetry",
    grammar.word(SYMMETRIES),
    fails="`syntax error`: none of these; `cannot transpose: WHY`, or whichever it is: the game "
    "was resigned or drawn by repetition, a turn is half made, whether White swaps is not decided "
    "yet, or the board is not turned",
    effect="the game on the board is rotated by half a turn, mirrored (left and right), or flipped "
    "(top and bottom), with all its moves. `transpose` exchanges columns and rows: since the "
    "players' sides are exchanged with them, all stones and the side to move change color, and "
    "the position counts as set up",
)
def apply_symmetry(engine: Engine, name: str) -> str:
    """Replaces the game by a symmetric one."""
    if name not in tuple(Symmetry):
        raise GtpError("syntax error", f"{name!r} is none of {', '.join(Symmetry)}")
    try:
        symmetry.apply(Symmetry(name), engine.session)
    except NoSymmetry as error:
        raise GtpError(f"cannot {name}: {error}") from None
    return ""


def _with_stones(session: Session, stones: grammar.Moves) -> Position:
    """The position with these stones, the first player to move. Raises GtpError."""
    start = session.start
    cells = without_stones(start.cells())
    for color, vertex in stones:
        at = _cell(start, cells, vertex)
        if cells[at]:
            raise GtpError(f"{REFUSED}: {vertex.upper()} is given twice")
        cells[at] = stone_of(color)
    try:
        return start_from(session, start.width, start.height, bytes(cells), session.game.first)
    except ValueError as error:
        raise GtpError(f"{REFUSED}: {error}") from None


def _cell(position: Position, cells: Sequence[int], vertex: str) -> int:
    """The index of a vertex among a position's cells. Raises GtpError."""
    try:
        move = parse_move(vertex, position)
    except NotationError as error:
        raise GtpError("syntax error", str(error)) from None
    x, y = coordinates(move)
    at = cell_of(move, position.width)
    if x >= position.width or y >= position.height or cells[at] == NO_CELL:
        raise GtpError(f"{REFUSED}: {vertex!r} is not on the board")
    return at
