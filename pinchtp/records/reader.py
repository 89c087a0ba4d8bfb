"""Game records in either format, SGF or Abstract Play's JSON. Guide: README.md in this folder."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from pinchtp.base.files import read_file
from pinchtp.games import GAMES, GameType, RuleValue
from pinchtp.games.session import Session
from pinchtp.records.abstract_play import is_json, parse, to_session
from pinchtp.records.errors import RecordError
from pinchtp.records.sgf import SgfError, SgfNode, from_nodes, main_lines, named_game


def readers(
    data: bytes, game: GameType | None = None, **options: RuleValue
) -> list[Callable[[], Session]]:
    """Returns a function for each game of a text that reads it, or raises RecordError.

    game: for SGF that does not name it. options: rules that the record does not state.
    Raises RecordError if the text has neither format.
    """
    if is_json(data):
        return [partial(to_session, record) for record in parse(data)]
    try:
        return [partial(_read_nodes, nodes, game, options) for nodes in main_lines(data)]
    except SgfError as error:
        raise RecordError(str(error)) from None


def read_session(data: bytes, game: GameType | None = None, **options: RuleValue) -> Session:
    """Returns the first game of a text; see readers(). Raises RecordError."""
    return readers(data, game, **options)[0]()


def read_file_session(path: Path, game: GameType | None = None) -> Session:
    """Returns the first game of a file; see readers(). Raises RecordError."""
    try:
        data = read_file(path)
    except OSError as error:
        raise RecordError(error.strerror) from None
    return read_session(data, game)


def _read_nodes(
    nodes: list[SgfNode], game: GameType | None, options: dict[str, RuleValue]
) -> Session:
    named = named_game(nodes[0]) or game
    if named is None:
        games = ", ".join(GAMES)
        raise RecordError(f"neither RU nor GN names its game; name it by --game, or game=: {games}")
    try:
        record = from_nodes(nodes, named, **options)
    except SgfError as error:
        raise RecordError(str(error)) from None
    session = Session.at(named, record.start, record.turns)
    session.info = record.info
    return session
