"""The requests of a page, a function for each; those for engines are in engine_requests."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import Annotated, Literal

from msgspec import Meta, structs

from pinchtp.base.streams import visible
from pinchtp.board import messages as m
from pinchtp.board.engine_requests import check_players
from pinchtp.board.jobs import LiveAnalysisTask, ThinkTask
from pinchtp.board.messages import ColorName, Count, Line, Name, Size, Text
from pinchtp.board.pages import Page, check_role, link, seat, written
from pinchtp.board.registry import BadRequest, perform, read_request, request
from pinchtp.board.saved_table import reopen
from pinchtp.board.storage import StoredGame
from pinchtp.board.table import Table, new_session
from pinchtp.board.tree import Node, RequestError
from pinchtp.board.visitor import Visitor
from pinchtp.games import GAMES, MAX_SIZE, Color, GameType
from pinchtp.games.session import Session
from pinchtp.records.link import link_text
from pinchtp.render.svg import board_svg
from pinchtp.render.text import board_text


async def handle(visitor: Visitor, page: Page, text: str) -> None:
    """Handles a request and sends its response, with the reason if it is rejected."""
    try:
        asked = read_request(text)
    except BadRequest as error:
        page.send(written(m.RequestRefused(0, str(error))))
        return
    kind = str(asked.__struct_config__.tag)
    if kind != "ping":  # which no person has sent
        visitor.presence.touch()
    answer: m.Message | None = None
    try:
        check_role(kind, visitor.table, page)
        answer = await perform(asked, visitor, page)
    except RequestError as error:
        answer = m.RequestRefused(asked.id, str(error))
    visitor.update()
    if answer is not None:
        page.send(written(answer))
    if asked.id and not isinstance(answer, m.RequestRefused):
        page.send(written(m.Accepted(asked.id)))


# --- games


@request
def new_game(  # noqa: PLR0913
    visitor: Visitor,
    page: Page,
    *,
    game: Name = "",
    size: tuple[Size, Size] | None = None,
    options: dict[Name, bool | int] | None = None,
    handicap: Annotated[int, Meta(ge=0, le=100)] = 0,
    players: m.Players = m.Players(),  # noqa: B008
    time: m.TimeSetting | None = None,
) -> None:
    """Starts a new game, without live analysis. size: None: the default.

    options: those that differ from the defaults. handicap: number of black handicap stones. time:
    None: no clocks.
    """
    check_players(visitor, page, players, time)
    session = new_session(_game(visitor, game), size, options or {}, handicap)
    visitor.seat_engines(players)
    with visitor.replacing_game():
        visitor.table.begin(session, players, time, handicap)
    visitor.wishes.drop(LiveAnalysisTask.kind)


@request
def rematch(visitor: Visitor, exchange: bool = True) -> None:
    """Restarts the game, without live analysis. exchange: with colors reversed."""
    with visitor.replacing_game():
        visitor.table.rematch(exchange)
    visitor.wishes.drop(LiveAnalysisTask.kind)


@request
def set_up(
    visitor: Visitor,
    cells: Annotated[list[int], Meta(max_length=MAX_SIZE * MAX_SIZE)],
    to_move: ColorName,
    size: tuple[Size, Size] | None = None,
    game: Name = "",
) -> None:
    """Starts a game from a set-up position. game: empty: the current one with its options."""
    start = visitor.table.tree.start
    with visitor.replacing_game():
        visitor.table.set_up(
            GAMES.get(game) or visitor.table.game,
            size or (start.width, start.height),
            cells,
            Color.read(to_move),
        )


@request
async def load(visitor: Visitor, text: Text) -> None:
    """Loads a pasted or dropped text: SGF, a board diagram, or a list of moves.

    SGF and diagrams replace the game; moves become a variation of it, from its start.
    """
    from pinchtp.board.importing import read  # noqa: PLC0415  (readers of files are heavy)

    table = visitor.table
    tree = table.tree
    loaded = await visitor.run_aside(read, text, copy(table))
    if loaded.is_line:
        if table.tree is not tree:
            raise RequestError("another game was started: load the moves again")
        _show(visitor, tree.add_line(loaded.node))
        return
    # Before the offer to undo, which a later notice would replace.
    if loaded.doubt:
        visitor.tell(f"{loaded.doubt[0].upper()}{loaded.doubt[1:]}.")
    if loaded.refused:
        visitor.tell(
            f"Variations kept in the file, but not shown: {len(loaded.refused)}. "
            f"The first one: {loaded.refused[0]}."
        )
    with visitor.replacing_game():
        table.load(loaded.tree, loaded.node, loaded.options, loaded.header)
    names = loaded.header.black, loaded.header.white
    if any(names):
        table.players = m.Players(*map(visitor.player_named, names))


@request
async def export(
    visitor: Visitor,
    id: int,
    kind: Literal["sgf", "json", "link", "gif", "cascade", "svg", "text"],
    game: Name = "",
) -> m.Exported:
    """Requests the game as sgf, json (Abstract Play's), a link or gif (animated), its last move
    as cascade (animated as well; both are data URIs), or the board as svg or text.

    game: one in the library.
    """
    from pinchtp.board.importing import record_of, sgf_of  # noqa: PLC0415

    table = Table() if game else visitor.table
    if game:
        _reopen(table, visitor.library.load(game))
    session = table.session
    name = f"{session.game.name}-{len(table.node.line()) - 1}"
    if kind in ("gif", "cascade"):
        shown = session.copy() if kind == "cascade" else _whole_line(table)
        content = await visitor.run_aside(_moving, shown, kind)
        return m.Exported(id, kind, f"{name}.gif", content)
    text = {
        "sgf": lambda: sgf_of(table, visitor.names(table)),
        "json": lambda: record_of(table, visitor.names(table)),
        "link": lambda: link_text(_whole_line(table)),
        "svg": lambda: board_svg(session),
        "text": lambda: board_text(session),
    }[kind]()
    suffix = {"text": "txt"}.get(kind, kind)
    return m.Exported(id, kind, f"{name}.{suffix}", text)


# --- moves


@request
def play(visitor: Visitor, at: Count = 0, node: int | None = None) -> None:
    """Handles a click on a point. node: the displayed node; a click on another one is rejected."""
    _human_moves(visitor, node, lambda: visitor.table.play_part(at))


@request
def play_turn(visitor: Visitor, text: Line = "", node: int | None = None) -> None:
    """Plays a complete move, a swap, a pass or a resignation: `D4`, `e34`, `swap`."""
    _human_moves(visitor, node, lambda: visitor.table.play_text(text))


@request
def swap(visitor: Visitor) -> None:
    """Swaps colors."""
    _human_moves(visitor, None, lambda: visitor.table.play_text("swap"))


@request
def pass_(visitor: Visitor) -> None:
    """Passes."""
    _human_moves(visitor, None, lambda: visitor.table.play_text("pass"))


@request
def cancel(visitor: Visitor) -> None:
    """Cancels an incomplete move."""
    visitor.table.cancel()


@request
def undo(visitor: Visitor, page: Page) -> None:
    """Takes back moves until it is a human's turn; the line stays in the tree.

    In a game with a friend, asks the other player; see answer_undo.
    """
    visitor.wishes.drop(ThinkTask.kind)
    table, color = visitor.table, seat(visitor.table, page)
    if color is None:
        table.undo()
    elif table.chosen and color == table.to_move:
        table.cancel()
    elif not any(node.color == color for node in table.node.line()):
        raise RequestError("nothing to undo")
    else:
        table.undo_asked = color


@request
def answer_undo(visitor: Visitor, page: Page, grant: bool) -> None:
    """Answers the other player's request to take back; see State.undo_asked."""
    table, asked = visitor.table, visitor.table.undo_asked
    if asked is None or asked == seat(table, page):
        raise RequestError("there is no request to take back")
    table.undo_asked = None
    if grant:
        table.cancel()
        table.undo(asked)


@request
def resign(visitor: Visitor, page: Page) -> None:
    """Resigns for the human; for the side to move if one person plays both colors."""
    table, own = visitor.table, seat(visitor.table, page)
    humans = [color for color in Color if table.player(color).engine is None]
    table.resign(own if own is not None else humans[0] if len(humans) == 1 else table.to_move)


@request
def pause(visitor: Visitor) -> None:
    """Pauses the game: engines stop moving."""
    visitor.wishes.drop(ThinkTask.kind)
    visitor.table.pause()


@request
def resume(visitor: Visitor) -> None:
    """Resumes the game from the displayed node."""
    visitor.table.resume()


@request
def set_players(visitor: Visitor, page: Page, players: m.Players) -> None:
    """Changes the players of the current game."""
    check_players(visitor, page, players, None)
    visitor.wishes.drop(ThinkTask.kind)
    table = visitor.table
    opponents = [
        [(p.engine, p.level) for p in (both.black, both.white)] for both in (table.players, players)
    ]
    if len(table.tree) > 1 and opponents[0] != opponents[1]:
        table.unrate("the players were changed")
    visitor.seat_engines(players)
    table.players = players


@request
def set_options(
    visitor: Visitor,
    teach: bool | None = None,
    pace: Annotated[float, Meta(ge=0, le=60)] | None = None,
) -> None:
    """Changes settings of the table.

    pace: minimum seconds per move between two engines, without clocks.
    """
    if teach is not None:
        visitor.table.teach = teach
    if pace is not None:
        visitor.table.pace = pace


@request
def answer_teaching(visitor: Visitor, take_back: bool) -> None:
    """Answers `State.teaching`: takes the move back, or plays on."""
    visitor.table.forget_lesson()
    if take_back:
        visitor.table.undo()


# --- the tree


@request
def go(visitor: Visitor, node: int) -> None:
    """Shows another node. Engines wait until `resume`."""
    _show(visitor, visitor.table.tree.node(node))


@request
def step(visitor: Visitor, by: Annotated[int, Meta(ge=-10_000, le=10_000)]) -> None:
    """Shows a node further along the displayed line, or earlier. by: moves, negative: back."""
    line = visitor.table.line()
    at = line.index(visitor.table.node) + by
    _show(visitor, line[max(0, min(at, len(line) - 1))])


@request
def comment(visitor: Visitor, node: int, text: Text) -> None:
    """Sets the comment of a node."""
    tree = visitor.table.tree
    tree.comment(tree.node(node), text)


@request
def delete(visitor: Visitor, node: int) -> None:
    """Removes a node and its descendants."""
    table = visitor.table
    gone = table.tree.node(node)
    table.tree.delete(gone)
    if gone in table.node.line() and gone.parent is not None:
        table.show(gone.parent)


@request
def undelete(visitor: Visitor) -> None:
    """Brings back the branch deleted last."""
    table = visitor.table
    table.show(table.tree.undelete())


@request
def promote(visitor: Visitor, node: int) -> None:
    """Promotes the line to a node to the main line."""
    tree = visitor.table.tree
    tree.promote(tree.node(node))


# --- invitations


@request
def invite(visitor: Visitor, page: Page, id: int, color: ColorName) -> m.Invitation:
    """Invites a friend to play a color of the current game, and others to watch."""
    number, address = visitor.invite(Color.read(color)), page.address or visitor.address
    friend, watcher = (visitor.invitation_path(role, number) for role in ("friend", "watcher"))
    return m.Invitation(id, link(address, friend), link(address, watcher))


@request
def end_invitation(visitor: Visitor) -> None:
    """Ends the invitation."""
    visitor.end_invitation()


@request
def set_name(visitor: Visitor, page: Page, name: Name) -> None:
    """Names the player of this page's color, in a game with a friend."""
    table, own = visitor.table, seat(visitor.table, page)
    if own is None:
        raise RequestError("only a player has a name")
    players = {color: table.player(color) for color in Color}
    players[own] = structs.replace(players[own], name=visible(name))
    table.players = m.Players(*players.values())


# --- the library


@request
def ask_games(visitor: Visitor, id: int) -> m.Games:
    """Requests the list of stored games."""
    games, damaged = visitor.library.games()
    for file in damaged:
        visitor.tell(f"A stored game cannot be read. It was set aside as {file.name}.")
    return m.Games(id, [each for each in games if each.id != visitor.table.id])


@request
def open_game(visitor: Visitor, game: Name) -> None:
    """Opens a stored game, paused."""
    stored = visitor.library.load(game)
    with visitor.replacing_game():
        _reopen(visitor.table, stored)


@request
def rename_game(visitor: Visitor, game: Name, title: Name) -> None:
    """Changes the title of a stored game."""
    visitor.library.rename(game, visible(title))


@request
def delete_game(visitor: Visitor, game: Name) -> None:
    """Deletes a stored game."""
    visitor.library.delete(game)


@request
def restore_game(visitor: Visitor, game: Name) -> None:
    """Brings back a deleted game."""
    visitor.library.restore(game)


# --- puzzles


@request
def ask_puzzles(visitor: Visitor, id: int) -> m.Message:
    """Requests the list of the package's puzzles."""
    from pinchtp.board.puzzles import listed  # noqa: PLC0415  (rarely used)

    return listed(visitor.table.solved, id)


@request
def open_puzzle(visitor: Visitor, id: int, puzzle: Name) -> m.Message:
    """Puts a puzzle on the board, paused."""
    from pinchtp.board.puzzles import opened, puzzle_named  # noqa: PLC0415

    found = puzzle_named(puzzle)
    session = found.session()
    with visitor.replacing_game():
        visitor.table.pose(found.id, session)
    visitor.wishes.drop(LiveAnalysisTask.kind)
    return opened(found, session, id)


@request
def mark_solved(visitor: Visitor, puzzle: Name) -> None:
    """Remembers that the visitor has solved a puzzle."""
    from pinchtp.board.puzzles import puzzle_named  # noqa: PLC0415

    visitor.table.solved.add(puzzle_named(puzzle).id)


# --- the page


@request
def set_visible(visitor: Visitor, page: Page, visible: bool) -> None:
    """Reports whether the page is visible.

    Live analysis pauses while no page of the visitor is visible, and after some minutes without
    requests from any of them.
    """
    visitor.presence.show(page, is_seen=visible)


@request
def ping() -> None:
    """Asks for a sign of life."""


@request
def watch(visitor: Visitor, on: bool) -> None:
    """Turns the GTP log of the console on or off."""
    visitor.console_is_open = on


@request
def ask_rules(visitor: Visitor, id: int, game: Name) -> m.Message:
    """Requests the illustrated rules of a game."""
    from pinchtp.board.lessons import lesson  # noqa: PLC0415  (rarely used)

    return lesson(game, id)


# --- helpers


def _reopen(table: Table, stored: StoredGame) -> None:
    """Puts a stored game on a table. Raises RequestError."""
    try:
        reopen(table, bytes(stored.table))
    except ValueError as error:
        raise RequestError(f"cannot open this game: {error}") from None
    table.header = replace(table.header, name=stored.summary.title)


def _whole_line(table: Table) -> Session:
    """Returns the game to the end of the displayed line."""
    return table.tree.session(table.tree.end_of_line(table.node))


def _moving(session: Session, kind: str) -> str:
    """Returns a moving picture as a data URI. Raises RequestError for a game that is too long."""
    from pinchtp.render.gif import game_gif  # noqa: PLC0415  (Pillow is heavy)

    try:
        picture = game_gif(session, last_move=kind == "cascade")
    except ValueError as error:
        raise RequestError(str(error)) from None
    return f"data:image/gif;base64,{b64encode(picture).decode()}"


def _human_moves(visitor: Visitor, node: int | None, move: Callable[[], bool]) -> None:
    """Makes a move of the visitor unless the flag has fallen. Raises RequestError.

    move: returns whether it completed a move. A move for another node or on an engine's turn is
    rejected.
    """
    table = visitor.table
    if node is not None and node != table.node.id:
        raise RequestError("the board has changed")
    if table.remark is not None:
        raise RequestError("answer the teaching prompt first: take back or play on")
    if table.awaits_engine:
        raise RequestError(f"it is {visitor.name(table.to_move)}'s turn")
    if not table.check_time() and move():
        table.judge_last()


def _show(visitor: Visitor, node: Node) -> None:
    table = visitor.table
    if node is not table.node or table.chosen:
        table.show(node)


def _game(visitor: Visitor, name: str) -> GameType:
    """Returns the game with a name; the table's game if it is empty."""
    try:
        return GAMES[name] if name else visitor.table.game
    except KeyError:
        raise RequestError(f"unknown game {name!r}") from None
