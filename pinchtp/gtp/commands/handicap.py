"""Handicap: black stones in advance, in games that have it.

White moves after them, and there is no swap.
"""

from __future__ import annotations

from collections.abc import Sequence

from pinchtp.games import Color, Game
from pinchtp.games.handicap import MOST_FIXED, usual_points, with_black
from pinchtp.games.notation import NotationError, format_move, is_point, parse_move
from pinchtp.games.session import Session
from pinchtp.gtp import grammar
from pinchtp.gtp.engine import Engine
from pinchtp.gtp.errors import GtpError
from pinchtp.gtp.registry import command
from pinchtp.player.player import Limits

# The visits for each stone that the engine chooses.
VISITS = 2000

NOT_HERE = "`no handicap in GAME`: the game has none; `board not empty`"


def has_handicap(game: Game) -> bool:
    return game.handicap


@command(
    "fixed_handicap",
    grammar.integer("number"),
    answer="the vertices",
    fails=f"`invalid number of stones`: not in 2..{MOST_FIXED}, or too many for the board; "
    f"{NOT_HERE}",
    effect="that many black stones stand on their usual points",
    fits=has_handicap,
)
def fixed_handicap(engine: Engine, number: int) -> str:
    """Places a handicap on the usual points of Go."""
    session = _bare(engine)
    points = usual_points(session.start.width, session.start.height, number)
    if not points:
        raise GtpError("invalid number of stones", _usual_numbers(session))
    return _place(session, points)


@command(
    "place_free_handicap",
    grammar.integer("number"),
    answer="the vertices",
    fails=f"`invalid number of stones`: less than 1, or too many for the board; {NOT_HERE}",
    effect="that many black stones stand on points that the engine chose; `# interrupt` makes it "
    "choose at once",
    fits=has_handicap,
)
def place_free_handicap(engine: Engine, number: int) -> str:
    """Places a handicap on points of the engine's choice."""
    session = _bare(engine)
    if not 1 <= number < session.start.width * session.start.height / 2:
        raise GtpError("invalid number of stones", "give 1 or more, less than half of the points")
    chosen: list[int] = []
    while len(chosen) < number:
        ahead = Session.at(session.game, with_black(session, chosen, Color.BLACK))
        limits = Limits(visits=VISITS, should_stop=engine.attention.interrupted)
        chosen.append(engine.player.think(ahead, limits).choices[0].move)
    engine.player.forget()
    return _place(session, chosen)


@command(
    "set_free_handicap",
    grammar.words("vertex ...").optional(),
    fails=f"`bad vertex list`: no vertices, or one is not on the board or given twice; {NOT_HERE}",
    effect="black stones stand on these points",
    fits=has_handicap,
)
def set_free_handicap(engine: Engine, vertices: Sequence[str] | None) -> str:
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
    return ""


def _usual_numbers(session: Session) -> str:
    """What would have been right."""
    width, height = session.start.width, session.start.height
    numbers = [n for n in range(2, MOST_FIXED + 1) if usual_points(width, height, n)]
    if not numbers:
        return f"there are no usual points on {width}x{height}"
    return f"on {width}x{height} there are usual points for {numbers[0]} to {numbers[-1]} stones"


def _check_points(session: Session, points: Sequence[int]) -> None:
    """Raises GtpError for a point that is not on the board, or is there twice."""
    legal = {move for move in session.start.legal_moves() if is_point(move)}
    for number, move in enumerate(points):
        if move not in legal:
            raise GtpError("bad vertex list", f"{format_move(move)} is not on the board")
        if move in points[:number]:
            raise GtpError("bad vertex list", f"{format_move(move)} is given twice")


def _bare(engine: Engine) -> Session:
    """The session, if stones in advance can be placed. Raises GtpError."""
    session = engine.session
    if not session.game.handicap:
        raise GtpError(f"no handicap in {session.game.title}")
    if session.history or any(session.start.cells()):
        raise GtpError("board not empty")
    return session


def _place(session: Session, points: Sequence[int]) -> str:
    session.set_up(with_black(session, points, Color.WHITE))
    return " ".join(map(format_move, points))
