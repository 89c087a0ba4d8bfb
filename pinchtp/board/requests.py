"""What pages ask for: a function for each request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

from msgspec import Meta

from pinchtp import render
from pinchtp.board import messages as m
from pinchtp.board.messages import ColorName, Count, Line, Name, Size, Text
from pinchtp.board.registry import BadRequest, perform, read_request, request
from pinchtp.board.table import new_session
from pinchtp.board.tree import Node, RequestError
from pinchtp.board.visitor import Page, Visitor
from pinchtp.games import GAMES, MAX_SIZE, Color, Game


def handle(visitor: Visitor, page: Page, text: str) -> None:
    """Does what a page asks for, and answers it; says why if it cannot be done."""
    try:
        asked = read_request(text)
    except BadRequest as error:
        page.send(m.written(m.RequestRefused(0, str(error))))
        return
    visitor.presence.touch()
    answer: m.Message | None = None
    try:
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
    *,
    game: Name = "",
    size: tuple[Size, Size] | None = None,
    options: dict[Name, bool | int] | None = None,
    handicap: Annotated[int, Meta(ge=0, le=100)] = 0,
    players: m.Players = m.Players(),  # noqa: B008
    time: m.TimeSetting | None = None,
) -> None:
    """Begins another game. size: None: the usual one; options: those not given are as usual.

    handicap: black stones in advance, where the game has it. time: None: no clocks.
    """
    _check_players(visitor, players)
    session = new_session(_game(visitor, game), size, options or {}, handicap)
    visitor.table.begin(session, players, time, handicap)


@request
def rematch(visitor: Visitor, exchange: bool = True) -> None:
    """The same game again. exchange: players exchange colors."""
    visitor.table.rematch(exchange)


@request
def set_up(
    visitor: Visitor,
    cells: Annotated[list[int], Meta(max_length=MAX_SIZE * MAX_SIZE)],
    to_move: ColorName,
    size: tuple[Size, Size] | None = None,
    game: Name = "",
) -> None:
    """Begins from a position set up by hand, with the game and options of the board or others."""
    start = visitor.table.tree.start
    visitor.table.set_up(
        GAMES.get(game) or visitor.table.game,
        size or (start.width, start.height),
        cells,
        Color.read(to_move),
    )


@request
def load(visitor: Visitor, text: Text) -> None:
    """Loads what was pasted or dropped: SGF, a text picture, or a list of moves."""
    from pinchtp.board.importing import read  # noqa: PLC0415  (readers of files are heavy)

    visitor.table.load(*read(text, visitor.table))


@request
def export(visitor: Visitor, id: int, kind: Literal["sgf", "svg", "text"]) -> m.Exported:
    """Asks for the game as sgf, or for the board as svg or text."""
    from pinchtp.board.importing import sgf_of  # noqa: PLC0415

    table, session = visitor.table, visitor.table.session
    text = {
        "sgf": lambda: sgf_of(table, visitor.names()),
        "svg": lambda: render.board_svg(session),
        "text": lambda: render.board_text(session),
    }[kind]()
    suffix = {"text": "txt"}.get(kind, kind)
    name = f"{session.game.name}-{len(table.node.line()) - 1}.{suffix}"
    return m.Exported(id, kind, name, text)


# --- moves


@request
def play(visitor: Visitor, at: Count = 0, node: int | None = None) -> None:
    """A click: a stone's point, or the next part of a turn. node: the node that is shown."""
    _human_moves(visitor, node, lambda: visitor.table.play_part(at))


@request
def play_turn(visitor: Visitor, text: Line = "", node: int | None = None) -> None:
    """A whole turn, or a swap, pass or resignation, as text: `D4`, `e34`, `swap`."""
    _human_moves(visitor, node, lambda: visitor.table.play_text(text))


@request
def swap(visitor: Visitor) -> None:
    """The second player swaps."""
    _human_moves(visitor, None, lambda: visitor.table.play_text("swap"))


@request
def pass_(visitor: Visitor) -> None:
    """Passes, where that is a legal move."""
    _human_moves(visitor, None, lambda: visitor.table.play_text("pass"))


@request
def cancel(visitor: Visitor) -> None:
    """Takes back the parts of a turn that was begun."""
    visitor.table.cancel()


@request
def undo(visitor: Visitor) -> None:
    """Takes moves back, until it is the human's turn again; the line stays in the tree."""
    visitor.wishes.drop("think")
    visitor.table.undo()


@request
def resign(visitor: Visitor) -> None:
    """The human to move resigns; of two humans the one to move."""
    table = visitor.table
    humans = [color for color in Color if table.player(color).engine is None]
    table.resign(humans[0] if len(humans) == 1 else table.to_move)


@request
def pause(visitor: Visitor) -> None:
    """Engines do not move by themselves any more."""
    visitor.wishes.drop("think")
    visitor.table.pause()


@request
def resume(visitor: Visitor) -> None:
    """The game goes on from the node that is shown."""
    _check_goes_on(visitor)
    visitor.table.live = True
    visitor.table.resume_clock()


@request
def think(visitor: Visitor, engine: int = 0) -> None:
    """An engine moves once for the side to move, whoever plays it."""
    _check_engine(visitor, engine)
    visitor.wishes.add("think", visitor.table, engine)


@request
def set_players(visitor: Visitor, players: m.Players) -> None:
    """Changes who plays, in the middle of a game."""
    _check_players(visitor, players)
    visitor.wishes.drop("think")
    visitor.table.players = players


