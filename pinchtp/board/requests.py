"""The requests of a page, a function for each."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Literal

from msgspec import Meta, structs

from pinchtp import render
from pinchtp.board import messages as m
from pinchtp.board.invitations import check_role, seat
from pinchtp.board.library import StoredGame
from pinchtp.board.messages import ColorName, Count, EngineNumber, Line, Name, Size, Text
from pinchtp.board.pages import Page
from pinchtp.board.registry import BadRequest, perform, read_request, request
from pinchtp.board.storage import reopen
from pinchtp.board.table import Table, new_session
from pinchtp.board.tree import Node, RequestError
from pinchtp.board.visitor import Visitor
from pinchtp.games import GAMES, MAX_SIZE, Color, Game

# Commands of our engine that visitors may not use at the console: those that name files, change
# limits of the engine, or end it.
HOST_COMMANDS = frozenset(("loadsgf", "printsgf", "pinchtp-param", "kata-set-param", "quit"))
PLAIN_COMMAND = re.compile(
    r"([a-z][a-z0-9_-]*)( [ -~]*)?", re.ASCII
)  # no id, no control characters


def handle(visitor: Visitor, page: Page, text: str) -> None:
    """Handles a request and sends its response, with the reason if it is rejected."""
    try:
        asked = read_request(text)
    except BadRequest as error:
        page.send(m.written(m.RequestRefused(0, str(error))))
        return
    visitor.presence.touch()
    answer: m.Message | None = None
    try:
        check_role(str(asked.__struct_config__.tag), visitor.table, page)
        answer = perform(asked, visitor, page)
    except RequestError as error:
        answer = m.RequestRefused(asked.id, str(error))
    visitor.update()
    if answer is not None:
        page.send(m.written(answer))
    if asked.id and not isinstance(answer, m.RequestRefused):
        page.send(m.written(m.Accepted(asked.id)))


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
    """Starts a new game. size: None: the default; options: those that differ from the defaults.

    handicap: number of black handicap stones. time: None: no clocks.
    """
    _check_players(visitor, page, players, time)
    session = new_session(_game(visitor, game), size, options or {}, handicap)
    with visitor.replacing_game():
        visitor.table.begin(session, players, time, handicap)


@request
def rematch(visitor: Visitor, exchange: bool = True) -> None:
    """Restarts the game. exchange: with colors reversed."""
    with visitor.replacing_game():
        visitor.table.rematch(exchange)


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
def load(visitor: Visitor, text: Text) -> None:
    """Loads a pasted or dropped text: SGF, a board diagram, or a list of moves.

    SGF and diagrams replace the game; moves become a variation of it, from its start.
    """
    from pinchtp.board.importing import read  # noqa: PLC0415  (readers of files are heavy)

    table = visitor.table
    loaded = read(text, table)
    if loaded.tree is table.tree:
        _show(visitor, loaded.node)
        return
    with visitor.replacing_game():
        table.load(loaded.tree, loaded.node, loaded.options, loaded.header)
    names = loaded.header.black, loaded.header.white
    if any(names):
        table.players = m.Players(*map(visitor.player_named, names))


@request
def export(
    visitor: Visitor, id: int, kind: Literal["sgf", "svg", "text"], game: Name = ""
) -> m.Exported:
    """Requests the game as sgf, or the board as svg or text. game: one in the library."""
    from pinchtp.board.importing import sgf_of  # noqa: PLC0415

    table = Table() if game else visitor.table
    if game:
        _reopen(table, visitor.library.load(game))
    session = table.session
    text = {
        "sgf": lambda: sgf_of(table, visitor.names(table)),
        "svg": lambda: render.board_svg(session),
        "text": lambda: render.board_text(session),
    }[kind]()
    suffix = {"text": "txt"}.get(kind, kind)
    name = f"{session.game.name}-{len(table.node.line()) - 1}.{suffix}"
    return m.Exported(id, kind, name, text)


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
    visitor.wishes.drop("think")
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
    visitor.wishes.drop("think")
    visitor.table.pause()


@request
def resume(visitor: Visitor) -> None:
    """Resumes the game from the displayed node."""
    visitor.table.resume()


@request
def think(visitor: Visitor, engine: EngineNumber = 0) -> None:
    """Makes an engine move once for the side to move, even if a human plays it."""
    _check_engine(visitor, engine)
    visitor.table.unrate("an engine moved for the player")
    visitor.wishes.add("think", visitor.table, engine)


@request
def set_players(visitor: Visitor, page: Page, players: m.Players) -> None:
    """Changes the players of the current game."""
    _check_players(visitor, page, players, None)
    visitor.wishes.drop("think")
    table = visitor.table
    opponents = [
        [(p.engine, p.level) for p in (both.black, both.white)] for both in (table.players, players)
    ]
    if len(table.tree) > 1 and opponents[0] != opponents[1]:
        table.unrate("the players were changed")
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
    """Answers `State.teaching`: takes the move back, or keeps it."""
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
def invite(visitor: Visitor, id: int, color: ColorName) -> m.Invitation:
    """Invites a friend to play a color of the current game, and others to watch."""
    number = visitor.invite(Color.read(color))
    friend, watcher = (visitor.invitation_path(role, number) for role in ("friend", "watcher"))
    return m.Invitation(id, friend, watcher)


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
    players[own] = structs.replace(players[own], name=name)
    table.players = m.Players(*players.values())


# --- the library


@request
def ask_games(visitor: Visitor, id: int) -> m.Games:
    """Requests the list of stored games."""
    games = visitor.library.games()
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
    visitor.library.rename(game, title)


@request
def delete_game(visitor: Visitor, game: Name) -> None:
    """Deletes a stored game."""
    visitor.library.delete(game)


@request
def restore_game(visitor: Visitor, game: Name) -> None:
    """Brings back a deleted game."""
    visitor.library.restore(game)


# --- engine tasks


@request
def analyze(visitor: Visitor, on: bool, engine: EngineNumber = 0, ownership: bool = False) -> None:
    """Starts or stops live analysis, which follows the board."""
    _check_engine(visitor, engine)
    if on:
        _seek_help(visitor, "analyze", engine, ownership)
    else:
        visitor.wishes.drop("analyze")


@request
def ask_overlay(visitor: Visitor, command: Line, engine: EngineNumber = 0) -> None:
    """Requests an overlay. command: one of EngineInfo.overlays, or empty to remove it."""
    _check_engine(visitor, engine)
    if command:
        _seek_help(visitor, "overlay", engine, command)
    else:
        visitor.wishes.drop("overlay")


@request
def ask_hint(visitor: Visitor, engine: EngineNumber = 0) -> None:
    """Requests a move suggestion."""
    _check_engine(visitor, engine)
    _check_goes_on(visitor)
    _seek_help(visitor, "hint", engine)


@request
def solve(
    visitor: Visitor,
    page: Page,
    seconds: Annotated[float, Meta(ge=0.1, le=3600)] = 30.0,
    engine: EngineNumber = 0,
) -> None:
    """Solves the position. seconds: time limit."""
    _check_engine(visitor, engine)
    _check_goes_on(visitor)
    _check_seconds(visitor, page, seconds)
    _seek_help(visitor, "solve", engine, seconds)


@request
def ask_review(
    visitor: Visitor,
    visits: Annotated[int, Meta(ge=1, le=1_000_000)] = 500,
    engine: EngineNumber = 0,
) -> None:
    """Reviews the displayed line. visits: per move."""
    _check_engine(visitor, engine)
    if len(visitor.table.line()) < 2:
        raise RequestError("no moves to review")
    _seek_help(visitor, "review", engine, visits)


@request
def console_command(
    visitor: Visitor, page: Page, id: int, line: Line, engine: EngineNumber = 0
) -> None:
    """Sends a GTP command to an engine, which is at the displayed position.

    From other machines, only commands of our engine that touch no files and no limits.
    """
    _check_engine(visitor, engine)
    if not line.partition("#")[0].strip() or "\n" in line or "\r" in line:
        raise RequestError("expected one GTP command")
    if not page.is_host:
        _check_console(visitor, engine, line)
    _seek_help(visitor, "console", engine, line, id, None if page.is_host else visitor.think)


@request
def stop(visitor: Visitor, task: Name) -> None:
    """Stops a task: analyze, review, solve, hint, overlay, console or move."""
    if task == "move":
        pause(visitor)
    else:
        visitor.wishes.drop(task)


# --- the page


@request
def set_visible(visitor: Visitor, page: Page, visible: bool) -> None:
    """Reports whether the page is visible.

    Live analysis pauses while no page of the visitor is visible, and after some minutes without
    requests from any of them.
    """
    visitor.presence.show(page, is_seen=visible)


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


def _seek_help(visitor: Visitor, kind: str, engine: int, *params: object) -> None:
    """Requests an engine task that makes the game unrated."""
    visitor.table.unrate("an engine gave help")
    visitor.wishes.add(kind, visitor.table, engine, *params)


def _game(visitor: Visitor, name: str) -> Game:
    """Returns the game with a name; the table's game if it is empty."""
    try:
        return GAMES[name] if name else visitor.table.game
    except KeyError:
        raise RequestError(f"unknown game {name!r}") from None


