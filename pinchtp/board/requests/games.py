"""Requests for other games: new ones, loaded ones, exports."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from copy import copy
from typing import Annotated, Literal

from msgspec import Meta

from pinchtp.base.text import sentence_of
from pinchtp.board.engines.jobs import LiveAnalysisTask
from pinchtp.board.pages import Page
from pinchtp.board.protocol.base import ColorName, Name, Size, Text, shown_name
from pinchtp.board.protocol.library import Exported
from pinchtp.board.protocol.players import Players, TimeSetting
from pinchtp.board.requests.engines import check_players
from pinchtp.board.requests.library import open_stored, refuse_failure
from pinchtp.board.requests.registry import request
from pinchtp.board.requests.tree import show
from pinchtp.board.roles import HOST_ONLY
from pinchtp.board.table import Table
from pinchtp.board.tree import RequestError
from pinchtp.board.visitor import Visitor
from pinchtp.games import GAMES, MAX_SIZE, Color, GameType, Position
from pinchtp.games.handicap import MOST_FIXED, usual_points, with_black
from pinchtp.games.session import Session
from pinchtp.records.link import link_text
from pinchtp.render.svg import board_svg
from pinchtp.render.text import board_text


@request
def new_game(  # noqa: PLR0913
    visitor: Visitor,
    page: Page,
    *,
    game: Name = "",
    size: tuple[Size, Size] | None = None,
    options: dict[Name, bool | int] | None = None,
    handicap: Annotated[int, Meta(ge=0, le=100)] = 0,
    players: Players = Players(),  # noqa: B008
    time: TimeSetting | None = None,
) -> None:
    """Starts a new game, without live analysis.

    game: empty: the current game. size: None: the default. options: those that differ from the
    defaults. handicap: the number of black handicap stones. time: None: no clocks.
    """
    check_players(visitor, page, players, time)
    session = _new_session(_game(visitor, game), size, options or {}, handicap)
    with visitor.shelf.replace_game():
        visitor.table.begin(session, players, time, handicap)
    visitor.set_players(players)  # the last, because it may end the invitation
    visitor.pending.drop(LiveAnalysisTask.kind)


@request
def rematch(visitor: Visitor) -> None:
    """Restarts a finished game with the colors reversed, without live analysis."""
    if not visitor.table.is_over:
        raise RequestError("the game is not over")
    with visitor.shelf.replace_game():
        visitor.table.rematch()
    visitor.pending.drop(LiveAnalysisTask.kind)


@request
def set_up(
    visitor: Visitor,
    cells: Annotated[list[int], Meta(max_length=MAX_SIZE * MAX_SIZE)],
    to_move: ColorName,
    size: tuple[Size, Size] | None = None,
    game: Name = "",
) -> None:
    """Starts a game from a set-up position. game: empty: the current game with its options."""
    start = visitor.table.tree.start
    with visitor.shelf.replace_game():
        visitor.table.set_up(
            _game(visitor, game),
            size or (start.width, start.height),
            cells,
            Color.read(to_move),
        )


@request
async def load(visitor: Visitor, text: Text) -> None:
    """Loads a pasted or dropped text: a game record in any format, a board diagram or moves.

    Moves become a variation of the game, from its start; other texts replace the game.
    """
    from pinchtp.board.importing import read  # noqa: PLC0415  (slow to load)

    table = visitor.table
    tree = table.tree
    loaded = await visitor.run_aside(read, text, copy(table))
    if loaded.is_line:
        if table.tree is not tree:
            raise RequestError("another game was started: load the moves again")
        table.check_without_friend()
        show(visitor, tree.add_line(loaded.node))
        return
    was_of_others = table.is_of_others
    with visitor.shelf.replace_game():
        table.load(loaded.tree, loaded.node, loaded.options, loaded.header)
    serial = loaded.tree.serial
    if loaded.games > 1:
        visitor.show_warning(f"There are {loaded.games} games: the first was loaded.", serial)
    if loaded.doubt:
        visitor.show_warning(sentence_of(loaded.doubt), serial)
    if loaded.refused:
        visitor.show_warning(
            f"Variations kept in the file, but not shown: {len(loaded.refused)}. "
            f"The first one: {loaded.refused[0]}.",
            serial,
        )
    names = [shown_name(each) for each in (loaded.header.black, loaded.header.white)]
    if any(names):
        table.players = Players(*map(table.find_player, names))
    elif was_of_others and table.friend is None:
        table.players = Players()


@request
async def export(
    visitor: Visitor,
    page: Page,
    id: int,
    kind: Literal["sgf", "json", "link", "gif", "cascade", "svg", "text"],
    game: Name = "",
) -> Exported:
    """Requests an export of the game or the board.

    kind: the game as sgf, json (a record of Abstract Play), a link, or gif (animated); the last
    move as cascade (animated too); or the board as svg or text. game: the id of a stored game;
    empty: the current game. Guests cannot export stored games, nor winrates before the end.
    """
    from pinchtp.board.importing import record_of, sgf_of  # noqa: PLC0415

    table = visitor.table
    is_owner = page.role == "owner"
    if game not in ("", table.id):
        if not is_owner:
            raise RequestError(HOST_ONLY)
        table = Table()
        with refuse_failure("open this game"):
            open_stored(table, visitor.library.load(game))
    session = table.session
    name = _file_name(table, is_whole=kind not in ("cascade", "svg", "text"))
    if kind in ("gif", "cascade"):
        shown = session.copy() if kind == "cascade" else _whole_line(table)
        content = await visitor.run_aside(_draw_animation, shown, kind)
        return Exported(id, f"{name}.gif", content)
    text = {
        "sgf": lambda: sgf_of(
            table, visitor.names(table), with_winrates=is_owner or table.has_ended
        ),
        "json": lambda: record_of(table, visitor.names(table)),
        "link": lambda: link_text(_whole_line(table)),
        "svg": lambda: board_svg(session),
        "text": lambda: board_text(session),
    }[kind]()
    suffix = {"text": "txt"}.get(kind, kind)
    return Exported(id, f"{name}.{suffix}", text)


def _file_name(table: Table, *, is_whole: bool) -> str:
    """Returns the name of a file, without its suffix. is_whole: whether the file has all moves."""
    start = table.tree.start
    moves = len(table.line() if is_whole else table.node.line()) - 1
    return f"{table.game.name}-{start.width}x{start.height}-{moves}-moves"


def _whole_line(table: Table) -> Session:
    """Returns the game to the end of the displayed line."""
    return table.tree.session(table.tree.end_of_line(table.node))


def _draw_animation(session: Session, kind: str) -> str:
    """Returns an animated GIF in base64. Raises RequestError for a game that is too long."""
    from pinchtp.render.gif import game_gif  # noqa: PLC0415  (slow to load)

    try:
        picture = game_gif(session, last_move=kind == "cascade")
    except ValueError as error:
        raise RequestError(str(error)) from None
    return b64encode(picture).decode()


def _game(visitor: Visitor, name: str) -> GameType:
    """Returns the game with a name; the table's game if it is empty."""
    try:
        return GAMES[name] if name else visitor.table.game
    except KeyError:
        raise RequestError(f"unknown game {name!r}") from None


def _new_session(
    game: GameType, size: tuple[int, int] | None, options: Mapping[str, bool | int], handicap: int
) -> Session:
    """Returns the start of a game. size: None: the default. Raises RequestError."""
    try:
        session = Session(game, *(size or game.size), **game.rules(options))
        if handicap:
            session.set_up(_with_handicap(session, handicap))
    except ValueError as error:
        raise RequestError(str(error)) from None
    return session


def _with_handicap(session: Session, stones: int) -> Position:
    game = session.game
    start = session.start
    if not game.handicap:
        raise RequestError(f"{game.title} has no handicap")
    points = usual_points(start.width, start.height, stones)
    if not points or any(start.cells()):
        raise RequestError(
            f"invalid handicap on this board: {stones}; "
            f"expected 2 to {MOST_FIXED}, on boards from 7x7"
        )
    return with_black(session, points, Color.WHITE)