@request
def set_options(
    visitor: Visitor,
    teach: bool | None = None,
    pace: Annotated[float, Meta(ge=0, le=60)] | None = None,
) -> None:
    """Changes switches of the table. pace: least seconds a move of two engines takes."""
    if teach is not None:
        visitor.table.teach = teach
    if pace is not None:
        visitor.table.pace = pace


@request
def answer_teaching(visitor: Visitor, take_back: bool) -> None:
    """What to do about `State.teaching`: take the move back, or play on."""
    visitor.table.forget_lesson()
    if take_back:
        visitor.table.undo()


# --- the tree


@request
def go(visitor: Visitor, node: int) -> None:
    """Shows another node. Engines do not move by themselves until `resume`."""
    _show(visitor, visitor.table.tree.node(node))


@request
def step(visitor: Visitor, by: Annotated[int, Meta(ge=-10_000, le=10_000)]) -> None:
    """Goes so many moves forward along the line that is shown, or back (less than 0)."""
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
    """Removes a node and all that follows it."""
    table = visitor.table
    gone = table.tree.node(node)
    table.tree.delete(gone)
    if gone in table.node.line() and gone.parent is not None:
        table.live = False
        table.show(gone.parent)


@request
def promote(visitor: Visitor, node: int) -> None:
    """Makes the line that leads to a node the main line."""
    tree = visitor.table.tree
    tree.promote(tree.node(node))


# --- what engines find out


@request
def analyze(visitor: Visitor, on: bool, engine: int = 0, ownership: bool = False) -> None:
    """Starts or ends live analysis, which follows the board."""
    _check_engine(visitor, engine)
    if on:
        _seek_help(visitor, "analyze", engine, ownership)
    else:
        visitor.wishes.drop("analyze")


@request
def ask_overlay(visitor: Visitor, command: Line, engine: int = 0) -> None:
    """Asks an engine for something to draw. command: one of EngineInfo.overlays, or empty."""
    _check_engine(visitor, engine)
    if command:
        visitor.wishes.add("overlay", visitor.table, engine, command)
    else:
        visitor.wishes.drop("overlay")


@request
def ask_hint(visitor: Visitor, engine: int = 0) -> None:
    """Asks for a move."""
    _check_engine(visitor, engine)
    _check_goes_on(visitor)
    _seek_help(visitor, "hint", engine)


@request
def solve(
    visitor: Visitor,
    seconds: Annotated[float, Meta(ge=0.1, le=3600)] = 30.0,
    engine: int = 0,
) -> None:
    """Asks for a proof, within so many seconds."""
    _check_engine(visitor, engine)
    _check_goes_on(visitor)
    _seek_help(visitor, "solve", engine, seconds)


@request
def ask_review(
    visitor: Visitor,
    visits: Annotated[int, Meta(ge=1, le=1_000_000)] = 500,
    engine: int = 0,
) -> None:
    """Reviews the line that is shown, so many visits a move."""
    _check_engine(visitor, engine)
    if len(visitor.table.line()) < 2:
        raise RequestError("no moves to review")
    _seek_help(visitor, "review", engine, visits)


@request
def console_command(visitor: Visitor, id: int, line: Line, engine: int = 0) -> None:
    """A GTP command for an engine; the board stands as shown when it gets it."""
    _check_engine(visitor, engine)
    if not line.partition("#")[0].strip() or "\n" in line or "\r" in line:
        raise RequestError("expected one GTP command")
    _seek_help(visitor, "console", engine, line, id)


@request
def stop(visitor: Visitor, task: Name) -> None:
    """Ends what runs in the background. task: analyze, review, solve, hint, overlay or move."""
    if task == "move":
        pause(visitor)
    else:
        visitor.wishes.drop(task)


# --- the page


@request
def set_visible(visitor: Visitor, page: Page, visible: bool) -> None:
    """Somebody looks at the page again, or it went behind something else.

    Live analysis rests while no page of the visitor can be seen, and when none of them has asked
    for anything for some minutes.
    """
    visitor.presence.show(page, is_seen=visible)


@request
def watch(visitor: Visitor, on: bool) -> None:
    """Whether all traffic with engines is sent to the console."""
    visitor.console_is_open = on


@request
def ask_rules(visitor: Visitor, id: int, game: Name) -> m.Message:
    """Asks for the illustrated rules of a game."""
    from pinchtp.board.lessons import lesson  # noqa: PLC0415  (looked at seldom)

    return lesson(game, id)


# --- what several of them do


def _human_moves(visitor: Visitor, node: int | None, move: Callable[[], bool]) -> None:
    """A move of the visitor, unless the time is up. move: says whether it ended a turn.

    A click that was meant for another position, or for an engine's turn, is refused.
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
        table.pause()
        table.show(node)


def _seek_help(visitor: Visitor, kind: str, engine: int, *params: object) -> None:
    """Asks an engine for what makes the game count no more for the rating."""
    visitor.table.rated = False
    visitor.wishes.add(kind, visitor.table, engine, *params)


def _game(visitor: Visitor, name: str) -> Game:
    """The game of that name; that of the table if it is empty."""
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


def _check_players(visitor: Visitor, players: m.Players) -> None:
    for player in (players.black, players.white):
        _check_engine(visitor, player.engine or 0)
