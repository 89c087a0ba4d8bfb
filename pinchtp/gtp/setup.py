"""Set-up positions and handicap.

A set-up position has no history and no swap. White moves after handicap stones, without a swap.
"""

from __future__ import annotations

from collections.abc import Sequence

from pinchtp.games import Color, GameType, Position
from pinchtp.games.game import place_stones
from pinchtp.games.handicap import MOST_FIXED, usual_points, with_black
from pinchtp.games.notation import (
    NotationError,
    format_move,
    is_point,
    parse_move,
)
from pinchtp.games.session import Session
from pinchtp.gtp import GtpError, arguments
from pinchtp.gtp.commands import command
from pinchtp.gtp.engine import GtpEngine
from pinchtp.player.player import Limits
from pinchtp.records.errors import RecordError
from pinchtp.records.position_line import position_line, start_from

REFUSED = "cannot set up"
CANNOT_LOAD = "cannot load board"

BAD_STONES = (
    "`syntax error`: not alternating colors and vertices; "
    f"`{REFUSED}: WHY`: a vertex is off the board or repeated"
)


@command(
    "gogui-setup",
    arguments.moves("color vertex ...").optional(),
    fails=f"{BAD_STONES}, or the board is not empty (except for stones of the start)",
    effect="the game starts with exactly these stones; the first player is to move, without a swap",
)
def gogui_setup(engine: GtpEngine, stones: arguments.Moves) -> None:
    """Sets up stones before a game."""
    session = engine.session
    if not session.is_new:
        raise GtpError(f"{REFUSED}: the board is not empty")
    if stones:
        session.set_up(_with_stones(session, stones))


@command(
    "gogui-setup_player",
    arguments.color(),
    fails=f"`{REFUSED}: WHY`: a move was made, or points are banned for the other color",
    effect="the color is to move; a change removes the swap",
)
def gogui_setup_player(engine: GtpEngine, color: Color) -> None:
    """Sets the side to move of a set-up position."""
    session = engine.session
    if session.history:
        raise GtpError(f"{REFUSED}: a move was made")
    if color != session.to_move:
        start = session.start
        try:
            position = session.position_of(start.cells(), color, swapped=start.swapped)
        except ValueError as error:  # points are banned for the other color
            raise GtpError(f"{REFUSED}: {error}") from None
        session.set_up(position)


@command(
    "set_position",
    arguments.moves("color vertex ...").optional(),
    fails=BAD_STONES,
    effect="the game starts with exactly these stones; the first player is to move, without a "
    "swap. Without stones: a new game. The clocks continue",
)
def set_position(engine: GtpEngine, stones: arguments.Moves) -> None:
    """Replaces the stones on the board."""
    session = engine.session
    session.set_up(_with_stones(session, stones) if stones else session.new_start())


@command(
    "pinchtp-loadboard",
    arguments.rest("position"),
    fails=f"`{CANNOT_LOAD}: WHY`: not a position of this game, contradictory, or an end that the "
    "stones do not show; WHY has row and column",
    effect="the board has this position and size; only moves after a `+` can be undone; a swap is "
    "possible only with `swap-open` or from the start of a game. The clocks continue",
)
def loadboard(engine: GtpEngine, text: str) -> None:
    """Sets up a position: a response of pinchtp-printboard, or rows from the top, such as
    `X.O/.../O.X w`.
    """
    from pinchtp.records.reader import read_position  # noqa: PLC0415  (start-up time)

    session = engine.session
    try:
        record = read_position(text, session)
    except RecordError as error:
        raise GtpError(f"{CANNOT_LOAD}: {error}") from None
    session.set_up(record.start, record.history)


@command(
    "pinchtp-printboard",
    answer="the rows from the top, separated by `/`, of `X` (Black), `O` (White), `.` (empty), and "
    "in games that have them `B` and `W` (kings), `-` (banned for this move), `?` (no point); who "
    "is to move, `b` or `w`; `swapped` after a swap; `swap-open` if White may swap; `black-won`, "
    "`white-won`, `drawn`, `black-resigned` or `white-resigned` after the end. Where stones do not "
    "show everything (an incomplete move, a pass, a winning capture, a draw by repetition), an "
    "earlier position and `+` with the moves since",
)
def printboard(engine: GtpEngine) -> str:
    """Prints the position as one line, which pinchtp-loadboard reads."""
    return position_line(engine.session)


