"""Invitations: the roles of a table's pages, and what each role may do."""

from __future__ import annotations

import segno
from msgspec import structs

from pinchtp.board import messages as m
from pinchtp.board.pages import Page
from pinchtp.board.table import Table
from pinchtp.board.tree import RequestError
from pinchtp.board.view import COLOR_NAMES, nothing_legal
from pinchtp.games import Color

OF_ALL = frozenset(("export", "ask-rules", "set-visible"))
OF_THE_MOVER = frozenset(("play", "play-turn", "swap", "pass", "cancel"))
OF_PLAYERS = OF_ALL | OF_THE_MOVER | {"undo", "answer-undo", "resign", "set-name"}


def seat(table: Table, page: Page) -> Color | None:
    """Returns the color that a page plays; None for both colors, and for a watcher."""
    if table.friend is None or page.role == "watcher":
        return None
    return table.friend if page.role == "friend" else table.friend.opponent


def check_role(type: str, table: Table, page: Page) -> None:
    """Raises RequestError for a request that a page may not make now."""
    if page.role != "owner" and type not in _allowed(page):
        raise RequestError("only the host of this game can do that")
    if type in OF_THE_MOVER and table.friend is not None and seat(table, page) != table.to_move:
        raise RequestError("it is the other player's turn")


def state_for(state: m.State, table: Table, page: Page) -> m.State:
    """Returns the state as a page may see it: with the moves and requests of its role."""
    own = seat(table, page)
    if own is None and page.role == "owner":
        return state
    may_move = own == table.to_move
    can = [
        name
        for name in state.can
        if (page.role == "owner" or name in _allowed(page))
        and (may_move or name not in OF_THE_MOVER)
    ]
    return structs.replace(
        state,
        can=can,
        legal=state.legal if may_move else nothing_legal(),
        seat="watch" if own is None else COLOR_NAMES[own],
        guest=page.role != "owner",
    )


def link(origin: str, path: str) -> m.InvitationLink:
    """Returns the link to a path. origin: of the board for other machines, or empty."""
    address = origin + path
    code = segno.make_qr(address).svg_data_uri(light="#fff", omitsize=True) if origin else ""
    return m.InvitationLink(address, code)


def _allowed(page: Page) -> frozenset[str]:
    return OF_PLAYERS if page.role == "friend" else OF_ALL
