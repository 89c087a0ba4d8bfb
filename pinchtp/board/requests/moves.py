"""Requests of players: moves, undo, the players and how they play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from msgspec import Meta

from pinchtp.board.engines.jobs import ThinkTask
from pinchtp.board.pages import Page, to_json
from pinchtp.board.protocol.answers import Notice
from pinchtp.board.protocol.base import Count, Line
from pinchtp.board.protocol.players import Players
from pinchtp.board.requests.engines import check_players
from pinchtp.board.requests.registry import request
from pinchtp.board.roles import find_seat
from pinchtp.board.tree import RequestError
from pinchtp.board.visitor import Visitor
from pinchtp.games import Color

NOT_ASKED = "there is no request to take a move back"


@request
def play(visitor: Visitor, at: Count = 0, node: int | None = None) -> None:
    """Handles a click on a point.

    node: the node that the page displays; the click is rejected if the table displays another one.
    """
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

    A finished game is stored first. In a game with a friend, asks the other player; see
    answer_undo and withdraw_undo.
    """
    visitor.pending.drop(ThinkTask.kind)
    table = visitor.table
    color = find_seat(table, page)
    if color is None:
        with visitor.shelf.keep_ended():
            table.undo()
    elif not table.can_undo(color):
        raise RequestError("nothing to undo")
    elif table.chosen and color == table.to_move:
        table.cancel()
    else:
        table.undo_asked = color


@request
def answer_undo(visitor: Visitor, page: Page, grant: bool) -> None:
    """Answers the other player's request to take back; see State.undo_asked."""
    table = visitor.table
    asked = table.undo_asked
    if asked is None or asked == find_seat(table, page):
        raise RequestError(NOT_ASKED)
    table.undo_asked = None
    if not grant:
        _notify_player(visitor, asked, "The other player declined.")
        return
    table.cancel()
    with visitor.shelf.keep_ended():
        table.undo(asked)


@request
def withdraw_undo(visitor: Visitor, page: Page) -> None:
    """Withdraws this page's request to take back; see State.undo_asked."""
    table = visitor.table
    asked = table.undo_asked
    if asked is None or asked != find_seat(table, page):
        raise RequestError(NOT_ASKED)
    table.undo_asked = None
    _notify_player(
        visitor, asked.opponent, "The other player withdrew the request to take a move back."
    )


@request
def resign(visitor: Visitor, page: Page) -> None:
    """Resigns for the human; for the side to move if one person plays both colors."""
    table = visitor.table
    own = find_seat(table, page)
    humans = [color for color in Color if table.player(color).engine is None]
    table.resign(own if own is not None else humans[0] if len(humans) == 1 else table.to_move)


@request
def pause(visitor: Visitor) -> None:
    """Pauses the game: engines stop moving, and clocks stop."""
    visitor.table.check_without_friend()
    visitor.pending.drop(ThinkTask.kind)
    visitor.table.pause()


@request
def resume(visitor: Visitor) -> None:
    """Resumes the game from the displayed node. A finished game is stored first."""
    with visitor.shelf.keep_ended():
        visitor.table.resume()


@request
def set_players(visitor: Visitor, page: Page, players: Players) -> None:
    """Changes the players of the current game.

    In a game with a friend, an engine cannot play for the host; for the friend, it ends the
    invitation.
    """
    check_players(visitor, page, players, None)
    table = visitor.table
    host = players.white if find_seat(table, page) == Color.WHITE else players.black
    if host.engine is not None:
        table.check_without_friend()
    visitor.pending.drop(ThinkTask.kind)
    opponents = [
        [(p.engine, p.level) for p in (both.black, both.white)] for both in (table.players, players)
    ]
    if len(table.tree) > 1 and opponents[0] != opponents[1]:
        table.unrate("the players were changed")
    visitor.set_players(players)


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
    """Answers `State.teaching`: takes the move back, or continues the game."""
    table = visitor.table
    if table.remark is None:
        raise RequestError("there is no warning to answer")
    table.forget_lesson()
    if take_back:
        table.undo()


def _notify_player(visitor: Visitor, color: Color, text: str) -> None:
    """Shows a notice on the pages of a color's player in a game with a friend."""
    visitor.update()  # first, so that the page does not show the question and its end
    for page in visitor.pages:
        if find_seat(visitor.table, page) == color:
            page.send(to_json(Notice("info", text)))


def _human_moves(visitor: Visitor, node: int | None, move: Callable[[], bool]) -> None:
    """Plays a move of the visitor, unless the flag has fallen.

    move: plays the move; returns whether it is complete. Raises RequestError for a move at another
    node or on an engine's turn.
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