def _with_stones(session: Session, stones: arguments.Moves) -> Position:
    """Returns the position with these stones and the first player to move. Raises GtpError."""
    start = session.start
    try:
        cells = place_stones(start, stones)
        return start_from(session, start.width, start.height, cells, session.game.first)
    except NotationError as error:
        raise GtpError("syntax error", str(error)) from None
    except ValueError as error:
        raise GtpError(f"{REFUSED}: {error}") from None


VISITS = 2000  # per handicap stone that the engine chooses

NOT_EMPTY = "`board not empty`"


def has_handicap(game: GameType) -> bool:
    return game.handicap


@command(
    "fixed_handicap",
    arguments.integer("number"),
    answer="the vertices",
    fails=f"`invalid number of stones`: not in 2..{MOST_FIXED}, or too many for the board; "
    f"{NOT_EMPTY}",
    effect="black stones are placed on the usual points",
    available_in=has_handicap,
)
def fixed_handicap(engine: GtpEngine, number: int) -> str:
    """Places a handicap on the usual points of Go."""
    session = _bare(engine)
    points = usual_points(session.start.width, session.start.height, number)
    if not points:
        raise GtpError("invalid number of stones", _usual_numbers(session))
    return _place(session, points)


@command(
    "place_free_handicap",
    arguments.integer("number"),
    answer="the vertices",
    fails=f"`invalid number of stones`: less than 1, or too many for the board; {NOT_EMPTY}",
    effect="black stones are placed on chosen points; `# interrupt` shortens the choice",
    available_in=has_handicap,
)
def place_free_handicap(engine: GtpEngine, number: int) -> str:
    """Places a handicap on points that the engine chooses."""
    session = _bare(engine)
    if not 1 <= number < session.start.width * session.start.height / 2:
        raise GtpError("invalid number of stones", "give 1 or more, less than half of the points")
    chosen: list[int] = []
    while len(chosen) < number:
        ahead = Session.at(session.game, with_black(session, chosen, Color.BLACK))
        limits = Limits(visits=VISITS, should_stop=engine.attention.is_interrupted)
        chosen.append(engine.player.search(ahead, limits).choices[0].move)
    engine.player.forget()
    return _place(session, chosen)


@command(
    "set_free_handicap",
    arguments.words("vertex ...").optional(),
    fails=f"`bad vertex list`: empty, or a vertex is off the board or repeated; {NOT_EMPTY}",
    effect="black stones are placed on these points",
    available_in=has_handicap,
)
def set_free_handicap(engine: GtpEngine, vertices: Sequence[str] | None) -> None:
    """Places a handicap on given points."""
    session = _bare(engine)
    try:
        points = [parse_move(vertex, session.start) for vertex in vertices or ()]
    except NotationError as error:
        raise GtpError("bad vertex list", str(error)) from None
    if not points:
        raise GtpError("bad vertex list", "give one vertex or more")
    _check_points(session, points)
    try:
        _place(session, points)
    except ValueError as error:  # a group without a liberty
        raise GtpError("bad vertex list", str(error)) from None


def _usual_numbers(session: Session) -> str:
    """Returns the valid numbers of stones, for messages."""
    width, height = session.start.width, session.start.height
    numbers = [n for n in range(2, MOST_FIXED + 1) if usual_points(width, height, n)]
    if not numbers:
        return f"{width}x{height} has no handicap points"
    return f"{width}x{height} has handicap points for {numbers[0]} to {numbers[-1]} stones"


def _check_points(session: Session, points: Sequence[int]) -> None:
    """Raises GtpError for a point that is off the board or repeated."""
    legal = {move for move in session.start.legal_moves() if is_point(move)}
    for number, move in enumerate(points):
        if move not in legal:
            raise GtpError("bad vertex list", f"{format_move(move)} is not on the board")
        if move in points[:number]:
            raise GtpError("bad vertex list", f"{format_move(move)} is given twice")


def _bare(engine: GtpEngine) -> Session:
    """Returns the session, on which handicap stones can be placed. Raises GtpError if not."""
    session = engine.session
    if session.history or any(session.start.cells()):
        raise GtpError("board not empty")
    return session


def _place(session: Session, points: Sequence[int]) -> str:
    session.set_up(with_black(session, points, Color.WHITE))
    return " ".join(map(format_move, points))
