"""The permissions of pages by their roles: requests, moves, and the state they get."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import structs

from pinchtp.board.pages import Page
from pinchtp.board.protocol.state import State
from pinchtp.board.protocol.tree import TreeView
from pinchtp.board.table import Table
from pinchtp.board.tree import RequestError
from pinchtp.board.view import COLOR_NAMES, no_legal_moves
from pinchtp.board.web.keys import ENDED
from pinchtp.games import Color

HOST_ONLY = "only the host of this game can do that"  # the reason of a refusal
WATCHER_REQUESTS = frozenset(("export", "ask-rules", "ping", "set-visible"))
MOVE_REQUESTS = frozenset(("play", "play-turn", "swap", "pass", "cancel"))
PLAYER_REQUESTS = (
    WATCHER_REQUESTS
    | MOVE_REQUESTS
    | {"undo", "answer-undo", "withdraw-undo", "resign", "rematch", "set-name"}
)


def find_seat(table: Table, page: Page) -> Color | None:
    """Returns the color that a page plays; None for both colors, and for a watcher."""
    friend = table.friend_here
    if friend is None or page.role == "watcher":
        return None
    return friend if page.role == "friend" else friend.opponent


def list_absent(table: Table, pages: Iterable[Page]) -> tuple[Color, ...]:
    """Returns the colors without a page in a game with an invited friend."""
    if table.friend_here is None:
        return ()
    present = {find_seat(table, page) for page in pages}
    return tuple(color for color in Color if color not in present)


def check_role(type: str, table: Table, page: Page) -> None:
    """Raises RequestError for a request that a page is not allowed to make now."""
    if page.is_dismissed:
        raise RequestError(ENDED)
    if page.role != "owner" and type not in _list_allowed(table, page):
        raise RequestError(HOST_ONLY)
    if type in MOVE_REQUESTS and find_seat(table, page) not in (None, table.to_move):
        raise RequestError("it is the other player's turn")


def adapt_state(state: State, table: Table, page: Page) -> State:
    """Returns the state for a page, with the moves and requests that its role allows."""
    own = find_seat(table, page)
    if own is None and page.role == "owner":
        return state
    may_move = own == table.to_move
    can = [
        name
        for name in state.can
        if (page.role == "owner" or name in _list_allowed(table, page))
        and (may_move or name not in MOVE_REQUESTS)
        and (name != "undo" or table.can_undo(own))
    ]
    return structs.replace(
        state,
        can=can,
        tasks=state.tasks if page.role == "owner" else [],
        analysis_paused=state.analysis_paused and page.role == "owner",
        legal=state.legal if may_move else no_legal_moves(),
        seat="watch" if own is None else COLOR_NAMES[own],
        guest=page.role != "owner",
    )


def adapt_tree(tree: TreeView, table: Table, page: Page) -> TreeView:
    """Returns the tree for a page. Guests do not get evaluations before the end of the game."""
    if page.role == "owner" or table.has_ended:
        return tree
    nodes = [structs.replace(node, black=None, loss=None, mark="") for node in tree.nodes]
    return structs.replace(tree, nodes=nodes)


def _list_allowed(table: Table, page: Page) -> frozenset[str]:
    """Returns the requests that a guest may make: in a puzzle, those of a watcher."""
    return PLAYER_REQUESTS if page.role == "friend" and not table.puzzle else WATCHER_REQUESTS
