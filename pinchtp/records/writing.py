"""A session's game as SGF."""

from __future__ import annotations

from pinchtp import __version__
from pinchtp._core import PASS, SWAP
from pinchtp.games import Color, Position
from pinchtp.notation import coordinates, point
from pinchtp.records.overtime import time_properties
from pinchtp.records.sgf import (
    APPLICATION,
    LETTERS,
    Node,
    for_black,
    percent,
    remark,
    resignation,
    sgfmill,
    tidy,
)
from pinchtp.session import NO_LIMIT, Session, Turn

PROGRAM = f"{APPLICATION} {__version__}"


def to_sgf(session: Session, date: str = "") -> str:
    """The record of a session's game, without a line feed at its end and without blank lines.

    date: of the game if the session does not know it, as YYYY-MM-DD.
    """
    tree = sgfmill().Coarse_game_tree()
    height = session.start.height
    tree.sequence = [_root(session, date), *(_node(turn, height) for turn in session.history)]
    text: str = sgfmill().serialise_game_tree(tree).decode()
    return text.rstrip("\n")


def _root(session: Session, date: str) -> Node:
    info, start = session.info, session.start
    square = start.width == start.height
    texts = {
        "FF": "4",
        "CA": "UTF-8",
        "SZ": f"{start.width}" if square else f"{start.width}:{start.height}",
        "RU": _rules(session),
        "GN": info.name or session.game.title,
        "DT": info.date or date,
        "PB": info.black or _player(session, Color.BLACK),
        "PW": info.white or _player(session, Color.WHITE),
        "RE": _result(session),
        "C": info.comment,
        **time_properties(info.control if session.control == NO_LIMIT else session.control),
    }
    application = sgfmill().compose(APPLICATION.encode(), __version__.encode())
    values = {name: [_raw(text)] for name, text in texts.items() if text}
    return values | {"AP": [application]} | _setup(start)


def _rules(session: Session) -> str:
    words = [session.game.name, "swap" if session.start.pie else "no swap"]
    return ", ".join([*words, "swapped"] if session.start.swapped else words)


def _player(session: Session, color: Color) -> str:
    """This program, if it chose a move of that color."""
    ours = any(turn.color == color and turn.winrate is not None for turn in session.history)
    return PROGRAM if ours else ""


def _result(session: Session) -> str:
    """RE: B+R (resignation), B+ (on the board), 0 (a draw); empty while the game goes on."""
    if not session.is_over:
        return ""
    if session.winner is None:
        return "0"
    return LETTERS[session.winner] + ("+" if session.resigned is None else "+R")


def _setup(start: Position) -> Node:
    """The stones of a start that was set up, and whose turn it is; nothing for a usual start."""
    stones: dict[str, list[bytes]] = {"AB": [], "AW": []}
    for i, cell in enumerate(start.cells()):
        if cell:
            here = point(i % start.width, i // start.width)
            stones["AB" if cell == 1 else "AW"].append(_vertex(here, start.height))
    setup: Node = {name: points for name, points in stones.items() if points}
    if setup or start.to_move != Color.BLACK or start.swapped:
        setup["PL"] = [LETTERS[Color(start.to_move)].encode()]
    return setup


def _node(turn: Turn, height: int) -> Node:
    node: Node = {}
    if turn.move is None:
        node["N"] = [_raw(resignation(turn.color))]
    else:
        node[LETTERS[turn.color]] = [_vertex(turn.move, height)]
    if turn.winrate is not None:
        node["SBKV"] = [f"{for_black(percent(turn.winrate), turn.color):.2f}".encode()]
    if comment := turn.comment or remark(turn):
        node["C"] = [_raw(comment)]
    return node


def _vertex(move: int, height: int) -> bytes:
    if move == SWAP:
        return b"swap-pieces"
    if move == PASS:
        return b""
    x, y = coordinates(move)
    return bytes([ord("a") + x, ord("a") + height - 1 - y])


def _raw(text: str) -> bytes:
    value: bytes = sgfmill().escape_text(tidy(text).encode(errors="replace"))
    return value