def _check_goes_on(visitor: Visitor) -> None:
    if visitor.table.is_over:
        raise RequestError("the game is over")


def _check_engine(visitor: Visitor, number: int) -> None:
    if number >= len(visitor.specs):
        raise RequestError(f"unknown engine {number + 1}")


def _check_players(
    visitor: Visitor, page: Page, players: m.Players, time: m.TimeSetting | None
) -> None:
    """Raises RequestError for unknown engines, and for more time than visitors may use."""
    engines = [each for each in (players.black, players.white) if each.engine is not None]
    for player in engines:
        _check_engine(visitor, player.engine or 0)
        _check_seconds(visitor, page, player.level.seconds or 0)
    if engines and time is not None:  # a move takes at most a third of the main time
        _check_seconds(visitor, page, max(time.main / 120, time.increment, time.period))


def _check_seconds(visitor: Visitor, page: Page, seconds: float) -> None:
    if not page.is_host and seconds > visitor.think:
        raise RequestError(
            f"engines think at most {visitor.think:g} s for visitors; the host's --think sets this"
        )


def _check_console(visitor: Visitor, engine: int, line: str) -> None:
    """Raises RequestError for commands reserved for the server's machine."""
    if not visitor.specs[engine].own:
        raise RequestError("the console of this engine is reserved for the host")
    command = PLAIN_COMMAND.fullmatch(line)
    if command is None or command[1] in HOST_COMMANDS:
        raise RequestError(
            f"this command is reserved for the host: {line.split(maxsplit=1)[0][:40]}"
        )
